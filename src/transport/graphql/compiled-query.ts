// Executes queries by a plan that is made once for each document. graphql-js works out fields, arguments and types for each record, and a
// plan once. A plan gives right answers or none: where it meets an error, graphql-js makes the answer from the outcomes of its resolvers.

import {
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { recordedExtension } from '../../platform/graphql/field-cost.js';
import { LoaderCache, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { FieldOutcomes, ResolverOutcomes } from '../../platform/graphql/resolver-outcomes.js';
import type { Variables } from './operation-cost.js';

type Answer = Record<string, unknown>;
/** An object of the answer, or a list. */
type Place = Record<string | number, unknown>;

export class CompiledQueries {
  /** The plans by operation. Null: graphql-js has to execute it. */
  private readonly plans = new WeakMap<OperationDefinitionNode, QueryPlan | null>();
  private readonly seen = new WeakSet<OperationDefinitionNode>();
  /** Contexts of requests that came already. Each request comes twice, before Apollo and within it. */
  private readonly asked = new WeakSet<GraphqlContext>();

  constructor(private readonly schema: GraphQLSchema) {}

  /**
   * Executes a query of a valid document. After an error the context has the outcomes of its resolvers; a record that was gone when it was
   * read makes graphql-js read everything again.
   * @returns its data. Undefined where graphql-js has to answer: another operation, the first time, an error, or the same context again
   */
  async execute(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Variables,
    context: GraphqlContext,
  ): Promise<Answer | undefined> {
    if (this.asked.has(context)) return undefined;
    this.asked.add(context);
    const plan = this.planOf(document, operationName);
    if (plan === null) return undefined;
    const loaders = new LoaderCache();
    const { data, outcomes } = await plan.execute(variables, { ...context, loaders });
    if (loaders.hasGap) return undefined;
    if (data === undefined) context.outcomes = outcomes;
    return data;
  }

  // Plans are kept by operation: a name that the document lacks has no plan, whatever was asked for before.
  private planOf(document: DocumentNode, operationName: string | null | undefined): QueryPlan | null {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.QUERY) return null;
    const known = this.plans.get(operation);
    if (known !== undefined) return known;
    // Many operations come only once.
    if (!this.seen.has(operation)) {
      this.seen.add(operation);
      return null;
    }
    const plan = this.compile(document, operation);
    this.plans.set(operation, plan);
    return plan;
  }

  private compile(document: DocumentNode, operation: OperationDefinitionNode): QueryPlan | null {
    const { schema } = this;
    const root = schema.getQueryType();
    if (root == null) return null;
    try {
      return new QueryPlan(schema, document, operation, root);
    } catch (error) {
      if (error instanceof NotCompiled) return null;
      throw error;
    }
  }
}

/**
 * The document has parts that plans do not know, or do not answer: directives, abstract types, the schema's own fields, recorded readings.
 */
class NotCompiled extends Error {}

/** An execution of a plan. */
interface Run {
  context: GraphqlContext;
  variables: Record<string, unknown>;
  /** The call of each resolver of the plan, made on first use. */
  calls: (ResolverCall | undefined)[];
  /** Puts the value of a promise in its place; the execution ends after the last one. */
  await(value: PromiseLike<unknown>, complete: Complete, place: Place, key: string | number): void;
  /** Notes an error, or a null where none may be. The other resolvers still run: graphql-js needs their outcomes. */
  fail(): void;
}

interface ResolverCall {
  args: Record<string, unknown>;
  info: GraphQLResolveInfo;
  outcomes: FieldOutcomes;
}

/** The result of an execution: data, or the outcomes of the resolvers of a query that failed. */
interface Executed {
  data?: Answer;
  outcomes?: ResolverOutcomes;
}

/** Writes the answer of a value in its place. */
type Complete = (value: unknown, run: Run, place: Place, key: string | number) => void;

interface FieldPlan {
  key: string;
  /** Reads the field of a record. */
  read: (source: unknown, run: Run) => unknown;
  complete: Complete;
}

class QueryPlan {
  private readonly fields: readonly FieldPlan[];
  private readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  private callCount = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    root: GraphQLObjectType,
  ) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
    if (hasDirectives(operation)) throw new NotCompiled();
    this.fields = this.fieldsOf(root, [operation.selectionSet]);
  }

  execute(sent: Variables, context: GraphqlContext): Promise<Executed> {
    return new Promise((resolve) => {
      const definitions = this.operation.variableDefinitions ?? [];
      const { coerced } = getVariableValues(this.schema, definitions, sent ?? {}, { maxErrors: 1 });
      if (coerced === undefined) return resolve({});
      const data: Answer = {};
      let waiting = 1;
      let hasFailed = false;
      const settle = () => {
        waiting -= 1;
        if (waiting === 0) resolve(hasFailed ? { outcomes: outcomesOf(run) } : { data });
      };
      const fail = () => void (hasFailed = true);
      const settleFailed = () => {
        fail();
        settle();
      };
      const run: Run = {
        context,
        variables: coerced,
        calls: [],
        fail,
        await: (value, complete, place, key) => {
          waiting += 1;
          // The null keeps its place among the fields.
          place[key] = null;
          value.then((settled) => complete(settled, run, place, key)).then(settle, settleFailed);
        },
      };
      writeFields(this.fields, undefined, run, data);
      settle();
    });
  }

  private fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): FieldPlan[] {
    const nodes = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const set of sets) this.collect(set, type, nodes, visited);
    return [...nodes].map(([key, own]) => this.fieldOf(type, key, own));
  }

  private collect(
    { selections }: SelectionSetNode,
    type: GraphQLObjectType,
    nodes: Map<string, FieldNode[]>,
    visited: Set<string>,
  ): void {
    for (const selection of selections) {
      if (hasDirectives(selection)) throw new NotCompiled();
      if (selection.kind === Kind.FIELD) addNode(nodes, selection);
      else this.collectFragment(selection, type, nodes, visited);
    }
  }

  private collectFragment(
    selection: FragmentSpreadNode | InlineFragmentNode,
    type: GraphQLObjectType,
    nodes: Map<string, FieldNode[]>,
    visited: Set<string>,
  ): void {
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
    if (name !== undefined && visited.has(name)) return;
    if (name !== undefined) visited.add(name);
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments[selection.name.value] : selection;
    const condition = fragment?.typeCondition?.name.value ?? type.name;
    if (fragment === undefined || condition !== type.name) throw new NotCompiled();
    this.collect(fragment.selectionSet, type, nodes, visited);
  }

  private fieldOf(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): FieldPlan {
    const [node] = nodes;
    // An alias of this name would be the prototype of its object.
    if (node === undefined || key === '__proto__') throw new NotCompiled();
    const name = node.name.value;
    if (name === '__typename') return { key, read: () => type.name, complete: writeAsIs };
    const field = type.getFields()[name] as GraphQLField<unknown, GraphqlContext> | undefined;
    if (field === undefined || field.extensions[recordedExtension] === true) throw new NotCompiled();
    return { key, read: this.readerOf(type, field, nodes), complete: this.completerOf(field.type, nodes) };
  }

  private readerOf(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, GraphqlContext>,
    nodes: readonly FieldNode[],
  ): FieldPlan['read'] {
    const { name, resolve = readProperty } = field;
    const index = this.callCount;
    this.callCount += 1;
    const callIn = (run: Run) => (run.calls[index] ??= this.callOf(type, field, nodes, run));
    if (resolve !== readProperty)
      return (source, run) => {
        const { args, info, outcomes } = callIn(run);
        return outcomes.run(resolve, source, args, run.context, info);
      };
    return (source, run) => {
      const value = (source as Answer)[name];
      if (typeof value !== 'function') return value;
      const { args, info } = callIn(run);
      return (value as Method).call(source, args, run.context, info);
    };
  }

  // Arguments and selection are those of the document: the same for each record of a list.
  private callOf(
    parentType: GraphQLObjectType,
    field: GraphQLField<unknown, GraphqlContext>,
    fieldNodes: readonly FieldNode[],
    { variables: variableValues }: Run,
  ): ResolverCall {
    const { schema, fragments, operation } = this;
    const [node] = fieldNodes;
    if (node === undefined) throw new Error('a field that nothing asks for');
    const path = { prev: undefined, key: (node.alias ?? node.name).value, typename: parentType.name };
    const info = { fieldName: field.name, fieldNodes, returnType: field.type, parentType, path, schema, fragments };
    return {
      args: getArgumentValues(field as GraphQLField<unknown, unknown>, node, variableValues),
      info: { ...info, operation, variableValues, rootValue: undefined },
      outcomes: new FieldOutcomes(fieldNodes),
    };
  }

  private completerOf(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    const isNullable = !isNonNullType(type);
    const inner = this.completerOfValue(isNonNullType(type) ? type.ofType : type, nodes);
    const complete: Complete = (value, run, place, key) => {
      if (value == null) {
        if (!isNullable) run.fail();
        place[key] = null;
      } else if (isPromise(value)) run.await(value, complete, place, key);
      else inner(value, run, place, key);
    };
    return complete;
  }

  private completerOfValue(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isListType(type)) return completeList(this.completerOf(type.ofType as GraphQLOutputType, nodes));
    if (isLeafType(type))
      return (value, run, place, key) => {
        const written: unknown = type.serialize(value);
        if (written == null) run.fail();
        place[key] = written;
      };
    if (!isObjectType(type) || type.isTypeOf != null) throw new NotCompiled();
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const fields = this.fieldsOf(type, sets);
    return (value, run, place, key) => {
      if (value instanceof Error) return run.fail();
      const answer: Answer = {};
      place[key] = answer;
      writeFields(fields, value, run, answer);
    };
  }
}

function addNode(nodes: Map<string, FieldNode[]>, node: FieldNode): void {
  const key = (node.alias ?? node.name).value;
  const known = nodes.get(key);
  if (known === undefined) nodes.set(key, [node]);
  else known.push(node);
}

type Method = (this: unknown, args: object, context: GraphqlContext, info: GraphQLResolveInfo) => unknown;

// Stands for the resolver of fields that have none.
const readProperty: GraphQLFieldResolver<unknown, GraphqlContext> = () => undefined;

const writeAsIs: Complete = (value, _run, place, key) => {
  place[key] = value;
};

function writeFields(fields: readonly FieldPlan[], source: unknown, run: Run, answer: Answer): void {
  for (const { key, read, complete } of fields) {
    try {
      complete(read(source, run), run, answer, key);
    } catch {
      run.fail();
    }
  }
}

const outcomesOf = ({ calls }: Run) => new ResolverOutcomes(calls.flatMap((call) => call?.outcomes ?? []));

function completeList(complete: Complete): Complete {
  return (value, run, place, key) => {
    if (!Array.isArray(value)) return run.fail();
    const answers: unknown[] = [];
    place[key] = answers;
    for (const [index, entry] of value.entries()) complete(entry, run, answers as unknown as Place, index);
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function hasDirectives({ directives }: { directives?: readonly unknown[] | undefined }): boolean {
  return directives !== undefined && directives.length > 0;
}

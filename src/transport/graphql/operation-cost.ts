// The highest possible cost of an operation, by the pages it asks for, and its refusal where that is too much. A field counts 1 (few count
// more), and inside a list once for each entry. It is counted on a valid document with the caller's variables, before anything is executed.

import {
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  getNamedType,
  getOperationAST,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { costExtension } from '../../platform/graphql/field-cost.js';
import { defaultPageSize, maxPageSize } from '../../platform/database/page.js';
import { listSizeExtension } from '../../platform/graphql/relay.type.js';
import { limitError, tokenCountOf } from './document-limit.js';

/** Variables as the caller sent them; a value that is not a whole number is refused when the operation is executed. */
export type Variables = Readonly<Record<string, unknown>> | null | undefined;

// The size of lists without a page size (identities, a timeline): longer ones are rare.
const assumedListSize = 10;

// The schema is read from memory: five of its fields take about as long as one of ours. `ofType` mostly leads nowhere.
const introspectionWeight = 1 / 5;
const introspectionSizes: Record<string, number> = {
  fields: 8,
  args: 2,
  inputFields: 4,
  enumValues: 4,
  interfaces: 1,
  possibleTypes: 1,
  directives: 6,
  locations: 1,
  ofType: 0.5,
};

/** A selection set's cost is `fixed`, and in a connection `perEntry` for each entry of the page. */
interface Cost {
  readonly fixed: number;
  readonly perEntry: number;
}

const free: Cost = { fixed: 0, perEntry: 0 };

const charactersPerCost = 100;

export interface OperationCostOptions {
  schema: GraphQLSchema;
  /** The highest cost of one operation. */
  maxCost: number;
}

/** Costs of documents that a DocumentStore has prepared. */
export class OperationCosts {
  /** The last cost of each operation, and the numbers it came with: most operations come again with the same page size. */
  private readonly last = new WeakMap<OperationDefinitionNode, { numbers: string; cost: number }>();

  constructor(private readonly options: OperationCostOptions) {}

  /** Returns the refusal of an operation that costs too much. Undefined where it does not, or where the document has none of that name. */
  findExcessive(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Variables,
  ): GraphQLError | undefined {
    const { maxCost } = this.options;
    const cost = this.costOf(document, operationName, variables);
    return cost > maxCost ? limitError('cost', cost, maxCost) : undefined;
  }

  /** The cost of an operation that is executed: at least 1. */
  costOf(document: DocumentNode, operationName: string | null | undefined, variables: Variables): number {
    const operation = getOperationAST(document, operationName);
    if (operation == null) return 1;
    const numbers = numbersIn(operation, variables);
    const last = this.last.get(operation);
    if (last?.numbers === numbers) return last.cost;
    const cost = costOfOperation(this.options.schema, document, operation, variables);
    this.last.set(operation, { numbers, cost });
    return cost;
  }

  /** The cost of an operation that stays: it is executed again and again, with its text and variables in memory. */
  costOfStaying(document: DocumentNode, operationName: string | null | undefined, variables: Variables): number {
    const characters = (document.loc?.source.body.length ?? 0) + JSON.stringify(variables ?? {}).length;
    const kept = tokenCountOf(document) + Math.ceil(characters / charactersPerCost);
    return this.costOf(document, operationName, variables) + kept;
  }
}

// Only numbers can be page sizes; any other given value takes the place of a default value.
function numbersIn({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): string {
  let numbers = '';
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    // A property that every object has, such as `constructor`, is not given.
    const value = variables != null && Object.hasOwn(variables, name) ? variables[name] : undefined;
    numbers += typeof value === 'number' ? `${value},` : value === undefined ? ',' : '-,';
  }
  return numbers;
}

/** Returns a whole number of at least 1. The time is linear in the document: each fragment is counted once. */
function costOfOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const root = schema.getRootType(operation.operation);
  if (root == null) return 1;
  const given = { ...defaultsOf(operation), ...variables };
  return Math.ceil(new CostReader(schema, document, given).ofSet(operation.selectionSet, root).fixed);
}

// Only whole numbers can be page sizes.
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, number> {
  const defaults: Record<string, number> = {};
  for (const { variable, defaultValue } of variableDefinitions)
    if (defaultValue?.kind === Kind.INT) defaults[variable.name.value] = Number(defaultValue.value);
  return defaults;
}

class CostReader {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly known = new Map<string, Cost>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
  }

  ofSet({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): Cost {
    let [fixed, perEntry] = [0, 0];
    for (const selection of selections) {
      const cost =
        selection.kind === Kind.FIELD
          ? this.ofField(selection, type)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? this.ofFragment(selection.name.value)
            : this.ofSet(selection.selectionSet, this.conditionOf(selection.typeCondition?.name.value) ?? type);
      fixed += cost.fixed;
      perEntry += cost.perEntry;
    }
    return { fixed, perEntry };
  }

  private ofFragment(name: string): Cost {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return free;
    const cost = this.ofSet(fragment.selectionSet, this.conditionOf(fragment.typeCondition.name.value));
    this.known.set(name, cost);
    return cost;
  }

  private conditionOf(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }

  private ofField(node: FieldNode, parent: GraphQLNamedType | undefined): Cost {
    const field = fieldOf(parent, node.name.value);
    const own = field === undefined ? 1 : ownCostOf(field);
    if (field === undefined || node.selectionSet === undefined) return { fixed: own, perEntry: 0 };
    const type = getNamedType(field.type);
    const inner = this.ofSet(node.selectionSet, type);
    if (isIntrospectionType(type)) return this.ofIntrospection(field, parent, inner);
    if (field.name === 'edges' && isConnection(parent)) return { fixed: 1, perEntry: inner.fixed };
    const pageSize = this.pageSizeOf(node);
    if (isConnection(type))
      return { fixed: own + inner.fixed + inner.perEntry * (pageSize ?? defaultPageSize), perEntry: 0 };
    const times = isList(field.type) ? (pageSize ?? listSizeOf(field)) : 1;
    return { fixed: own + inner.fixed * times, perEntry: 0 };
  }

  private ofIntrospection(
    { name }: GraphQLField<unknown, unknown>,
    parent: GraphQLNamedType | undefined,
    { fixed }: Cost,
  ): Cost {
    if (parent === undefined || !isIntrospectionType(parent))
      return { fixed: 1 + fixed * introspectionWeight, perEntry: 0 };
    const times = name === 'types' ? Object.keys(this.schema.getTypeMap()).length : (introspectionSizes[name] ?? 1);
    return { fixed: 1 + fixed * times, perEntry: 0 };
  }

  // Sizes out of bounds are refused by the field, which names the argument.
  private pageSizeOf(node: FieldNode): number | undefined {
    for (const argument of node.arguments ?? []) {
      if (argument.name.value !== 'first' && argument.name.value !== 'last') continue;
      const { value } = argument;
      const size =
        value.kind === Kind.INT
          ? Number(value.value)
          : value.kind === Kind.VARIABLE
            ? this.variables[value.name.value]
            : undefined;
      if (typeof size === 'number') return Math.min(Math.max(size, 0), maxPageSize);
    }
    return undefined;
  }
}

function fieldOf(parent: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return parent !== undefined && 'getFields' in parent
    ? (parent.getFields()[name] as GraphQLField<unknown, unknown> | undefined)
    : undefined;
}

function listSizeOf({ extensions }: GraphQLField<unknown, unknown>): number {
  const size = extensions[listSizeExtension];
  return typeof size === 'number' ? size : assumedListSize;
}

function ownCostOf({ extensions }: GraphQLField<unknown, unknown>): number {
  const cost = extensions[costExtension];
  return typeof cost === 'number' ? cost : 1;
}

function isConnection(type: GraphQLNamedType | undefined): boolean {
  return isObjectType(type) && type.name.endsWith('Connection') && 'edges' in type.getFields();
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

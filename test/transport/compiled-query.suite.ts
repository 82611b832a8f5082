// Compiled plans give the same answers as graphql-js, or leave the query to it.

import {
  buildSchema,
  execute,
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
  validate,
  type GraphQLFieldResolver,
} from 'graphql';
import { recordedExtension } from '../../src/platform/graphql/field-cost.js';
import { Deadline } from '../../src/platform/jobs/deadline.js';
import { LoaderCache, type GraphqlContext } from '../../src/platform/graphql/graphql-context.js';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { CompiledQueries } from '../../src/transport/graphql/compiled-query.js';
import { stopResolversInTime } from '../../src/transport/graphql/operation-time.js';

let executions = 0;

const item: GraphQLObjectType = new GraphQLObjectType({
  name: 'Item',
  fields: () => ({
    id: { type: new GraphQLNonNull(GraphQLInt) },
    name: { type: GraphQLString },
    named: { type: GraphQLString, args: { as: { type: GraphQLString, defaultValue: 'x' } }, resolve: nameOf },
    method: { type: GraphQLString },
    later: {
      type: item,
      resolve: ({ id }: Source) => Promise.resolve(id === 3 ? null : { id: id + 10, name: 'later' }),
    },
    parts: { type: new GraphQLList(new GraphQLNonNull(item)) },
    recorded: { type: GraphQLString, resolve: () => 'read', extensions: { [recordedExtension]: true } },
    failing: { type: GraphQLString, resolve: () => Promise.reject(new GraphQLError('not today')) },
    missing: { type: new GraphQLNonNull(GraphQLString), resolve: () => null },
  }),
});

interface Source {
  id: number;
  name: string | null;
}

function nameOf({ name }: Source, { as }: { as?: string }): string {
  return `${name} as ${as}`;
}

const items = [1, 2, 3].map((id) => ({
  id,
  name: id === 2 ? null : `item "${id}"`,
  method: () => `method ${id}`,
  parts: [{ id: id * 100, name: 'part', parts: [] }],
}));

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      items: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item))),
        args: { first: { type: GraphQLInt } },
        resolve: (_source, { first }: { first?: number }) => {
          executions += 1;
          return Promise.resolve(items.slice(0, first ?? 3));
        },
      },
      item: { type: item, resolve: () => items[0] },
    },
  }),
  mutation: new GraphQLObjectType({ name: 'Mutation', fields: { item: { type: item, resolve: () => items[0] } } }),
});

type Asked = [variables?: Record<string, unknown>, operationName?: string];

/** @returns the answers of graphql-js and of a plan; undefined if the plan leaves the query to graphql-js */
async function bothOf(text: string, ...[variables, operationName]: Asked) {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const queries = new CompiledQueries(schema);
  const deadline = new Deadline(10_000);
  const context = (tenantId = 'a'): GraphqlContext => {
    const principal = { kind: 'user', tenantId, userId: 'u', role: 'OPERATOR' } as UserPrincipal;
    return { principal, loaders: new LoaderCache(), deadline };
  };
  const expected = await execute({
    schema,
    document,
    variableValues: variables,
    operationName,
    contextValue: context(),
  });
  const ask = (tenantId?: string) => queries.execute(document, operationName, variables, context(tenantId));
  const firstTime = await ask();
  const planned = await ask();
  deadline.end();
  expect(firstTime).toBeUndefined();
  return { expected, planned, ask };
}

export function describeCompiledQueries(): void {
  test.each([
    ['fields, aliases and names of types', '{ a: items { __typename x: id name } b: items(first: 1) { id } }'],
    ['promises stand at the place of their fields', '{ items { id later { name id } name } item { later { id } } }'],
    ['methods and arguments', '{ items { method named one: named(as: "one") nothing: named(as: null) } }'],
    ['lists in lists', '{ items { parts { id parts { id } } } }'],
    ['fields that are asked for twice', '{ items { id } items { name later { id } later { name } } }'],
    [
      'fragments',
      '{ ...q } fragment q on Query { items { ...i ... on Item { name } ... { id } } } fragment i on Item { id ...j } fragment j on Item { method }',
    ],
    ['variables', 'query ($first: Int = 2, $as: String) { items(first: $first) { named(as: $as) } }'],
    ['variables that are given', 'query ($first: Int) { items(first: $first) { id } }', { first: 1 }],
    ['one of several operations', 'query A { item { id } } query B { item { name } }', undefined, 'B'],
  ])('%s', async (_name, text, ...asked: Asked) => {
    const { expected, planned } = await bothOf(text, ...asked);
    expect(expected.errors).toBeUndefined();
    expect(JSON.stringify(planned)).toBe(JSON.stringify(expected.data));
  });

  test.each([
    ['an error', '{ item { id failing } }'],
    ['a null where none may be', '{ item { id missing } }'],
    ['a variable of another type', 'query ($first: Int) { items(first: $first) { id } }', { first: 'many' }],
    ['an alias that is no own property', '{ items { __proto__: id name } }'],
    ['a field whose reading is recorded', '{ item { id recorded } }'],
    ['directives', '{ items { id @skip(if: true) name } }'],
    ['mutations', 'mutation { item { id } }'],
    ['the schema', '{ __schema { queryType { name } } }'],
  ])('%s is left to graphql-js', async (_name, text, ...asked: Asked) => {
    expect((await bothOf(text, ...asked)).planned).toBeUndefined();
  });

  describe('a query that fails has the errors of graphql-js, and each of its resolvers has run once', () => {
    const runs = new Map<string, number>();

    const failingSchema = buildSchema(`
      type Query { people(first: Int): [Person!] person: Person lost: Person! broken: [Person!] }
      type Person { id: Int age: Int! friend: Person! friends(first: Int = 2): [Person!]! note: String late: String! odd: Int oddLater: Int oddest: [Int!] }`);
    const later = <Value>(value: Value) => new Promise<Value>((resolve) => setImmediate(() => resolve(value)));
    const personOf = (id: number) => ({ id });
    const resolvers: Record<string, Record<string, GraphQLFieldResolver<{ id: number }, GraphqlContext>>> = {
      Query: {
        people: (_source, { first = 3 }: { first?: number }) =>
          later(Array.from({ length: first }, (_, id) => ({ id }))),
        person: () => personOf(7),
        lost: () => Promise.reject(new GraphQLError('lost', { extensions: { code: 'NOT_FOUND' } })),
        broken: () => later('no list'),
      },
      Person: {
        age: ({ id }) => (id === 1 ? null : 30 + id),
        friend: ({ id }) => (id === 2 ? later(new Error('an error as a value')) : later(personOf(id + 10))),
        friends: ({ id }, { first }: { first: number }) =>
          later(Array.from({ length: first }, () => personOf(id + 20))),
        note: ({ id }) => {
          if (id === 1) throw new GraphQLError('no note today');
          return `note ${id}`;
        },
        late: ({ id }) => (id > 20 ? Promise.reject(new Error(`too late for ${id}`)) : later('late')),
        odd: ({ id }) => (id % 2 === 1 ? id : 'even'),
        oddLater: ({ id }) => later(id % 2 === 1 ? id : 'even'),
        oddest: ({ id }) => later([id, id % 2 === 1 ? id : 'even', id + 1]),
      },
    };
    for (const [typeName, fields] of Object.entries(resolvers))
      for (const [name, resolve] of Object.entries(fields)) {
        const field = (failingSchema.getType(typeName) as GraphQLObjectType).getFields()[name]!;
        const counted: typeof resolve = (source, args, context, info) => {
          const call = `${typeName}.${name} of ${source?.id}, ${info.fieldNodes.length} places, ${info.path.key}`;
          runs.set(call, (runs.get(call) ?? 0) + 1);
          return resolve(source, args, context, info);
        };
        field.resolve = counted as GraphQLFieldResolver<unknown, unknown>;
      }
    stopResolversInTime(failingSchema);

    async function ask(text: string, variableValues: Record<string, unknown> | undefined, planned: boolean) {
      const document = parse(text);
      expect(validate(failingSchema, document)).toEqual([]);
      const queries = new CompiledQueries(failingSchema);
      const deadline = new Deadline(10_000);
      const newContext = (): GraphqlContext => ({ principal: undefined, loaders: new LoaderCache(), deadline });
      const contextValue = newContext();
      runs.clear();
      if (planned) {
        await queries.execute(document, undefined, variableValues, newContext());
        expect(await queries.execute(document, undefined, variableValues, contextValue)).toBeUndefined();
        expect(runs.size).toBeGreaterThan(0);
      }
      const answer = await execute({ schema: failingSchema, document, variableValues, contextValue });
      deadline.end();
      const errors = answer.errors?.map((error) => error.toJSON());
      return { data: answer.data, errors, runs: new Map(runs) };
    }

    test.each([
      ['thrown at once', '{ people { id note } person { note } }'],
      ['rejected, where null may not be', '{ person { id friends { id late } } people { id } }'],
      ['rejected at the root', '{ people { id } lost { id } }'],
      ['a null where none may be', '{ people { id age } person { age note } }'],
      [
        'a null in a list, with variables',
        'query ($first: Int) { people(first: $first) { age friends(first: 1) { age } } }',
        { first: 2 },
      ],
      ['an error as a value', '{ people { id friend { id note } } }'],
      ['no list', '{ broken { id } people { id note } }'],
      ['a value of another type', '{ people { id odd } person { odd } }'],
      ['a value of another type, later', '{ person { oddLater } people { id oddLater } }'],
      ['a value of another type in a list', '{ person { oddest } people { oddest note } }'],
      [
        'several, at several depths',
        '{ people { note friends { late note } odd } person { friend { friends { late } } } }',
      ],
      [
        'under aliases and in fragments',
        '{ a: people { ...p } b: people { ...p } } fragment p on Person { note friend { note } }',
      ],
      ['of a field that is asked for twice', '{ people { note friend { id } friend { note } } }'],
    ])('%s', async (_name, text, ...[variables]: Asked) => {
      const expected = await ask(text, variables, false);
      const answered = await ask(text, variables, true);
      expect(expected.errors).not.toHaveLength(0);
      expect(JSON.stringify(answered.data)).toBe(JSON.stringify(expected.data));
      const inOrder = (errors = expected.errors) => (errors ?? []).map((error) => JSON.stringify(error)).toSorted();
      expect(inOrder(answered.errors)).toEqual(inOrder());
      for (const [call, count] of expected.runs) expect([call, answered.runs.get(call)]).toEqual([call, count]);
    });
  });

  test('a request asks twice, and makes no plan at the first call', async () => {
    const document = parse('{ items { id } }');
    const queries = new CompiledQueries(schema);
    const deadline = new Deadline(10_000);
    const newContext = (): GraphqlContext => ({ principal: undefined, loaders: new LoaderCache(), deadline });
    const ask = (context: GraphqlContext) => queries.execute(document, undefined, undefined, context);
    const [first, second] = [newContext(), newContext()];
    expect([await ask(first), await ask(first)]).toEqual([undefined, undefined]);
    expect(await ask(second)).toEqual({ items: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    const before = executions;
    expect(await ask(second)).toBeUndefined();
    expect(executions).toBe(before);
    deadline.end();
  });

  test('abstract types are left to graphql-js', async () => {
    const abstract = buildSchema('type Query { any: Any } union Any = A | B type A { id: Int } type B { id: Int }');
    const document = parse('{ any { ... on A { id } } }');
    const queries = new CompiledQueries(abstract);
    const deadline = new Deadline(10_000);
    const ask = () =>
      queries.execute(document, undefined, undefined, { principal: undefined, loaders: new LoaderCache(), deadline });
    expect([await ask(), await ask()]).toEqual([undefined, undefined]);
    deadline.end();
  });
}

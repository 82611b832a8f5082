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
} from 'graphql';
import { recordedExtension } from '../../src/platform/field-cost.js';
import { Deadline } from '../../src/platform/deadline.js';
import { LoaderCache, type GraphqlContext } from '../../src/platform/graphql-context.js';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { CompiledQueries } from '../../src/transport/graphql/compiled-query.js';

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

  test('what has failed for a tenant is not executed twice again at once; others keep their plan', async () => {
    const { ask } = await bothOf('{ items { failing } }');
    const before = executions;
    expect(await ask()).toBeUndefined();
    expect(executions).toBe(before);
    expect(await ask('b')).toBeUndefined();
    expect(executions).toBe(before + 1);
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

// Operations that are made to cost the server more than the caller, and two that it has to answer in full. Each is as large as the
// limits before it allow, or as large as a body may be.

import { getIntrospectionQuery } from 'graphql';

export interface HostileQuery {
  name: string;
  query: string;
  variables?: Record<string, unknown>;
}

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const chain = (count: number, last: string) =>
  repeat(count, (index) => `fragment F${index} on Lead { ...F${index + 1} }`) +
  ` fragment F${count} on Lead { ${last} }`;

/** Each fragment spreads the next one twice: 2 to the power of `depth` fields. */
const doubling = (depth: number) =>
  repeat(depth, (index) => `fragment F${index} on Lead { ...F${index + 1} ...F${index + 1} }`) +
  ` fragment F${depth} on Lead { id }`;

const messageFields = `id body type direction status externalId createdAt receivedAt sentAt deliveredAt readAt failedAt
  scheduledFor templateVersion providerTimestamp`;

export const hostileQueries: readonly HostileQuery[] = [
  { name: 'depth: 900 levels', query: '{a'.repeat(900) + '}'.repeat(900) },
  {
    name: 'depth: 300 levels that exist',
    query: `{ leads { edges { node ${'{ lastMessage { lead '.repeat(300)}{ id }${' } }'.repeat(300)} } } }`,
  },
  {
    name: 'values nested 900 deep',
    query: `{ leads(first: ${'['.repeat(900)}${']'.repeat(900)}) { edges { cursor } } }`,
  },
  { name: 'aliases: 480 of one field', query: `{ ${repeat(480, (index) => `a${index}: me`)} }` },
  { name: 'fields: 300 times the same', query: `{ ${repeat(300, () => 'me { id role }')} }` },
  {
    name: 'fields: 100 at one place, each with 8',
    query: `{ leads { edges { node { ${repeat(12, () => `lastMessage { ${repeat(8, () => 'lead { id name chat source }')} }`)} } } } }`,
  },
  { name: 'fields: 900 that do not exist', query: `{ ${repeat(900, (index) => `auditLg${index}`)} }` },
  {
    name: 'arguments: 480 that do not exist',
    query: `{ leads(${repeat(480, (index) => `frst${index}: 1`)}) { edges { cursor } } }`,
  },
  { name: 'directives: 480 on one field', query: `{ me { id ${repeat(480, () => '@skip(if: false)')} } }` },
  { name: 'directives: 900 that do not exist', query: `{ me { id ${repeat(900, (index) => `@x${index}`)} } }` },
  { name: 'variables: 390 unused', query: `query (${repeat(390, (index) => `$v${index}: Int`)}) { me { id } }` },
  { name: 'tokens: 80,000', query: `{ ${'me '.repeat(80_000)} }` },
  { name: 'tokens: one text of 240 KB', query: `{ lead(id: "${'x'.repeat(240_000)}") { id } }` },
  { name: 'tokens: 120,000 commas and blanks', query: `{ me ${', '.repeat(120_000)} { id } }` },
  { name: 'fragments that double 60 times', query: `{ leads { edges { node { ...F0 } } } } ${doubling(60)}` },
  { name: 'fragments: a chain of 95', query: `{ leads { edges { node { ...F0 } } } } ${chain(95, 'id')}` },
  { name: 'fragments in a circle of 95', query: `{ leads { edges { node { ...F0 } } } } ${chain(95, '...F0')}` },
  {
    name: 'fragments: 280 unused',
    query: `{ me { id } } ${repeat(280, (index) => `fragment F${index} on Lead { id }`)}`,
  },
  {
    name: 'fragments: 40 that overlap',
    query:
      `{ leads { edges { node { ${repeat(40, (index) => `...F${index}`)} } } } } ${repeat(40, (index) => `fragment F${index} on Lead { ${repeat(20, () => 'lastMessage { id }')} }`)}`.slice(
        0,
        250_000,
      ),
  },
  {
    name: 'fragments: 45 with the same fields',
    query: `{ leads(first: 1) { edges { node { ${repeat(45, (index) => `...F${index}`)} } } } } ${repeat(45, (index) => `fragment F${index} on Lead { id name chat source unreadCount createdAt lastMessage { id body } }`)}`,
  },
  { name: 'operations: 240', query: repeat(240, (index) => `query Q${index} { me { id } }`) },
  {
    name: 'introspection, nested',
    query: `{ __schema { types { ${'fields { type { '.repeat(7)}name${' } }'.repeat(7)} } } }`,
  },
  {
    name: 'introspection, wide',
    query: `{ __schema { types { fields { type { fields { args { ${repeat(900, () => 'name')} } } } } } } }`,
  },
  {
    name: 'introspection, as wide as is allowed',
    query: `{ __schema { types { fields { type { fields { args { name } ${repeat(5, () => 'name description')} } } } } } }`,
  },
  { name: 'introspection, as tools ask it', query: getIntrospectionQuery() },
  {
    name: 'cost: 8,000,000',
    query:
      '{ leads(first: 200) { edges { node { messages(first: 200) { edges { node { timeline { detail } id body } } } } } } }',
  },
  {
    name: 'cost: as much as is allowed, wide',
    query: `{ leads(first: 200) { edges { node { ${repeat(45, (index) => `a${index}: name`)} ${repeat(48, () => 'chat')} } } } }`,
  },
  {
    name: 'cost: as much as is allowed, deep',
    query: `{ leads(first: 30) { edges { node { id messages(last: 40) { edges { node { ${messageFields} } } } } } } }`,
  },
  {
    name: 'variables: 240 KB of values',
    query: 'query ($variables: JSONObject) { renderTemplate(id: "x", variables: $variables) { body } }',
    variables: { variables: Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`name${index}`, index])) },
  },
];

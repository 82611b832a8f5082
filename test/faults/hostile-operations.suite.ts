// GraphQL operations whose answer would be many times their own size: from strangers and from a signed-in user, over HTTP and over a
// socket.

import { once } from 'node:events';
import WebSocket from 'ws';
import { withTenant } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeHostileOperations(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  const createLead = 'mutation ($input: CreateLeadInput!) { createLead(input: $input) { created } }';
  const keys = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
  const chat = '5511988887777';

  const hostile: [name: string, body: { query: string; variables?: object }][] = [
    ['unknown fields', { query: createLead, variables: { input: { chat, ...keys(20_000, 1) } } }],
    ['wrong custom fields', { query: createLead, variables: { input: { chat, customFields: keys(18_000, {}) } } }],
    ['wrong values of a list', { query: createLead, variables: { input: { chat, tags: Array(100_000).fill(1) } } }],
    [
      'a number of many digits',
      { query: createLead, variables: { input: { chat: '1'.repeat(250_000), name: 'x'.repeat(5_000) } } },
    ],
    [
      'mutations under other names',
      { query: `mutation { ${Array.from({ length: 50 }, (_, index) => `m${index}: deleteLead(id: "x")`).join(' ')} }` },
    ],
  ];

  const maxAnswerBytes = 16 * 1024;

  test.each(hostile)('%s: without a token they cost an answer of a line', async (_name, body) => {
    const answer = await app.post('/graphql', body);
    expect(answer.status).toBe(401);
    expect((await answer.text()).length).toBeLessThan(1_000);
  });

  test.each(hostile)('%s: an answer that is bounded, over HTTP', async (_name, body) => {
    const text = await (await app.post('/graphql', body, withToken(tenant.operator))).text();
    const { errors } = JSON.parse(text) as { errors: { extensions: { code: string } }[] };
    expect(errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(text.length).toBeLessThan(maxAnswerBytes);
  });

  test.each(hostile)('%s: an answer that is bounded, over a socket', async (_name, payload) => {
    const socket = new WebSocket(app.socketUrl, ['graphql-transport-ws']);
    await once(socket, 'open');
    const authorization = `Bearer ${tenant.operator.token}`;
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    await once(socket, 'message');
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(data.toString()).toContain('"VALIDATION_FAILED"');
    expect(data.length).toBeLessThan(maxAnswerBytes);
    socket.terminate();
  });
}

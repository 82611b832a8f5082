// Callers who ask for much and read nothing: their waiting answers are bounded, and other callers are answered.

import { connect, type Socket } from 'node:net';
import { sharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant, type TestUser } from '../support/test-app.js';

const aliases = Array.from({ length: 8 }, (_, index) => `m${index}: metadata`).join(' ');
const body = JSON.stringify({ query: `{ leads(first: 60) { edges { node { ${aliases} } } } }` });

export function describeUnreadAnswers(): void {
  let app: TestApp;
  let tenant: TestTenant;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api', GRAPHQL_MAX_COST: '1000000' });
    tenant = await app.createTenant();
    for (let count = 0; count < 60; count += 1) {
      const lead = { chat: `49151${String(count).padStart(8, '0')}`, note: 'a'.repeat(15_000) };
      await app.post('/public/leads', lead, { 'x-tenant-key': tenant.apiKey });
    }
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
  });

  /** Asks for 7 MB and reads none of it. */
  function askAndLeave(user: TestUser): Socket {
    const socket = connect(app.app.port, '127.0.0.1').pause();
    sockets.push(socket.on('error', () => undefined));
    const head = ['POST /graphql HTTP/1.1', 'host: x', `authorization: Bearer ${user.token}`];
    const headers = [...head, 'content-type: application/json', `content-length: ${body.length}`];
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
    return socket;
  }

  const ask = async (user: TestUser) => {
    const response = await app.post('/graphql', body, withToken(user));
    const text = await response.text();
    return { status: response.status, bytes: text.length, retryAfter: response.headers.get('retry-after'), text };
  };

  test('a caller who leaves 32 MiB unread gets no further large answer; others do; and so does the caller, once it has let go', async () => {
    expect((await ask(tenant.operator)).bytes).toBeGreaterThan(7_000_000);
    const unread: Socket[] = [];
    let refused = await ask(tenant.operator);
    while (refused.status === 200) {
      unread.push(askAndLeave(tenant.operator));
      refused = await ask(tenant.operator);
    }
    expect(refused).toMatchObject({ status: 429, retryAfter: '1' });
    expect(JSON.parse(refused.text)).toMatchObject({
      errors: [{ message: expect.stringContaining('wait to be read'), extensions: { code: 'RATE_LIMITED' } }],
    });
    const me = await app.post('/graphql', { query: '{ me { id } }' }, withToken(tenant.operator));
    expect(me.status).toBe(200);
    expect((await ask(tenant.admin)).status).toBe(200);
    for (const socket of unread) socket.destroy();
    let again = await ask(tenant.operator);
    while (again.status === 429) again = await ask(tenant.operator);
    expect(again).toMatchObject({ status: 200 });
  });
}

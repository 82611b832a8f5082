// Strangers who open connections and send nothing: the number of connections from an address is limited, and signed-in users do not count.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import WebSocket from 'ws';
import { withTenant } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

const socketLimit = 200;
const connectionLimit = 1_000;

export function describeManyConnections(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let open: WebSocket[] = [];
  let connections: Socket[] = [];

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api', SOCKETS_PER_USER: '1000' });
  afterEach(() => {
    for (const socket of open) socket.terminate();
    for (const connection of connections) connection.destroy();
    [open, connections] = [[], []];
  });

  /** Resolves to 101, or to the status, headers and body of the refusal. */
  function upgrade(): Promise<{ status: number; retryAfter?: string | undefined; body?: string }> {
    const socket = new WebSocket(app.socketUrl, ['graphql-transport-ws']);
    open.push(socket.on('error', () => undefined));
    return new Promise((resolve) => {
      socket.on('open', () => resolve({ status: 101 }));
      socket.on('unexpected-response', (_request, answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        const retryAfter = answer.headers['retry-after'];
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter, body }));
      });
    });
  }

  test('WebSockets that have not signed in: the one too many is told so, and those who sign in make room', async () => {
    const first = await Promise.all(Array.from({ length: socketLimit }, upgrade));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([101]));
    const refused = await upgrade();
    expect(refused).toMatchObject({ status: 429, retryAfter: '3' });
    expect(JSON.parse(refused.body ?? '')).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringMatching(/^This address has 200/),
    });
    for (const socket of open.slice(0, 2)) {
      socket.send(
        JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${tenant.admin.token}` } }),
      );
      await once(socket, 'message');
    }
    expect([await upgrade(), await upgrade(), await upgrade()].map(({ status }) => status)).toEqual([101, 101, 429]);
    open[5]?.terminate();
    let next = await upgrade();
    while (next.status === 429) next = await upgrade();
    expect(next.status).toBe(101);
  });

  test('connections without a credential: the one too many is closed, and those with one are served', async () => {
    const known = connect(app.app.port, '127.0.0.1');
    connections.push(known);
    const ask = async () => {
      known.write(
        `GET /chat/instances HTTP/1.1\r\nhost: x\r\nauthorization: ${withToken(tenant.admin)['authorization']}\r\n\r\n`,
      );
      const [data] = (await once(known, 'data')) as [Buffer];
      return data.toString().slice(0, 12);
    };
    expect(await ask()).toBe('HTTP/1.1 200');
    const add = async () => {
      const connection = connect(app.app.port, '127.0.0.1');
      connections.push(connection.on('error', () => undefined));
      await once(connection, 'connect');
      return connection;
    };
    const strangers: Socket[] = [];
    const closed = () => strangers.filter(({ destroyed }) => destroyed).length;
    while (strangers.length < connectionLimit) strangers.push(await add());
    expect(closed()).toBe(0);
    while (closed() === 0) strangers.push(await add());
    expect(strangers.length).toBeGreaterThan(connectionLimit - 20);
    expect(await ask()).toBe('HTTP/1.1 200');
  });
}

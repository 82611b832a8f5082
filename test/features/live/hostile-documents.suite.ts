// Documents that a socket refuses before it executes them, as HTTP does.

import { once } from 'node:events';
import WebSocket from 'ws';
import { withTenant } from '../../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../../support/test-app.js';

export function describeHostileDocuments(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { GRAPHQL_INTROSPECTION: 'false' });

  interface Refusal {
    message: string;
    extensions: { code: string };
  }

  async function overSocket(query: string): Promise<Refusal[]> {
    const socket = new WebSocket(app.socketUrl, ['graphql-transport-ws']);
    await once(socket, 'open');
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${tenant.operator.token}` } }),
    );
    await once(socket, 'message');
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    socket.close();
    const frame = JSON.parse(data.toString('utf8')) as { type: string; payload: Refusal[] };
    expect(frame.type).toBe('error');
    return frame.payload;
  }

  async function overHttp(query: string): Promise<Refusal[]> {
    const answer = await app.post('/graphql', { query }, withToken(tenant.operator));
    expect(answer.status).toBe(400);
    return ((await answer.json()) as { errors: Refusal[] }).errors;
  }

  /** Each fragment spreads the next one twice: 2 to the power of `depth` fields. */
  function doubling(depth: number): string {
    const fragments = Array.from({ length: depth }, (_, level) => {
      const next = level === depth - 1 ? 'id' : `...F${level + 1}`;
      return `fragment F${level} on Lead { a: lastMessage { lead { ${next} } } b: lastMessage { lead { ${next} } } }`;
    });
    return `{ leads { edges { node { ...F0 } } } } ${fragments.join('\n')}`;
  }

  test.each([
    ['fragments that double', doubling(12)],
    [
      'a thousand fields',
      `{ ${Array.from({ length: 220 }, (_, index) => `a${index}: me { id role email tenantId }`).join(' ')} }`,
    ],
  ])('%s: refused at both endpoints', async (_, query) => {
    for (const errors of [await overSocket(query), await overHttp(query)])
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
  });

  test.each(['{ auditLg { edges { cursor } } }', '{ me { emal } }', '{ users(filtr: 1) { edges { cursor } } }'])(
    '%s: no names are suggested',
    async (query) => {
      for (const errors of [await overSocket(query), await overHttp(query)])
        expect(JSON.stringify(errors)).not.toMatch(/Did you mean|auditLog|email|"filter/);
    },
  );
}

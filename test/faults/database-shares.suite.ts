// A tenant demands more than its share of the database, while other tenants' calls and the readiness check go on. A lock stands for a slow
// statement.

import { randomUUID } from 'node:crypto';
import { parse } from 'graphql';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import pg from 'pg';
import { createLead, plainNumber, until } from '../features/messages/sending-harness.js';
import { execute, query, type GraphqlAnswer } from '../support/graphql-client.js';
import { MessageDocument, UpdateLeadDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeDatabaseShares(): void {
  let app: TestApp;
  let greedy: TestTenant;
  let neighbour: TestTenant;
  let holder: pg.Client;

  beforeAll(async () => {
    // The application has 8 connections: users share 5. A tenant may use 3 of them, for at most 2 reads and 1 search.
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    [greedy, neighbour] = [await app.createTenant(), await app.createTenant()];
  });
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    await holder.query('BEGIN');
  });
  afterEach(() => holder.end());

  /** Counts the application's statements that wait for the lock. */
  async function heldUp(): Promise<number> {
    const text = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'leadwire' AND wait_event_type = 'Lock'`;
    return (await app.sql<{ count: number }>(text))[0]?.count ?? 0;
  }

  const untilHeldUp = (count: number) => until(heldUp, (found) => found >= count);

  /** Checks that the greedy tenant's neighbour works as usual. */
  async function expectUnharmed({ id: leadId }: { id: string }): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      expect((await app.get('/health/ready')).status).toBe(200);
      expect((await app.post('/public/leads', { chat: plainNumber() }, withKey(neighbour))).status).toBe(201);
      expect(await execute(app, neighbour.operator, parse(`{ lead(id: "${leadId}") { id } }`), {})).toEqual({
        data: { lead: { id: leadId } },
      });
      const renamed = { id: leadId, input: { name: `round ${round}` } };
      expect((await query(app, neighbour.operator, UpdateLeadDocument, renamed)).updateLead.name).toBe(
        `round ${round}`,
      );
    }
  }

  const times = <Result>(count: number, make: (index: number) => Result): Result[] =>
    Array.from({ length: count }, (_, index) => make(index));

  const codesOf = (answers: readonly GraphqlAnswer<unknown>[]) =>
    answers.flatMap(({ errors }) => (errors ?? []).map(({ extensions }) => extensions.code));

  const search = (count: number, text = 'oi'): TypedDocumentNode<unknown, object> =>
    parse(
      `{ ${times(count, (index) => `s${index}: allMessages(first: 5, filter: { text: "${text} ${index}" }) { edges { cursor } }`).join(' ')} }`,
    );

  test('text searches: one at a time for a tenant, and one that takes too long says how to narrow it', async () => {
    const id = await createLead(app, neighbour);
    await holder.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    const answered = times(12, (index) => execute(app, greedy.operator, search(8, `oi ${index}`), {}));
    await untilHeldUp(1);
    await expectUnharmed({ id });
    expect(await heldUp()).toBe(1);
    const first = await Promise.race(answered);
    expect(first.errors?.[0]).toMatchObject({
      message: expect.stringMatching(/since and until/),
      extensions: { code: 'UNAVAILABLE' },
    });
    await holder.query('ROLLBACK');
    expect(codesOf(await Promise.all(answered))).not.toContain('INTERNAL');
    expect(await execute(app, greedy.operator, search(1), {})).toEqual({ data: { s0: { edges: [] } } });
  });

  test('exports: one page at a time, a bounded number waits, and the others are told so', async () => {
    const id = await createLead(app, neighbour);
    await holder.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    const answered = times(24, () => app.get('/messages/export.csv', withToken(greedy.operator)));
    await untilHeldUp(1);
    await expectUnharmed({ id });
    expect(await heldUp()).toBe(1);
    await holder.query('ROLLBACK');
    const answers = await Promise.all(answered);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(21);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(await refused[0]?.json()).toMatchObject({ code: 'RATE_LIMITED', detail: expect.stringMatching(/exports/) });
  });

  test('reads, also those of Prisma: a tenant keeps to its share', async () => {
    const id = await createLead(app, neighbour);
    await holder.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    const answered = times(20, () => execute(app, greedy.operator, MessageDocument, { id: randomUUID() }));
    await untilHeldUp(2);
    await expectUnharmed({ id });
    expect(await heldUp()).toBe(2);
    await holder.query('ROLLBACK');
    expect(await Promise.all(answered)).toEqual(answered.map(() => ({ data: { message: null } })));
  });

  test('changes of one locked lead, and calls about it', async () => {
    const [id, lockedId] = [await createLead(app, neighbour), await createLead(app, greedy, '4915112345678')];
    await holder.query('SELECT FROM leads WHERE id = $1 FOR UPDATE', [lockedId]);
    const changed = times(12, (index) =>
      execute(app, greedy.operator, UpdateLeadDocument, { id: lockedId, input: { name: `name ${index}` } }),
    );
    await untilHeldUp(3);
    const calls = times(30, (index) =>
      app.post(
        '/webhooks/chat/gateway/inbound',
        { messages: [{ messageId: `locked ${index}`, from: '4915112345678', text: 'Oi' }] },
        withKey(greedy),
      ),
    );
    await untilHeldUp(4);
    await expectUnharmed({ id });
    const message = { messageId: 'free', from: plainNumber(), text: 'Oi' };
    expect((await app.post('/webhooks/chat/gateway/inbound', message, withKey(neighbour))).status).toBe(200);
    await holder.query('ROLLBACK');
    expect(codesOf(await Promise.all(changed))).toEqual([]);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  });

  // From the second time on, a compiled plan answers a query.
  test.each([0, 3])('a read whose caller has gone makes room for the next, after %i of its kind', async (before) => {
    const headers = { 'content-type': 'application/json', ...withToken(greedy.operator) };
    const text = `query Of${before} { allMessages(filter: { text: "oi" }) { edges { cursor } } }`;
    const request = { method: 'POST', headers, body: JSON.stringify({ query: text }) };
    for (let index = 0; index < before; index += 1)
      expect((await fetch(`${app.url}/graphql`, request)).status).toBe(200);
    await holder.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    const gone = new AbortController();
    const given = fetch(`${app.url}/graphql`, { ...request, signal: gone.signal });
    await untilHeldUp(1);
    gone.abort();
    await expect(given).rejects.toThrow('aborted');
    // The limit is shorter than the time after which a search ends by itself.
    await until(heldUp, (count) => count === 0, 4_000);
    await holder.query('ROLLBACK');
  });
}

// Strangers who send bodies: a caller without a valid credential is answered before the body arrives. The service inflates none of their
// bodies, and holds a bounded number of their bytes at a time.

import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { jest } from '../support/jest.js';
import pg from 'pg';
import { pathOfSource, type LeadSourceKind } from '../../src/features/lead-sources/lead-source-kind.js';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { sharedApp } from '../support/shared-app.js';
import { serviceOperator, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

const megabyte = 1024 * 1024;
/** The large calls of one tenant: one is worked on, and four wait. */
const workedOnAndWaiting = 5;
const appSecret = '0123456789abcdef0123456789abcdef';
const sign = (body: string) => `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

export function describeUnreadBodies(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let instanceId: string;
  let sockets: Socket[] = [];

  /** Creates an instance of Meta's Cloud API. @returns its id */
  async function createInstance({ id: tenantId, admin }: TestTenant): Promise<string> {
    const input = { accountId: admin.accountId, instanceName: 'meta', webhookSecret: appSecret };
    const place = { tenantId, status: 'CONNECTED' } as const;
    return (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  }

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    instanceId = await createInstance(tenant);
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    jest.restoreAllMocks();
  });

  const cloud = (id: string) => `/webhooks/chat/cloud/${id}`;

  /** Sends a head and the given part of the body, and leaves out the rest. */
  function begin(path: string, headers: Record<string, string | number>, body: Buffer | string = ''): Socket {
    const socket = connect(app.app.port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    const lines = Object.entries({ host: 'x', 'content-type': 'application/json', ...headers });
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    if (body.length > 0) socket.write(body);
    return socket;
  }

  /** The status of the first answer, which comes although the body does not. */
  async function statusOf(socket: Socket): Promise<number> {
    const [data] = (await once(socket, 'data')) as [Buffer];
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(data.toString())?.[1]);
  }

  describe('is answered before the body has come', () => {
    const enormous = { 'content-length': 100 * megabyte };
    const endless = { 'transfer-encoding': 'chunked' };
    const wrongKey = { 'x-tenant-key': `lw_${'A'.repeat(43)}` };

    test.each<[string, string, Record<string, string | number>, number]>([
      ['a lead without a key', '/public/leads', enormous, 401],
      ['a lead with a wrong key', '/webhooks/leads', { ...endless, ...wrongKey }, 401],
      ['a message', '/webhooks/chat/gateway/inbound', endless, 401],
      ['a status', '/webhooks/chat/gateway/status', enormous, 401],
      ['a file of leads', '/leads/import', { ...enormous, 'content-type': 'text/csv' }, 401],
      ['the columns of a file', '/leads/import/columns', { ...enormous, 'content-type': 'text/csv' }, 401],
      ['a path that there is not', '/nowhere', endless, 404],
      ['a sign-in of 100 MB', '/auth/token', enormous, 413],
      ['a sign-in that is compressed', '/auth/dev/token', { ...endless, 'content-encoding': 'gzip' }, 415],
      ['a GraphQL operation of 100 MB', '/graphql', enormous, 401],
      ['a GraphQL operation that is compressed', '/graphql', { ...endless, 'content-encoding': 'gzip' }, 401],
      ['a call of Meta for an unknown instance', cloud(randomUUID()), enormous, 404],
      ['a call of Meta for what is no instance', cloud('anything'), endless, 404],
      ['leads of an unknown source', `/webhooks/leads/meta/${randomUUID()}`, enormous, 404],
      ['a form for what is no source', '/webhooks/leads/form/anything', endless, 404],
    ])('%s', async (_, path, headers, status) => {
      expect(await statusOf(begin(path, headers))).toBe(status);
    });

    test.each<[string, Record<string, string | number>, number]>([
      ['no signature', endless, 401],
      ['a signature of no such form', { ...endless, 'x-hub-signature-256': 'sha256=x' }, 401],
      ['a compressed body', { ...endless, 'x-hub-signature-256': sign(''), 'content-encoding': 'gzip' }, 415],
      ['a body beyond the limit', { ...enormous, 'x-hub-signature-256': sign('') }, 413],
    ])('a call for an instance of Meta’s with %s', async (_, headers, status) => {
      expect(await statusOf(begin(cloud(instanceId), headers))).toBe(status);
    });
  });

  test.each<[string, LeadSourceKind, Record<string, string | number>, number]>([
    ['leads of Meta’s without a signature', 'META', { 'transfer-encoding': 'chunked' }, 401],
    [
      'leads of Meta’s beyond the limit',
      'META',
      { 'content-length': 100 * megabyte, 'x-hub-signature-256': sign('') },
      413,
    ],
    ['a lead of Google’s of 100 MB', 'GOOGLE', { 'content-length': 100 * megabyte }, 413],
    ['a lead of Google’s that is compressed', 'GOOGLE', { 'content-length': 9, 'content-encoding': 'gzip' }, 415],
    ['a form without its signature', 'FORM', { 'transfer-encoding': 'chunked' }, 401],
    ['a signed form of 100 MB', 'FORM', { 'content-length': 100 * megabyte, 'x-sig': 'x' }, 413],
  ])('%s: answered before the body has come', async (_, kind, headers, status) => {
    const secrets = {
      META: { appSecret, accessToken: 'token' },
      GOOGLE: { key: 'a-key-of-google' },
      FORM: { hmac: { header: 'x-sig', algorithm: 'sha256', encoding: 'hex', secret: 'a-secret' } },
    };
    const principal = { kind: 'user', tenantId: tenant.id, userId: tenant.admin.id, role: 'ADMIN' } as UserPrincipal;
    const { leadSources } = app.app.services;
    const source = await leadSources.create(principal, { kind, name: 'x', ...secrets[kind] });
    expect(await statusOf(begin(pathOfSource(source), headers))).toBe(status);
  });

  test('calls for one unknown instance ask the database once', async () => {
    const query = jest.spyOn(app.app.services.database, 'query');
    const id = randomUUID();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => statusOf(begin(cloud(id), { 'content-length': 9 }))),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(query.mock.calls.filter(([{ name }]: any[]) => name === 'select-meta-webhook')).toHaveLength(1);
  });

  test('bodies that never end hold 8 MiB of an address at most, and give it back', async () => {
    const part = Buffer.alloc(2.5 * megabyte, ' ');
    const headers = { 'content-length': 3 * megabyte, 'x-hub-signature-256': sign('') };
    const answers: number[] = [];
    const stalled = Array.from({ length: 8 }, () => begin(cloud(instanceId), headers, part));
    for (const socket of stalled) void statusOf(socket).then((status) => answers.push(status));
    while (answers.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(new Set(answers)).toEqual(new Set([429]));
    for (const socket of stalled) socket.destroy();
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] }).padEnd(3 * megabyte, ' ');
    const call = () => app.post(cloud(instanceId), body, { 'x-hub-signature-256': sign(body) });
    let answer = await call();
    while (answer.status === 429) answer = await call();
    expect(answer.status).toBe(200);
  });

  /**
   * Makes calls that all need leads, while these are locked. The first call stands still until the others have been judged, however long
   * they take to arrive. @returns their statuses in order
   */
  async function crowd(count: number, call: () => Promise<Response>) {
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
      const answered: number[] = [];
      const calls = Array.from({ length: count }, () => call().finally(() => answered.push(answered.length)));
      while (answered.length < count - workedOnAndWaiting) await new Promise((resolve) => setTimeout(resolve, 10));
      while ((await countHeldUp()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await countHeldUp()).toBe(1);
      await holder.query('ROLLBACK');
      const answers = await Promise.all(calls);
      return { answers, codes: answers.map(({ status }) => status).toSorted((one, other) => one - other) };
    } finally {
      await holder.end();
    }
  }

  /** Counts the statements that wait for a lock. */
  async function countHeldUp(): Promise<number> {
    const text = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'leadwire' AND wait_event_type = 'Lock'`;
    return (await app.sql<{ count: number }>(text))[0]?.count ?? 0;
  }

  test('of a tenant’s large calls one is worked on at a time, and a few wait', async () => {
    // After a large call of an earlier test its tenant still rests, and none of its large calls would be worked on.
    const rested = await app.createTenant();
    const path = cloud(await createInstance(rested));
    const item = (index: number) => ({
      from: `55119${80_000_000 + index}`,
      id: `wamid.${randomUUID()}`,
      timestamp: '1773027345',
      type: 'text',
      text: { body: 'x'.repeat(2_000) },
    });
    const messages = Array.from({ length: 200 }, (_, index) => item(index));
    const value = { metadata: { phone_number_id: '1' }, contacts: [], messages };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
    });
    const { answers, codes } = await crowd(8, () => app.post(path, body, { 'x-hub-signature-256': sign(body) }));
    expect(codes).toEqual([...Array(5).fill(200), ...Array(3).fill(503)]);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.headers.get('retry-after')).toBe('5');
    expect(await refused?.json()).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await app.post('/public/leads', { chat: '4915112345678' }, { 'x-tenant-key': rested.apiKey })).ok).toBe(
      true,
    );
  });

  test('of a tenant’s large operations one is executed at a time, and a few wait', async () => {
    const body = JSON.stringify({ query: '{ leads(first: 1) { edges { cursor } } }' }).padEnd(200 * 1024, ' ');
    const { answers, codes } = await crowd(12, () => app.post('/graphql', body, withToken(tenant.admin)));
    expect(codes).toEqual([...Array(5).fill(200), ...Array(7).fill(503)]);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.headers.get('retry-after')).toBe('5');
    expect(await refused?.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
  });

  test('a body of a thousand chunks of one byte is read as one', async () => {
    const body = JSON.stringify({ chat: '+55 11 98888-7777', name: 'A'.repeat(150), note: 'b'.repeat(1_000) });
    const socket = begin('/public/leads', { 'transfer-encoding': 'chunked', 'x-tenant-key': tenant.apiKey });
    socket.write(
      Array.from(Buffer.from(body).toString('latin1'))
        .map((letter) => `1\r\n${letter}\r\n`)
        .join('') + '0\r\n\r\n',
    );
    expect(await statusOf(socket)).toBe(201);
  });
}

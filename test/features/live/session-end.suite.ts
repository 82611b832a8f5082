// Open sockets end with their session, on every process: two applications on one database, real sockets on both.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { jest } from '../../support/jest.js';
import { print, type DocumentNode } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import jwt from 'jsonwebtoken';
import WebSocket from 'ws';
import type { UpdateUserInput } from '../../../src/features/users/user.schema.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { Subscription, connect } from '../../support/graphql-client.js';
import {
  MeDocument,
  MessageReceivedDocument,
  SendMessageDocument,
  type MeQuery,
  type MessageReceivedSubscription,
} from '../../support/operations.js';
import { platformOf, sharedApp } from '../../support/shared-app.js';
import { slow } from '../../support/slow.js';
import { TestApp, jwtSecret, type TestTenant, type TestUser } from '../../support/test-app.js';
import { createLead, send, until } from '../messages/sending-harness.js';
import { disposeAll, waitForSubscribers, writeAs } from './live-harness.js';

export function describeSessionEnd(): void {
  let app: TestApp;
  let second: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;
  let clients: Client[] = [];
  let sockets: WebSocket[] = [];

  beforeAll(async () => {
    app = await sharedApp();
    second = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
    platform = await platformOf(app);
  });

  // Each application issues 30 development tokens a minute, so they take turns.
  let tenantCount = 0;

  beforeEach(async () => {
    tenantCount += 1;
    tenant = await (tenantCount % 2 === 0 ? app : second).createTenant();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await disposeAll(clients);
    clients = [];
    for (const socket of sockets) socket.terminate();
    sockets = [];
    for (const at of [app, second]) for (const owner of [tenant, platform]) await waitForSubscribers(at, owner, 0);
  });

  afterAll(async () => {
    await second.stop({ keepDatabase: true });
  });

  /** Opens a signed-in socket without a client library. */
  async function openRaw(token: string): Promise<{ socket: WebSocket; closed: Promise<unknown> }> {
    const socket = new WebSocket(app.socketUrl, 'graphql-transport-ws');
    sockets.push(socket);
    const closed = once(socket, 'close');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    await once(socket, 'message');
    return { socket, closed };
  }

  function operate(socket: WebSocket, document: DocumentNode, variables: object = {}): void {
    const payload = { query: print(document), variables };
    socket.send(JSON.stringify({ type: 'subscribe', id: randomUUID(), payload }));
  }

  /** The bodies of a lead's messages, up to a message that is sent now. */
  async function bodiesUntilNow(leadId: string): Promise<string[]> {
    await send(app, tenant, { leadId, body: 'now' });
    const rows = await app.sql<{ body: string }>('SELECT body FROM messages WHERE lead_id = $1 ORDER BY position', [
      leadId,
    ]);
    return rows.map(({ body }) => body);
  }

  /** The users whose sessions an application checks next. */
  async function nextChecked(at: TestApp): Promise<string[]> {
    const check = jest.spyOn(at.app.services.auth, 'checkSessions');
    await until(
      () => check.mock.calls.length,
      (count) => count > 0,
    );
    const [sessions = []] = check.mock.calls[0] ?? [];
    check.mockRestore();
    return sessions.map(({ user }) => user.userId);
  }

  interface Held {
    subscription: Subscription<MessageReceivedSubscription>;
    /** Waits for the close, within the deadline. */
    closed: () => Promise<{ code: number; reason: string }>;
  }

  /** A socket of this user that is subscribed to the tenant's messages and does not connect again. */
  function hold(at: TestApp, user: TestUser): Held {
    const client = connect(at, user);
    clients.push(client);
    let close: { code: number; reason: string } | undefined;
    client.on('closed', (event) => {
      const { code, reason } = event as CloseEvent;
      close = { code, reason };
    });
    const closed = async () => {
      await until(
        () => close,
        (seen) => seen !== undefined,
      );
      return close as NonNullable<typeof close>;
    };
    return { subscription: new Subscription(client, MessageReceivedDocument), closed };
  }

  function principalOf(owner: TestTenant, isPlatformTenant = false): UserPrincipal {
    const { id: userId, accountId, idpSub } = owner.admin;
    return {
      kind: 'user',
      tenantId: owner.id,
      userId,
      accountId,
      role: 'ADMIN',
      email: `${idpSub}@test.example`,
      isPlatformTenant,
    };
  }

  const changeUser = (id: string, input: UpdateUserInput) =>
    app.app.services.users.update(principalOf(tenant, input.idpSub !== undefined), id, input);

  const switchTenant = (isActive: boolean) =>
    app.app.services.tenants.update(principalOf(platform, true), tenant.id, { isActive });

  // Tokens end at whole seconds, so a second of these may be gone already.
  const secondsToSignIn = 6;

  /** A token like our own for this user, which ends in so many seconds. */
  function tokenOf(user: TestUser, remainingSeconds: number): string {
    const claims = jwt.decode(user.token, { json: true });
    const exp = Math.floor(Date.now() / 1_000) + remainingSeconds;
    return jwt.sign({ ...claims, exp }, jwtSecret, { algorithm: 'HS256', header: { alg: 'HS256', typ: 'at+jwt' } });
  }

  describe('what changes about a user closes the user’s sockets of both applications', () => {
    test.each<[string, () => Promise<unknown>, number, string]>([
      ['deactivated', () => changeUser(tenant.operator.id, { isActive: false }), 4401, 'UNAUTHENTICATED'],
      ['another role', () => changeUser(tenant.operator.id, { role: 'ADMIN' }), 4403, 'SESSION_CHANGED'],
      ['another address', () => changeUser(tenant.operator.id, { email: 'new@test.example' }), 4403, 'SESSION_CHANGED'],
      ['another subject', () => changeUser(tenant.operator.id, { idpSub: 'somebody else' }), 4401, 'UNAUTHENTICATED'],
      [
        'another role, by hand',
        () => app.sql("UPDATE users SET role = 'ADMIN' WHERE id = $1", [tenant.operator.id]),
        4403,
        'SESSION_CHANGED',
      ],
    ])('%s; colleagues go on', async (_name, change, code, reason) => {
      const gone = [hold(app, tenant.operator), hold(app, tenant.operator), hold(second, tenant.operator)];
      const staying = [hold(app, tenant.admin), hold(second, tenant.admin)];
      await waitForSubscribers(app, tenant, 3);
      await waitForSubscribers(second, tenant, 2);
      await change();
      for (const { closed } of gone) expect(await closed()).toEqual({ code, reason });
      for (const at of [app, second]) await waitForSubscribers(at, tenant, 1);
      await writeAs(app, tenant, '4915100000050');
      for (const { subscription } of staying) await subscription.until((received) => received.length === 1);
      for (const { subscription } of gone) expect(subscription.received).toEqual([]);
    });

    test('the tenant deactivated: all of its users; another tenant’s go on, and it may come back', async () => {
      const gone = [hold(app, tenant.operator), hold(app, tenant.admin), hold(second, tenant.admin)];
      const staying = [hold(app, platform.admin), hold(second, platform.admin)];
      await waitForSubscribers(app, tenant, 2);
      await waitForSubscribers(second, tenant, 1);
      for (const at of [app, second]) await waitForSubscribers(at, platform, 1);
      await switchTenant(false);
      for (const { closed } of gone) expect(await closed()).toEqual({ code: 4401, reason: 'UNAUTHENTICATED' });
      for (const at of [app, second]) await waitForSubscribers(at, tenant, 0);
      await writeAs(app, platform, '4915100000051');
      for (const { subscription } of staying) await subscription.until((received) => received.length === 1);
      await switchTenant(true);
      const back = hold(app, tenant.operator);
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000051');
      await back.subscription.until((received) => received.length === 1);
    });

    test('what does not concern sessions closes nothing: names, passing checks', async () => {
      const check = jest.spyOn(app.app.services.auth, 'checkSessions');
      const held = hold(app, tenant.operator);
      await waitForSubscribers(app, tenant, 1);
      await changeUser(tenant.operator.id, { name: 'New Name', accountName: 'New Account' });
      const before = check.mock.calls.length;
      await until(
        () => check.mock.results.length,
        (count) => count >= before + 2,
      );
      await writeAs(app, tenant, '4915100000052');
      await held.subscription.until((received) => received.length === 1);
    });

    test('a change between sign-in and the first check is seen by it', async () => {
      const { auth } = app.app.services;
      const find = auth.findSession.bind(auth);
      jest.spyOn(auth, 'findSession').mockImplementationOnce(async (token) => {
        const session = await find(token);
        await changeUser(tenant.operator.id, { isActive: false });
        return session;
      });
      expect(await hold(app, tenant.operator).closed()).toEqual({ code: 4401, reason: 'UNAUTHENTICATED' });
    });
  });

  describe('a token’s expiry', () => {
    test('closes its socket with 4403, and no other of the user', async () => {
      const staying = hold(app, tenant.operator);
      const gone = hold(app, { ...tenant.operator, token: tokenOf(tenant.operator, secondsToSignIn) });
      await waitForSubscribers(app, tenant, 2);
      expect(await gone.closed()).toEqual({ code: 4403, reason: 'TOKEN_EXPIRED' });
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000053');
      await staying.subscription.until((received) => received.length === 1);
    });

    test('is too late for an operation, even before the socket is closed', async () => {
      const leadId = await createLead(app, tenant);
      const { socket, closed } = await openRaw(tokenOf(tenant.operator, 60));
      const laterMs = Date.now() + 60_000;
      jest.spyOn(Date, 'now').mockReturnValue(laterMs);
      operate(socket, SendMessageDocument, { input: { leadId, body: 'too late' } });
      await closed;
      jest.restoreAllMocks();
      expect(await bodiesUntilNow(leadId)).toEqual(['now']);
    });
  });

  test('an operation that waits for the rate limit while its session ends does not run', async () => {
    const leadId = await createLead(app, tenant);
    const { socket, closed } = await openRaw(tenant.operator.token);
    jest.spyOn(app.app['rateLimits'], 'consume').mockImplementationOnce(async () => {
      await closed;
      return { allowed: true, limit: 1, remaining: 0, resetSeconds: 1, headers: {} };
    });
    operate(socket, SendMessageDocument, { input: { leadId, body: 'too late' } });
    await changeUser(tenant.operator.id, { email: 'new@test.example' });
    await closed;
    expect(await bodiesUntilNow(leadId)).toEqual(['now']);
  });

  describe('a client that leaves the close unanswered', () => {
    test('is not served any more, and cut off', async () => {
      const leadId = await createLead(app, tenant);
      const { socket, closed } = await openRaw(tenant.operator.token);
      operate(socket, MessageReceivedDocument);
      await waitForSubscribers(app, tenant, 1);
      socket.pause();
      const check = jest.spyOn(app.app.services.auth, 'checkSessions');
      await changeUser(tenant.operator.id, { email: 'new@test.example' });
      await until(
        async () => (await Promise.all(check.mock.results.map(({ value }) => value))).flat(),
        (states) => states.includes('changed'),
      );
      operate(socket, SendMessageDocument, { input: { leadId, body: 'too late' } });
      await waitForSubscribers(app, tenant, 0);
      expect(socket.readyState).toBe(WebSocket.OPEN);
      socket.resume();
      await closed;
      expect(await bodiesUntilNow(leadId)).toEqual(['now']);
    });
  });

  describe('a client that connects again by itself', () => {
    function reconnecting(connectionParams: () => { authorization: string }): { client: Client; closes: CloseEvent[] } {
      const closes: CloseEvent[] = [];
      const client = createClient({
        url: app.socketUrl,
        webSocketImpl: WebSocket,
        connectionParams,
        retryAttempts: 100,
        retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
        on: { closed: (event) => closes.push(event as CloseEvent) },
      });
      clients.push(client);
      return { client, closes };
    }

    async function roleOf(client: Client): Promise<string | undefined> {
      for await (const { data } of client.iterate<MeQuery>({ query: print(MeDocument) })) return data?.me.role;
      return undefined;
    }

    test('goes on in its new role, subscriptions included', async () => {
      const { client, closes } = reconnecting(() => ({ authorization: `Bearer ${tenant.operator.token}` }));
      const subscription = new Subscription(client, MessageReceivedDocument);
      expect(await roleOf(client)).toBe('OPERATOR');
      await waitForSubscribers(app, tenant, 1);
      await changeUser(tenant.operator.id, { role: 'ADMIN' });
      await until(
        () => roleOf(client),
        (role) => role === 'ADMIN',
      );
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000054');
      await subscription.until((received) => received.length === 1);
      expect(new Set(closes.map(({ reason }) => reason))).toEqual(new Set(['SESSION_CHANGED']));
    });

    slow('goes on with a fresh token when one has expired', async () => {
      const tokens = [tokenOf(tenant.operator, secondsToSignIn), tenant.operator.token];
      const { client, closes } = reconnecting(() => ({ authorization: `Bearer ${tokens.shift()}` }));
      const subscription = new Subscription(client, MessageReceivedDocument);
      await until(
        () => closes.length,
        (count) => count === 1,
      );
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000055');
      await subscription.until((received) => received.length === 1);
      expect(closes).toMatchObject([{ code: 4403, reason: 'TOKEN_EXPIRED' }]);
    });

    test('gives up when the user is deactivated', async () => {
      const { client, closes } = reconnecting(() => ({ authorization: `Bearer ${tenant.operator.token}` }));
      const subscription = new Subscription(client, MessageReceivedDocument);
      await waitForSubscribers(app, tenant, 1);
      await changeUser(tenant.operator.id, { isActive: false });
      await subscription.until((_received, errors) => errors.length > 0);
      expect(closes).toMatchObject([{ code: 4401, reason: 'UNAUTHENTICATED' }]);
    });
  });

  describe('a socket that goes by itself', () => {
    test.each(['close', 'terminate'] as const)('is forgotten: %s', async (leave) => {
      const staying = hold(app, tenant.admin);
      await waitForSubscribers(app, tenant, 1);
      const { socket, closed } = await openRaw(tenant.operator.token);
      operate(socket, MessageReceivedDocument);
      await waitForSubscribers(app, tenant, 2);
      expect((await nextChecked(app)).toSorted()).toEqual([tenant.admin.id, tenant.operator.id].toSorted());
      socket[leave]();
      await closed;
      await waitForSubscribers(app, tenant, 1);
      expect(await nextChecked(app)).toEqual([tenant.admin.id]);
      expect(staying.subscription.errors).toEqual([]);
    });
  });
}

// The socket itself: who may open one, what closes it, and operations over it.

import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { print } from 'graphql';
import type { Client } from 'graphql-ws';
import WebSocket from 'ws';
import { connect, type GraphqlAnswer } from '../../support/graphql-client.js';
import { LeadDocument, MeDocument, MessageReceivedDocument, SendMessageDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead } from '../messages/sending-harness.js';
import { waitForSubscribers, writeAs } from './live-harness.js';

const friendlyOrigin = 'https://app.example';

export function describeSocket(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ CORS_ORIGINS: friendlyOrigin });
    tenant = await app.createTenant();
  });

  interface OpenOptions {
    url?: string;
    protocols?: string[];
    headers?: Record<string, string>;
  }

  interface Socket {
    socket: WebSocket;
    messages: { type: string; id?: string; payload?: unknown }[];
    /** The close code; 0 and the HTTP status where the upgrade was refused. */
    closed: Promise<{ code: number; status?: number | undefined }>;
    /** The close's reason beside its code. */
    reason: () => string;
  }

  function open({ url = app.socketUrl, protocols = ['graphql-transport-ws'], headers = {} }: OpenOptions = {}): Socket {
    const socket = new WebSocket(url, protocols, { headers });
    const messages: Socket['messages'] = [];
    socket.on('message', (data: Buffer) =>
      messages.push(JSON.parse(data.toString('utf8')) as Socket['messages'][number]),
    );
    socket.on('error', () => undefined);
    let reason = '';
    const closed = new Promise<{ code: number; status?: number | undefined }>((resolve) => {
      socket.on('close', (code, said) => {
        reason = said.toString();
        resolve({ code });
      });
      socket.on('unexpected-response', (_request, response) => {
        resolve({ code: 0, status: response.statusCode });
        socket.terminate();
      });
    });
    return { socket, messages, closed, reason: () => reason };
  }

  async function openAndSend(message: unknown, options: OpenOptions = {}): Promise<Socket> {
    const opened = open(options);
    await once(opened.socket, 'open');
    opened.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return opened;
  }

  const init = (authorization?: unknown) => ({
    type: 'connection_init',
    payload: authorization === undefined ? {} : { authorization },
  });

  async function openSignedIn(at: TestApp = app, token = tenant.operator.token): Promise<Socket> {
    const opened = await openAndSend(init(`Bearer ${token}`), { url: at.socketUrl });
    await once(opened.socket, 'message');
    expect(opened.messages).toEqual([{ type: 'connection_ack' }]);
    return opened;
  }

  describe('who may open one', () => {
    test('without an init in time it closes with 4408', async () => {
      expect(await open().closed).toEqual({ code: 4408 });
    });

    const wrongCredentials: [string, unknown][] = [
      ['none', undefined],
      ['nonsense', 'Bearer nonsense'],
      ['no scheme', 'nonsense'],
      ['a number', 7],
      ['an unsigned token', `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ];

    test.each(wrongCredentials)('credentials: %s → 4401', async (_name, authorization) => {
      const { closed, messages } = await openAndSend(init(authorization));
      expect(await closed).toEqual({ code: 4401 });
      expect(messages).toEqual([]);
    });

    test('a tenant’s API key is no credential here', async () => {
      const { closed } = await openAndSend(init(`Bearer ${tenant.apiKey}`), {
        headers: { 'x-tenant-key': tenant.apiKey },
      });
      expect(await closed).toEqual({ code: 4401 });
    });

    test('an operation before the acknowledgement closes with 4401', async () => {
      const subscribe = { type: 'subscribe', id: '1', payload: { query: '{ me { id } }' } };
      const { closed, messages } = await openAndSend(subscribe);
      expect(await closed).toEqual({ code: 4401 });
      expect(messages).toEqual([]);
    });

    test('a second init closes with 4429', async () => {
      const { socket, closed } = await openSignedIn();
      socket.send(JSON.stringify(init(`Bearer ${tenant.operator.token}`)));
      expect(await closed).toEqual({ code: 4429 });
    });

    test.each(['https://evil.example', 'null', 'http://127.0.0.1.example', `${friendlyOrigin}.evil.example`])(
      'a page of %s is refused with 403',
      async (origin) => {
        expect(await open({ headers: { origin } }).closed).toEqual({ code: 0, status: 403 });
      },
    );

    test('pages of a configured origin, and of our own, may', async () => {
      for (const origin of [friendlyOrigin, app.url]) {
        const { socket, closed } = open({ headers: { origin } });
        await once(socket, 'open');
        socket.close(1000);
        expect(await closed).toEqual({ code: 1000 });
      }
    });

    test.each(['/', '/graphql/', '/graphql2', '/ws', '/health/live', '/GRAPHQL'])(
      'the path %s is refused',
      async (path) => {
        const { code, status } = await open({ url: `ws://127.0.0.1:${app.app.port}${path}` }).closed;
        expect({ code, status }).toEqual({ code: 0, status: 404 });
      },
    );

    test('who is refused and never closes is cut off', async () => {
      const stranger = connectTcp({ port: app.app.port, host: '127.0.0.1', allowHalfOpen: true });
      const closed = new Promise((resolve) => stranger.on('close', resolve));
      stranger.on('error', () => undefined);
      stranger.write('GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
      let told = '';
      stranger.on('data', (chunk: Buffer) => (told += chunk.toString()));
      await once(stranger, 'end');
      expect(told).toMatch(/^HTTP\/1\.1 404 /);
      const writing = setInterval(() => stranger.write('x'), 10);
      await closed;
      clearInterval(writing);
    });

    test('a query behind the path does no harm', async () => {
      const { socket, closed } = open({ url: `${app.socketUrl}?a=b` });
      await once(socket, 'open');
      socket.close(1000);
      expect(await closed).toEqual({ code: 1000 });
    });

    test.each([[['graphql-ws']], [['soap']], [[]]])('the subprotocols %j get no service', async (protocols) => {
      const { socket, messages, closed } = open({ protocols });
      socket.on('open', () => socket.send(JSON.stringify(init(`Bearer ${tenant.operator.token}`))));
      const { code } = await closed;
      expect([1002, 1006, 4406]).toContain(code);
      expect(messages).toEqual([]);
    });
  });

  describe('what closes it', () => {
    test('a frame above 256 KiB', async () => {
      const { socket, closed } = await openSignedIn();
      socket.send('x'.repeat(256 * 1024 + 1));
      expect(await closed).toEqual({ code: 1009 });
    });

    test.each(['not JSON', '[]', '{"type":"what"}', '{"type":"subscribe"}', 'null'])(
      'a message that is %s',
      async (text) => {
        const { socket, closed } = await openSignedIn();
        socket.send(text);
        expect(await closed).toEqual({ code: 4400 });
      },
    );

    test('two operations under one id', async () => {
      const { socket, closed } = await openSignedIn();
      const payload = { query: print(MessageReceivedDocument) };
      for (let count = 0; count < 2; count += 1) socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
      expect(await closed).toEqual({ code: 4409 });
      await waitForSubscribers(app, tenant, 0);
    });

    test('an id that is given to a second operation before the first, though ended, has started: none of them is left', async () => {
      const { socket, closed } = await openSignedIn();
      const payload = { query: print(MessageReceivedDocument) };
      const subscribe = { type: 'subscribe', id: '1', payload };
      for (const message of [subscribe, { type: 'complete', id: '1' }, subscribe]) socket.send(JSON.stringify(message));
      expect(await closed).toEqual({ code: 4409 });
      await waitForSubscribers(app, tenant, 0);
    });

    test('more operations under way than a socket may have', async () => {
      const strict = await TestApp.start({ SUBSCRIPTIONS_PER_SOCKET: '3' }, app.database);
      const { socket, closed } = await openSignedIn(strict);
      const payload = { query: print(MessageReceivedDocument) };
      const subscribe = (id: string) => socket.send(JSON.stringify({ type: 'subscribe', id, payload }));
      for (const id of ['1', '2', '3']) subscribe(id);
      await waitForSubscribers(strict, tenant, 3);
      // A subscription that has ended makes room.
      socket.send(JSON.stringify({ type: 'complete', id: '2' }));
      await waitForSubscribers(strict, tenant, 2);
      subscribe('4');
      await waitForSubscribers(strict, tenant, 3);
      subscribe('5');
      expect(await closed).toEqual({ code: 4429 });
      await waitForSubscribers(strict, tenant, 0);
      await strict.stop({ keepDatabase: true });
    });

    test('more sockets of a user than may be open; colleagues are not touched, and one that goes makes room', async () => {
      const strict = await TestApp.start({ SOCKETS_PER_USER: '2' }, app.database);
      const first = await openSignedIn(strict);
      await openSignedIn(strict);
      const third = await openAndSend(init(`Bearer ${tenant.operator.token}`), { url: strict.socketUrl });
      expect(await third.closed).toEqual({ code: 4429 });
      expect(third.messages).toEqual([]);
      await openSignedIn(strict, tenant.admin.token);
      first.socket.close(1000);
      await first.closed;
      await openSignedIn(strict);
      await strict.stop({ keepDatabase: true });
    });

    test('more sockets in a minute than requests are allowed, with a code after which clients try again', async () => {
      const strict = await TestApp.start({ THROTTLE_LIMIT: '2' }, app.database);
      for (let count = 0; count < 2; count += 1) await openSignedIn(strict);
      const third = await openAndSend(init(`Bearer ${tenant.operator.token}`), { url: strict.socketUrl });
      expect(await third.closed).toEqual({ code: 1013 });
      expect(third.reason()).toMatch(/^RATE_LIMITED: connect again in \d+ s$/);
      await openSignedIn(strict, tenant.admin.token);
      await strict.stop({ keepDatabase: true });
    });

    test('the server’s stop, with 1001, subscriptions and idle sockets alike', async () => {
      const stopping = await TestApp.start({}, app.database);
      const { feed } = stopping.app.services;
      const subscribed = await openSignedIn(stopping);
      const payload = { query: print(MessageReceivedDocument) };
      subscribed.socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
      await waitForSubscribers(stopping, tenant, 1);
      const idle = await openSignedIn(stopping);
      const silent = open({ url: stopping.socketUrl });
      await once(silent.socket, 'open');
      await stopping.stop({ keepDatabase: true });
      const codes = await Promise.all([subscribed.closed, idle.closed, silent.closed]);
      expect(codes).toEqual([{ code: 1001 }, { code: 1001 }, { code: 1001 }]);
      expect(idle.reason()).toMatch(/^Going away: connect again in \d+ ms$/);
      expect(subscribed.messages.map(({ type }) => type)).toEqual(['connection_ack']);
      expect(feed.subscriberCount(tenant.id)).toBe(0);
    });
  });

  describe('operations over it', () => {
    let client: Client;

    beforeAll(() => {
      client = connect(app, tenant.operator);
    });

    afterAll(() => client.dispose());

    async function run<Data>(document: Parameters<typeof print>[0], variables: Record<string, unknown> = {}) {
      for await (const answer of client.iterate<Data>({ query: print(document), variables })) return answer;
      throw new Error('the operation ended without an answer');
    }

    test('a query and a mutation work', async () => {
      const { id } = tenant.operator;
      expect(await run(MeDocument)).toMatchObject({ data: { me: { id } } });
      const leadId = await createLead(app, tenant);
      const input = { leadId, body: 'Oi' };
      expect(await run(SendMessageDocument, { input })).toMatchObject({
        data: { sendMessage: { status: 'QUEUED', lead: { id: leadId } } },
      });
    });

    test('a later query of the same socket sees what has changed meanwhile', async () => {
      const leadId = await createLead(app, tenant, '4915100000040');
      expect(await run(LeadDocument, { id: leadId })).toMatchObject({ data: { lead: { unreadCount: 0 } } });
      await writeAs(app, tenant, '4915100000040');
      expect(await run(LeadDocument, { id: leadId })).toMatchObject({ data: { lead: { unreadCount: 1 } } });
    });

    // A document that closes its socket would take the user's subscriptions along.
    test.each<[string, string, Record<string, unknown>, string]>([
      ['an unknown lead', print(SendMessageDocument), { input: { leadId: randomUUID(), body: 'Oi' } }, 'NOT_FOUND'],
      ['wrong fields', print(SendMessageDocument), { input: { leadId: 'x', body: '' } }, 'VALIDATION_FAILED'],
      ['a variable of the wrong type', print(SendMessageDocument), { input: 7 }, 'VALIDATION_FAILED'],
      ['an unknown field', '{ me { shoeSize } }', {}, 'VALIDATION_FAILED'],
      ['a syntax error', '{ me {', {}, 'BAD_REQUEST'],
    ])('%s: its code', async (_name, query, variables, code) => {
      const errors: unknown = await new Promise((resolve, reject) => {
        client.subscribe<unknown>(
          { query, variables },
          {
            next: (answer) => resolve((answer as GraphqlAnswer<unknown>).errors),
            error: (error) => resolve(Array.isArray(error) ? error : `closed with ${(error as CloseEvent).code}`),
            complete: () => reject(new Error('the operation ended without an answer')),
          },
        );
      });
      expect(errors).toMatchObject([{ extensions: { code } }]);
    });

    test('what is refused over HTTP before it runs is refused here too: introspection, and documents without measure', async () => {
      const strict = await TestApp.start({ GRAPHQL_INTROSPECTION: 'false' }, app.database);
      const documents = ['{ __schema { types { name } } }', `{ ${'me { id } '.repeat(2_000)} }`];
      const { socket, messages, closed } = await openSignedIn(strict);
      try {
        for (const [index, query] of documents.entries())
          socket.send(JSON.stringify({ type: 'subscribe', id: `${index}`, payload: { query } }));
        const isAnswered = () => documents.every((_, index) => messages.some(({ id }) => id === `${index}`));
        while (!isAnswered() && socket.readyState === WebSocket.OPEN)
          await Promise.race([once(socket, 'message'), closed]);
        const answers = documents.map((_, index) => messages.find(({ id }) => id === `${index}`)?.type);
        expect(answers).toEqual(['error', 'error']);
      } finally {
        socket.close();
        await strict.stop({ keepDatabase: true });
      }
    });

    test('wrong fields are named', async () => {
      const answer = await run(SendMessageDocument, { input: { leadId: randomUUID(), body: '' } });
      expect(answer).toMatchObject({ errors: [{ extensions: { errors: [{ path: 'body' }] } }] });
    });

    test('a hundred subscriptions of one socket each hear what comes', async () => {
      const { socket, messages } = await openSignedIn();
      const payload = { query: print(MessageReceivedDocument) };
      for (let id = 0; id < 100; id += 1) socket.send(JSON.stringify({ type: 'subscribe', id: `${id}`, payload }));
      await waitForSubscribers(app, tenant, 100);
      await writeAs(app, tenant, '4915100000041');
      while (messages.filter(({ type }) => type === 'next').length < 100) await once(socket, 'message');
      const ids = messages.filter(({ type }) => type === 'next').map(({ id }) => id);
      expect(new Set(ids).size).toBe(100);
      socket.close();
      await waitForSubscribers(app, tenant, 0);
    });
  });
}

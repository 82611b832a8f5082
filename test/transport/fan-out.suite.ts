// Subscriptions share an execution if they show the same to users of one tenant and role. The suite uses a schema of its own.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import WebSocket, { WebSocketServer } from 'ws';
import { LiveSource, type EventPage, type FeedEvent } from '../../src/features/live/event-pages.js';
import type { FeedReader } from '../../src/features/live/tenant-tail.js';
import { AppError } from '../../src/platform/errors.js';
import type { GraphqlContext } from '../../src/platform/graphql/graphql-context.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { FanOut, type SocketOperation } from '../../src/transport/sockets/fan-out.js';
import { OperationTime } from '../../src/transport/graphql/operation-time.js';

export function describeFanOut(): void {
  let executions = 0;
  let failure: Error | undefined;

  const resolvePlain = () => {
    executions += 1;
    if (failure !== undefined) throw failure;
    return 'same for all';
  };

  const eventType = new GraphQLObjectType<FeedEvent, GraphqlContext>({
    name: 'Event',
    fields: {
      seq: { type: new GraphQLNonNull(GraphQLInt) },
      plain: { type: GraphQLString, resolve: resolvePlain },
      role: { type: GraphQLString, resolve: (_event, _args, { principal }) => principal?.role },
      viewer: { type: GraphQLID, resolve: (_event, _args, { principal }) => principal?.userId },
      echo: {
        type: GraphQLString,
        args: { text: { type: GraphQLString }, after: { type: GraphQLString } },
        resolve: (_event, { text, after }: { text?: string; after?: string }) => `${text} ${after}`,
      },
    },
  });

  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { plain: { type: GraphQLString } } }),
    subscription: new GraphQLObjectType<unknown, GraphqlContext>({
      name: 'Subscription',
      fields: {
        events: {
          type: eventType,
          args: { after: { type: GraphQLString } },
          subscribe: (_root, _args, { principal }) =>
            new LiveSource({
              tenantId: principal?.tenantId ?? '',
              name: 'events',
              positionArgument: 'after',
              rootOf: (event) => event,
            }),
          resolve: (event: unknown) => event,
        },
      },
    }),
  });

  let readers: FeedReader[] = [];
  const feed = {
    follow: async (_tenantId: string, reader: FeedReader) => {
      readers.push(reader);
      return () => void (readers = readers.filter((other) => other !== reader));
    },
  };

  let server: WebSocketServer;
  let pairs: { near: WebSocket; connection: Socket; far: WebSocket; heard: unknown[] }[] = [];
  let fanOut: FanOut;
  let operationCount = 0;
  let pageCount = 0;

  beforeAll(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
  });

  beforeEach(() => {
    const log = createLogger('silent');
    fanOut = new FanOut({ feed, time: new OperationTime(30_000, log), log });
    [executions, failure, readers] = [0, undefined, []];
  });

  afterEach(() => {
    for (const { far } of pairs) far.terminate();
    pairs = [];
  });

  afterAll(() => {
    server.close();
  });

  async function openPair() {
    const address = server.address() as { port: number };
    const accepted = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
    const far = new WebSocket(`ws://127.0.0.1:${address.port}`);
    const [near, { socket: connection }] = await accepted;
    const pair = { near, connection, far, heard: [] as unknown[] };
    far.on('message', (data: Buffer) => pair.heard.push(JSON.parse(data.toString())));
    await once(far, 'open');
    pairs.push(pair);
    return pair;
  }

  const userOf = (userId: string, change: Partial<UserPrincipal> = {}): UserPrincipal => ({
    kind: 'user',
    tenantId: 'tenant',
    userId,
    accountId: `account of ${userId}`,
    role: 'OPERATOR',
    email: `${userId}@test.example`,
    isPlatformTenant: false,
    ...change,
  });

  async function subscribe(
    user: UserPrincipal,
    text: string,
    variableValues: Record<string, unknown> = {},
    cost = { event: 280, staying: 300 },
  ) {
    const { near: socket, connection, heard } = await openPair();
    operationCount += 1;
    const operationId = `id "${operationCount}"`;
    const contextValue = { principal: user };
    const execution = { schema, document: parse(text), variableValues, contextValue };
    const operation: SocketOperation = { ...execution, socket, connection, operationId, user, startedAtMs: 0, cost };
    const stream = await fanOut.subscribe(operation);
    if (!('next' in stream)) {
      const told = stream.errors?.[0]?.extensions as { code: string; limit: { name: string } } | undefined;
      throw new Error(`${told?.code} ${told?.limit.name}`);
    }
    return { heard, stream, operationId };
  }

  function pageOf(...seqs: number[]): EventPage {
    pageCount += 1;
    const events = seqs.map((seq) => ({ seq, type: 'LEAD_UPDATED' }) as FeedEvent);
    return { id: pageCount, from: { seq: 0 }, to: { seq: Math.max(...seqs) }, events, isResync: false, readAtMs: 0 };
  }

  /** Hands a page out like the feed. @returns the number of groups that it was made for */
  async function handOut(page: EventPage): Promise<number> {
    const groups = new Set(readers.map(({ group }) => group));
    for (const group of groups) {
      const frames = await group.render(page.events);
      for (const reader of readers) if (reader.group === group) reader.write(frames, 0);
    }
    return groups.size;
  }

  async function answersOf({ heard }: { heard: unknown[] }, count: number): Promise<unknown[]> {
    while (heard.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return heard;
  }

  const plain = 'subscription ($after: String) { events(after: $after) { seq plain } }';

  test('what is shown to all alike is executed once, and each hears it under the own id', async () => {
    const subscriptions = [];
    for (const name of ['ana', 'bia', 'caio'])
      subscriptions.push(await subscribe(userOf(name), plain, { after: `place of ${name}` }));
    expect(await handOut(pageOf(1, 2))).toBe(1);
    expect(executions).toBe(2);
    expect(readers.map(({ group }) => group.eventsAtOnce)).toEqual([7, 7, 7]);
    for (const subscription of subscriptions)
      expect(await answersOf(subscription, 2)).toEqual(
        [1, 2].map((seq) => ({
          id: subscription.operationId,
          type: 'next',
          payload: { data: { events: { seq, plain: 'same for all' } } },
        })),
      );
  });

  test('the frames of a page leave a socket together, and nothing stays behind', async () => {
    const subscription = await subscribe(userOf('ana'), plain);
    const { connection } = pairs[0]!;
    const waiting: number[] = [];
    const uncork = connection.uncork.bind(connection);
    connection.uncork = () => {
      waiting.push(connection.writableLength);
      uncork();
    };
    await handOut(pageOf(1, 2, 3));
    expect(connection.writableCorked).toBe(0);
    const frames = await answersOf(subscription, 3);
    const bytes = frames.reduce<number>((sum, frame) => sum + JSON.stringify(frame).length, 0);
    expect(Math.max(...waiting)).toBeGreaterThan(bytes);
  });

  test('what was collected makes room for the rest of its page', async () => {
    const log = createLogger('silent');
    fanOut = new FanOut({ feed, time: new OperationTime(30_000, log), log, outlet: { maxBufferedBytes: 10 } });
    const subscription = await subscribe(userOf('ana'), plain);
    await handOut(pageOf(1, 2, 3, 4, 5));
    expect(pairs[0]!.connection.writableCorked).toBe(0);
    expect(await answersOf(subscription, 5)).toHaveLength(5);
  });

  test.each<[string, [UserPrincipal, string, object?], [UserPrincipal, string, object?]]>([
    ['another role', [userOf('ana'), plain], [userOf('ana', { role: 'ADMIN' }), plain]],
    ['another tenant', [userOf('ana'), plain], [userOf('ana', { tenantId: 'other' }), plain]],
    ['the platform', [userOf('ana'), plain], [userOf('ana', { isPlatformTenant: true }), plain]],
    ['another document', [userOf('ana'), plain], [userOf('ana'), plain.replace('seq', 'seq role')]],
    [
      'another value of a variable',
      [userOf('ana'), 'subscription ($text: String) { events { echo(text: $text) } }', { text: 'a' }],
      [userOf('ana'), 'subscription ($text: String) { events { echo(text: $text) } }', { text: 'b' }],
    ],
    [
      'a position that is shown as well',
      [userOf('ana'), 'subscription ($after: String) { events(after: $after) { echo(text: $after) } }', { after: 'a' }],
      [userOf('ana'), 'subscription ($after: String) { events(after: $after) { echo(text: $after) } }', { after: 'b' }],
    ],
    [
      'an argument of that name further down',
      [userOf('ana'), 'subscription ($after: String) { events { echo(after: $after) } }', { after: 'a' }],
      [userOf('ana'), 'subscription ($after: String) { events { echo(after: $after) } }', { after: 'b' }],
    ],
  ])('%s keeps them apart', async (_name, one, other) => {
    for (const [user, text, variables] of [one, other]) await subscribe(user, text, { ...variables });
    expect(await handOut(pageOf(1))).toBe(2);
  });

  test('a resolver that reads who subscribes fails: it would show one user what is meant for another', async () => {
    const subscriptions = [];
    for (const name of ['ana', 'bia'])
      subscriptions.push(await subscribe(userOf(name), 'subscription { events { seq viewer } }'));
    expect(await handOut(pageOf(1))).toBe(1);
    for (const subscription of subscriptions)
      expect(await answersOf(subscription, 1)).toMatchObject([
        { payload: { data: { events: { seq: 1, viewer: null } }, errors: [{ extensions: { code: 'INTERNAL' } }] } },
      ]);
  });

  test('an error of a resolver is part of the answer, with its code; of a dependency that is down nothing is made', async () => {
    const subscription = await subscribe(userOf('ana'), plain);
    failure = new AppError('FORBIDDEN', 'Not for you');
    await handOut(pageOf(1));
    expect(await answersOf(subscription, 1)).toMatchObject([
      { payload: { data: { events: { seq: 1, plain: null } }, errors: [{ extensions: { code: 'FORBIDDEN' } }] } },
    ]);
    failure = new AppError('UNAVAILABLE', 'The database is away');
    await expect(readers[0]?.group.render(pageOf(2).events)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('answers that are large together are made for fewer events at a time, and one that is too large by itself is left out', async () => {
    const text = 'subscription ($text: String) { events { seq echo(text: $text) } }';
    const cheap = { event: 2, staying: 30 };
    const large = await subscribe(userOf('ana'), text, { text: 'x'.repeat(1024 * 1024) }, cheap);
    const group = readers[0]!.group;
    const page = pageOf(...Array.from({ length: 20 }, (_, index) => index + 1));
    expect(group.eventsAtOnce).toBe(1_000);
    await expect(group.render(page.events)).rejects.toThrow();
    expect(group.eventsAtOnce).toBe(5);
    expect(await group.render(page.events.slice(0, 5))).toHaveLength(5);
    await large.stream.return?.();
    const huge = await subscribe(userOf('ana'), text, { text: 'x'.repeat(3 * 1024 * 1024) }, cheap);
    await handOut(pageOf(1));
    expect(await answersOf(huge, 1)).toMatchObject([
      { payload: { errors: [{ extensions: { limit: { name: 'characters' } } }] } },
    ]);
  });

  test("a tenant's subscriptions that differ cost so much together, and another tenant has its own", async () => {
    const cost = { event: 2, staying: 9_000 };
    const ask = (name: string, index: number, tenantId = 'tenant') =>
      subscribe(userOf(name, { tenantId }), `subscription S${index} { events { seq } }`, {}, cost);
    const started = [];
    for (let index = 0; index < 5; index += 1) started.push(await ask(`user ${index}`, index));
    await expect(ask('user 5', 5)).rejects.toThrow('RATE_LIMITED tenantSubscriptionCost');
    // Joining an existing subscription costs nothing more.
    await ask('user 5', 0);
    await ask('user 6', 5, 'other');
    await started[1]?.stream.return?.();
    await ask('user 7', 7);
  });

  test('one that ended leaves the feed and its group, and ends its stream; a failure is told to who waits', async () => {
    const [ana, bia] = [await subscribe(userOf('ana'), plain), await subscribe(userOf('bia'), plain)];
    const waiting = ana.stream.next();
    await ana.stream.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(readers).toHaveLength(1);
    readers[0]?.end(new AppError('UNAVAILABLE', 'No more'));
    await expect(bia.stream.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(readers).toEqual([]);
  });
}

// Subscriptions that cost more than they show: each by itself, many together, and events with huge records. Clients also read none of the
// events that they asked for.

import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import WebSocket, { WebSocketServer } from 'ws';
import type { EventPage, FeedEvent } from '../../src/features/live/event-pages.js';
import { FrameCache, Shares } from '../../src/features/live/frame-cache.js';
import { keptBytes } from '../../src/transport/sockets/subscription-cost.js';
import { UnsentBytes } from '../../src/transport/sockets/unsent-bytes.js';
import { waitForSubscribers } from '../features/live/live-harness.js';
import { until } from '../features/messages/sending-harness.js';
import { withTenant } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeHostileSubscriptions(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { GRAPHQL_MAX_COST: '1000000' });

  interface Told {
    message: string;
    extensions: { code: string; limit?: { name: string; found: number; allowed: number } };
  }

  /** A socket of the operator, and the frames that each of its subscriptions received. */
  class Listener {
    readonly told = new Map<string, { type: string; payload: any; bytes: number }[]>();
    private count = 0;

    private constructor(readonly socket: WebSocket) {}

    static async open(): Promise<Listener> {
      const socket = new WebSocket(app.socketUrl, ['graphql-transport-ws']);
      const listener = new Listener(socket);
      await once(socket, 'open');
      const authorization = `Bearer ${tenant.operator.token}`;
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
      await once(socket, 'message');
      socket.on('message', (data: Buffer) => {
        const { id, type, payload } = JSON.parse(data.toString());
        listener.told.set(id, [...(listener.told.get(id) ?? []), { type, payload, bytes: data.length }]);
      });
      return listener;
    }

    subscribe(query: string, variables = {}): string {
      this.count += 1;
      this.socket.send(JSON.stringify({ type: 'subscribe', id: `${this.count}`, payload: { query, variables } }));
      return `${this.count}`;
    }

    end(id: string): void {
      this.socket.send(JSON.stringify({ type: 'complete', id }));
    }

    async nextOf(id: string): Promise<{ type: string; payload: any; bytes: number }> {
      const [first] = await until(
        () => this.told.get(id) ?? [],
        ({ length }) => length > 0,
      );
      return first!;
    }

    async refusalOf(id: string): Promise<Told> {
      const { type, payload } = await this.nextOf(id);
      // A refusal before the execution is an `error` frame; a later one is an answer without data.
      const [error] = type === 'error' ? payload : payload.errors;
      return error;
    }

    async close(): Promise<void> {
      this.socket.terminate();
      await waitForSubscribers(app, tenant, 0);
    }
  }

  const pageOf = (count: number) => `lead { messages(first: ${count}) { edges { node { id body } } } }`;

  test('one that costs too much for each event is refused, and says so', async () => {
    const listener = await Listener.open();
    const aliases = Array.from({ length: 5 }, (_, index) => `a${index}: ${pageOf(200)}`).join(' ');
    expect(await listener.refusalOf(listener.subscribe(`subscription { events { ${aliases} } }`))).toMatchObject({
      message: expect.stringContaining('2500 are allowed'),
      extensions: { code: 'VALIDATION_FAILED', limit: { name: 'subscriptionCost', allowed: 2_500 } },
    });
    const padded = `subscription { events { cursor } } #${'x'.repeat(250_000)}`;
    expect(await listener.refusalOf(listener.subscribe(padded))).toMatchObject({
      extensions: { limit: { name: 'subscriptionCost' } },
    });
    await listener.close();
  });

  test('many that differ are refused beyond what one user may have, whichever socket they come by, and one that ends makes room', async () => {
    const [one, other] = [await Listener.open(), await Listener.open()];
    const expensive = (index: number) => `subscription S${index} { events { cursor ${pageOf(200)} } }`;
    for (let index = 0; index < 15; index += 1) one.subscribe(expensive(index));
    await waitForSubscribers(app, tenant, 15);
    // Repeating the same subscription costs nothing.
    for (let count = 0; count < 5; count += 1) other.subscribe(expensive(0));
    await waitForSubscribers(app, tenant, 20);
    const refused = other.subscribe(expensive(15));
    expect(await other.refusalOf(refused)).toMatchObject({
      extensions: { code: 'RATE_LIMITED', limit: { name: 'userSubscriptionCost', allowed: 10_000 } },
    });
    one.end('2');
    await waitForSubscribers(app, tenant, 19);
    other.subscribe(expensive(15));
    await waitForSubscribers(app, tenant, 20);
    one.socket.terminate();
    await other.close();
  });

  test('an event with long records is shown without those that are too many, and says so', async () => {
    const created = await app.post('/public/leads', { chat: '4915112345678' }, withKey(tenant));
    const { id: leadId } = (await created.json()) as { id: string };
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body)
     SELECT $1, uuidv7(), $2, $3, 'INBOUND', 'text', repeat('x', 65536) FROM generate_series(1, 40)`,
      [tenant.id, leadId, tenant.instance.id],
    );
    const listener = await Listener.open();
    const id = listener.subscribe(`subscription { events { cursor ${pageOf(40)} } }`);
    await waitForSubscribers(app, tenant, 1);
    const query = `mutation { updateLead(id: "${leadId}", input: { name: "Ana" }) { id } }`;
    await app.post('/graphql', { query }, withToken(tenant.operator));
    const { payload, bytes } = await listener.nextOf(id);
    expect(payload.errors).toMatchObject([
      { extensions: { code: 'VALIDATION_FAILED', limit: { name: 'characters', allowed: 1024 * 1024 } } },
    ]);
    expect(payload.data.events.cursor).toEqual(expect.any(String));
    expect(bytes).toBeLessThan(2 * 1024 * 1024);
    await listener.close();
  });

  test("a tenant's groups make together as much at a time as one may by itself", async () => {
    const frames = new FrameCache();
    const shares = new Shares();
    const page: EventPage = {
      id: 1,
      from: { seq: 0 },
      to: { seq: 1 },
      events: [{ seq: 1 } as FeedEvent],
      isResync: false,
      readAtMs: performance.now(),
    };
    let [running, most] = [0, 0];
    const groupOf = (id: number, eventsAtOnce: number) => ({
      id,
      eventsAtOnce,
      render: async () => {
        running += 1;
        most = Math.max(most, running);
        await nextTurn();
        running -= 1;
        return [{ seq: 1, payload: keptBytes('{}') }];
      },
    });
    const make = (eventsAtOnce: number, from: number) =>
      Promise.all(
        Array.from({ length: 30 }, (_, index) => frames.framesOf(groupOf(from + index, eventsAtOnce), page, 0, shares)),
      );
    await make(1, 0);
    expect(most).toBe(1);
    await make(10, 100);
    expect(most).toBe(10);
  });

  test('of the sockets of one user the one that takes least is ended when too much waits for them, and no other', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const ended = { count: 0 };
    const unsent = new UnsentBytes({ userBytes: 4 * 1024 * 1024, onEnded: () => (ended.count += 1) });
    const open = async (userId: string) => {
      const accepted = once(server, 'connection') as Promise<[WebSocket]>;
      const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`);
      const [near] = await accepted;
      unsent.hold(near, { tenantId: 'tenant', userId });
      return { near, client };
    };
    const [stalled, reading, colleague] = [await open('ana'), await open('ana'), await open('bia')];
    for (const { client } of [stalled, colleague]) client.pause();
    const chunk = Buffer.alloc(64 * 1024);
    const send = (socket: WebSocket) => {
      socket.send(chunk);
      unsent.add(socket, chunk.length);
    };
    for (let sent = 0; ended.count === 0 && sent < 4_000; sent += 1) {
      for (const { near } of [stalled, reading]) send(near);
      if (sent < 20) send(colleague.near);
      await nextTurn();
    }
    const isOpen = ({ near }: { near: WebSocket }) => near.readyState === near.OPEN;
    expect([stalled, reading, colleague].map(isOpen)).toEqual([false, true, true]);
    for (const { client } of [stalled, reading, colleague]) client.terminate();
    server.close();
  });

  test('sockets that open while those that were ended close count together', () => {
    let ended = 0;
    const unsent = new UnsentBytes({ userBytes: 100, onEnded: () => (ended += 1) });
    const open = () => {
      const near = Object.assign(new EventEmitter(), {
        bufferedAmount: 0,
        CLOSED: WebSocket.CLOSED,
        terminate: () => undefined,
      });
      const socket = near as unknown as WebSocket;
      unsent.hold(socket, { tenantId: 'tenant', userId: 'ana' });
      return {
        send: (bytes: number) => {
          near.bufferedAmount += bytes;
          unsent.add(socket, bytes);
        },
        close: () => near.emit('close'),
      };
    };
    const [first, second] = [open(), open()];
    for (const { send } of [first, second]) send(101);
    expect(ended).toBe(2);
    first.close();
    const third = open();
    second.close();
    const fourth = open();
    for (const { send } of [third, fourth]) send(60);
    expect(ended).toBe(3);
  });
}

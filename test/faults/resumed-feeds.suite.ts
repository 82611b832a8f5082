// Many clients of two applications come, go and are cut off at random while events happen. One of the applications ends and starts again.
// Each client hears every event once, in order.

import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { SeededRandom } from '../../src/simulator/seeded-random.js';
import { query } from '../support/graphql-client.js';
import { EventCursorDocument } from '../support/operations.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { ServiceProcess } from './service-process.js';

const batchSize = 8;
const batchPauseMs = 40;
const deadlineMs = 240_000;
const environment = { PROCESS_ROLE: 'api', SOCKETS_PER_USER: '1000' };
const document = 'subscription ($after: String) { events(after: $after) { cursor type message { body } } }';

const caseLimitMs = 400_000;

/** The application that ends and starts again. */
interface Neighbour {
  readonly url: string;
  end(): Promise<unknown>;
}

type StartNeighbour = (database: TestDatabase) => Promise<Neighbour>;

interface Scale {
  startNeighbour: StartNeighbour;
  clientCount: number;
  eventCount: number;
  restarts: number;
}

export function describeResumedFeeds(): void {
  const startNeighbour: StartNeighbour = async (database) => {
    const app = await TestApp.start(environment, database);
    return { url: app.url, end: () => app.stop({ keepDatabase: true }) };
  };
  describeFeedsOf({ startNeighbour, clientCount: 15, eventCount: 200, restarts: 1 });
}

export function describeManyResumedFeeds(): void {
  const startNeighbour: StartNeighbour = async (database) => {
    const service = await ServiceProcess.start(database, environment);
    return { url: service.url, end: () => service.end('SIGKILL') };
  };
  describeFeedsOf({ startNeighbour, clientCount: 50, eventCount: 1_000, restarts: 2 });
}

function describeFeedsOf({ startNeighbour, clientCount, eventCount, restarts }: Scale): void {
  let app: TestApp;
  let tenant: TestTenant;
  let neighbour: Neighbour | undefined;
  const clients: Client[] = [];

  beforeAll(async () => {
    app = await TestApp.start(environment);
    tenant = await app.createTenant();
    neighbour = await startNeighbour(app.database);
  });

  afterAll(async () => {
    for (const client of clients) client.stop();
    await neighbour?.end();
    await app.stop();
  });

  /** The addresses that a client may use now, without an application that is being restarted. */
  const addresses = () => [app.url, ...(neighbour === undefined ? [] : [neighbour.url])];

  interface Told {
    cursor: string;
    type: string;
    message: { body: string } | null;
  }

  interface Frame {
    type: string;
    id?: string;
    payload?: { data: { events: Told } };
  }

  /** A client that remembers only the last cursor from one connection to the next. */
  class Client {
    readonly told: Told[] = [];
    connections = 0;
    private isOver = false;
    private socket: WebSocket | undefined;

    constructor(
      private after: string,
      private readonly random: SeededRandom,
    ) {}

    /** Connects again and again, each time to a random address, until it is stopped. */
    async wander(): Promise<void> {
      while (!this.isOver) {
        await this.visit();
        await delay(this.random.upTo(20));
      }
    }

    stop(): void {
      this.isOver = true;
      this.socket?.terminate();
    }

    private async visit(): Promise<void> {
      const [first = '', second = first] = addresses();
      const url = this.random.chance(0.5) ? first : second;
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      this.socket = socket;
      this.connections += 1;
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => this.take(socket, JSON.parse(data.toString()) as Frame));
      socket.on('open', () => {
        const payload = { authorization: `Bearer ${tenant.operator.token}` };
        socket.send(JSON.stringify({ type: 'connection_init', payload }));
      });
      const leaving = setTimeout(() => this.leave(socket), 200 + this.random.upTo(2_500));
      await closed;
      clearTimeout(leaving);
    }

    private take(socket: WebSocket, { type, payload }: Frame): void {
      if (type === 'connection_ack') this.subscribe(socket);
      // A client that has left ignores later frames.
      if (type !== 'next' || payload === undefined || socket !== this.socket) return;
      const { events } = payload.data;
      this.told.push(events);
      this.after = events.cursor;
    }

    private subscribe(socket: WebSocket): void {
      const payload = { query: document, variables: { after: this.after } };
      socket.send(JSON.stringify({ type: 'subscribe', id: `${this.connections}`, payload }));
    }

    // Leaves with a closing frame, or without one.
    private leave(socket: WebSocket): void {
      this.socket = undefined;
      if (this.random.chance(0.5)) socket.close(1000);
      else socket.terminate();
    }
  }

  /** Lets leads write, through any application that runs, and retries where it has ended. */
  async function write(batch: number): Promise<void> {
    const messages = Array.from({ length: batchSize }, (_, index) => ({
      messageId: `told-${batch}-${index}`,
      from: `4915177${String((batch + index) % 5).padStart(4, '0')}`,
      text: `${batch}-${index}`,
    }));
    for (;;) {
      const [first = '', second = first] = addresses();
      const url = batch % 2 === 0 ? first : second;
      const answer = await fetch(`${url}/webhooks/chat/gateway/inbound`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...withKey(tenant) },
        body: JSON.stringify({ messages }),
      }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.status === 200) return;
      await delay(20);
    }
  }

  async function endAndRestart(): Promise<void> {
    const ending = neighbour;
    neighbour = undefined;
    await ending?.end();
    await delay(300);
    neighbour = await startNeighbour(app.database);
  }

  const seqOf = ({ cursor }: Pick<Told, 'cursor'>) => Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);

  test(
    'every client hears every event once, in order',
    async () => {
      const start = (await query(app, tenant.operator, EventCursorDocument, {})).eventCursor;
      for (let seed = 1; seed <= clientCount; seed += 1)
        clients.push(new Client(start, SeededRandom.fromSeed(`client ${seed}`)));
      const wandering = Promise.all(clients.map((client) => client.wander()));
      const batches = Math.ceil(eventCount / batchSize);
      const killing = (async () => {
        for (let count = 0; count < restarts; count += 1) {
          await delay(1_000);
          await endAndRestart();
        }
      })();
      // Every client has come back at least twice when the writing ends.
      const isWandering = () => clients.some(({ connections }) => connections <= 2);
      let written = 0;
      while (written < batches || isWandering()) {
        await write(written);
        written += 1;
        await delay(batchPauseMs);
      }
      await killing;
      const end = (await query(app, tenant.operator, EventCursorDocument, {})).eventCursor;
      const deadline = Date.now() + deadlineMs;
      while (clients.some(({ told }) => told.at(-1)?.cursor !== end) && Date.now() < deadline) await delay(50);
      for (const client of clients) client.stop();
      await wandering;

      const [from, to] = [seqOf({ cursor: start }), seqOf({ cursor: end })];
      const expected = Array.from({ length: to - from }, (_, index) => from + 1 + index);
      expect(expected.length).toBeGreaterThanOrEqual(eventCount);
      for (const { told } of clients) expect(told.map(seqOf)).toEqual(expected);
      const bodies = clients[0]?.told.flatMap(({ message }) => message?.body ?? []);
      expect(new Set(bodies).size).toBe(written * batchSize);
      expect(bodies).toHaveLength(written * batchSize);
      for (const { told } of clients) expect(told).toEqual(clients[0]?.told);
      expect(Math.min(...clients.map(({ connections }) => connections))).toBeGreaterThan(2);
    },
    caseLimitMs,
  );
}

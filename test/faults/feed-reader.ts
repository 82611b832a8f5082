// A client of the live feed that remembers the last cursor. When its socket closes, it connects again to the current address.

import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { until } from '../features/messages/sending-harness.js';
import { withToken, type TestTenant } from '../support/test-app.js';

const document = 'subscription ($after: String) { events(after: $after) { cursor type occurredAt } }';
const reconnectMs = 50;
const arrivesWithinMs = 30_000;

interface Frame {
  type: string;
  payload?: { data?: { events: { cursor: string; type: string; occurredAt: string } }; message?: string };
}

/** An event as it arrived. */
export interface ToldEvent {
  seq: number;
  /** The client has to read again: it goes on behind `seq`. */
  isResync: boolean;
  occurredAtMs: number;
  /** A time of `performance.now()`. */
  arrivedAtMs: number;
}

export class FeedReader {
  /** Events in the order of their arrival. The first one is the position at the start. */
  readonly told: ToldEvent[] = [];
  private isOver = false;
  private isAway = false;
  private socket: WebSocket | undefined;

  private constructor(
    private readonly token: string,
    private readonly urlNow: () => string,
    private after: string,
  ) {}

  static async start({ operator }: TestTenant, urlNow: () => string): Promise<FeedReader> {
    const answer = await fetch(`${urlNow()}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...withToken(operator) },
      body: JSON.stringify({ query: '{ eventCursor }' }),
    });
    const { data } = (await answer.json()) as { data: { eventCursor: string } };
    const reader = new FeedReader(operator.token, urlNow, data.eventCursor);
    const times = { occurredAtMs: Date.now(), arrivedAtMs: performance.now() };
    reader.told.push({ seq: seqOf(data.eventCursor), isResync: true, ...times });
    void reader.listen();
    return reader;
  }

  /** Resolves with all numbers when the event with this number has arrived. */
  async finish(last: number): Promise<number[]> {
    try {
      await until(
        () => this.told.at(-1)?.seq ?? 0,
        (seq) => seq === last,
        arrivesWithinMs,
      );
    } finally {
      this.stop();
    }
    return this.told.map(({ seq }) => seq);
  }

  stop(): void {
    this.isOver = true;
    this.socket?.terminate();
  }

  /** Breaks the connection, and makes no other before `comeBack`. */
  leave(): void {
    this.isAway = true;
    this.socket?.terminate();
  }

  comeBack(): void {
    this.isAway = false;
  }

  private async listen(): Promise<void> {
    while (!this.isOver) {
      if (!this.isAway) await this.listenOnce();
      await delay(reconnectMs);
    }
  }

  private async listenOnce(): Promise<void> {
    const socket = new WebSocket(`${this.urlNow().replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    this.socket = socket;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => this.take(socket, JSON.parse(data.toString()) as Frame));
    socket.on('open', () => {
      const payload = { authorization: `Bearer ${this.token}` };
      socket.send(JSON.stringify({ type: 'connection_init', payload }));
    });
    await closed;
  }

  private take(socket: WebSocket, { type, payload }: Frame): void {
    if (type === 'connection_ack') {
      const subscription = { query: document, variables: { after: this.after } };
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: subscription }));
    }
    // A subscription that was ended, as while the database is away, is begun again by a new connection.
    if (type === 'error' || type === 'complete') socket.terminate();
    const event = type === 'next' && !this.isAway ? payload?.data?.events : undefined;
    if (event === undefined) return;
    const { cursor, occurredAt } = event;
    this.after = cursor;
    const isResync = event.type === 'RESYNC_REQUIRED';
    const times = { occurredAtMs: Date.parse(occurredAt), arrivedAtMs: performance.now() };
    this.told.push({ seq: seqOf(cursor), isResync, ...times });
  }
}

const seqOf = (cursor: string) => Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);

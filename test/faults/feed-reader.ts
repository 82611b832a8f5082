// A client of the live feed that remembers the last cursor. When its socket closes, it connects again to the current address.

import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { until } from '../features/messages/sending-harness.js';
import { withToken, type TestTenant } from '../support/test-app.js';

const document = 'subscription ($after: String) { events(after: $after) { cursor } }';
const reconnectMs = 50;

interface Frame {
  type: string;
  payload?: { data?: { events: { cursor: string } }; message?: string };
}

export class FeedReader {
  /** Sequence numbers, in the order of their arrival. */
  private readonly told: number[] = [];
  private isOver = false;
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
    reader.told.push(seqOf(data.eventCursor));
    void reader.listen();
    return reader;
  }

  /** Resolves when the event with this number has arrived. */
  async finish(last: number): Promise<number[]> {
    await until(
      () => this.told.at(-1) ?? 0,
      (seq) => seq >= last,
    );
    this.isOver = true;
    this.socket?.terminate();
    return this.told;
  }

  private async listen(): Promise<void> {
    while (!this.isOver) {
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
      await delay(reconnectMs);
    }
  }

  private take(socket: WebSocket, { type, payload }: Frame): void {
    if (type === 'connection_ack') {
      const subscription = { query: document, variables: { after: this.after } };
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: subscription }));
    }
    const cursor = type === 'next' ? payload?.data?.events.cursor : undefined;
    if (cursor === undefined) return;
    this.after = cursor;
    this.told.push(seqOf(cursor));
  }
}

const seqOf = (cursor: string) => Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);

// Sends through GraphQL at even intervals, and the time of each from its request to the gateway's socket.

import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.js';
import { machineTimeMs } from './machine-clock.js';
import type { BenchGateway, SendingProduct } from './sending-product.js';
import { percentile, type RoundFigures } from './side-by-side.js';

const path = '/graphql';
const query = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';
/** The connections that are open from the start; when all of them wait for slow answers, another one is opened. */
const connectionCount = 32;
const lookIntervalMs = 50;
const arrivalLimitMs = 60_000;

export interface PacedSendsOptions {
  sending: SendingProduct;
  gateway: BenchGateway;
  /** Each message goes to another lead, in turn. */
  leadIds: readonly string[];
  intervalMs: number;
  signal: AbortSignal;
}

export class PacedSends {
  private turn = 0;

  constructor(private readonly options: PacedSendsOptions) {}

  /** @throws Error when a message was not accepted or did not arrive within 60 s */
  async measure(count: number): Promise<RoundFigures> {
    const { url } = this.options.sending.product;
    const prefix = `turn ${(this.turn += 1)}, `;
    const open = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(url)));
    const startedAt = machineTimeMs();
    try {
      const sentAt = await this.send(count, prefix, open);
      const durationMs = machineTimeMs() - startedAt;
      const waitedMs = await this.readWaits(sentAt, prefix);
      return {
        perSecond: (count / durationMs) * 1_000,
        p50Ms: percentile(waitedMs, 0.5),
        p99Ms: percentile(waitedMs, 0.99),
      };
    } finally {
      for (const connection of open) connection.close();
    }
  }

  /** @returns when each request was written */
  private async send(count: number, prefix: string, open: Connection[]): Promise<number[]> {
    const { intervalMs, signal, sending } = this.options;
    const { url } = sending.product;
    const messages = Array.from({ length: count }, (_, number) => this.request(`${prefix}${number}`, number));
    const sentAt: number[] = [];
    const startedAt = machineTimeMs();
    const answers: Promise<void>[] = [];
    for (const [number, message] of messages.entries()) {
      await delay(Math.max(0, startedAt + number * intervalMs - machineTimeMs()), undefined, { signal });
      // Connections are used in turn, so that none is idle for as long as the server keeps one.
      sentAt.push(machineTimeMs());
      const connection = open.shift() ?? (await Connection.open(url));
      const answer = exchange(connection, message).then(() => void open.push(connection));
      // A failure is thrown below, when every request has been written.
      answer.catch(() => undefined);
      answers.push(answer);
    }
    await Promise.all(answers);
    return sentAt;
  }

  private request(body: string, number: number): Buffer {
    const { sending, leadIds } = this.options;
    const { url, tenant } = sending.product;
    const input = { leadId: leadIds[(this.turn * leadIds.length + number) % leadIds.length], body };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` };
    const document = JSON.stringify({ query, variables: { input } });
    return Connection.serialise(url, { method: 'POST', path, body: document, headers });
  }

  /** @returns the times in milliseconds, sorted */
  private async readWaits(sentAt: readonly number[], prefix: string): Promise<Float64Array> {
    const { gateway, sending, signal } = this.options;
    const deadline = machineTimeMs() + arrivalLimitMs;
    for (;;) {
      const { texts, times } = await gateway.arrivals(sending.product.tenant.instanceName);
      const arrivedAt = new Map(texts.map((text, index) => [text, times[index] ?? 0]));
      const waits = sentAt.flatMap((sent, number) => {
        const arrived = arrivedAt.get(`${prefix}${number}`);
        return arrived === undefined ? [] : [arrived - sent];
      });
      if (waits.length === sentAt.length) return Float64Array.from(waits).sort();
      if (machineTimeMs() > deadline) throw new Error(`${waits.length} of ${sentAt.length} messages arrived.`);
      await delay(lookIntervalMs, undefined, { signal });
    }
  }
}

async function exchange(connection: Connection, message: Buffer): Promise<void> {
  const { status, body } = await connection.exchange(message);
  if (status !== 200 || !body.includes('"sendMessage":{'))
    throw new Error(`Answered with ${status}: ${body.slice(0, 500)}`);
}

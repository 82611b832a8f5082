// HTTP load at a fixed rate, whatever the server's pace. Requests are due at even intervals, and a latency counts from the
// moment its request was due: a server that falls behind pays for every request that it keeps waiting.

import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.js';
import type { HttpLoadOptions } from './load.js';
import { percentile, type RoundFigures } from './side-by-side.js';

export class PacedLoad {
  private answered = 0;

  constructor(private readonly options: HttpLoadOptions) {}

  /** Answers with 2xx so far. */
  get answeredCount(): number {
    return this.answered;
  }

  /**
   * Sends `perSecond` requests in each second of `durationMs`; one that finds every connection busy waits for the first to
   * be free. @throws Error when an answer was wrong, not 2xx or missing
   */
  async measure(perSecond: number, durationMs: number): Promise<RoundFigures> {
    const { url, path, method, connections, nextRequest } = this.options;
    const amount = Math.max(1, Math.round((perSecond * durationMs) / 1_000));
    const requests = Array.from({ length: amount }, () => ({ method, path, ...nextRequest() }));
    const messages = requests.map((request) => Connection.serialise(url, request));
    const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
    try {
      return await this.send(messages, 1_000 / perSecond, open);
    } finally {
      for (const connection of open) connection.close();
    }
  }

  private async send(messages: readonly Buffer[], intervalMs: number, open: Connection[]): Promise<RoundFigures> {
    const latenciesMs = new Float64Array(messages.length);
    const waiting = messages.entries();
    const startedAtMs = performance.now();
    const sendInTurn = async (connection: Connection) => {
      // All connections take from the same iterator: whichever is free takes the next message.
      for (const [index, message] of waiting) {
        const dueAtMs = startedAtMs + index * intervalMs;
        await this.waitUntil(dueAtMs);
        await this.exchange(connection, message);
        latenciesMs[index] = performance.now() - dueAtMs;
      }
    };
    await Promise.all(open.map(sendInTurn));
    const durationMs = performance.now() - startedAtMs;
    const sorted = latenciesMs.sort();
    return {
      perSecond: (messages.length / durationMs) * 1_000,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    };
  }

  // Timers know whole milliseconds only; every side waits for them alike.
  private async waitUntil(dueAtMs: number): Promise<void> {
    const { signal } = this.options;
    const waitMs = Math.ceil(dueAtMs - performance.now());
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    else signal.throwIfAborted();
  }

  private async exchange(connection: Connection, message: Buffer): Promise<void> {
    const { status, body } = await connection.exchange(message);
    const { url, path, expected } = this.options;
    if (status < 200 || status > 299 || !body.includes(expected))
      throw new Error(`${url}${path} was answered with ${status}: ${body.slice(0, 500)}`);
    this.answered += 1;
  }
}

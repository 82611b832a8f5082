// The shared parts of the simulator's tests: a receiver that plays the product, a clock moved by hand, and a caller.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SimulatorBehaviour } from '../../src/simulator/behaviour.schema.js';
import {
  startGatewaySimulator,
  type GatewaySimulator,
  type GatewaySimulatorOptions,
} from '../../src/simulator/gateway-simulator.js';
import type { SimulatorClock } from '../../src/simulator/simulator-clock.js';

/** Behaviour without chance and without delays. */
export const PLAIN: Partial<SimulatorBehaviour> = {
  latencyMs: 0,
  latencyJitterMs: 0,
  sentDelayMs: 0,
  deliveredDelayMs: 0,
  readDelayMs: 0,
  replyRate: 0,
  replyDelayMs: 0,
  webhookBackoffMs: 0,
  connectDelayMs: 0,
  fetchMedia: false,
};

/** A webhook call as the receiver got it. */
export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // The tests look at any field of the body, so its type stays open.
  body: Record<string, any>;
}

/** The receiver's answer; `cut` breaks the connection and `silent` never answers. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'cut' | 'silent';

/** A server that plays the product's webhooks. */
export async function startReceiver(answerTo: (call: ReceivedCall, index: number) => ReceiverAnswer) {
  const calls: ReceivedCall[] = [];
  const waiters = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const call = { path: request.url ?? '', headers: request.headers, raw, body: JSON.parse(raw) };
    calls.push(call);
    const answer = answerTo(call, calls.length - 1);
    if (answer === 'cut') request.socket.destroy();
    else if (answer !== 'silent') response.writeHead(answer.status, answer.headers).end(answer.body ?? '{}');
    for (const wake of waiters) wake();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** Resolves once `count` calls have arrived. */
    async arrived(count: number): Promise<void> {
      while (calls.length < count) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiters.delete(wake);
            resolve();
          };
          waiters.add(wake);
        });
      }
    },
    statuses: () => calls.filter((call) => call.path.endsWith('/status')).map((call) => call.body.status as string),
    replies: () => calls.filter((call) => call.path.endsWith('/inbound')).map((call) => call.body),
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements SimulatorClock {
  #now = Date.UTC(2026, 2, 9, 12, 0, 0);
  readonly #timers = new Set<{ at: number; task: () => void }>();

  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves the clock on, and fires due timers in their order. */
  advance(durationMs: number): void {
    const end = this.#now + durationMs;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = end;
  }
}

/** Resolves when `condition` holds; the test's own time-out ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** An answer of the simulator. */
export interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

/** A simulator that reports to a receiver of its own. */
export interface Harness {
  readonly simulator: GatewaySimulator;
  readonly receiver: Receiver;
  readonly token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a text under a new key; `changes` and `key` replace parts of the call. */
  send(to: string, changes?: Record<string, unknown>, key?: string): Promise<Answer>;
  close(): Promise<void>;
}

interface HarnessOptions extends Omit<Partial<GatewaySimulatorOptions>, 'defaults'> {
  behaviour?: Partial<SimulatorBehaviour>;
  answerTo?: (call: ReceivedCall, index: number) => ReceiverAnswer;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { behaviour, answerTo = () => ({ status: 200 }), ...rest } = options;
  const token = 'gateway-token';
  const receiver = await startReceiver(answerTo);
  const simulator = await startGatewaySimulator({
    token,
    webhookBaseUrl: receiver.url,
    tenantKey: 'tenant-key',
    seed: 'tests',
    defaults: { ...PLAIN, ...behaviour },
    ...rest,
  });

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(simulator.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answered = await response.text();
    return { status: response.status, headers: response.headers, body: answered === '' ? null : JSON.parse(answered) };
  }

  let keys = 0;
  return {
    simulator,
    receiver,
    token,
    call,
    send: (to, changes = {}, key = `key-${(keys += 1)}`) => {
      const message = { instance: 'acme', to, type: 'text', text: 'Hello', ...changes };
      return call('POST', '/messages', message, { 'idempotency-key': key });
    },
    close: async () => {
      await simulator.close();
      await receiver.close();
    },
  };
}

// Callers of intake for tests that kill the service: mixed messages, statuses and leads. A call is repeated until it is acknowledged, or
// given up at its first failure. Every body names its call, and the journal keeps the body.

import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../features/messages/sending-harness.js';
import { withKey, type TestTenant } from '../support/test-app.js';
import { CallLog } from './call-log.js';
import { phoneCall } from './phone-call.js';

/** The pause between a call's first failure and its repetition; each further pause is twice as long, up to `maxRetryPauseMs`. */
const firstRetryPauseMs = 100;
const maxRetryPauseMs = 1_000;
const knownNumbers = 20;
/** Messages that exist before the load begins, as subjects of status reports. */
const poolSize = 100;
const statuses = ['SENT', 'DELIVERED', 'FAILED', 'READ', 'READ', 'DELIVERED', 'SENT', 'FAILED'];
const paths = {
  inbound: '/webhooks/chat/gateway/inbound',
  status: '/webhooks/chat/gateway/status',
  leads: ['/public/leads', '/webhooks/leads'],
};

interface Call {
  key: string;
  path: string;
  body: object;
  /** Given up at the first failure: the caller does not know the result. */
  isTriedOnce: boolean;
}

export interface IntakeLoadOptions {
  /** The number of calls under way at a time. Default 64. */
  connections?: number;
  /** The pause between a call's end and the next call of its connection. Default 0. */
  pauseMs?: number;
  /** The most calls that begin in a second. Default: as many as the connections can make. */
  perSecond?: number;
  /** The time for which a call is repeated before the test fails. Default 30,000. */
  answerLimitMs?: number;
}

export interface AcknowledgedCall {
  /** A time of `performance.now()`. */
  atMs: number;
  key: string;
  answer: object;
}

export class IntakeLoad {
  readonly acknowledged: AcknowledgedCall[] = [];
  /** Keys of all calls that have begun. */
  readonly tried = new Set<string>();
  readonly log = new CallLog();
  /** The calls under way at this moment. */
  private readonly underWay = new Set<object>();
  private callCount = 0;
  private stopping = false;
  private readonly running: Promise<unknown>;

  constructor(
    /** Keeps the calls, messages and new leads of two loads apart. */
    readonly prefix: string,
    readonly tenant: TestTenant,
    private readonly urlNow: () => string,
    private readonly options: IntakeLoadOptions = {},
  ) {
    this.running = this.run();
    // finish(), which comes later, reports the failure.
    this.running.catch(() => undefined);
  }

  /** Counts the calls by their HTTP status, or `no answer`. */
  get outcomes(): Map<string, number> {
    return this.log.outcomes();
  }

  /** Resolves once `more` further calls have been acknowledged. */
  async untilAcknowledged(more: number): Promise<void> {
    const wanted = this.acknowledged.length + more;
    await until(
      () => this.acknowledged.length,
      (count) => count >= wanted,
    );
  }

  /** Resolves once every call that is under way now has ended, in whatever way. @returns the number of these calls */
  async untilAnswered(timeoutMs: number): Promise<number> {
    const waiting = [...this.underWay];
    await until(
      () => waiting.filter((attempt) => this.underWay.has(attempt)).length,
      (count) => count === 0,
      timeoutMs,
    );
    return waiting.length;
  }

  /** Begins no new call. */
  stop(): void {
    this.stopping = true;
  }

  /** Resolves when every call that has begun is acknowledged or given up. */
  async finish(): Promise<void> {
    this.stop();
    await this.running;
  }

  private async run(): Promise<void> {
    await this.complete(this.poolCall());
    const { connections = 64 } = this.options;
    await Promise.all(Array.from({ length: connections }, () => this.callOneByOne()));
  }

  private async callOneByOne(): Promise<void> {
    const { connections = 64, pauseMs = 0, perSecond = Infinity } = this.options;
    const intervalMs = (1_000 * connections) / perSecond;
    while (!this.stopping) {
      const nextAtMs = performance.now() + intervalMs;
      await this.complete(this.nextCall());
      const waitMs = Math.max(pauseMs, nextAtMs - performance.now());
      if (waitMs > 0) await delay(waitMs);
    }
  }

  private async complete(call: Call): Promise<void> {
    this.tried.add(call.key);
    const { answerLimitMs = 90_000 } = this.options;
    const deadline = Date.now() + answerLimitMs;
    let pauseMs = firstRetryPauseMs;
    while (!(await this.isAcknowledged(call)) && !call.isTriedOnce) {
      if (Date.now() > deadline)
        throw new Error(`${call.key} was not acknowledged in ${answerLimitMs} ms: ${[...this.outcomes].join('; ')}`);
      await delay(pauseMs);
      pauseMs = Math.min(2 * pauseMs, maxRetryPauseMs);
    }
  }

  private async isAcknowledged({ key, path, body }: Call): Promise<boolean> {
    const attempt = {};
    const begunAtMs = performance.now();
    this.underWay.add(attempt);
    try {
      const response = await fetch(`${this.urlNow()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...withKey(this.tenant) },
        body: JSON.stringify({ ...body, call: key }),
      });
      const answer = (await response.json()) as object;
      this.log.note(String(response.status), response.ok, begunAtMs);
      if (response.ok) this.acknowledged.push({ atMs: performance.now(), key, answer });
      return response.ok;
    } catch {
      this.log.note('no answer', false, begunAtMs);
      return false;
    } finally {
      this.underWay.delete(attempt);
    }
  }

  private poolCall(): Call {
    const messages = Array.from({ length: poolSize }, (_, index) => ({
      externalId: `${this.prefix}-pool-${index}`,
      to: this.numberOf(index),
    }));
    const body = phoneCall(this.tenant.instance.name, messages);
    return { key: `${this.prefix}-pool`, path: paths.inbound, body, isTriedOnce: false };
  }

  // In ten calls, four bring messages, three statuses and two leads. The last one brings a message that those statuses are about.
  private nextCall(): Call {
    const number = (this.callCount += 1);
    const common = { key: `${this.prefix}-${number}`, isTriedOnce: number % 4 === 0 };
    const kind = number % 10;
    if (kind < 4) return { ...common, path: paths.inbound, body: this.inboundBody(number) };
    if (kind < 7) return { ...common, path: paths.status, body: this.statusBody(number) };
    if (kind < 9) {
      const body = { chat: this.numberOf(number), name: `Lead ${number}` };
      return { ...common, path: paths.leads[number % 2] ?? '', body };
    }
    const message = { externalId: this.phoneIdOf(number), to: this.numberOf(number) };
    return { ...common, path: paths.inbound, body: phoneCall(this.tenant.instance.name, [message]) };
  }

  private inboundBody(number: number): object {
    const messages = Array.from({ length: number % 3 === 0 ? 3 : 1 }, (_, index) => {
      const messageId = `${this.prefix}-${number}-${index}`;
      return { messageId, from: this.numberOf(number), text: messageId };
    });
    return messages.length === 1 ? { ...messages[0] } : { messages };
  }

  /** Reports of two messages that exist, and of one that comes at about the same moment, or never. */
  private statusBody(number: number): object {
    const timestamp = Math.floor(Date.now() / 1_000);
    const reportOf = (messageId: string, turn: number) => {
      const status = statuses[turn % statuses.length] ?? '';
      return { messageId, status, timestamp, ...(status === 'FAILED' ? { error: { code: '131026' } } : {}) };
    };
    return {
      statuses: [
        reportOf(`${this.prefix}-pool-${number % poolSize}`, number),
        reportOf(`${this.prefix}-pool-${(number * 7) % poolSize}`, number + 3),
        reportOf(this.phoneIdOf(number), number + Math.floor(number / 10)),
      ],
    };
  }

  /** The id of the phone's message that belongs to this group of ten calls. */
  private phoneIdOf(number: number): string {
    return `${this.prefix}-phone-${Math.floor(number / 10)}`;
  }

  // Most numbers are known, some are new. Brazil's ninth digit is written in half of them.
  private numberOf(number: number): string {
    const isNew = number % 7 === 0;
    const digits = isNew ? 80_000_000 + number : 70_000_000 + (number % knownNumbers);
    return `55${this.prefix === 'service' ? 11 : 21}${number % 2 === 0 ? '9' : ''}${digits}`;
  }
}

// One tenant's sends in this process: claims what may leave and hands it over at once, a bounded number of sends under way at a time, in
// all and through each instance. Which messages may leave is claim.service.ts's decision, sending them the dispatcher's.

import type { Claim, ClaimRequest, ClaimedMessage } from './claim.service.js';

export interface TenantLaneOptions {
  /** Gives no more messages than there is room for. */
  claim: (request: ClaimRequest) => Promise<Claim>;
  /** Resolves when the gateway has answered, and where it was a trial of a paused line, when that is stored; never rejects. */
  send: (message: ClaimedMessage) => Promise<void>;
  /** Sends under way at once, and how many of them through one instance. */
  concurrency: number;
  concurrencyPerInstance: number;
  /** The longest rest, in milliseconds. */
  maxRestMs: number;
}

export class TenantLane {
  /** Sends under way, by instance. */
  private readonly sending = new Tally();
  /** Of these, those that try an instance whose pause has ended. */
  private readonly trying = new Tally();
  private sendCount = 0;
  /** Something happened since the last claim began. */
  private again = false;
  /** The last claim left no room, so that more may be waiting for it. */
  private isFull = false;
  private unsent: ClaimedMessage[] = [];
  private limited = false;
  private stopped = false;
  private ring: () => void = () => undefined;

  constructor(private readonly options: TenantLaneOptions) {}

  /** Whether something came that no claim has seen. */
  get hasNews(): boolean {
    return this.again;
  }

  /** Whether the last claim found the tenant's rate limit used up. */
  get isLimited(): boolean {
    return this.limited;
  }

  /** Something new came, an answer was stored, or it is time: the lane looks again. */
  wake(): void {
    this.again = true;
    this.ring();
  }

  /** Nothing more is sent. Safe to repeat. @returns what was claimed since and will not be sent */
  stop(): ClaimedMessage[] {
    this.stopped = true;
    this.ring();
    return this.unsent.splice(0);
  }

  /** Sends until nothing more may leave now. @returns when to look again; undefined: when woken */
  async drain(): Promise<number | undefined> {
    while (!this.stopped) {
      if (!this.isWorthAClaim()) {
        await this.untilRung();
        continue;
      }
      this.again = false;
      const { messages, nextInMs, isLimited = false } = await this.options.claim(this.nextRequest());
      this.limited = isLimited;
      if (this.stopped) this.unsent = messages;
      else this.startAll(messages);
      if (this.stopped || this.again || this.isFull) continue;
      if (this.sendCount === 0) return nextInMs;
      await this.rest(nextInMs);
    }
    return undefined;
  }

  // With a backlog, not every message that leaves is worth a claim.
  private isWorthAClaim(): boolean {
    const { concurrency } = this.options;
    if (this.sendCount >= concurrency) return false;
    return this.again || !this.isFull || this.sendCount <= concurrency / 2;
  }

  private nextRequest(): ClaimRequest {
    const { concurrency, concurrencyPerInstance } = this.options;
    return {
      limit: concurrency - this.sendCount,
      limitPerInstance: concurrencyPerInstance,
      underWay: new Map(this.sending.counts),
      trials: new Map(this.trying.counts),
    };
  }

  private startAll(messages: readonly ClaimedMessage[]): void {
    const { concurrency, concurrencyPerInstance } = this.options;
    for (const message of messages) void this.start(message);
    const isFullOf = (sends: number) => sends >= concurrencyPerInstance;
    this.isFull =
      messages.length > 0 && (this.sendCount >= concurrency || [...this.sending.counts.values()].some(isFullOf));
  }

  private async start(message: ClaimedMessage): Promise<void> {
    const { instanceId, wasPaused } = message;
    const tallies = wasPaused ? [this.sending, this.trying] : [this.sending];
    for (const tally of tallies) tally.add(instanceId, 1);
    this.sendCount += 1;
    await this.options.send(message);
    for (const tally of tallies) tally.add(instanceId, -1);
    this.sendCount -= 1;
    // No claim has looked at the line without counting the trial as under way.
    if (wasPaused) this.again = true;
    this.ring();
  }

  // Until a stored answer may have released its lead's next message, time has opened the limit's window, or nothing is under way.
  private async rest(nextInMs: number | undefined): Promise<void> {
    const restMs = nextInMs === undefined ? undefined : Math.min(nextInMs, this.options.maxRestMs);
    const timer = restMs === undefined ? undefined : setTimeout(() => this.wake(), restMs);
    while (!this.again && !this.stopped && this.sendCount > 0) await this.untilRung();
    clearTimeout(timer);
  }

  private untilRung(): Promise<void> {
    return new Promise((resolve) => (this.ring = resolve));
  }
}

/** How many of each; those without any are left out. */
class Tally {
  readonly counts = new Map<string, number>();

  add(key: string, change: 1 | -1): void {
    const count = (this.counts.get(key) ?? 0) + change;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}

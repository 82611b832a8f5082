// Work that waits in lanes: a tenant's messages, a webhook endpoint's deliveries. Lanes run side by side, each with a bounded number of
// items at a time, so that a slow or dead lane delays no other. The search for due items, and the work on them, are passed in.

import { FairQueue } from './fair-semaphore.js';
import type { Logger } from '../observability/logger.js';
import { outsideOfRequests } from '../observability/request-scope.js';

export interface LaneKey {
  tenantId: string;
  /** Unique among all lanes. */
  id: string;
}

export interface Lane<Item> extends Readonly<LaneKey> {
  /** A failing lane works on one item at a time, and all failing lanes together on half of `totalConcurrency`. */
  isFailing: boolean;
  /** The items that are under way. */
  readonly items: ReadonlySet<Item>;
}

/** The number of items that a lane may claim, and the number if it turns out to fail. */
export interface Places {
  limit: number;
  failingLimit: number;
}

export interface Claimed<Item> {
  items: readonly Item[];
  /** True if the claim found the lane failing. Default: it does not fail. */
  isFailing?: boolean | undefined;
  /** True if more is due than a limit within the lane allows now. Default: true if the lane has no place left. */
  isFull?: boolean | undefined;
  /**
   * Asked while places stay empty.
   * @returns the milliseconds until the next claim; undefined: it comes once the lane is woken, or an item ends
   */
  nextInMs: () => number | undefined | Promise<number | undefined>;
}

export interface LaneSchedulerOptions<Item> {
  /** The items, in logs: `outbound messages`. */
  name: string;
  log: Logger;
  /** The most items of one lane at a time. */
  concurrency: number;
  /** The most items of all lanes at a time. Lanes without a place take turns, tenant by tenant. Default: no limit. */
  totalConcurrency?: number | undefined;
  /** The time between sweeps, and the longest rest of a lane with something to come, in milliseconds. */
  sweepIntervalMs: number;
  /** Wakes lanes whose notification was lost, or whose worker died. Never runs twice at a time. */
  sweep: () => Promise<void>;
  /** Claims the due items of a lane, no more than its places. */
  claim: (lane: Lane<Item>, places: Places) => Promise<Claimed<Item>>;
  /**
   * Starts on each of the items.
   * @returns for each item a promise that never rejects. It resolves when the item's place is free, with true when that may have made more
   *   of the lane due
   */
  begin: (lane: Lane<Item>, items: readonly Item[]) => Promise<boolean>[];
  /** Gives back items that were claimed while the scheduler was stopping. */
  release: (lane: Lane<Item>, items: readonly Item[]) => Promise<void>;
  /** Runs the work of a tenant. Default: outside of any request. */
  within?: ((tenantId: string, work: () => Promise<void>) => Promise<void>) | undefined;
}

interface LaneState<Item> extends Lane<Item> {
  readonly items: Set<Item>;
  isClaiming: boolean;
  /** Something happened since the last claim began. */
  hasNews: boolean;
  /** The last claim left no room: more may be due. */
  isFull: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The rest after a fault of the database, in milliseconds. */
export const faultDelayMs = 1_000;

export class LaneScheduler<Item> {
  private readonly lanes = new Map<string, LaneState<Item>>();
  /** Lanes without a place, and failing lanes without one of the places for failing lanes. */
  private readonly starved = new FairQueue<string, LaneState<Item>>();
  private readonly starvedFailing = new FairQueue<string, LaneState<Item>>();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly aborter = new AbortController();
  private readonly totalConcurrency: number;
  isStopping = false;
  private underWay = 0;
  private underWayFailing = 0;
  private sweepTimer: NodeJS.Timeout | undefined;
  private isSweeping = false;

  constructor(private readonly options: LaneSchedulerOptions<Item>) {
    this.totalConcurrency = options.totalConcurrency ?? Infinity;
  }

  /** Aborted when the time to stop is over. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  start(): void {
    this.sweepTimer = setInterval(() => this.track(this.sweep()), this.options.sweepIntervalMs);
    this.track(this.sweep());
  }

  /** Claims nothing more and waits for all that is tracked. After `timeoutMs`, `signal` is aborted. */
  async stop(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    clearInterval(this.sweepTimer);
    for (const { timer } of this.lanes.values()) clearTimeout(timer);
    const cutOff = setTimeout(() => this.aborter.abort(), timeoutMs);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    clearTimeout(cutOff);
  }

  /** Tells that something of the lane is, or may be, due. Returns at once; safe to repeat. */
  wake({ tenantId, id }: LaneKey, isFailing?: boolean): void {
    if (this.isStopping) return;
    const state = { items: new Set<Item>(), isFailing: false, isClaiming: false, hasNews: false, isFull: false };
    const lane = this.lanes.get(id) ?? { tenantId, id, ...state, timer: undefined };
    this.lanes.set(id, lane);
    lane.isFailing = isFailing ?? lane.isFailing;
    this.wakeLane(lane);
  }

  /** Lets `stop` wait for the work, which must not reject. */
  track(work: Promise<void>): void {
    this.inFlight.add(work);
    const forget = () => this.inFlight.delete(work);
    work.then(forget, forget);
  }

  /** @returns whether it claims now */
  private wakeLane(lane: LaneState<Item>): boolean {
    lane.hasNews = true;
    return this.claimIfWorth(lane);
  }

  private claimIfWorth(lane: LaneState<Item>): boolean {
    if (lane.isClaiming) return true;
    if (!this.isWorthAClaim(lane)) return false;
    const { within = (_tenantId, work) => outsideOfRequests(work) } = this.options;
    this.track(within(lane.tenantId, () => this.claimAll(lane)));
    return true;
  }

  // With a backlog, a claim waits until half of the places are free.
  private isWorthAClaim({ items, isFailing, hasNews, isFull }: LaneState<Item>): boolean {
    if (this.isStopping || items.size >= (isFailing ? 1 : this.options.concurrency)) return false;
    return hasNews || (isFull && items.size <= this.options.concurrency / 2);
  }

  private async claimAll(lane: LaneState<Item>): Promise<void> {
    lane.isClaiming = true;
    clearTimeout(lane.timer);
    lane.timer = undefined;
    let nextInMs: number | undefined;
    try {
      // Items that come during a claim are seen here, in the turn that ends it.
      do nextInMs = await this.claim(lane);
      while (this.isWorthAClaim(lane));
    } catch (error) {
      const { tenantId, id } = lane;
      this.options.log.warn({ err: error, tenantId, lane: id }, `${this.options.name} could not be claimed; retrying`);
      nextInMs = faultDelayMs;
    }
    lane.isClaiming = false;
    if (this.isStopping) return;
    if (nextInMs !== undefined)
      lane.timer = setTimeout(() => this.wakeLane(lane), Math.min(nextInMs, this.options.sweepIntervalMs));
    else this.forgetIdle(lane);
    this.passOn();
  }

  /** @returns the milliseconds until the next claim, unless the lane is woken before */
  private async claim(lane: LaneState<Item>): Promise<number | undefined> {
    lane.hasNews = false;
    lane.isFull = false;
    const places = this.placesFor(lane);
    if (places === undefined) return undefined;
    // The places are taken before another lane asks.
    this.count(places.limit, places.failingLimit);
    let claimed: Claimed<Item>;
    try {
      claimed = await this.options.claim(lane, places);
    } finally {
      this.count(-places.limit, -places.failingLimit);
    }
    if (this.isStopping) {
      await this.release(lane, claimed.items);
      return undefined;
    }
    this.begin(lane, claimed);
    this.passOn();
    return claimed.items.length < places.limit ? claimed.nextInMs() : undefined;
  }

  /** @returns undefined where there are no places: the lane is woken once there are */
  private placesFor(lane: LaneState<Item>): Places | undefined {
    const free = this.totalConcurrency - this.underWay;
    const failingLimit = lane.items.size === 0 && this.hasFailingPlace() ? 1 : 0;
    if (lane.isFailing && failingLimit === 0) this.starvedFailing.add(lane.tenantId, lane);
    else if (free <= 0) this.starved.add(lane.tenantId, lane);
    else {
      this.starved.delete(lane.tenantId, lane);
      this.starvedFailing.delete(lane.tenantId, lane);
      return { limit: Math.min(this.options.concurrency - lane.items.size, free), failingLimit };
    }
    return undefined;
  }

  private begin(lane: LaneState<Item>, { items, isFailing = false, isFull = false }: Claimed<Item>): void {
    if (items.length === 0) return;
    lane.isFailing = isFailing;
    for (const item of items) lane.items.add(item);
    lane.isFull = isFull || lane.items.size >= this.options.concurrency;
    this.count(items.length, isFailing ? items.length : 0);
    for (const [index, done] of this.options.begin(lane, items).entries())
      this.track(done.then((hasMore) => this.end(lane, items[index] as Item, isFailing, hasMore)));
  }

  private end(lane: LaneState<Item>, item: Item, isFailing: boolean, hasMore: boolean): void {
    lane.items.delete(item);
    this.count(-1, isFailing ? -1 : 0);
    // Other lanes come first, or this one would keep the place.
    this.passOn();
    if (hasMore || lane.items.size === 0) this.wakeLane(lane);
    else this.claimIfWorth(lane);
  }

  private count(items: number, failing: number): void {
    this.underWay += items;
    this.underWayFailing += failing;
  }

  private hasFailingPlace(): boolean {
    return this.underWayFailing < this.totalConcurrency / 2;
  }

  /** Gives a free place to the lane whose turn it is. That lane does the same once it has claimed. */
  private passOn(): void {
    // A failing lane that may have a place queues behind the lanes that wait for any.
    const failing = this.hasFailingPlace() ? this.starvedFailing.take() : undefined;
    if (failing !== undefined) this.starved.add(failing.tenantId, failing);
    while (this.underWay < this.totalConcurrency) {
      const next = this.starved.take();
      if (next === undefined || this.wakeLane(next)) return;
    }
  }

  private forgetIdle(lane: LaneState<Item>): void {
    const { tenantId, items } = lane;
    if (items.size > 0 || this.starved.has(tenantId, lane) || this.starvedFailing.has(tenantId, lane)) return;
    this.lanes.delete(lane.id);
  }

  // Items that cannot be given back are free when their lease ends.
  private async release(lane: LaneState<Item>, items: readonly Item[]): Promise<void> {
    if (items.length === 0) return;
    await this.options.release(lane, items).catch((error: unknown) => {
      const { name, log } = this.options;
      log.warn({ err: error, tenantId: lane.tenantId, lane: lane.id }, `claimed ${name} could not be given back`);
    });
  }

  private async sweep(): Promise<void> {
    if (this.isSweeping) return;
    this.isSweeping = true;
    try {
      await this.options.sweep();
    } catch (error) {
      this.options.log.warn({ err: error }, `due ${this.options.name} could not be listed; retrying`);
    } finally {
      this.isSweeping = false;
    }
  }
}

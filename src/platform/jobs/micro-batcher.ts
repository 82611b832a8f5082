// Natural batching: items that arrive while a batch is being written make the next batch. An idle batcher adds no wait, and batches grow
// with the load.

import { AppError } from '../errors.js';
import type { FairSemaphore } from './fair-semaphore.js';
import { isContention, toAppError } from '../observability/fault.js';
import { outsideOfRequests } from '../observability/request-scope.js';
import { Tally } from './tally.js';
import { currentTrace, inSpanOfAll, type TraceScope } from '../observability/trace-scope.js';

export interface MicroBatcherOptions<Item, Result> {
  /**
   * Writes a batch of one owner (a tenant) and gives a result for each item, in their order. A throw means that nothing of it was
   * written: a batch is then split until the item that is to blame stands alone. Where a dependency is down, all of the batch fails.
   */
  write: (owner: string, items: Item[]) => Promise<Result[]>;
  /** The part of the bounds that an item takes, such as its bytes. */
  weightOf: (item: Item) => number;
  /** The most items of a batch. */
  maxBatchSize: number;
  /** The most weight of a batch; an item that is heavier goes alone. */
  maxBatchWeight: number;
  /** The most batches of one owner that are being written at a time. */
  maxInFlight: number;
  /**
   * The most items that wait or are being written, of all owners. An owner may have as many as are free, and `submit` refuses more. A
   * single owner that floods takes half, two take a third each, and there is room for owners with few items.
   */
  maxWaiting: number;
  /** The most weight of these items, shared in the same way. */
  maxWaitingWeight: number;
  /** Bounds the batches that are written at a time, across batchers. Undefined: there is no bound. */
  semaphore?: FairSemaphore | undefined;
  meter?: MicroBatcherMeter;
  /** The batch's name in traces. */
  name: string;
}

export interface MicroBatcherMeter {
  /** Called once, with a function that gives the number of items that wait or are being written. */
  watch: (waiting: () => number) => void;
  wrote: (size: number, seconds: number) => void;
  refused: () => void;
}

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  /** The trace that waits for the item. */
  trace: TraceScope | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** The items of an owner that wait. */
interface Lane<Item, Result> {
  owner: string;
  queue: Waiting<Item, Result>[];
  inFlight: number;
  /** A flush is due at the end of this turn of the event loop. */
  scheduled: boolean;
}

const retryAfterSeconds = 1;

/** Owners do not wait for each other, and a batch never holds items of two. */
export class MicroBatcher<Item, Result> {
  private readonly lanes = new Map<string, Lane<Item, Result>>();
  /** Items that wait or are being written, and their weight, by owner. */
  private readonly items = new Tally();
  private readonly weights = new Tally();

  constructor(private readonly options: MicroBatcherOptions<Item, Result>) {
    options.meter?.watch(() => this.items.total);
  }

  /**
   * Resolves with the item's result once its batch is written. An owner's items go into batches in their order. An item that is to
   * blame for a failure never touches its neighbours.
   * @throws AppError UNAVAILABLE at once when the owner has too much waiting already; any error that `write` throws for the item alone, or
   * for its batch where a dependency is down
   */
  submit(owner: string, item: Item): Promise<Result> {
    const weight = this.options.weightOf(item);
    if (!this.hasRoom(owner, weight)) {
      this.options.meter?.refused();
      return Promise.reject(overloaded());
    }
    this.note(owner, 1, weight);
    const lane = this.laneOf(owner);
    return new Promise<Result>((resolve, reject) => {
      lane.queue.push({ item, weight, trace: currentTrace(), resolve, reject });
      this.schedule(lane);
    });
  }

  private hasRoom(owner: string, weight: number): boolean {
    const { items, weights, options } = this;
    const freeItems = options.maxWaiting - items.total;
    const freeWeight = options.maxWaitingWeight - weights.total;
    return items.of(owner) < freeItems && weights.of(owner) + weight <= freeWeight;
  }

  private note(owner: string, items: number, weight: number): void {
    this.items.add(owner, items);
    this.weights.add(owner, weight);
  }

  private laneOf(owner: string): Lane<Item, Result> {
    const known = this.lanes.get(owner);
    if (known !== undefined) return known;
    const lane = { owner, queue: [], inFlight: 0, scheduled: false };
    this.lanes.set(owner, lane);
    return lane;
  }

  // The flush comes at the end of the turn, so that requests that were read together are written together.
  private schedule(lane: Lane<Item, Result>): void {
    if (lane.scheduled || lane.inFlight >= this.options.maxInFlight) return;
    lane.scheduled = true;
    // A batch belongs to no request: its log lines must not carry the id of the call that happened to start it.
    outsideOfRequests(() =>
      setImmediate(() => {
        lane.scheduled = false;
        void this.flush(lane);
      }),
    );
  }

  private async flush(lane: Lane<Item, Result>): Promise<void> {
    const { semaphore } = this.options;
    const work = () => this.writeNext(lane);
    lane.inFlight += 1;
    await (semaphore === undefined ? work() : semaphore.run(lane.owner, work));
    lane.inFlight -= 1;
    if (lane.queue.length > 0) this.schedule(lane);
    else if (lane.inFlight === 0) this.lanes.delete(lane.owner);
  }

  // Items that come before the batch gets its turn are written with it.
  private async writeNext(lane: Lane<Item, Result>): Promise<void> {
    const { owner } = lane;
    const batch = this.takeBatch(lane);
    if (batch.length === 0) return;
    if (lane.queue.length > 0) this.schedule(lane);
    const startedAtMs = performance.now();
    await this.trace(batch, () => this.write(owner, batch));
    this.options.meter?.wrote(batch.length, (performance.now() - startedAtMs) / 1_000);
    const weight = batch.reduce((sum, item) => sum + item.weight, 0);
    this.note(owner, -batch.length, -weight);
  }

  private trace(batch: Waiting<Item, Result>[], work: () => Promise<void>): Promise<void> {
    const attributes = { 'leadwire.batch.size': batch.length };
    const origins = batch.map(({ trace }) => trace);
    return inSpanOfAll(`batch of ${this.options.name}`, attributes, origins, work);
  }

  private takeBatch({ queue }: Lane<Item, Result>): Waiting<Item, Result>[] {
    let weight = 0;
    let size = 0;
    for (const waiting of queue) {
      weight += waiting.weight;
      if (size === this.options.maxBatchSize || (size > 0 && weight > this.options.maxBatchWeight)) break;
      size += 1;
    }
    return queue.splice(0, size);
  }

  private async write(owner: string, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.write(
        owner,
        batch.map(({ item }) => item),
      );
      if (results.length !== batch.length) throw new Error('a batch was answered with another number of results');
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      await this.split(owner, batch, error);
    }
  }

  // The batch is written half by half, one after the other. The item that is to blame, also for a lock that it waits for, ends up alone. A
  // dependency that is down blames no item.
  private async split(owner: string, batch: Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (batch.length === 1 || (toAppError(error).code === 'UNAVAILABLE' && !isContention(error))) {
      for (const { reject } of batch) reject(error);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.write(owner, batch.slice(0, middle));
    await this.write(owner, batch.slice(middle));
  }
}

function overloaded(): AppError {
  return new AppError('UNAVAILABLE', 'Too many calls are waiting to be written: send this one again', {
    retryAfterSeconds,
  });
}

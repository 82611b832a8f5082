// Natural batching: while a batch is being written, what arrives gathers for the next one. Nothing waits when nothing is being
// written, and the busier it gets, the larger the batches.

import { AppError } from './errors.js';
import { isContention, toAppError } from './fault.js';
import { outsideOfRequests } from './request-scope.js';
import { currentTrace, inSpanOfAll } from './trace-scope.js';
import type { TraceScope } from './trace-scope.js';

export interface GathererOptions<Item, Result> {
  /**
   * Writes one lane's batch and gives a result for each item, in their order. A throw means that nothing of it was written:
   * a batch is then split until the item that is to blame stands alone.
   */
  write: (lane: string, items: Item[]) => Promise<Result[]>;
  /** How much of the bounds an item takes; its bytes, say. */
  weightOf: (item: Item) => number;
  /** Most items of a batch. */
  maxBatchSize: number;
  /** Most weight of a batch; an item that is heavier goes alone. */
  maxBatchWeight: number;
  /** Batches of one lane that are being written at a time. */
  maxInFlight: number;
  /** Most items that wait or are being written, in all lanes; beyond, `submit` refuses. */
  maxWaiting: number;
  /** Most weight of these. */
  maxWaitingWeight: number;
  meter?: GathererMeter;
  /** What a batch is called in traces. */
  name: string;
}

/** Who counts what a gatherer does. */
export interface GathererMeter {
  /** Called once, with what tells how many items wait or are being written. */
  watch: (waiting: () => number) => void;
  wrote: (size: number, seconds: number) => void;
  refused: () => void;
}

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  /** What waits for it. */
  trace: TraceScope | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Lane<Item, Result> {
  queue: Waiting<Item, Result>[];
  inFlight: number;
  /** A flush is due at the end of this turn of the event loop. */
  scheduled: boolean;
}

const retryAfterSeconds = 1;

/** Lanes (tenants) do not wait for each other, and a batch never holds items of two. */
export class Gatherer<Item, Result> {
  private readonly lanes = new Map<string, Lane<Item, Result>>();
  private waiting = 0;
  private waitingWeight = 0;

  constructor(private readonly options: GathererOptions<Item, Result>) {
    options.meter?.watch(() => this.waiting);
  }

  /**
   * Resolves with the item's result once its batch is written. An item's failure never touches its neighbours.
   * @throws AppError UNAVAILABLE at once when too much is waiting already; whatever `write` throws for the item alone
   */
  submit(laneName: string, item: Item): Promise<Result> {
    const weight = this.options.weightOf(item);
    const { maxWaiting, maxWaitingWeight } = this.options;
    if (this.waiting >= maxWaiting || this.waitingWeight + weight > maxWaitingWeight) {
      this.options.meter?.refused();
      return Promise.reject(overloaded());
    }
    this.waiting += 1;
    this.waitingWeight += weight;
    const lane = this.lanes.get(laneName) ?? { queue: [], inFlight: 0, scheduled: false };
    this.lanes.set(laneName, lane);
    return new Promise<Result>((resolve, reject) => {
      lane.queue.push({ item, weight, trace: currentTrace(), resolve, reject });
      this.schedule(laneName, lane);
    });
  }

  // At the end of the turn, so that requests that were read together are written together.
  private schedule(laneName: string, lane: Lane<Item, Result>): void {
    if (lane.scheduled || lane.inFlight >= this.options.maxInFlight) return;
    lane.scheduled = true;
    // A batch is nobody's own: what is logged of it must not bear the name of the call that happened to be there.
    outsideOfRequests(() =>
      setImmediate(() => {
        lane.scheduled = false;
        void this.flush(laneName, lane);
      }),
    );
  }

  private async flush(laneName: string, lane: Lane<Item, Result>): Promise<void> {
    const batch = this.takeBatch(lane);
    lane.inFlight += 1;
    if (lane.queue.length > 0) this.schedule(laneName, lane);
    const startedAtMs = performance.now();
    await this.trace(batch, () => this.write(laneName, batch));
    this.options.meter?.wrote(batch.length, (performance.now() - startedAtMs) / 1_000);
    lane.inFlight -= 1;
    this.waiting -= batch.length;
    for (const { weight } of batch) this.waitingWeight -= weight;
    if (lane.queue.length > 0) this.schedule(laneName, lane);
    else if (lane.inFlight === 0) this.lanes.delete(laneName);
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

  private async write(laneName: string, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.write(
        laneName,
        batch.map(({ item }) => item),
      );
      if (results.length !== batch.length) throw new Error('a batch was answered with another number of results');
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      await this.split(laneName, batch, error);
    }
  }

  // Half by half, one after the other: the item that is to blame, also for a lock that it waits for, ends up alone. A dependency
  // that is down blames nobody.
  private async split(laneName: string, batch: Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (batch.length === 1 || (toAppError(error).code === 'UNAVAILABLE' && !isContention(error))) {
      for (const { reject } of batch) reject(error);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.write(laneName, batch.slice(0, middle));
    await this.write(laneName, batch.slice(middle));
  }
}

function overloaded(): AppError {
  return new AppError('UNAVAILABLE', 'Too many calls are waiting to be written: send this one again', {
    retryAfterSeconds,
  });
}

// Divides the connection pool: every tenant has its own share, and users' requests leave a reserve for intake, sending and readiness. Work
// that finds no place waits in its tenant's queue. Tenants take turns, and so do the operations of a tenant.

import { AppError } from '../errors.js';
import { FairQueue } from '../jobs/fair-semaphore.js';
import { NobodyWaits, type Operation } from './operation.js';

/**
 * - `read`, `write`: a statement, or a transaction, of an operation.
 * - `search`: a statement that may read all of a tenant's rows: text searches and exports.
 * - `service`: what the process does for a tenant by itself, intake and sending. It may use the reserve.
 */
export type Kind = 'read' | 'write' | 'search' | 'service';

/** The most connections that may be in use at once. */
export interface ShareLimits {
  /** The limit of all users' requests. The rest of the pool is the reserve. */
  users: number;
  /** The part of `users` for reads and searches, so that a write finds a place. */
  reads: number;
  /** The part of `reads` for searches and exports. */
  searches: number;
  /** The same limits for one tenant, and the limit of its intake and its sends. */
  tenant: { users: number; reads: number; searches: number; service: number };
  /** The limit of one operation's reads and searches, so that other operations of its tenant find a place. */
  operation: number;
}

/**
 * Derives the limits from the pool's size. With the default of 10: users 7 (a tenant 5), reads 6 (a tenant 4, an operation 3), searches 3
 * (a tenant 1). A tenant's intake and sends: 4.
 */
export function shareLimits(poolSize: number): ShareLimits {
  const atLeastOne = (count: number) => Math.max(1, count);
  const users = atLeastOne(poolSize - Math.ceil(poolSize * 0.3));
  const tenantUsers = atLeastOne(Math.min(users - 1, Math.ceil(users * 0.6)));
  const tenantReads = atLeastOne(tenantUsers - 1);
  return {
    users,
    reads: atLeastOne(users - 1),
    searches: atLeastOne(Math.floor(users / 2)),
    tenant: {
      users: tenantUsers,
      reads: tenantReads,
      searches: atLeastOne(Math.floor(users / 4)),
      service: atLeastOne(Math.floor(poolSize * 0.4)),
    },
    operation: atLeastOne(tenantReads - 1),
  };
}

interface Share {
  running: Record<Kind, number>;
  queues: Record<Kind, FairQueue<Operation | undefined, Waiter>>;
  /** The end of the rest of its reads and searches after large results, by the process's monotonic clock. */
  restsUntilMs: number;
}

/** Called with the bytes that a statement has read. */
export type OnRead = (bytes: number) => void;

/** The tenant and the operation that the work belongs to. */
export interface Claimant {
  tenantId: string;
  operation?: Operation | undefined;
}

// A write comes before reads: it is short, and somebody waits for its effect.
const kinds: readonly Kind[] = ['service', 'write', 'read', 'search'];
/** The most operations of a tenant that wait. Intake and sends are bounded where they are batched. */
const maxWaiting: Record<Kind, number> = { read: 1_000, write: 1_000, search: 20, service: Infinity };
/** An operation that gets no connection for so long is refused. */
const patienceMs = 10_000;
/** A file that breaks off is worth more patience. */
const exportPatienceMs = 60_000;
const retryAfterSeconds = 5;
/** A result above this size is large: its rows keep the process busy until they are written out. */
const largeResultBytes = 1024 * 1024;
/** The rate at which a tenant may read large results. Its next reads rest for as long as the last one takes at this rate. */
const largeBytesPerMs = (16 * 1024 * 1024) / 1_000;
const maxRestMs = 2_000;
/** The time after a rest in which the tenant's reads run one at a time. */
const carefulMs = 10_000;

export class ConnectionShares {
  private readonly shares = new Map<string, Share>();
  /** Tenants with something in a queue, in the order of their turns. */
  private readonly waiting = new Map<string, Share>();
  private readonly running: Record<Kind, number> = noneOfEach();
  private waitingCount = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** The number of statements and transactions of all tenants that wait for a place. */
  get waiters(): number {
    return this.waitingCount;
  }

  /**
   * Runs `work`, which uses one connection, once there is a place for it.
   * @param work gets a function to call with the bytes that it has read
   * @throws AppError RATE_LIMITED where too much of the tenant waits already; UNAVAILABLE where no place came in time, or the operation
   *   ended before
   */
  async run<Result>(kind: Kind, claimant: Claimant, work: (onRead: OnRead) => Promise<Result>): Promise<Result> {
    const { tenantId, operation } = claimant;
    const share = this.shares.get(tenantId) ?? createShare();
    this.shares.set(tenantId, share);
    const isFree = share.queues[kind].ownerCount === 0 && this.hasPlace(share, kind) && this.mayRun(kind, operation);
    if (isFree) this.enter(share, kind, operation);
    else await this.waitFor(kind, share, claimant);
    try {
      return await work((bytes) => this.rest(tenantId, share, bytes));
    } finally {
      this.leave(kind, share, claimant);
    }
  }

  private rest(tenantId: string, share: Share, readBytes: number): void {
    if (readBytes <= largeResultBytes) return;
    const nowMs = performance.now();
    const endsAtMs = Math.max(share.restsUntilMs, nowMs) + readBytes / largeBytesPerMs;
    share.restsUntilMs = Math.min(endsAtMs, nowMs + maxRestMs);
    this.admitAtEndOf(share.restsUntilMs, tenantId, share);
    this.admitAtEndOf(share.restsUntilMs + carefulMs, tenantId, share);
  }

  // Timers count from the beginning of the event loop's turn, and may be early by what the turn has taken.
  private admitAtEndOf(untilMs: number, tenantId: string, share: Share): void {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) this.admitAfter(tenantId, share);
    else setTimeout(() => this.admitAtEndOf(untilMs, tenantId, share), leftMs + 1).unref();
  }

  private hasPlace({ running: own, restsUntilMs }: Share, kind: Kind): boolean {
    const { running, limits } = this;
    if (kind === 'service') return own.service < limits.tenant.service;
    if (usersOf(running) >= limits.users || usersOf(own) >= limits.tenant.users) return false;
    if (kind === 'write') return true;
    const restedMs = performance.now() - restsUntilMs;
    if (restedMs < 0 || (kind === 'read' && restedMs < carefulMs && own.read > 0)) return false;
    if (readsOf(running) >= limits.reads || readsOf(own) >= limits.tenant.reads) return false;
    return kind === 'read' || (running.search < limits.searches && own.search < limits.tenant.searches);
  }

  private mayRun(kind: Kind, operation: Operation | undefined): boolean {
    return operation === undefined || !isRead(kind) || operation.readsUnderWay < this.limits.operation;
  }

  private enter(share: Share, kind: Kind, operation: Operation | undefined): void {
    share.running[kind] += 1;
    this.running[kind] += 1;
    if (operation !== undefined && isRead(kind)) operation.readsUnderWay += 1;
  }

  private leave(kind: Kind, share: Share, { tenantId, operation }: Claimant): void {
    share.running[kind] -= 1;
    this.running[kind] -= 1;
    if (operation !== undefined && isRead(kind)) operation.readsUnderWay -= 1;
    this.admitAfter(tenantId, share);
  }

  private admitAfter(tenantId: string, share: Share): void {
    this.admitAll();
    const isIdle = kinds.every((each) => share.running[each] === 0) && !this.waiting.has(tenantId);
    if (isIdle && performance.now() - share.restsUntilMs >= carefulMs) this.shares.delete(tenantId);
  }

  private admitAll(): void {
    while (this.waitingCount > 0 && this.admitNext());
  }

  /** @returns whether any waiter got a place */
  private admitNext(): boolean {
    for (const [tenantId, share] of this.waiting) {
      const next = this.takeNext(share);
      if (next === undefined) continue;
      // A tenant that still waits goes behind the others.
      this.waiting.delete(tenantId);
      if (isWaiting(share)) this.waiting.set(tenantId, share);
      next.begin();
      return true;
    }
    return false;
  }

  private takeNext(share: Share): Waiter | undefined {
    for (const kind of kinds) {
      if (share.queues[kind].ownerCount === 0 || !this.hasPlace(share, kind)) continue;
      const next = share.queues[kind].take((operation) => this.mayRun(kind, operation));
      if (next === undefined) continue;
      this.enter(share, kind, next.operation);
      return next;
    }
    return undefined;
  }

  private waitFor(kind: Kind, share: Share, { tenantId, operation }: Claimant): Promise<void> {
    const queue = share.queues[kind];
    const isUnderWay = operation?.kind === 'search' && operation.servedAtMs !== undefined;
    if (!isUnderWay && !queue.has(operation) && queue.ownerCount >= maxWaiting[kind])
      return Promise.reject(tooManyWaiting(kind));
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = new Waiter(operation, (refusal) => {
        this.waitingCount -= 1;
        if (refusal === undefined) return resolve();
        queue.delete(operation, waiter);
        if (!isWaiting(share)) this.waiting.delete(tenantId);
        reject(refusal);
      });
      queue.add(operation, waiter);
      this.waiting.set(tenantId, share);
      this.waitingCount += 1;
      // Waiters before this one may wait for their own operations only.
      this.admitAll();
    });
  }
}

class Waiter {
  private readonly timer: NodeJS.Timeout;
  private readonly forget: (() => void) | undefined;

  /** @param settle called once: with a refusal, or with undefined where its turn has come */
  constructor(
    readonly operation: Operation | undefined,
    private readonly settle: (refusal: AppError | undefined) => void,
  ) {
    this.timer = setTimeout(() => this.losePatience(), this.patienceMs);
    this.forget = operation?.whileRunning(() => this.end(new NobodyWaits()));
  }

  begin(): void {
    if (this.operation !== undefined) this.operation.servedAtMs = performance.now();
    this.end(undefined);
  }

  private get patienceMs(): number {
    return this.operation?.kind === 'search' ? exportPatienceMs : patienceMs;
  }

  // A waiter waits on while other statements of its operation get their turns.
  private losePatience(): void {
    const servedAtMs = this.operation?.servedAtMs ?? -Infinity;
    if (performance.now() - servedAtMs < this.patienceMs) this.timer.refresh();
    else this.end(waitedTooLong(this.patienceMs));
  }

  private end(refusal: AppError | undefined): void {
    clearTimeout(this.timer);
    this.forget?.();
    this.settle(refusal);
  }
}

function noneOfEach(): Record<Kind, number> {
  return { service: 0, write: 0, read: 0, search: 0 };
}

function createShare(): Share {
  const createQueue = () => new FairQueue<Operation | undefined, Waiter>();
  const queues = { service: createQueue(), write: createQueue(), read: createQueue(), search: createQueue() };
  return { running: noneOfEach(), queues, restsUntilMs: -carefulMs };
}

function isRead(kind: Kind): boolean {
  return kind === 'read' || kind === 'search';
}

function readsOf({ read, search }: Record<Kind, number>): number {
  return read + search;
}

function usersOf(running: Record<Kind, number>): number {
  return running.write + readsOf(running);
}

function isWaiting({ queues }: Share): boolean {
  return kinds.some((kind) => queues[kind].ownerCount > 0);
}

function tooManyWaiting(kind: Kind): AppError {
  const what = kind === 'search' ? 'searches and exports' : 'requests';
  const detail = `${maxWaiting[kind]} ${what} of this tenant are waiting already: send fewer at a time`;
  return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
}

function waitedTooLong(waitedMs: number): AppError {
  const detail = `The request waited ${waitedMs / 1_000} s for its turn at the database. If this tenant sends many at a time, send fewer; narrow searches and exports with since and until`;
  return new AppError('UNAVAILABLE', detail, { retryAfterSeconds });
}

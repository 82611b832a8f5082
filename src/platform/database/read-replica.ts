// A read replica: whether it can be used, how far it has replayed the primary's log, and how far behind that is. Positions are bytes of
// that log, and times are of this process's own clock. The choice of its reads belongs to read-replicas.ts.

import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseServer, type DatabaseServerOptions, type NamedStatement } from './database-server.js';
import { within } from '../jobs/deadline.js';
import { outsideOfRequests } from '../observability/request-scope.js';

/** The time that a read waits for the replica to reach the primary, unless the replica is slow to answer. */
const patienceMs = 50;
const pollMs = 5;
const answerTimeoutMs = 2_000;
/** The most positions that the replica has not reached yet: ten minutes of them. */
const maxAhead = 600;

// A standby notes a new timeline when it flushes its data, and its receiver knows it at once. The receiver shows it to pg_read_all_stats
// only.
const selectReplayed: NamedStatement = {
  name: 'select-replayed-position',
  text: `SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn() - '0/0'::pg_lsn AS position,
    greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
      (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline`,
};

/** Selects the identity of a server's data: two servers with the same are of one cluster, and this is the same database in it. */
export const selectIdentity: NamedStatement = {
  name: 'select-cluster-identity',
  text: `SELECT (SELECT system_identifier FROM pg_control_system()) || ' ' || d.oid AS identity
    FROM pg_database d WHERE d.datname = current_database()`,
};

export interface ReplicaOptions extends DatabaseServerOptions {
  /** A replica that is away, or further behind than this, is left out. */
  maxLagMs: number;
}

/** A place in the log of a primary. After a failover the log goes on as another timeline, and the bytes of the former may differ. */
export interface LogPlace {
  position: bigint;
  timeline: number;
}

interface Replayed {
  isReplica: boolean;
  position: string | null;
  timeline: number;
}

interface Waiter {
  place: LogPlace;
  sinceMs: number;
  looks: number;
  settle: (isReached: boolean) => void;
}

export class ReadReplica {
  /** Host and port. */
  readonly name: string;
  readonly server: DatabaseServer;
  /** The number of operations that read from it. */
  load = 0;
  /** The position that it had replayed when it was last looked at; -1 before. */
  replayed = -1n;
  private timeline = 0;
  /** True if it had everything of the primary when it was last looked at. */
  private isCurrent = false;
  /** The reason why it is away; undefined while it is there. */
  awayBecause: string | undefined = 'it has not been looked at yet';
  private isTrusted = false;
  private isLeftOut = false;
  /** The positions that it has not reached yet, the oldest first. */
  private readonly ahead: { position: bigint; atMs: number }[] = [];
  private reachedAtMs = performance.now();
  private readonly waiters: Waiter[] = [];

  constructor(private readonly options: ReplicaOptions) {
    this.name = new URL(options.url).host;
    this.server = new DatabaseServer(options);
  }

  /** True if reads may be given to it. */
  get isUsable(): boolean {
    return this.isCurrent && this.awayBecause === undefined;
  }

  get isAway(): boolean {
    return this.awayBecause !== undefined;
  }

  /** The most by which its data is older than the primary's, in milliseconds. */
  get lagMs(): number {
    return this.isUsable ? 0 : performance.now() - this.reachedAtMs;
  }

  /** True if it is away, or further behind than it may be. */
  get isMissed(): boolean {
    return this.isAway || this.lagMs > this.options.maxLagMs;
  }

  /**
   * Looks at the replica. Never rejects.
   * @param primary the primary's place in its log, read at `atMs` or later, and its identity
   * @param before the position that this replica had replayed before that
   */
  async watch(primary: LogPlace & { atMs: number; identity: string }, before: bigint): Promise<void> {
    const { position, timeline, atMs, identity } = primary;
    if (this.ahead.length < maxAhead) this.ahead.push({ position, atMs });
    try {
      await within(answerTimeoutMs, this.look(identity), () => {
        throw new Error(`it did not answer within ${answerTimeoutMs} ms`);
      });
      // Until it follows the new primary, it may have what only the former one had.
      if (this.timeline !== timeline) throw new Error('it does not follow this primary yet');
      if (before > position) throw new Error('it is ahead of the primary, and so not a replica of it');
      this.awayBecause = undefined;
      this.isCurrent = await this.waitFor(primary);
    } catch (error) {
      this.leave(error);
    }
    this.report();
  }

  /** Returns whether it has reached a place of the primary's log: at once, or after a short wait. Never rejects. */
  reach(place: LogPlace): Promise<boolean> {
    return this.isUsable ? this.waitFor(place) : Promise.resolve(false);
  }

  private waitFor(place: LogPlace): Promise<boolean> {
    if (this.hasReached(place)) return Promise.resolve(true);
    return new Promise((settle) => {
      this.waiters.push({ place, sinceMs: performance.now(), looks: 0, settle });
      if (this.waiters.length === 1) void outsideOfRequests(() => this.follow());
    });
  }

  private hasReached({ position, timeline }: LogPlace): boolean {
    return this.timeline === timeline && this.replayed >= position;
  }

  private async follow(): Promise<void> {
    while (this.waiters.length > 0) {
      await this.look().catch((error: unknown) => {
        this.leave(error);
        this.report();
      });
      for (const waiter of this.waiters.splice(0)) this.judge(waiter);
      if (this.waiters.length > 0) await delay(pollMs);
    }
  }

  private judge(waiter: Waiter): void {
    const isReached = !this.isAway && this.hasReached(waiter.place);
    waiter.looks += 1;
    const hasWaited = waiter.looks > 1 && performance.now() - waiter.sinceMs > patienceMs;
    if (!isReached && !this.isAway && !hasWaited) return void this.waiters.push(waiter);
    // No other read waits for the replica before it is watched again.
    if (!isReached) this.isCurrent = false;
    waiter.settle(isReached);
  }

  /** @param identity the primary's, where this replica's is not known to be the same */
  private async look(identity?: string): Promise<void> {
    if (!this.isTrusted && identity !== undefined) {
      const [found] = await this.server.run<{ identity: string }>(selectIdentity);
      if (found?.identity !== identity) throw new Error('it has other data than the primary');
      this.isTrusted = true;
    }
    const [row] = await this.server.run<Replayed>(selectReplayed);
    if (row?.isReplica !== true || row.position === null) throw new Error('it is not a replica any more');
    this.replayed = BigInt(row.position);
    this.timeline = row.timeline;
    for (let [next] = this.ahead; next !== undefined && next.position <= this.replayed; [next] = this.ahead) {
      this.reachedAtMs = next.atMs;
      this.ahead.shift();
    }
  }

  // Statements that run there fail at once, and their callers turn to the primary.
  private leave(error: unknown): void {
    this.awayBecause = error instanceof Error ? error.message : String(error);
    this.isCurrent = false;
    this.isTrusted = false;
    // Another primary's log may be shorter.
    this.ahead.length = 0;
    this.server.dropConnections();
  }

  private report(): void {
    const { log } = this.options;
    const fields = { replica: this.name, lagMs: Math.round(this.lagMs), reason: this.awayBecause };
    if (this.isMissed && !this.isLeftOut) log.warn(fields, 'a read replica is left out: the primary serves its reads');
    if (this.isUsable && this.isLeftOut) log.info(fields, 'the read replica is back');
    this.isLeftOut = this.isMissed || (this.isLeftOut && !this.isUsable);
  }
}

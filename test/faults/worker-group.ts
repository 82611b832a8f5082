// Worker processes that are killed and replaced. The group also waits until the claims of the killed ones have ended.

import type { TestEnvironment, TestApp } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

/** A send attempt at its grant, whatever its row says since. */
export interface Grant {
  key: string;
  attempt: number;
  /** Milliseconds since 1970, by the database's clock. */
  at: number;
}

// Moves the ends of leases forward to $2 ms from now, for attempts that ended with their worker. The grants of these attempts move by the
// same time, because the tenant's window keeps a place just as long. No other wait is cut short. $1 is the time of the kill, $3 the
// messages of living workers.
const endLeases = `
  WITH dead AS (
    SELECT o.tenant_id, o.message_id, a.number, a.granted_at, o.lease_until - now() - $2::int * interval '1 ms' AS ahead
    FROM outbox_entries o
    JOIN send_attempts a ON a.tenant_id = o.tenant_id AND a.message_id = o.message_id AND a.number = o.attempt_count
    WHERE a.finished_at IS NULL AND a.granted_at <= $1 AND o.lease_until > now() + $2::int * interval '1 ms'
      AND NOT o.message_id = ANY($3::uuid[])
    FOR UPDATE OF o, a SKIP LOCKED
  ), lease AS (
    UPDATE outbox_entries o SET lease_until = o.lease_until - d.ahead FROM dead d
    WHERE o.tenant_id = d.tenant_id AND o.message_id = d.message_id
  ), place AS (
    UPDATE send_attempts a SET granted_at = a.granted_at - d.ahead FROM dead d
    WHERE a.tenant_id = d.tenant_id AND a.message_id = d.message_id AND a.number = d.number
  )
  SELECT message_id AS key, number AS attempt, extract(epoch FROM granted_at)::float8 * 1000 AS at FROM dead`;

export interface WorkerGroupOptions {
  api: TestApp;
  environment: TestEnvironment;
  /** The time for which a killed worker's messages and places are held after it is noticed: longer than any window. */
  holdMs: number;
  /** Messages that a living worker has claimed, as the gateway sees it. */
  liveKeys: () => string[];
}

export class WorkerGroup {
  /** The claims that killed workers left, by the time of their grant. */
  readonly abandoned: Grant[] = [];
  private readonly workers: ServiceProcess[] = [];
  private lastKillAt: Date | undefined;

  constructor(private readonly options: WorkerGroupOptions) {}

  async add(): Promise<void> {
    const { api, environment } = this.options;
    const worker = { PROCESS_ROLE: 'worker', ...environment };
    this.workers.push(await ServiceProcess.start(api.database, worker));
  }

  /** Kills `count` workers at once, the oldest first, and starts as many new ones. */
  async replace(count: number): Promise<void> {
    const killed = await this.kill(count);
    await Promise.all(Array.from({ length: killed }, () => this.add()));
  }

  /** Kills `count` workers at once, the oldest first. @returns the number of killed workers */
  async kill(count: number): Promise<number> {
    const doomed = this.workers.splice(0, count);
    await Promise.all(doomed.map((worker) => worker.end('SIGKILL')));
    const [now] = await this.options.api.sql<{ at: Date }>('SELECT clock_timestamp() AS at');
    this.lastKillAt = now?.at;
    return doomed.length;
  }

  /** Stops the oldest of the workers for this time. */
  async stall(durationMs: number): Promise<void> {
    await this.workers[0]?.stall(durationMs);
  }

  /** Ends the leases of the killed workers soon. Safe to repeat; a living worker's claims stay untouched. */
  async endLeasesOfTheDead(): Promise<void> {
    if (this.lastKillAt === undefined) return;
    const { api, holdMs, liveKeys } = this.options;
    this.abandoned.push(...(await api.sql<Grant>(endLeases, [this.lastKillAt, holdMs, liveKeys()])));
  }

  /** The workers' output past their loggers: the stacks of crashes. */
  get crashes(): string[] {
    return this.workers.map((worker) => worker.crash).filter((crash) => crash !== '');
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.end('SIGKILL')));
  }
}

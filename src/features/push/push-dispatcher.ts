// Begins rounds of notifications: when a tenant has new events, and by a timer for what a lost notification or a dead worker left behind.
// The rounds of one tenant follow each other with a pause, in which further messages of a conversation become one notification.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { inOperation, Operation } from '../../platform/database/operation.js';
import type { Notifier } from '../../platform/events/notifier.js';
import type { Logger } from '../../platform/observability/logger.js';
import { outsideOfRequests } from '../../platform/observability/request-scope.js';
import type { PushRoundService } from './push-round.service.js';
import { selectPushedTenants } from './push-round.sql.js';

export interface PushDispatcherOptions {
  database: Pick<Database, 'query'>;
  notifier: Pick<Notifier, 'subscribe'>;
  /** Undefined where push is not offered. */
  rounds: Pick<PushRoundService, 'run'> | undefined;
  log: Pick<Logger, 'warn'>;
  /** The pause before each round of a tenant, in milliseconds: who reads a message at once is not notified of it. */
  pauseMs: number;
  pollIntervalMs: number;
}

/** A tenant's rounds: one at a time, and once more if there were news meanwhile. */
interface Turn {
  hasNews: boolean;
}

export class PushDispatcher {
  private readonly turns = new Map<string, Turn>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** Tenants with browsers: only their notifications count. */
  private followed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: PushDispatcherOptions) {}

  start(): void {
    if (this.options.rounds === undefined) return;
    this.unsubscribe = this.options.notifier.subscribe((tenantId) => {
      if (this.followed.has(tenantId)) this.wake(tenantId);
    });
    this.timer = setInterval(() => void this.poll(), this.options.pollIntervalMs);
    void this.poll();
  }

  /** Ends the rounds under way: another process, or the next start, tells what was not told. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.unsubscribe?.();
    clearInterval(this.timer);
    await Promise.all(this.running);
  }

  /** The tenant has a browser to notify from now on. Returns at once; safe to repeat. */
  follow(tenantId: string): void {
    this.followed.add(tenantId);
  }

  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      const { database } = this.options;
      const tenants = await database.query<{ tenantId: string; hasNews: boolean }>(selectPushedTenants);
      this.followed = new Set(tenants.map(({ tenantId }) => tenantId));
      for (const { tenantId, hasNews } of tenants) if (hasNews) this.wake(tenantId);
    } catch (error) {
      this.options.log.warn({ err: error }, 'the tenants whose browsers are notified could not be read; retrying');
    } finally {
      this.isPolling = false;
    }
  }

  private wake(tenantId: string): void {
    if (this.stopping.signal.aborted) return;
    const turn = this.turns.get(tenantId);
    if (turn !== undefined) {
      turn.hasNews = true;
      return;
    }
    const operation = new Operation({ tenantId, kind: 'service' });
    const work = outsideOfRequests(() => inOperation(operation, () => this.takeTurn(tenantId)));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  private async takeTurn(tenantId: string): Promise<void> {
    const { rounds, log, pauseMs } = this.options;
    const { signal } = this.stopping;
    const turn: Turn = { hasNews: true };
    this.turns.set(tenantId, turn);
    try {
      while (turn.hasNews && !signal.aborted) {
        turn.hasNews = false;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        if ((await rounds?.run(tenantId, signal)) === true) turn.hasNews = true;
      }
    } catch (error) {
      log.warn({ err: error, tenantId }, 'browsers could not be notified; retrying');
    } finally {
      this.turns.delete(tenantId);
    }
  }
}

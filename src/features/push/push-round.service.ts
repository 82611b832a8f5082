// Notifies browsers of the messages that came in for a tenant, one stretch of its event log after the other. A stretch is leased: a worker
// that dies holds it for a minute, and then another one notifies again; the browser shows one notification for each conversation.

import type { PushSender } from '../../clients/push-sender.js';
import type { Database } from '../../platform/database/database.js';
import { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { pushesOf, type Push } from './push-notice.js';
import {
  browsersAtOnce,
  claimStretch,
  finishStretch,
  maxNews,
  newsColumns,
  releaseStretch,
  selectNews,
  selectRecipients,
  settleFailing,
  settleReached,
  type BrowserNews,
  type News,
  type Recipient,
  type Stretch,
} from './push-round.sql.js';

export interface PushRoundOptions {
  database: Pick<Database, 'query' | 'change'>;
  sender: Pick<PushSender, 'send'>;
  metrics: Metrics;
  /** Posts of all tenants at a time in this process. Tenants take turns, and one alone gets half of them. */
  totalConcurrency: number;
}

/** A lease is longer than a round takes. */
const leaseMs = 60_000;
const roundLimitMs = 30_000;
/** A browser that was not reached for so long is deleted. */
const failingDays = 3;

export class PushRoundService {
  private readonly places: FairSemaphore;

  constructor(private readonly options: PushRoundOptions) {
    this.places = new FairSemaphore(options.totalConcurrency);
  }

  /** Runs one round of a tenant. @param signal ends it: its messages are told again @returns whether there may be more */
  async run(tenantId: string, signal: AbortSignal): Promise<boolean> {
    const { database } = this.options;
    const [stretch] = await database.change<Stretch>(tenantId, claimStretch, [tenantId, leaseMs]);
    if (stretch === undefined) return false;
    try {
      const news = await database.query<News>(selectNews, [tenantId, stretch.afterSeq, stretch.untilSeq]);
      await this.tell(tenantId, news, signal);
      if (signal.aborted) throw new Error('the round was stopped');
      const untilSeq = news.length === maxNews ? news.at(-1)?.seq : stretch.untilSeq;
      await database.change(tenantId, finishStretch, [tenantId, untilSeq]);
      return true;
    } catch (error) {
      await database.change(tenantId, releaseStretch, [tenantId]);
      if (signal.aborted) return false;
      throw error;
    }
  }

  private async tell(tenantId: string, news: readonly News[], stopping: AbortSignal): Promise<void> {
    if (news.length === 0) return;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(roundLimitMs)]);
    const told = new Set<string>();
    // Browsers that were not reached lately come last, so that they hold up nobody else.
    for (const isFailing of [false, true]) {
      const values = [isFailing, ...newsColumns.valuesOf(news)];
      let last: string | null = null;
      do {
        const rows: BrowserNews[] = await this.options.database.query(selectRecipients, [tenantId, last, ...values]);
        const ids = new Set(rows.map(({ deviceId }) => deviceId));
        // A browser that has just failed is found once more.
        await this.push(
          tenantId,
          pushesOf(rows.filter(isRecipient).filter(({ deviceId }) => !told.has(deviceId))),
          signal,
        );
        for (const id of ids) told.add(id);
        last = ids.size === browsersAtOnce ? (rows.at(-1)?.deviceId ?? null) : null;
      } while (last !== null && !signal.aborted);
    }
  }

  private async push(tenantId: string, pushes: readonly Push[], signal: AbortSignal): Promise<void> {
    const { database } = this.options;
    const outcomes = await Promise.all(pushes.map((push) => this.places.run(tenantId, () => this.send(push, signal))));
    const devicesOf = (wanted: string) => [
      ...new Set(outcomes.flatMap(({ outcome, deviceId }) => (outcome === wanted ? deviceId : []))),
    ];
    const [gone, failed] = [devicesOf('gone'), devicesOf('failed')];
    const failing = new Set(pushes.flatMap(({ recipient: one }) => (one.isFailing ? one.deviceId : [])));
    const reached = devicesOf('sent').filter((id) => failing.has(id));
    if (gone.length + reached.length > 0) await database.change(tenantId, settleReached, [tenantId, gone, reached]);
    if (failed.length > 0) await database.change(tenantId, settleFailing, [tenantId, failed, failingDays]);
  }

  private async send({ recipient, notice }: Push, signal: AbortSignal) {
    const outcome = signal.aborted ? 'stopped' : await this.options.sender.send(recipient, notice, signal);
    this.options.metrics.pushes.inc({ outcome: outcome === 'stopped' ? 'dropped' : outcome });
    return { outcome, deviceId: recipient.deviceId };
  }
}

function isRecipient(row: BrowserNews): row is Recipient {
  return row.leadId !== null;
}

// Fetches the answers of leads that Meta has named, with a lane for each tenant: one tenant's slow or refused source delays no other. A
// failure that may pass by itself, or with another token, is retried for a week.

import type { MetaLeads, NoLeads } from '../../../providers/meta/leads.js';
import type { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors.js';
import { LaneScheduler, type Claimed, type Lane } from '../../../platform/jobs/lane-scheduler.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Metrics } from '../../../platform/observability/metrics.js';
import type { SecretBox } from '../../../platform/secret-box.js';
import {
  claimSourceLeads,
  failSourceLead,
  postponeSourceLead,
  releaseSourceLeads,
  selectNextLeadDue,
  selectTenantsWithLeads,
  type ClaimedLead,
} from '../calls/source-lead.sql.js';
import type { SourceLeadWriter } from '../calls/source-lead-writer.js';
import { accessOf, delayAfter, noAnswers, readFetchedLead, readingOf } from './fetch-source.js';

export interface FetchingOptions {
  database: Database;
  graph: MetaLeads;
  writer: SourceLeadWriter;
  secretBox: SecretBox;
  log: Logger;
  metrics: Metrics;
  /** The most fetches at a time in this process, for one tenant and for all tenants. */
  concurrency: number;
  totalConcurrency: number;
  /** The time for which a claim belongs to this worker, in milliseconds. It is longer than a fetch may take. */
  leaseMs: number;
  /** The time between two sweeps, in milliseconds. A sweep finds work that a lost notification or a dead worker left behind. */
  sweepIntervalMs: number;
}

const minuteMs = 60_000;
const retryDelaysMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs];
const giveUpAfterMs = 7 * 24 * 60 * minuteMs;

export class SourceLeadFetcher {
  private readonly lanes: LaneScheduler<ClaimedLead>;

  constructor(private readonly options: FetchingOptions) {
    const { database, log, concurrency, totalConcurrency, sweepIntervalMs } = options;
    this.lanes = new LaneScheduler<ClaimedLead>({
      name: 'leads of sources',
      log,
      concurrency,
      totalConcurrency,
      sweepIntervalMs,
      sweep: async () => {
        for (const { tenantId } of await database.query<{ tenantId: string }>(selectTenantsWithLeads))
          this.wake(tenantId);
      },
      claim: (lane, { limit }) => this.claim(lane, limit),
      begin: ({ tenantId }, leads) => leads.map((lead) => this.fetch(tenantId, lead)),
      release: async ({ tenantId }, leads) => {
        const values = [leads.map(({ sourceId }) => sourceId), leads.map(({ key }) => key)];
        await database.change(tenantId, releaseSourceLeads, [tenantId, ...values]);
      },
    });
  }

  start(): void {
    this.lanes.start();
  }

  /** Claims nothing more and waits for running fetches, at most `timeoutMs`. Interrupted fetches are repeated later. */
  stop(timeoutMs: number): Promise<void> {
    return this.lanes.stop(timeoutMs);
  }

  /** Starts work if the tenant has leads to fetch. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    this.lanes.wake({ tenantId, id: tenantId });
  }

  private async claim({ tenantId }: Lane<ClaimedLead>, limit: number): Promise<Claimed<ClaimedLead>> {
    const { database, leaseMs } = this.options;
    const items = await database.change<ClaimedLead>(tenantId, claimSourceLeads, [tenantId, limit, leaseMs]);
    return {
      items,
      nextInMs: async () => {
        const [next] = await database.query<{ inMs: number | null }>(selectNextLeadDue, [tenantId]);
        // The sweep finds leads that are due later.
        return next?.inMs == null || next.inMs > this.options.sweepIntervalMs ? undefined : Math.max(next.inMs, 0);
      },
    };
  }

  /** Never rejects. @returns true, because the lane may have more leads, which waited for this place */
  private async fetch(tenantId: string, lead: ClaimedLead): Promise<boolean> {
    const { sourceId } = lead;
    const problem = await this.attempt(tenantId, lead).catch((error: unknown): NoLeads => {
      if (!(error instanceof AppError))
        this.options.log.error({ err: error, tenantId, sourceId }, 'fetching a lead failed');
      return { outcome: 'temporary', detail: 'The lead could not be stored right now.' };
    });
    this.options.metrics.sourceLeadFetches.inc({ outcome: problem?.outcome ?? 'taken' });
    // A lead whose result cannot be stored is fetched again when the lease ends.
    if (problem !== undefined)
      await this.note(tenantId, lead, problem).catch((error: unknown) =>
        this.options.log.warn({ err: error, tenantId, sourceId }, 'the result of a fetch could not be stored'),
      );
    return true;
  }

  /** @returns the reason why the lead is not taken in; undefined if it is */
  private async attempt(tenantId: string, lead: ClaimedLead): Promise<NoLeads | undefined> {
    const { graph, secretBox, writer } = this.options;
    const found = await graph.find(accessOf(secretBox, lead), lead.externalId, this.lanes.signal);
    if (found.outcome !== 'found') return found;
    const entry = readFetchedLead(found.lead, lead.externalId, readingOf(lead));
    if (entry === undefined) return { outcome: 'failed', detail: noAnswers };
    if ('errors' in entry) {
      const detail = entry.errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
      return { outcome: 'failed', detail: detail.slice(0, 1_000) };
    }
    await writer.submit(tenantId, { sourceId: lead.sourceId, entries: [entry] });
    return undefined;
  }

  private async note(tenantId: string, lead: ClaimedLead, problem: NoLeads): Promise<void> {
    const { database } = this.options;
    const { sourceId, key, attempt, ageMs } = lead;
    if (problem.outcome === 'temporary' && this.lanes.signal.aborted) {
      await database.change(tenantId, releaseSourceLeads, [tenantId, [sourceId], [key]]);
    } else if (problem.outcome === 'failed' || ageMs > giveUpAfterMs) {
      await database.change(tenantId, failSourceLead, [tenantId, sourceId, key, problem.detail]);
    } else {
      const leastSeconds = problem.outcome === 'temporary' ? problem.retryAfterSeconds : undefined;
      const delayMs = delayAfter(retryDelaysMs, attempt, leastSeconds);
      await database.change(tenantId, postponeSourceLead, [tenantId, sourceId, key, delayMs, problem.detail]);
    }
  }
}

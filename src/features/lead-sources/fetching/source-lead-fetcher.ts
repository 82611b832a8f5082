// Fetches the answers of leads that Meta has named, with a lane for each tenant: one tenant's slow or refused source delays no other. A
// failure that may pass by itself, or with another token, is retried for a week.

import type { MetaLeads, NoLeads } from '../../../providers/meta/leads.js';
import { AppError } from '../../../platform/errors.js';
import { LeasedLanes, type LeasedLanesOptions } from '../../../platform/jobs/leased-lanes.js';
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
} from './source-lead-fetcher.sql.js';
import type { SourceLeadWriter } from '../calls/source-lead-writer.js';
import { accessOf, delayAfter, noAnswers, readFetchedLead, readingOf } from './fetch-source.js';

export interface FetchingOptions extends LeasedLanesOptions {
  graph: MetaLeads;
  writer: SourceLeadWriter;
  secretBox: SecretBox;
  metrics: Metrics;
}

const minuteMs = 60_000;
const retryDelaysMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs];
const giveUpAfterMs = 7 * 24 * 60 * minuteMs;

export class SourceLeadFetcher extends LeasedLanes<ClaimedLead> {
  constructor(private readonly options: FetchingOptions) {
    super(options, {
      name: 'leads of sources',
      selectTenants: selectTenantsWithLeads,
      claim: claimSourceLeads,
      selectNextDue: selectNextLeadDue,
      release: releaseSourceLeads,
      keysOf: (leads) => [leads.map(({ sourceId }) => sourceId), leads.map(({ key }) => key)],
    });
  }

  protected override async work(tenantId: string, lead: ClaimedLead): Promise<void> {
    const { log, metrics } = this.options;
    const { sourceId } = lead;
    const problem = await this.attempt(tenantId, lead).catch((error: unknown): NoLeads => {
      if (!(error instanceof AppError)) log.error({ err: error, tenantId, sourceId }, 'fetching a lead failed');
      return { outcome: 'temporary', detail: 'The lead could not be stored right now.' };
    });
    metrics.sourceLeadFetches.inc({ outcome: problem?.outcome ?? 'taken' });
    if (problem === undefined) return;
    await this.note(tenantId, lead, problem).catch((error: unknown) =>
      log.warn({ err: error, tenantId, sourceId }, 'the result of a fetch could not be stored'),
    );
  }

  /** @returns the reason why the lead is not taken in; undefined if it is */
  private async attempt(tenantId: string, lead: ClaimedLead): Promise<NoLeads | undefined> {
    const { graph, secretBox, writer } = this.options;
    const found = await graph.find(accessOf(secretBox, lead), lead.externalId, this.signal);
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
    if (problem.outcome === 'temporary' && this.signal.aborted) {
      await this.release(tenantId, [lead]);
    } else if (problem.outcome === 'failed' || ageMs > giveUpAfterMs) {
      await database.change(tenantId, failSourceLead, [tenantId, sourceId, key, problem.detail]);
    } else {
      const leastSeconds = problem.outcome === 'temporary' ? problem.retryAfterSeconds : undefined;
      const delayMs = delayAfter(retryDelaysMs, attempt, leastSeconds);
      await database.change(tenantId, postponeSourceLead, [tenantId, sourceId, key, delayMs, problem.detail]);
    }
  }
}

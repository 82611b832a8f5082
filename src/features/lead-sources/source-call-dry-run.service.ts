// Dry runs of calls of lead sources: proved, read and taken in like a real call, in a transaction that is rolled back. Leads that Meta
// names are fetched within bounds, so that the dry run shows them.

import type { MetaLeads } from '../../providers/meta/leads.js';
import type { Database } from '../../platform/database/database.js';
import { notFound, type FieldError } from '../../platform/errors.js';
import { bodyTooLarge, maxBodyBytes, maxNetworkBodyBytes } from '../../platform/http/json-body.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { SecretBox } from '../../platform/secret-box.js';
import {
  refusedDryRun,
  setNoHeaders,
  type CallDryRun,
  type RouteDryRun,
  type DescribedCall,
} from '../intake/call-dry-run.js';
import { fieldsOfLead, nothingSaid, type CallDryRunItem } from '../intake/call-dry-run-items.js';
import type { IntakeLimits } from '../intake/intake-limits.js';
import type { LeadSourceCallers } from './calls/lead-source-callers.js';
import { diagnoseProof } from './calls/proof-diagnosis.js';
import { dialectOf, readArrival, routeOf, sourceIdOf } from './calls/read-source-call.js';
import type { ArrivalEntry, SettledItem, SourceArrival, SourceItemResult } from './calls/source-lead-intake.js';
import { looksGenuine, notGenuine, verifiedBody, type LeadSourceCaller } from './calls/source-proof.js';
import type { SourceDryRun } from './calls/source-dry-run.js';
import { accessOf, noAnswers, readFetchedLead } from './fetching/fetch-source.js';
import { kindOfPath } from './lead-source-kind.js';
import { selectSourceToFetch, type SourceToFetch } from './lead-source.sql.js';
import type { HeldPosting, SourcePosting } from './reading/submission.js';

export interface SourceCallDryRunOptions {
  database: Database;
  callers: LeadSourceCallers;
  dryRun: SourceDryRun;
  /** The limits of real calls. A dry run reads their state, and does not count. */
  limits: IntakeLimits;
  graph: MetaLeads;
  secretBox: SecretBox;
}

/** The answers of a lead that a call names, or the reason why there are none to show. */
type Answers = { entry: ArrivalEntry } | { entry?: undefined; reason: string; errors: FieldError[] };

/** The most leads of one call that are fetched. */
export const maxFetchedLeads = 3;
const fetchTimeoutMs = 15_000;

export class SourceCallDryRunService implements RouteDryRun {
  constructor(private readonly options: SourceCallDryRunOptions) {}

  takes(route: string): boolean {
    return sourceIdOf(route) !== undefined;
  }

  /** Runs a call as a dry run. Another tenant's source counts as unknown. Counts against no limit. */
  async run({ tenantId }: UserPrincipal, described: DescribedCall): Promise<CallDryRun> {
    const source = await this.options.callers.find(sourceIdOf(described.route) ?? '');
    if (source?.tenantId !== tenantId || source.kind !== kindOfPath(described.route))
      return refusedDryRun(notFound('lead source'));
    const dialect = dialectOf[source.kind];
    const header = (name: string) => described.headers[name.toLowerCase()];
    const proof = await diagnoseProof(source, header, described.body);
    try {
      const maxBytes = source.kind === 'META' ? maxNetworkBodyBytes : maxBodyBytes;
      if (!looksGenuine(source, header)) throw notGenuine(source, header);
      if (described.body.length > maxBytes) throw bodyTooLarge(maxBytes);
      const body = verifiedBody(source, header, described.body);
      if (body === undefined) throw notGenuine(source, header, described.body);
      const items = await this.judge(source, described, body);
      return { status: 200, code: null, detail: null, dialect, ...proof, items, errors: [] };
    } catch (error) {
      return refusedDryRun(error, { dialect, ...proof });
    }
  }

  private async judge(source: LeadSourceCaller, described: DescribedCall, body: Buffer): Promise<CallDryRunItem[]> {
    const { limits, dryRun } = this.options;
    const { tenantId, sourceId } = source;
    const { contentType, headers } = described;
    const id = newRecordId();
    const call = { id, tenantId, route: routeOf(source), contentType, body, receivedAt: new Date() };
    const whole = { ...call, signature: undefined, userAgent: headers['user-agent'] };
    await limits.countLead(whole, { key: sourceId, setHeaders: setNoHeaders });
    const arrival = await readArrival(whole, source);
    const answers = await this.fetchAnswers(source, arrival.entries);
    const fetched = [...answers].flatMap(([leadgenId, { entry }]) =>
      entry === undefined ? [] : [{ leadgenId, entry }],
    );
    const later: SourceArrival = { sourceId, entries: fetched.map(({ entry }) => entry) };
    const [now = [], then = []] = await dryRun.settle(tenantId, [arrival, later]);
    const byLead = new Map(
      fetched.map(({ leadgenId, entry }, index) => [leadgenId, itemOf(entry, then[index] ?? unsettled())]),
    );
    return arrival.entries.map((entry, index) => {
      const settled = now[index] ?? unsettled();
      if (!('notice' in entry)) return itemOf(entry, settled);
      const { leadgenId } = entry.notice;
      return byLead.get(leadgenId) ?? noticedItem(leadgenId, settled, answers.get(leadgenId));
    });
  }

  /** Fetches the answers of the first few leads that a call names, by Meta's ids of the leads. */
  private async fetchAnswers(
    source: LeadSourceCaller,
    entries: readonly ArrivalEntry[],
  ): Promise<Map<string, Answers>> {
    const named = entries.flatMap((item) => ('notice' in item ? [item.notice] : []));
    const once = [...new Map(named.map((notice) => [notice.leadgenId, notice])).values()].slice(0, maxFetchedLeads);
    if (once.length === 0) return new Map();
    const { database, graph, secretBox } = this.options;
    const values = [source.tenantId, source.sourceId];
    const [access] = await database.query<SourceToFetch>(selectSourceToFetch, values);
    if (access === undefined) return new Map();
    const signal = AbortSignal.timeout(fetchTimeoutMs);
    const answers = once.map(async ({ leadgenId }): Promise<[string, Answers]> => {
      const found = await graph.find(accessOf(secretBox, access), leadgenId, signal);
      if (found.outcome !== 'found') return [leadgenId, { reason: found.detail, errors: [] }];
      const entry = readFetchedLead(found.lead, leadgenId, source);
      if (entry === undefined) return [leadgenId, { reason: noAnswers, errors: [] }];
      if ('errors' in entry) return [leadgenId, { reason: 'Its answers make no lead.', errors: entry.errors }];
      return [leadgenId, { entry }];
    });
    return new Map(await Promise.all(answers));
  }
}

function itemOf(entry: ArrivalEntry, { result, lead }: SettledItem): CallDryRunItem {
  const read = { ...nothingSaid, kind: 'lead' } as const;
  if ('errors' in entry)
    return { ...read, kind: 'unreadable', outcome: 'refused', code: 'VALIDATION_FAILED', errors: entry.errors };
  if ('ignored' in entry) return { ...read, kind: 'ignored', outcome: 'ignored', reason: entry.ignored };
  if ('test' in entry)
    return {
      ...read,
      ...shownOf(entry.test.posting),
      outcome: 'ignored',
      reason: 'a test of the form: it makes no lead',
    };
  if ('held' in entry) return heldItem(entry.held, result);
  if (!('posting' in entry) || !('created' in result)) return unsettled();
  const { externalId, submittedAt = null } = entry.posting;
  const { chat, reading = null, name = null, source = null, metadata = null } = entry.posting.lead;
  const known = { ...read, externalId, reading, timestamp: submittedAt };
  const fields = lead === undefined ? { from: chat, name, source, metadata } : fieldsOfLead(lead);
  const disclaimers = entry.posting.disclaimers.map(({ key, isChecked }) => ({ key, isChecked }));
  const { leadId } = result;
  if (result.duplicate) return { ...known, ...fields, leadId, outcome: 'duplicate' };
  return { ...known, ...fields, disclaimers, leadId, outcome: result.created ? 'created' : 'existing' };
}

function shownOf(posting: SourcePosting | undefined): Partial<CallDryRunItem> {
  if (posting === undefined) return {};
  const { externalId, submittedAt = null, lead, disclaimers } = posting;
  const { chat, name = null, source = null, metadata = null } = lead;
  const boxes = disclaimers.map(({ key, isChecked }) => ({ key, isChecked }));
  return { externalId, timestamp: submittedAt, from: chat, name, source, metadata, disclaimers: boxes };
}

function heldItem(held: HeldPosting, result: SourceItemResult): CallDryRunItem {
  const { externalId, submittedAt = null, lead, problem, disclaimers } = held;
  const { name = null, source = null, metadata = null } = lead;
  const isKnown = 'duplicate' in result && result.duplicate;
  return {
    ...nothingSaid,
    kind: 'lead',
    externalId,
    timestamp: submittedAt,
    name,
    source,
    metadata,
    disclaimers: disclaimers.map(({ key, isChecked }) => ({ key, isChecked })),
    outcome: isKnown ? 'duplicate' : 'held',
    reason: problem,
  };
}

/** Describes a named lead without answers. */
function noticedItem(externalId: string, { result }: SettledItem, answers: Answers | undefined): CallDryRunItem {
  const read = { ...nothingSaid, kind: 'lead', externalId } as const;
  if ('outcome' in result && result.outcome === 'known') return { ...read, outcome: 'duplicate' };
  if (answers === undefined || answers.entry !== undefined)
    return { ...read, outcome: 'expected', reason: `A dry run fetches the first ${maxFetchedLeads} leads of a call.` };
  return { ...read, outcome: 'expected', reason: answers.reason, errors: answers.errors };
}

function unsettled(): never {
  throw new Error('an item was not settled');
}

// Takes leads of sources in, in batches: each once, by what its source calls it, through the intake of leads. A batch is one transaction,
// with the journal's entries of its calls.

import type { FairSemaphore } from '../../../platform/fair-semaphore.js';
import type { Metrics } from '../../../platform/metrics.js';
import { MicroBatcher } from '../../../platform/micro-batcher.js';
import type { Queue } from '../../../platform/queue.js';
import type { Transaction, Transactor } from '../../../platform/transaction.js';
import type { ConsentService } from '../../consent/consent.service.js';
import type { DeliveryJournal } from '../../intake/journal-writer.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import type { LeadIntakeService } from '../../leads/lead.service.js';
import { noteForms } from '../lead-source.sql.js';
import { fetchSourceLeadsJob } from '../lead-source.jobs.js';
import type { NoticedItem } from '../reading/meta-lead.js';
import { keyOfExternalId } from '../reading/submission.js';
import type { SourcePosting } from '../reading/submission.js';
import {
  expectSourceLeads,
  keyColumns,
  noteTakenLeads,
  selectKnownLeads,
  takenColumns,
  takeSourceLeads,
} from './source-lead.sql.js';
import type { SourceLeadKey } from './source-lead.sql.js';

interface TakenResult {
  /** Null where the lead was erased since. */
  leadId: string | null;
  created: boolean;
  /** The source has said so before. */
  duplicate: boolean;
}

/** What became of one item of a call. */
export type SourceItemResult =
  | TakenResult
  | { leadgenId: string; outcome: 'expected' | 'known' }
  | { outcome: 'test' }
  | { outcome: 'ignored'; reason: string }
  | { outcome: 'refused'; errors: { path: string; message: string }[] };

/** What has arrived of a source: by a call, or by a worker that fetched it. */
export interface SourceArrival {
  sourceId: string;
  /** Undefined: no call is journalled. */
  call?: { call: WebhookCall; dialect: DialectName } | undefined;
  postings: readonly SourcePosting[];
  /** Of a call of Meta's. */
  items: readonly NoticedItem[];
  /** Somebody tries the form out. */
  isTest: boolean;
}

export interface SourceLeadWriterOptions {
  transactor: Transactor;
  leads: LeadIntakeService;
  consent: Pick<ConsentService, 'enterDisclaimers'>;
  journal: DeliveryJournal;
  queue: Queue;
  metrics: Metrics;
  /** Shared by all that write what callers send. */
  semaphore: FairSemaphore;
}

interface KnownLead {
  position: number;
  state: 'PENDING' | 'TAKEN' | 'FAILED' | 'ERASED';
  leadId: string | null;
}

type TakenPosting = SourcePosting & { callId: string | null };

const itemWeight = 4 * 1024;
const bounds = {
  maxBatchSize: 100,
  maxBatchWeight: 1024 * 1024,
  // One after the other: leads of a tenant keep the order in which they came.
  maxInFlight: 1,
  maxWaiting: 5_000,
  maxWaitingWeight: 32 * 1024 * 1024,
};

/** Where neither a lead nor its source has one, which cannot be. */
const defaultSource = 'webhook';

export class SourceLeadWriter {
  private readonly microBatcher: MicroBatcher<SourceArrival, SourceItemResult[]>;

  constructor(private readonly options: SourceLeadWriterOptions) {
    this.microBatcher = new MicroBatcher<SourceArrival, SourceItemResult[]>({
      write: (tenantId, arrivals) => this.write(tenantId, arrivals),
      weightOf: ({ call, postings, items }) =>
        Math.max(call?.call.body.length ?? 0, (postings.length + items.length) * itemWeight),
      name: 'lead sources',
      meter: options.metrics.microBatcher('lead sources'),
      semaphore: options.semaphore,
      ...bounds,
    });
  }

  /** Resolves with what became of each item, once it is committed. Safe to repeat. @throws AppError UNAVAILABLE */
  submit(tenantId: string, arrival: SourceArrival): Promise<SourceItemResult[]> {
    return this.microBatcher.submit(tenantId, arrival);
  }

  private write(tenantId: string, arrivals: readonly SourceArrival[]): Promise<SourceItemResult[][]> {
    return this.options.transactor.run(tenantId, async (tx) => {
      const expected = await this.expect(tx, arrivals);
      const taken = await this.take(tx, arrivals);
      const seen = new Set<string>();
      const results = arrivals.map((arrival) => resultsOf(arrival, expected, taken, seen));
      const deliveries = arrivals.flatMap(({ call }, index) => {
        if (call === undefined) return [];
        const all = results[index] ?? [];
        const accepted = all.filter((result) => !('errors' in result)).length;
        const outcome = accepted === all.length ? 'processed' : accepted > 0 ? 'partial' : 'refused';
        const reason = outcome === 'refused' ? { reason: 'VALIDATION_FAILED: no item could be taken' } : {};
        return [{ ...call, outcome, ...reason, result: { accepted, results: all } } as const];
      });
      await this.options.journal.record(tx, tenantId, deliveries);
      return results;
    });
  }

  /** Notes what is to be fetched. @returns the keys that are new, or had failed */
  private async expect(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<ReadonlySet<string>> {
    const named = arrivals.flatMap(({ sourceId, items, call }) =>
      items.flatMap((item) => ('notice' in item ? [{ sourceId, callId: call?.call.id ?? null, ...item.notice }] : [])),
    );
    if (named.length === 0) return new Set();
    const leads = onceEach(
      named.map(({ sourceId, callId, leadgenId }) => {
        return { sourceId, key: keyOfExternalId(leadgenId), externalId: leadgenId, callId };
      }),
    );
    const rows = await tx.query<{ position: number }>(expectSourceLeads, [tx.tenantId, ...keyColumns.valuesOf(leads)]);
    const forms = named.flatMap(({ sourceId, formId }) => (formId === null ? [] : [{ sourceId, formId }]));
    const known = new Map(forms.map((form) => [`${form.sourceId} ${form.formId}`, form]));
    if (known.size > 0) {
      const once = [...known.values()];
      const values = [once.map(({ sourceId }) => sourceId), once.map(({ formId }) => formId)];
      await tx.query(noteForms, [tx.tenantId, ...values]);
    }
    if (rows.length > 0) await this.options.queue.send(tx, fetchSourceLeadsJob, { tenantId: tx.tenantId });
    return new Set(rows.flatMap(({ position }) => leads.slice(position, position + 1).map(nameOf)));
  }

  /** Takes in what is not taken yet. @returns what became of each posting, by its key */
  private async take(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<ReadonlyMap<string, TakenResult>> {
    const results = new Map<string, TakenResult>();
    const postings = onceEach(
      arrivals.flatMap(({ postings: own, call }): TakenPosting[] =>
        own.map((posting) => ({ ...posting, callId: call?.call.id ?? null })),
      ),
    );
    if (postings.length === 0) return results;
    const rows = await tx.query<{ position: number; callId: string | null }>(takeSourceLeads, [
      tx.tenantId,
      ...keyColumns.valuesOf(postings),
    ]);
    const taken = rows.flatMap(({ position, callId }) =>
      postings.slice(position, position + 1).map((posting) => ({ ...posting, callId })),
    );
    for (const [posting, { leadId, created }] of await this.receive(tx, taken)) {
      results.set(nameOf(posting), { leadId, created, duplicate: false });
      const outcome = created ? 'created' : 'existing';
      this.options.metrics.intakeItems.inc({ item: 'lead', outcome });
    }
    const others = postings.filter((posting) => !results.has(nameOf(posting)));
    for (const { position, leadId } of await selectKnown(tx, others)) {
      const posting = others[position];
      if (posting !== undefined) results.set(nameOf(posting), { leadId, created: false, duplicate: true });
    }
    return results;
  }

  private async receive(tx: Transaction, taken: readonly TakenPosting[]) {
    if (taken.length === 0) return [];
    const found = await this.options.leads.receive(
      tx,
      taken.map(({ lead }) => lead),
      defaultSource,
    );
    const received = taken.map((posting, index) => {
      const { lead, created } = found[index] ?? unreceived();
      return [posting, { leadId: lead.id, created }] as const;
    });
    const leads = received.map(([posting, { leadId }]) => ({ ...posting, leadId }));
    await tx.query(noteTakenLeads, [tx.tenantId, ...takenColumns.valuesOf(leads)]);
    await this.options.consent.enterDisclaimers(
      tx,
      leads.flatMap(({ leadId, sourceId: leadSourceId, externalId, formId, disclaimers, callId, submittedAt }) => {
        if (disclaimers.length === 0) return [];
        const evidence = { leadSourceId, formId, externalId, disclaimers };
        return [{ leadId, evidence, webhookCallId: callId ?? undefined, answeredAt: submittedAt }];
      }),
    );
    return received;
  }
}

/** @param seen what earlier arrivals of the batch said; what this one says is added */
function resultsOf(
  { sourceId, postings, items, isTest }: SourceArrival,
  expected: ReadonlySet<string>,
  taken: ReadonlyMap<string, TakenResult>,
  seen: Set<string>,
): SourceItemResult[] {
  if (isTest) return [{ outcome: 'test' }];
  return [
    ...postings.map((posting) => {
      const name = nameOf(posting);
      const result = taken.get(name) ?? unreceived();
      const isFirst = !seen.has(name);
      seen.add(name);
      return isFirst ? result : { ...result, created: false, duplicate: true };
    }),
    ...items.map((item): SourceItemResult => {
      if ('ignored' in item) return { outcome: 'ignored', reason: item.ignored };
      if ('errors' in item) return { outcome: 'refused', errors: item.errors };
      const { leadgenId } = item.notice;
      const isNew = expected.has(nameOf({ sourceId, key: keyOfExternalId(leadgenId) }));
      return { leadgenId, outcome: isNew ? 'expected' : 'known' };
    }),
  ];
}

async function selectKnown(tx: Transaction, postings: readonly SourceLeadKey[]): Promise<KnownLead[]> {
  if (postings.length === 0) return [];
  const values = [postings.map(({ sourceId }) => sourceId), postings.map(({ key }) => key)];
  return tx.query<KnownLead>(selectKnownLeads, [tx.tenantId, ...values]);
}

function nameOf({ sourceId, key }: Pick<SourceLeadKey, 'sourceId' | 'key'>): string {
  return `${sourceId} ${key}`;
}

/** The first of each key: a statement changes a row once. */
function onceEach<Item extends SourceLeadKey>(items: readonly Item[]): Item[] {
  const first = new Map<string, Item>();
  for (const item of items) if (!first.has(nameOf(item))) first.set(nameOf(item), item);
  return [...first.values()];
}

function unreceived(): never {
  throw new Error('a posting has no result');
}

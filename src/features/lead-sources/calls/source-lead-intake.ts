// What becomes of the leads that a source names or brings, within a transaction: each is taken in once, by the id that its source gives it.
// Batches and the journal belong to source-lead-writer.ts; a try does the same, and is rolled back.

import type { Queue } from '../../../platform/queue.js';
import type { Transaction } from '../../../platform/transaction.js';
import type { ConsentService } from '../../consent/consent.service.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import type { NumberReading } from '../../leads/identity/written-number.js';
import type { IntakeLead, LeadIntakeService } from '../../leads/lead.service.js';
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
  /** Of a dry run: the new lead as it would be. */
  lead?: Omit<IntakeLead, 'id'> & { id: null };
  /** Of a dry run: how the number was read. */
  reading?: NumberReading;
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

/** What became of an item, and the lead where it was found or created now. */
export interface SettledItem {
  result: SourceItemResult;
  lead?: IntakeLead | undefined;
  /** How its number was read. */
  reading?: NumberReading | undefined;
}

export interface SourceLeadIntakeOptions {
  leads: LeadIntakeService;
  consent: Pick<ConsentService, 'enterDisclaimers'>;
  queue: Queue;
}

type TakenItem = Omit<TakenResult, 'lead' | 'reading'> & Pick<SettledItem, 'lead'>;

interface KnownLead {
  position: number;
  state: 'PENDING' | 'TAKEN' | 'FAILED' | 'ERASED';
  leadId: string | null;
}

type TakenPosting = SourcePosting & { callId: string | null };

/** Where neither a lead nor its source has one, which cannot be. */
const defaultSource = 'webhook';

export class SourceLeadIntake {
  constructor(private readonly options: SourceLeadIntakeOptions) {}

  /** @returns what became of each item of each arrival, postings before notices. Safe to repeat. */
  async receive(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<SettledItem[][]> {
    const expected = await this.expect(tx, arrivals);
    const taken = await this.take(tx, arrivals);
    const seen = new Set<string>();
    return arrivals.map((arrival) => settle(arrival, expected, taken, seen));
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
  private async take(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<ReadonlyMap<string, TakenItem>> {
    const results = new Map<string, TakenItem>();
    const postings = onceEach(
      arrivals.flatMap(({ postings: own, call, isTest }): TakenPosting[] =>
        isTest ? [] : own.map((posting) => ({ ...posting, callId: call?.call.id ?? null })),
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
    for (const [posting, { lead, created }] of await this.enter(tx, taken)) {
      results.set(nameOf(posting), { leadId: lead.id, created, duplicate: false, lead });
    }
    const others = postings.filter((posting) => !results.has(nameOf(posting)));
    for (const { position, leadId } of await selectKnown(tx, others)) {
      const posting = others[position];
      if (posting !== undefined) results.set(nameOf(posting), { leadId, created: false, duplicate: true });
    }
    return results;
  }

  private async enter(tx: Transaction, taken: readonly TakenPosting[]) {
    if (taken.length === 0) return [];
    const found = await this.options.leads.receive(
      tx,
      taken.map(({ lead }) => lead),
      defaultSource,
    );
    const received = taken.map((posting, index) => [posting, found[index] ?? unreceived()] as const);
    const leads = received.map(([posting, { lead }]) => ({ ...posting, leadId: lead.id }));
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
function settle(
  { sourceId, postings, items, isTest }: SourceArrival,
  expected: ReadonlySet<string>,
  taken: ReadonlyMap<string, TakenItem>,
  seen: Set<string>,
): SettledItem[] {
  if (isTest) return [{ result: { outcome: 'test' } }];
  return [
    ...postings.map((posting) => {
      const name = nameOf(posting);
      const { lead, ...result } = taken.get(name) ?? unreceived();
      const isFirst = !seen.has(name);
      seen.add(name);
      const { reading } = posting.lead;
      return { result: isFirst ? result : { ...result, created: false, duplicate: true }, lead, reading };
    }),
    ...items.map((item): SettledItem => {
      if ('ignored' in item) return { result: { outcome: 'ignored', reason: item.ignored } };
      if ('errors' in item) return { result: { outcome: 'refused', errors: item.errors } };
      const { leadgenId } = item.notice;
      const isNew = expected.has(nameOf({ sourceId, key: keyOfExternalId(leadgenId) }));
      return { result: { leadgenId, outcome: isNew ? 'expected' : 'known' } };
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

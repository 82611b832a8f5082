// Takes in leads that a source names or brings, within a transaction. Each lead is taken in once, by the id that its source gives it, and a
// submission without a number is held. source-lead-writer.ts owns batches and the journal. A dry run takes the same steps, and is rolled
// back.

import { AppError } from '../../../platform/errors.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import type { Queue } from '../../../platform/jobs/queue.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { ConsentService } from '../../consent/consent.service.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import type { ErasedIdentityService } from '../../leads/identity/erased-identity.service.js';
import type { IntakeLead, LeadIntakeService } from '../../leads/lead.service.js';
import { noteForms } from '../lead-source.sql.js';
import { fetchSourceLeadsJob } from '../lead-source.jobs.js';
import type { NumberReading } from '../../../platform/phone-numbers/written-number.js';
import type { NoticedItem } from '../reading/meta-lead.js';
import { keyOfExternalId, type HeldPosting, type SourcePosting } from '../reading/submission.js';
import { heldColumns, holdSubmissions, keepNewestHeld } from '../held/held-submission.sql.js';
import {
  expectSourceLeads,
  keyColumns,
  forgetNamedLeads,
  noteErasedLeads,
  noteTakenLeads,
  noteTests,
  selectKnownLeads,
  takenColumns,
  takeSourceLeads,
  type SourceLeadKey,
} from './source-lead.sql.js';

export interface TakenResult {
  /** The id of the lead; null if the lead was erased since, or made by a dry run. */
  leadId: string | null;
  created: boolean;
  /** True if the source has sent the submission before. */
  duplicate: boolean;
  /** The new lead that a dry run has made, without an id. */
  lead?: Omit<IntakeLead, 'id'> & { id: null };
  /** The reading of the number; only in dry runs. */
  reading?: NumberReading;
}

/** The outcome of one item of a call. */
export type SourceItemResult =
  | TakenResult
  | { leadgenId: string; outcome: 'expected' | 'known' }
  | { outcome: 'test' }
  | { outcome: 'held'; duplicate: boolean; problem: string }
  | { outcome: 'ignored'; reason: string }
  | { outcome: 'refused'; errors: { path: string; message: string }[] };

/** Items that have arrived from a source, by a call or by a worker that fetched them. */
export interface SourceArrival {
  sourceId: string;
  /** The call that brought the items; undefined if no call is journalled. */
  call?: { call: WebhookCall; dialect: DialectName } | undefined;
  /** The items, in the order of their results. */
  entries: readonly ArrivalEntry[];
  /** Sentences that say which parts of the call are left out. */
  notes?: readonly string[];
}

/** An entry is a submission, or an item of a call of Meta's. */
export type ArrivalEntry =
  | { posting: SourcePosting }
  | { held: HeldPosting }
  /** A test of the form. The key belongs to a named lead, which turns out to be a test and no lead. */
  | { test: { key: string; posting?: SourcePosting } }
  | NoticedItem;

/** The outcome of an item, and the lead if it was found or created now. */
export interface SettledItem {
  result: SourceItemResult;
  lead?: IntakeLead | undefined;
  reading?: NumberReading | undefined;
}

export interface SourceLeadIntakeOptions {
  leads: LeadIntakeService;
  consent: Pick<ConsentService, 'enterDisclaimers'>;
  erasedIdentities: Pick<ErasedIdentityService, 'findErased'>;
  queue: Queue;
}

type TakenItem = Omit<TakenResult, 'lead' | 'reading'> & Pick<SettledItem, 'lead'>;

interface KnownLead {
  position: number;
  state: 'PENDING' | 'TAKEN' | 'FAILED' | 'ERASED';
  leadId: string | null;
}

type TakenPosting = SourcePosting & { callId: string | null; mayRepeat?: boolean };

/** The source of a lead if neither the lead nor its source has one, which should never happen. */
const defaultSource = 'webhook';

export class SourceLeadIntake {
  constructor(private readonly options: SourceLeadIntakeOptions) {}

  /**
   * Takes in all arrivals. A submission from before its person was erased, which a reading or a replay brings, is a duplicate without a
   * lead. Safe to repeat. @returns the outcome of each entry of each arrival
   */
  async receive(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<SettledItem[][]> {
    // The lock of erasures comes before all others.
    const erased = await this.findErased(tx, arrivals);
    // Tests come first, because a change of a source locks its row before those of its leads.
    await noteTestsOf(tx, arrivals);
    const expected = await this.expect(tx, arrivals);
    const held = await hold(tx, arrivals);
    const taken = await this.take(tx, arrivals, erased);
    const seen = new Set<string>();
    return arrivals.map(({ sourceId, entries }) =>
      entries.map((entry) => settle(sourceId, entry, { expected, held, taken, seen })),
    );
  }

  /** Notes the leads to be fetched. @returns the keys that are new, or had failed */
  private async expect(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<ReadonlySet<string>> {
    const named = arrivals.flatMap(({ sourceId, entries, call }) =>
      entries.flatMap((item) =>
        'notice' in item ? [{ sourceId, callId: call?.call.id ?? null, ...item.notice }] : [],
      ),
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

  /** @returns the postings from before their person was erased. A new call, and a time that is unknown or ahead, tell of nothing before. */
  private async findErased(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<ReadonlySet<SourcePosting>> {
    const past = arrivals.flatMap(({ entries, call }) => {
      const replayOf = call?.call.replayOf;
      if (call !== undefined && replayOf === undefined) return [];
      return entries.flatMap((entry) => {
        if (!('posting' in entry)) return [];
        const { lead, submittedAt } = entry.posting;
        const identities = [{ kind: 'PHONE', value: lead.chat }] as const;
        const writtenAt = replayOf?.receivedAt ?? submittedAt;
        return writtenAt === undefined ? [] : [{ posting: entry.posting, identities, writtenAt }];
      });
    });
    const indexes = await this.options.erasedIdentities.findErased(tx, past);
    return new Set(past.filter((_, index) => indexes.has(index)).map(({ posting }) => posting));
  }

  /** Takes in postings that are new. @returns the outcome of each posting, by its key */
  private async take(
    tx: Transaction,
    arrivals: readonly SourceArrival[],
    erased: ReadonlySet<SourcePosting>,
  ): Promise<ReadonlyMap<string, TakenItem>> {
    const results = new Map<string, TakenItem>();
    for (const posting of erased) results.set(nameOf(posting), { leadId: null, created: false, duplicate: true });
    const named = [...erased].filter(({ externalId }) => externalId !== null);
    const keysOfErased = [named.map(({ sourceId }) => sourceId), named.map(({ key }) => key)];
    if (named.length > 0) await tx.query(noteErasedLeads, [tx.tenantId, ...keysOfErased]);
    const postings = onceEach(
      arrivals.flatMap(({ entries, call }): TakenPosting[] => {
        const known = { callId: call?.call.id ?? null, mayRepeat: call?.call.replayOf === undefined };
        return entries.flatMap((entry) =>
          'posting' in entry && !erased.has(entry.posting) ? [{ ...entry.posting, ...known }] : [],
        );
      }),
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

  /**
   * Makes a lead of a held submission, once its number is known.
   * @throws AppError CONFLICT if the source's lead was taken in already
   */
  async complete(tx: Transaction, posting: SourcePosting, callId: string | null): Promise<IntakeLead> {
    const item = { ...posting, callId, mayRepeat: true };
    const rows = await tx.query(takeSourceLeads, [tx.tenantId, ...keyColumns.valuesOf([item])]);
    if (rows.length === 0) throw new AppError('CONFLICT', 'This submission was taken in already');
    const [entered] = await this.enter(tx, [item]);
    return entered?.[1].lead ?? unreceived();
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
    for (const [{ sourceId }, { lead, created }] of received)
      if (!created)
        tx.emit({ type: 'LEAD_UPDATED', leadId: lead.id, data: { change: 'TOUCH', leadSourceId: sourceId } });
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

interface Settled {
  expected: ReadonlySet<string>;
  held: ReadonlySet<string>;
  taken: ReadonlyMap<string, TakenItem>;
  /**
   * The names in earlier entries of the batch, to which each entry adds its own. Held submissions have names of their own: one with a
   * number that comes after it is a lead, and no duplicate.
   */
  seen: Set<string>;
}

function settle(sourceId: string, entry: ArrivalEntry, { expected, held, taken, seen }: Settled): SettledItem {
  const isFirst = (name: string) => !seen.has(name) && seen.add(name) === seen;
  if ('test' in entry) return { result: { outcome: 'test' } };
  if ('ignored' in entry) return { result: { outcome: 'ignored', reason: entry.ignored } };
  if ('errors' in entry) return { result: { outcome: 'refused', errors: entry.errors } };
  if ('held' in entry) {
    const name = nameOf(entry.held);
    const isNew = held.has(name) && !seen.has(name) && isFirst(`held ${name}`);
    return { result: { outcome: 'held', duplicate: !isNew, problem: entry.held.problem } };
  }
  if ('notice' in entry) {
    const { leadgenId } = entry.notice;
    const isNew = expected.has(nameOf({ sourceId, key: keyOfExternalId(leadgenId) }));
    return { result: { leadgenId, outcome: isNew ? 'expected' : 'known' } };
  }
  const name = nameOf(entry.posting);
  const { lead, ...result } = taken.get(name) ?? unreceived();
  const { reading } = entry.posting.lead;
  return { result: isFirst(name) ? result : { ...result, created: false, duplicate: true }, lead, reading };
}

async function noteTestsOf(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<void> {
  const tests = arrivals.flatMap(({ sourceId, entries }) =>
    entries.flatMap((entry) => ('test' in entry ? [{ sourceId, key: entry.test.key }] : [])),
  );
  if (tests.length === 0) return;
  const sourceIds = tests.map(({ sourceId }) => sourceId);
  await tx.query(noteTests, [tx.tenantId, [...new Set(sourceIds)]]);
  await tx.query(forgetNamedLeads, [tx.tenantId, sourceIds, tests.map(({ key }) => key)]);
}

/** Stores submissions that wait for a number. @returns the keys that are new */
async function hold(tx: Transaction, arrivals: readonly SourceArrival[]): Promise<ReadonlySet<string>> {
  const held = onceEach(
    arrivals.flatMap(({ entries, call }) =>
      entries.flatMap((entry) =>
        'held' in entry ? [{ ...entry.held, id: newRecordId(), callId: call?.call.id ?? null }] : [],
      ),
    ),
  );
  if (held.length === 0) return new Set();
  const keys = [held.map(({ sourceId }) => sourceId), held.map(({ key }) => key)];
  const rows = await tx.query<Pick<SourceLeadKey, 'sourceId' | 'key'>>(holdSubmissions, [
    tx.tenantId,
    ...heldColumns.valuesOf(held),
  ]);
  await tx.query(forgetNamedLeads, [tx.tenantId, ...keys]);
  if (rows.length > 0) await tx.query(keepNewestHeld, [tx.tenantId]);
  return new Set(rows.map(nameOf));
}

async function selectKnown(tx: Transaction, postings: readonly SourceLeadKey[]): Promise<KnownLead[]> {
  if (postings.length === 0) return [];
  const values = [postings.map(({ sourceId }) => sourceId), postings.map(({ key }) => key)];
  return tx.query<KnownLead>(selectKnownLeads, [tx.tenantId, ...values]);
}

function nameOf({ sourceId, key }: Pick<SourceLeadKey, 'sourceId' | 'key'>): string {
  return `${sourceId} ${key}`;
}

/** Returns the first item of each key, because a statement changes a row once. */
function onceEach<Item extends SourceLeadKey>(items: readonly Item[]): Item[] {
  const first = new Map<string, Item>();
  for (const item of items) if (!first.has(nameOf(item))) first.set(nameOf(item), item);
  return [...first.values()];
}

function unreceived(): never {
  throw new Error('a posting has no result');
}

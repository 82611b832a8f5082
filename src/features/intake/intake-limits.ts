// Counts webhook calls against the rate limit (contract, section 9), and refuses the items beyond it. A gateway speaks for many people, so
// each sender and each of our messages has its own bucket: none uses up what another needs.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import type { CallJournal } from './journal-writer.js';
import type { DialectName, IdentifiedReport, ReadWebhookCall, WebhookCall } from './webhook-call.js';

/**
 * - `lead`: leads of a tenant key.
 * - `inbound`: messages of one sender.
 * - `status`: reports on one message of ours.
 * - `state`: all other events of one instance, and calls that cannot be read.
 * - `gateway`: gateway calls of a tenant key, whatever they say.
 */
const limitKinds = ['lead', 'inbound', 'status', 'state', 'gateway'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Items of one call that count in one bucket. */
export interface LimitedSubject {
  kind: LimitKind;
  /** Unique among all buckets of the kind, those of other tenants included. */
  key: string;
  hits: number;
}

export interface LimitVerdict {
  /** The number of hits within the limit. */
  passed: number;
  /** Hits left in this window. */
  remaining: number;
  /** Whole seconds until the window resets, at least 1. */
  resetSeconds: number;
  /** `RateLimit` and `RateLimit-Policy`, and `Retry-After` where not all hits passed. */
  headers: () => Record<string, string>;
}

export interface ItemLimiter {
  /** True where the kind `gateway` has a limit. */
  capsGateways: boolean;
  /** Counts the subjects of one call of a tenant. Never rejects; each call counts. @returns a verdict for each, in their order */
  count(tenantId: string, subjects: readonly LimitedSubject[]): Promise<LimitVerdict[]>;
  /** The verdicts that `count` would give now. Counts nothing. */
  peek(tenantId: string, subjects: readonly LimitedSubject[]): Promise<LimitVerdict[]>;
}

/** Lets everything pass, for services that take no calls. */
export const unlimited: ItemLimiter = {
  capsGateways: false,
  count: (_, subjects) => Promise.resolve(subjects.map(passing)),
  peek: (_, subjects) => Promise.resolve(subjects.map(passing)),
};

function passing({ hits }: LimitedSubject): LimitVerdict {
  return { passed: hits, remaining: Infinity, resetSeconds: 1, headers: () => ({}) };
}

export interface IntakeLimitsOptions {
  limiter: Pick<ItemLimiter, 'capsGateways' | 'count'>;
  /** Undefined: refusals do not go into the journal. */
  refusals: LimitRefusals | undefined;
  /** Undefined: refusals are not measured. */
  metrics: Metrics | undefined;
}

/** Sets the headers that say how far the limit is used up, on answers and refusals alike. */
export type SetHeaders = (headers: Record<string, string>) => void;

/** The sender of calls that are counted together: the holder of a tenant key, or one of Meta's instances. */
export interface Caller {
  /** Unique among all callers. */
  key: string;
  setHeaders: SetHeaders;
}

/** The items of one call that count in one bucket, by their index. */
interface Group {
  subject: LimitedSubject;
  indexes: number[];
}

/** The refused items of a group, with their error. */
interface Refused {
  kind: LimitKind;
  indexes: readonly number[];
  error: AppError;
}

const refusalTexts: Record<LimitKind, string> = {
  lead: 'Too many leads with the keys of this tenant',
  inbound: 'Too many messages of this sender',
  status: 'Too many reports on this message',
  state: 'Too many events of this instance, or calls that cannot be read',
  gateway: 'Too many gateway calls with the keys of this tenant',
};

export class IntakeLimits {
  constructor(private readonly options: IntakeLimitsOptions) {
    // The counter starts at 0, so that its first increase is seen as one.
    for (const kind of limitKinds) options.metrics?.rateLimited.inc({ limit: limitOf(kind), kind }, 0);
  }

  /** Counts a lead, before it is read. @throws AppError RATE_LIMITED */
  countLead(call: WebhookCall, caller: Caller): Promise<void> {
    return this.countCall(call, caller, { kind: 'lead', key: caller.key, hits: 1 });
  }

  /** Counts a gateway's call as a whole, before it is read, where gateway calls have a limit. @throws AppError RATE_LIMITED */
  async countGatewayCall(call: WebhookCall, caller: Caller): Promise<void> {
    if (!this.options.limiter.capsGateways) return;
    await this.countCall(call, caller, { kind: 'gateway', key: caller.key, hits: 1 });
  }

  /** Counts a gateway's call that could not be read. @throws AppError RATE_LIMITED */
  countUnreadable(call: WebhookCall, caller: Caller): Promise<void> {
    return this.countCall(call, caller, unreadable(caller));
  }

  /**
   * Counts the items of a call. Items beyond the limit are refused in their own results.
   * @throws AppError RATE_LIMITED where all items are beyond the limit
   */
  async countItems(read: ReadWebhookCall, caller: Caller): Promise<ReadWebhookCall> {
    const { call, intake } = read;
    if (intake.kind !== 'chat') return read;
    const groups = groupsOf(intake.reports, caller);
    const verdicts = await this.options.limiter.count(
      call.tenantId,
      groups.map(({ subject }) => subject),
    );
    const refused = refusedOf(groups, verdicts);
    caller.setHeaders(tightestOf(verdicts).headers());
    if (refused.length === 0) return read;
    await this.note(read.call, read.dialect, refused);
    const errors = new Map(refused.flatMap(({ indexes, error }) => indexes.map((index) => [index, error] as const)));
    if (errors.size === intake.reports.length) throw latestOf(refused);
    const reports = intake.reports.map((report, index) => refuse(report, errors.get(index)));
    return { ...read, intake: { ...intake, reports } };
  }

  private async countCall(call: WebhookCall, { setHeaders }: Caller, subject: LimitedSubject): Promise<void> {
    const verdicts = await this.options.limiter.count(call.tenantId, [subject]);
    const [refused] = refusedOf([{ subject, indexes: [0] }], verdicts);
    setHeaders(tightestOf(verdicts).headers());
    if (refused === undefined) return;
    await this.note(call, subject.kind === 'lead' ? 'lead' : null, [refused]);
    throw refused.error;
  }

  private async note(
    call: WebhookCall,
    dialect: ReadWebhookCall['dialect'] | null,
    refused: readonly Refused[],
  ): Promise<void> {
    const { metrics, refusals } = this.options;
    for (const { kind, indexes, error } of refused) {
      const count = Math.max(1, indexes.length);
      metrics?.rateLimited.inc({ limit: limitOf(kind), kind }, count);
      await refusals?.note({ call, dialect, kind, count, error });
    }
  }
}

function limitOf(kind: LimitKind): string {
  return kind === 'gateway' ? 'gateway' : 'global';
}

// Unreadable items of a call count as one hit, because one answer says what is wrong with each of them.
function groupsOf(reports: readonly IdentifiedReport[], caller: Caller): Group[] {
  // An empty list counts as one unreadable call, because it has no items to count.
  if (reports.length === 0) return [{ subject: unreadable(caller), indexes: [] }];
  const groups = new Map<string, Group>();
  for (const [index, report] of reports.entries()) {
    const subject = subjectOf(report, caller);
    const name = `${subject.kind} ${subject.key}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { subject, indexes: [index] });
    else {
      group.indexes.push(index);
      if (!('errors' in report)) group.subject.hits += 1;
    }
  }
  return [...groups.values()];
}

function subjectOf(report: IdentifiedReport, caller: Caller): LimitedSubject {
  if ('errors' in report) return unreadable(caller);
  const { item } = report;
  if (item.kind === 'status') return reportOn(item.externalId, caller);
  if (item.kind === 'message' || item.kind === 'change' || item.kind === 'preference') {
    const [sender] = item.contact ?? [];
    // An outbound message counts by message, because no lead answers for it: a bulk send echoes once for each message.
    if (item.kind !== 'preference' && (sender === undefined || item.direction !== 'INBOUND'))
      return reportOn(item.externalId, caller);
    if (sender === undefined) return unreadable(caller);
    return { kind: 'inbound', key: `${caller.key} ${sender.kind} ${matchKeyOf(sender)}`, hits: 1 };
  }
  // Noise that means nothing to us (groups, contacts) never uses up the limit of reports on the instance's state.
  const what = item.kind === 'connection' ? 'state' : 'other';
  return { kind: 'state', key: `${caller.key} ${what} ${report.instance ?? ''}`, hits: 1 };
}

function reportOn(externalId: string, caller: Caller): LimitedSubject {
  return { kind: 'status', key: `${caller.key} ${externalId}`, hits: 1 };
}

function unreadable(caller: Caller): LimitedSubject {
  return { kind: 'state', key: `${caller.key} unreadable`, hits: 1 };
}

// The first items of a group pass where the limit refuses only a part of it.
function refusedOf(groups: readonly Group[], verdicts: readonly LimitVerdict[]): Refused[] {
  return groups.flatMap(({ subject: { kind, hits }, indexes }, position) => {
    const verdict = verdicts[position];
    if (verdict === undefined || verdict.passed >= hits) return [];
    const { passed, resetSeconds: retryAfterSeconds } = verdict;
    const detail = `${refusalTexts[kind]}: try again in ${retryAfterSeconds} s`;
    return [
      { kind, indexes: indexes.slice(passed), error: new AppError('RATE_LIMITED', detail, { retryAfterSeconds }) },
    ];
  });
}

/** Returns the verdict that matters most to the caller: the nearest to its limit, and of equal ones the longest wait. */
function tightestOf(verdicts: readonly LimitVerdict[]): LimitVerdict {
  const isTighter = (one: LimitVerdict, other: LimitVerdict) =>
    one.remaining === other.remaining ? one.resetSeconds > other.resetSeconds : one.remaining < other.remaining;
  return verdicts.reduce((tightest, verdict) => (isTighter(verdict, tightest) ? verdict : tightest));
}

/** Returns the refusal with the longest wait: after that time all items pass. */
function latestOf(refused: readonly Refused[]): AppError {
  const seconds = ({ error }: Refused) => error.retryAfterSeconds ?? 0;
  return refused.reduce((latest, one) => (seconds(one) > seconds(latest) ? one : latest)).error;
}

function refuse(report: IdentifiedReport, error: AppError | undefined): IdentifiedReport {
  if (error === undefined) return report;
  const { instance, messageId } = report;
  return { instance, messageId, code: 'RATE_LIMITED', errors: [{ path: '', message: error.message }] };
}

// Writes refusals of the rate limit into the journal: one entry for each tenant and kind in a minute. The entry has the first call as it
// arrived, and how many items were refused. A flood writes two statements a minute.

export interface LimitRefusalsOptions {
  database: Database;
  journal: CallJournal;
  log: Logger;
  /** The length of a minute, in milliseconds. Default 60,000. */
  intervalMs?: number;
}

export interface LimitRefusal {
  call: WebhookCall;
  dialect: DialectName | null;
  kind: LimitKind;
  /** The number of items of the call that were refused. */
  count: number;
  error: AppError;
}

/** The entry of one tenant and kind, while its minute lasts. */
interface Entry {
  tenantId: string;
  id: string;
  count: number;
  /** Settles when the entry stands in the journal, or could not be written. */
  written: Promise<void>;
  timer: NodeJS.Timeout;
}

const defaultIntervalMs = 60_000;
/** Beyond this number, refusals are counted in metrics only. */
const maxEntries = 10_000;

/** $1 tenant, $2 entry, $3 how many were refused. */
const noteCount: NamedStatement = {
  name: 'note-limit-refusals',
  text: `UPDATE webhook_deliveries SET reason = concat(reason, ' (', $3::int, ' in this minute)') WHERE tenant_id = $1 AND id = $2`,
};

export class LimitRefusals {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly options: LimitRefusalsOptions) {}

  /** Never rejects: a refusal stands, whether or not the journal can be written. */
  async note(refusal: LimitRefusal): Promise<void> {
    const { tenantId } = refusal.call;
    const name = `${tenantId} ${refusal.kind}`;
    const known = this.entries.get(name);
    if (known !== undefined) known.count += refusal.count;
    else if (this.entries.size < maxEntries) {
      const id = newRecordId();
      const written = this.write(id, refusal);
      const timer = setTimeout(() => void this.close(name), this.options.intervalMs ?? defaultIntervalMs).unref();
      this.entries.set(name, { tenantId, id, count: refusal.count, written, timer });
      await written;
    }
  }

  /** Ends all minutes now, and writes their counts into the journal. */
  async stop(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((name) => this.close(name)));
  }

  private async write(id: string, { call, dialect, error }: LimitRefusal): Promise<void> {
    await this.attempt(() => this.options.journal.recordLimited({ ...call, id }, dialect, error));
  }

  private async close(name: string): Promise<void> {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    this.entries.delete(name);
    clearTimeout(entry.timer);
    await entry.written;
    if (entry.count > 1)
      await this.attempt(() => this.options.database.query(noteCount, [entry.tenantId, entry.id, entry.count]));
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.log.warn({ err: error }, 'what the rate limit refused could not be kept in the journal');
    }
  }
}

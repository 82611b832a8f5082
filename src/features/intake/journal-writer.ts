// Writes the journal: each webhook call as it arrived, with its outcome. A call is written in the transaction of its effects, a refused
// call by itself. The API key is never part of it.

import { Columns, type Column } from '../../platform/database/columns.js';
import type { Database, NamedStatement, SqlRunner } from '../../platform/database/database.js';
import type { AppError } from '../../platform/errors.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import type { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { MicroBatcher } from '../../platform/jobs/micro-batcher.js';
import { storableText } from '../../platform/input/input.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { providers } from '../../providers/registry.js';
import { contentOfRoute, type CallContent } from './call-content.js';
import type { DialectName, WebhookCall } from './webhook-call.js';

/** A call and its outcome. */
export interface JournalEntry {
  call: WebhookCall;
  dialect: DialectName | null;
  /** Undefined if the call could not be read. */
  content?: CallContent | undefined;
  /** `partial`: some of the call's items were refused. */
  outcome: 'processed' | 'partial' | 'refused';
  reason?: string | undefined;
  result?: object | undefined;
  /** The part of the body that is kept where the body names an erased person. */
  bodyWithoutErased?: Buffer | undefined;
}

export interface CallJournalOptions {
  database: Database;
  log: Logger;
  metrics: Metrics;
  /** Shared by all writers of incoming calls. */
  semaphore: FairSemaphore;
  /** Refused calls that are kept in a minute, for each tenant. The first one that is not kept is logged. */
  refusedPerMinute: number;
}

/** The most bytes of a refused call's body that are kept. */
export const maxRefusedBodyBytes = 64 * 1024;
const maxReasonLength = 2_000;
const maxHeaderLength = 500;
/** A day, in milliseconds. */
const maxTookMs = 86_400_000;
const maxTenants = 10_000;
const itemWeight = 1_024;
const bounds = {
  maxBatchSize: 50,
  maxBatchWeight: 1024 * 1024,
  maxInFlight: 1,
  maxWaiting: 2_000,
  maxWaitingWeight: 32 * 1024 * 1024,
};

/**
 * The journal's columns of a call, for statements that write a call together with its items.
 * @param entryOf returns the call of an item, and whether it was refused
 */
export function callColumns<Item>(
  entryOf: (item: Item) => Pick<JournalEntry, 'call' | 'dialect'> & Partial<JournalEntry>,
): Record<string, Column<Item>> {
  return {
    call_id: ['uuid', (item) => entryOf(item).call.id],
    route: ['text', (item) => entryOf(item).call.route],
    dialect: ['text', (item) => entryOf(item).dialect],
    headers: ['jsonb', (item) => headersOf(entryOf(item).call)],
    raw: ['bytea', (item) => keptBody(entryOf(item))],
    raw_bytes: ['int', (item) => entryOf(item).call.body.length],
    arrived_at: ['timestamptz', (item) => entryOf(item).call.receivedAt],
    waited_ms: ['int', (item) => waitedMs(entryOf(item).call)],
  };
}

/**
 * The milliseconds from a call's arrival until its entry is written: those before its statement, by this process's clock, and those of the
 * statement, by PostgreSQL's. So clocks that differ do not matter. The commit is no part of it. At most a day.
 */
export const tookMs = `least(greatest(waited_ms + extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000, 0), ${maxTookMs})::int`;

// A clock that is set meanwhile must not make a number that the column cannot hold.
const waitedMs = ({ receivedAt }: WebhookCall) => Math.min(Math.max(Date.now() - receivedAt.getTime(), 0), maxTookMs);

const entries = new Columns<JournalEntry>({
  ...callColumns((entry) => entry),
  outcome: ['text', ({ outcome }) => outcome],
  reason: ['text', ({ reason }) => (reason === undefined ? null : storableText(reason, maxReasonLength))],
  result: ['jsonb', ({ result }) => (result === undefined ? null : JSON.stringify(result))],
  replay_of_id: ['uuid', ({ call }) => call.replayOf?.id],
  source: ['text', ({ call }) => call.source ?? 'webhook'],
  kinds: ['jsonb', ({ content }) => listOf(content?.kinds)],
  reported: ['jsonb', ({ content }) => listOf(content?.reported)],
  instance_id: ['uuid', ({ content }) => content?.instanceId],
  is_erased: ['boolean', ({ bodyWithoutErased }) => bodyWithoutErased !== undefined],
});

const listOf = (words: readonly string[] | undefined) =>
  words === undefined ? null : JSON.stringify(words.map((word) => storableText(word, maxReasonLength)));

const textsOf = (column: string) =>
  `CASE WHEN ${column} IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(${column})) END`;

const insertEntries: NamedStatement = {
  name: 'insert-webhook-deliveries',
  text: `INSERT INTO webhook_deliveries
      (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, reason, result, replay_of_id, source, received_at,
        kinds, reported, instance_id, took_ms, erased_at)
    SELECT $1, call_id, route, dialect, headers, ${entries.bytes('raw')}, raw_bytes, outcome, reason, result, replay_of_id, source,
      arrived_at, ${textsOf('kinds')}, ${textsOf('reported')}, instance_id, ${tookMs}, CASE WHEN is_erased THEN now() END
    FROM ${entries.rows('d')}`,
};

export class CallJournal {
  private readonly refusals = new ExpiringCache<{ count: number }>({ max: maxTenants, ttl: 60_000 });
  private readonly microBatcher: MicroBatcher<JournalEntry, void>;

  constructor(private readonly options: CallJournalOptions) {
    this.microBatcher = new MicroBatcher<JournalEntry, void>({
      write: async (tenantId, refused) => {
        await this.insert(options.database, tenantId, refused);
        return refused.map(() => undefined);
      },
      weightOf: ({ call }) => itemWeight + Math.min(call.body.length, maxRefusedBodyBytes),
      name: 'refused calls',
      meter: options.metrics.microBatcher('refused calls'),
      semaphore: options.semaphore,
      ...bounds,
    });
  }

  /** Writes one tenant's webhook calls, but no refused ones beyond `refusedPerMinute`: not each call that is given gets its entry. */
  async record(sql: SqlRunner, tenantId: string, given: readonly JournalEntry[]): Promise<void> {
    const kept = given.filter((entry) => entry.outcome !== 'refused' || this.admits(entry));
    await this.insert(sql, tenantId, kept);
  }

  /**
   * Keeps a call that was refused before it was written, so that an administrator can look at it and replay it.
   * @throws AppError UNAVAILABLE where too many refused calls of this tenant are waiting
   */
  async recordRefusal(call: WebhookCall, dialect: DialectName | null, error: AppError): Promise<void> {
    const entry = refusedEntry(call, dialect, error);
    if (this.admits(entry)) await this.microBatcher.submit(call.tenantId, entry);
  }

  /** Keeps a sample of the calls that a limit refused, unless no refused calls are kept at all. */
  async recordLimited(call: WebhookCall, dialect: DialectName | null, error: AppError): Promise<void> {
    if (this.options.refusedPerMinute === 0) return;
    await this.insert(this.options.database, call.tenantId, [refusedEntry(call, dialect, error)]);
  }

  private async insert(sql: SqlRunner, tenantId: string, kept: readonly JournalEntry[]): Promise<void> {
    if (kept.length > 0) await sql.query(insertEntries, [tenantId, ...entries.valuesOf(kept)]);
  }

  // A caller that sends invalid calls without end does not fill the journal, nor the log.
  private admits({ call: { tenantId, route }, reason }: JournalEntry): boolean {
    const refusals = this.refusals.get(tenantId) ?? { count: 0 };
    this.refusals.set(tenantId, refusals, { noUpdateTTL: true });
    refusals.count += 1;
    const { refusedPerMinute, log } = this.options;
    if (refusals.count <= refusedPerMinute) return true;
    if (refusals.count === refusedPerMinute + 1)
      log.warn({ tenantId, route, reason }, 'a refused webhook call was not kept: too many in this minute');
    return false;
  }
}

/** The journal's entry of a call that the caller has to correct. */
export function refusedEntry(call: WebhookCall, dialect: DialectName | null, error: AppError): JournalEntry {
  const content = contentOfRoute(call.route);
  return { call, dialect, content, outcome: 'refused', reason: `${error.code}: ${error.message}` };
}

function headersOf({ contentType, userAgent, signature, hmac }: WebhookCall): string {
  return JSON.stringify({
    'content-type': contentType?.slice(0, maxHeaderLength),
    'user-agent': userAgent?.slice(0, maxHeaderLength),
    'x-signature': keptSignature(signature, signatureForm, 'sha256=<hex>'),
    'x-webhook-hmac': keptSignature(hmac, hmacForm, '<hex>, of SHA-512'),
  });
}

const signatureForm = /^sha(?:256=[\da-f]{64}|512=[\da-f]{128})$/i;
const hmacForm = /^[\da-f]{128}$/i;

// A wrongly configured webhook may send the secret itself as its signature.
function keptSignature(signature: string | undefined, form: RegExp, formInWords: string): string | undefined {
  return signature === undefined || form.test(signature) ? signature : `(not of the form ${formInWords})`;
}

const redactions = providers.flatMap(({ dialect, webhooks }) =>
  webhooks?.withoutSecrets === undefined ? [] : [{ dialect, withoutSecrets: webhooks.withoutSecrets }],
);

function keptBody({
  call,
  dialect,
  outcome,
  bodyWithoutErased: whole = call.body,
}: Pick<JournalEntry, 'call' | 'dialect'> & Partial<JournalEntry>): Buffer {
  const body = outcome === 'refused' ? whole.subarray(0, maxRefusedBodyBytes) : whole;
  // A call that could not be read may be any provider's.
  const redacting = redactions.filter((redaction) => dialect === null || dialect === redaction.dialect);
  if (redacting.length === 0) return body;
  const text = body.toString('latin1');
  const redacted = redacting.reduce((kept, { withoutSecrets }) => withoutSecrets(kept), text);
  return redacted === text ? body : Buffer.from(redacted, 'latin1');
}

/** A call that a search for erased people looks at. */
export interface SearchedCall {
  id: string;
  dialect: DialectName | null;
  body: Buffer;
  result: unknown;
  receivedAt: Date;
}

/** $1 tenant, $2 id, $3 calls, $4 bytes: the newest calls before the id that have a body, at most so many together, and at least one. */
export const selectCallsBefore: NamedStatement = {
  name: 'select-webhook-deliveries-before',
  text: `SELECT id, dialect, body, result, received_at AS "receivedAt" FROM (
      SELECT c.*, sum(octet_length(body)) OVER (ORDER BY id DESC) - octet_length(body) AS bytes_before FROM (
        SELECT d.id, d.dialect, d.body, d.result, d.received_at FROM webhook_deliveries d
        WHERE d.tenant_id = $1 AND d.id < $2::uuid AND octet_length(d.body) > 0 ORDER BY d.id DESC LIMIT $3
      ) c
    ) n WHERE bytes_before < $4 ORDER BY id DESC`,
};

/** $1 tenant, $2 ids → those of them that have a body. */
export const selectSearchedCalls: NamedStatement = {
  name: 'select-searched-webhook-deliveries',
  text: `SELECT d.id, d.dialect, d.body, d.result, d.received_at AS "receivedAt" FROM webhook_deliveries d
    WHERE d.tenant_id = $1 AND d.id = ANY($2::uuid[]) AND octet_length(d.body) > 0`,
};

/** $1 tenant, $2 ids, $3 what stays of their bodies. Answers and the words of refusals are erased too, because both may quote the body. */
export const eraseFromCalls: NamedStatement = {
  name: 'erase-from-webhook-deliveries',
  text: `UPDATE webhook_deliveries d SET body = e.body, result = NULL, reason = split_part(d.reason, ':', 1), erased_at = now()
    FROM unnest($2::uuid[], $3::bytea[]) AS e (id, body)
    WHERE d.tenant_id = $1 AND d.id = ANY($2::uuid[]) AND d.id = e.id`,
};

/** In one partition: $1 tenant, $2 lowest id that stays, $3 limit → how many went. */
export function deleteOldEntries(partition: string): NamedStatement {
  return {
    name: `delete-old-${partition}`,
    text: `WITH gone AS (
      DELETE FROM partitions.${partition} WHERE tenant_id = $1 AND id = ANY (ARRAY(
        SELECT d.id FROM partitions.${partition} d WHERE d.tenant_id = $1 AND d.id < $2::uuid ORDER BY d.id LIMIT $3
        FOR UPDATE SKIP LOCKED
      )) RETURNING id
    ) SELECT count(*)::int AS count FROM gone`,
  };
}

/**
 * Parts of a WITH that add reasons for missing effects to the journal, from `told` (tenant_id, delivery_id, reason). A call that was pruned
 * is left out.
 */
export const noteReasons = `call AS (
      SELECT w.tenant_id, w.id, t.reason
      FROM told t JOIN webhook_deliveries w ON w.tenant_id = t.tenant_id AND w.id = t.delivery_id
      ORDER BY w.tenant_id, w.id FOR NO KEY UPDATE OF w
    ), noted AS (
      UPDATE webhook_deliveries w SET reason = left(concat_ws('; ', w.reason, c.reason), ${maxReasonLength}) FROM call c
      WHERE w.tenant_id = c.tenant_id AND w.id = c.id
    )`;

// Counts the toll of a fault: acknowledged records that are missing, and records that exist twice. intake-verdict.ts judges each answer and
// each transition of intake.

import type { FaultyGateway } from './faulty-gateway.js';
import type { FeedReader, ToldEvent } from './feed-reader.js';
import type { AcknowledgedCall, IntakeLoad } from './intake-load.js';
import type { ReadRows } from './intake-verdict.js';
import type { SendLoad } from './send-load.js';

/** A time in which a primary acknowledged what its standby did not get: it may be lost with the primary. */
export interface LossWindow {
  /** Times of `performance.now()`. */
  fromMs: number;
  toMs: number;
}

/** Names of lost records, of doubled records, and of those that came in another order than the order of acceptance. */
export interface Toll {
  lost: string[];
  /** Lost records that were acknowledged in a `LossWindow`. */
  gone: string[];
  doubled: string[];
  disordered: string[];
}

export function joinTolls(tolls: readonly Toll[]): Toll {
  return {
    lost: tolls.flatMap(({ lost }) => lost),
    gone: tolls.flatMap(({ gone }) => gone),
    doubled: tolls.flatMap(({ doubled }) => doubled),
    disordered: tolls.flatMap(({ disordered }) => disordered),
  };
}

/** Divides lost records by whether the window explains the loss. */
function divide<Record extends { atMs: number }>(
  records: readonly Record[],
  nameOf: (record: Record) => string,
  window: LossWindow | undefined,
): Pick<Toll, 'lost' | 'gone'> {
  const isGone = ({ atMs }: Record) => window !== undefined && atMs >= window.fromMs && atMs <= window.toMs;
  return {
    lost: records.filter((record) => !isGone(record)).map(nameOf),
    gone: records.filter(isGone).map(nameOf),
  };
}

/** The ids of the records that an answer names: messages, or the lead. */
function recordsOf({ answer }: AcknowledgedCall): string[] {
  const { id, results } = answer as { id?: string; results?: { messageId: string | null; outcome?: string }[] };
  const parked = (result: { outcome?: string }) => result.outcome === 'parked';
  return [id ?? [], (results ?? []).flatMap((result) => (parked(result) ? [] : (result.messageId ?? [])))].flat();
}

/**
 * Finds calls whose journal entry, message or lead is missing, and messages, events about them and persons that exist twice. Call it once
 * no call is under way any more.
 */
export async function tollOfIntake(
  rowsOf: ReadRows,
  { prefix, tenant, acknowledged }: IntakeLoad,
  window?: LossWindow,
): Promise<Toll> {
  const kept = await rowsOf<{ key: string }>(
    `SELECT key FROM webhook_deliveries, LATERAL (SELECT convert_from(body, 'UTF8')::json->>'call' AS key) AS call
     WHERE tenant_id = '${tenant.id}' AND outcome = 'processed' AND starts_with(key, '${prefix}-')`,
  );
  const records = await rowsOf<{ id: string }>(
    `SELECT id FROM messages WHERE tenant_id = '${tenant.id}' UNION ALL SELECT id FROM leads WHERE tenant_id = '${tenant.id}'`,
  );
  const [keys, ids] = [new Set(kept.map(({ key }) => key)), new Set(records.map(({ id }) => id))];
  const lost = acknowledged.filter((call) => !keys.has(call.key) || recordsOf(call).some((id) => !ids.has(id)));
  const doubled = await rowsOf<{ name: string }>(
    `SELECT external_id AS name FROM messages WHERE starts_with(external_id, '${prefix}-')
       GROUP BY tenant_id, external_id HAVING count(*) > 1
     UNION ALL SELECT m.external_id FROM events e JOIN messages m ON m.id = e.message_id
       WHERE e.type = 'MESSAGE_RECEIVED' AND starts_with(m.external_id, '${prefix}-') GROUP BY m.external_id HAVING count(*) > 1
     UNION ALL SELECT min(chat) FROM leads
       GROUP BY tenant_id, regexp_replace(chat, '^(55..)9(.{8})$', '\\1\\2') HAVING count(*) > 1`,
  );
  return { ...divide(lost, ({ key }) => key, window), doubled: doubled.map(({ name }) => name), disordered: [] };
}

/**
 * Finds messages that the gateway never accepted, or accepted under two keys, or that became two. Call it once no message waits any more.
 */
export function tollOfSends(
  { acknowledged, ambiguous }: SendLoad,
  { acceptances }: FaultyGateway,
  window?: LossWindow,
): Toll {
  const acceptedAt = new Map(acceptances.map(({ key }, index) => [key, index]));
  const texts = Map.groupBy(acceptances, ({ text }) => text);
  const missing = acknowledged.filter(({ messageId }) => !acceptedAt.has(messageId));
  const { lost, gone } = divide(missing, ({ text }) => text, window);
  const names = new Set(gone);
  const doubled = acknowledged.filter(({ text }) => (texts.get(text)?.length ?? 0) > 1).map(({ text }) => text);
  const place = (messageId: string) => acceptedAt.get(messageId) ?? Infinity;
  const kept = acknowledged.filter(({ text }) => !names.has(text));
  const disordered = [...Map.groupBy(kept, ({ leadId }) => leadId).values()].flatMap((sends) =>
    sends.filter(({ messageId }, index) => index > 0 && place(messageId) < place(sends[index - 1]?.messageId ?? '')),
  );
  return { lost, gone, doubled: [...doubled, ...ambiguous], disordered: disordered.map(({ text }) => text) };
}

/**
 * Finds events that a client of the live feed missed, got twice, or keeps although the log does not have them. Events that the database has
 * lost are no fault where RESYNC_REQUIRED comes after them.
 */
export async function tollOfFeed(rowsOf: ReadRows, tenantId: string, reader: FeedReader): Promise<Toll> {
  const log = await rowsOf<{ seq: string; occurredAt: Date }>(
    `SELECT seq, occurred_at AS "occurredAt" FROM events WHERE tenant_id = '${tenantId}' ORDER BY seq`,
  );
  const times = new Map(log.map(({ seq, occurredAt }) => [Number(seq), occurredAt.getTime()]));
  await reader.finish(Math.max(0, ...times.keys()));
  const lastResync = reader.told.findLastIndex(({ isResync }) => isResync);
  const isOfLog = ({ seq, occurredAtMs }: ToldEvent) => times.get(seq) === occurredAtMs;
  const untold = reader.told.slice(lastResync + 1).filter((event) => !isOfLog(event));
  const steps = reader.told.slice(1).map((event, index) => ({ event, before: reader.told[index]?.seq ?? 0 }));
  const followed = steps.filter(({ event }) => !event.isResync);
  return {
    lost: [
      ...followed.filter(({ event, before }) => event.seq > before + 1).map(({ event }) => `event before ${event.seq}`),
      ...untold.map(({ seq }) => `the news that event ${seq} is lost`),
    ],
    gone: [],
    doubled: followed.filter(({ event, before }) => event.seq <= before).map(({ event }) => `event ${event.seq}`),
    disordered: [],
  };
}

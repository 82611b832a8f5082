// Counts the toll of a fault: acknowledged records that are missing, and records that exist twice. intake-verdict.ts judges each answer and
// each transition of intake.

import type { FaultyGateway } from './faulty-gateway.js';
import type { AcknowledgedCall, IntakeLoad } from './intake-load.js';
import type { ReadRows } from './intake-verdict.js';
import type { SendLoad } from './send-load.js';

/** Names of lost records, of doubled records, and of those that came in another order than the order of acceptance. */
export interface Toll {
  lost: string[];
  doubled: string[];
  disordered: string[];
}

export function joinTolls(tolls: readonly Toll[]): Toll {
  return {
    lost: tolls.flatMap(({ lost }) => lost),
    doubled: tolls.flatMap(({ doubled }) => doubled),
    disordered: tolls.flatMap(({ disordered }) => disordered),
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
export async function tollOfIntake(rowsOf: ReadRows, { prefix, acknowledged }: IntakeLoad): Promise<Toll> {
  const kept = await rowsOf<{ key: string }>(
    `SELECT key FROM webhook_deliveries, LATERAL (SELECT convert_from(body, 'UTF8')::json->>'call' AS key) AS call
     WHERE outcome = 'processed' AND starts_with(key, '${prefix}-')`,
  );
  const records = await rowsOf<{ id: string }>('SELECT id FROM messages UNION ALL SELECT id FROM leads');
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
  return { lost: lost.map(({ key }) => key), doubled: doubled.map(({ name }) => name), disordered: [] };
}

/**
 * Finds messages that the gateway never accepted, or accepted under two keys, or that became two. Call it once no message waits any more.
 */
export function tollOfSends({ acknowledged, ambiguous }: SendLoad, { acceptances }: FaultyGateway): Toll {
  const acceptedAt = new Map(acceptances.map(({ key }, index) => [key, index]));
  const texts = Map.groupBy(acceptances, ({ text }) => text);
  const lost = acknowledged.filter(({ messageId }) => !acceptedAt.has(messageId)).map(({ text }) => text);
  const doubled = acknowledged.filter(({ text }) => (texts.get(text)?.length ?? 0) > 1).map(({ text }) => text);
  const place = (messageId: string) => acceptedAt.get(messageId) ?? Infinity;
  const disordered = [...Map.groupBy(acknowledged, ({ leadId }) => leadId).values()].flatMap((sends) =>
    sends.filter(({ messageId }, index) => index > 0 && place(messageId) < place(sends[index - 1]?.messageId ?? '')),
  );
  return { lost, doubled: [...doubled, ...ambiguous], disordered: disordered.map(({ text }) => text) };
}

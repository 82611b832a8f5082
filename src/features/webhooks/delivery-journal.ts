// The journal: each webhook call as it arrived, with what became of it. Written in the transaction of its effects, or, when
// the call was refused, by itself. The API key is never part of it.

import { v7 as uuidv7 } from 'uuid';
import type { NamedStatement, SqlRunner } from '../../platform/database.js';
import type { WebhookCall } from './webhook-call.js';

export interface DeliveryOutcome {
  /** `partial`: some of the call's items were refused. */
  outcome: 'processed' | 'partial' | 'refused';
  reason?: string | undefined;
  result?: object | undefined;
}

const insertDelivery: NamedStatement = {
  name: 'insert-webhook-delivery',
  text: `INSERT INTO webhook_deliveries (tenant_id, id, route, headers, body, outcome, reason, result, received_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
};

export async function recordDelivery(sql: SqlRunner, call: WebhookCall, outcome: DeliveryOutcome): Promise<void> {
  const headers = { 'content-type': call.contentType, 'user-agent': call.userAgent, 'x-signature': call.signature };
  await sql.query(insertDelivery, [
    call.principal.tenantId,
    uuidv7(),
    call.route,
    JSON.stringify(storableHeaders(headers)),
    call.body,
    outcome.outcome,
    outcome.reason ?? null,
    outcome.result === undefined ? null : JSON.stringify(outcome.result),
  ]);
}

// Header values are Latin-1 without NUL by the HTTP grammar; they are cut so that a journal row stays small.
function storableHeaders(headers: Record<string, string | undefined>): Record<string, string> {
  const present = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, value.slice(0, 500)]));
}

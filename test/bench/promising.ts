// The hand-written server that keeps the product's promises, on a database of its own with the product's tables and the same leads.

import { prepareTables } from './baselines/promising-sql.js';
import { chatNumbers, inboundPath } from './inbound-call.js';
import { countEach, type Counts } from './loaded-server.js';
import { withClient } from './postgres.js';
import { prepareProduct, type PreparedProduct } from './product.js';
import { startProcess } from './server-process.js';
import type { BenchContext } from './side-by-side.js';
import { replaceInbound } from './stored-messages.js';

export const promisingName = 'node:http + pg, the same promises';

/** The note on this server that a reader of the table needs. */
export const promisingNote =
  `“${promisingName}” is written by hand, with one statement a call on eight connections: signature, key, rate limit, journal, ` +
  'lead, inbox and event as Leadwire, in one transaction a call and without batches. Its events come from a sequence, so that no call ' +
  'waits for another. It computes no dashboards and no search index, and reads one dialect.';

export interface PromisingServer extends PreparedProduct {
  url: string;
  pid: number;
}

/** Starts the server; every lead has one message. */
export async function startPromising(context: BenchContext): Promise<PromisingServer> {
  const { resources, signal } = context;
  const prepared = await prepareProduct(context, { databaseName: 'promising' });
  const { databaseUrl, tenant } = prepared;
  const stored = { tenantId: tenant.id, chatNumbers, messageCount: chatNumbers.length, route: inboundPath, signal };
  await replaceInbound(databaseUrl, stored);
  await withClient(databaseUrl, (client) => client.query(prepareTables));
  const environment = { ...prepared.environment, DATABASE_URL: databaseUrl, THROTTLE_LIMIT: '10000000' };
  const script = 'test/bench/baselines/promising-intake.ts';
  return { ...prepared, ...(await startProcess({ script, environment, resources, signal })) };
}

/** Counts the rows that inbound messages leave, in the product's database or in this server's. */
export function countMessagesKept(url: string): Promise<Counts> {
  return countEach(url, {
    messages: "messages WHERE direction = 'INBOUND'",
    'calls in the journal': `webhook_deliveries WHERE route = '${inboundPath}' AND outcome = 'processed'`,
    events: "events WHERE type = 'MESSAGE_RECEIVED'",
  });
}

/** Counts the rows that statuses leave. */
export function countStatusesKept(url: string, path: string): Promise<Counts> {
  return countEach(url, {
    messages: "messages WHERE status = 'DELIVERED'",
    transitions: "message_status_transitions WHERE to_status = 'DELIVERED'",
    'calls in the journal': `webhook_deliveries WHERE route = '${path}' AND outcome = 'processed'`,
    events: "events WHERE type = 'MESSAGE_STATUS_CHANGED'",
  });
}

/** Counts the rows that new leads leave. */
export function countLeadsKept(url: string, path: string): Promise<Counts> {
  return countEach(url, {
    leads: 'leads',
    identities: 'lead_identities',
    touches: 'lead_touches',
    'calls in the journal': `webhook_deliveries WHERE route = '${path}' AND outcome = 'processed'`,
    events: "events WHERE type = 'LEAD_CREATED'",
  });
}

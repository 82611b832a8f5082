// A version of the product with an attacker's tenant and others: its stored data, and the process under attack.

import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { chatNumberOf } from '../inbound-call.js';
import { enlargeLeads } from '../large-leads.js';
import { settle } from '../loaded-server.js';
import { withClient } from '../postgres.js';
import { prepareProduct, type PreparedProduct } from '../product.js';
import type { ProductVersion } from '../product-version.js';
import { ResidentMemory } from '../resident-memory.js';
import { startServer } from '../server-process.js';
import type { BenchContext } from '../side-by-side.js';
import { storeConversations } from '../stored-conversations.js';
import { storeProductSends } from '../stored-messages.js';
import { storeLeads } from '../waiting-messages.js';
import { AttackProcess } from './attack-process.js';
import type { Attack, Target } from './attack.js';
import { BystanderGateway, Bystanders, type Bystander, type Experience } from './bystanders.js';

const leadCount = 5_000;
export const messageCount = 300_000;
const days = 30;
const largeLeads = 300;
const longLeadMessages = 30_000;
const largestPage = 200;
// There are so many bystanders that none of them reaches its own limit.
const bystanderCount = 12;
const leadsPerBystander = 200;
const sendsPerBystander = 400;
const operatorCount = 4;
const warmUpMs = 3_000;
/** The time in which the rest of an attack may still take memory. */
const aftermathMs = 1_000;

export interface Ordeal extends Experience {
  /** The most that the process grew by; undefined when this machine does not report it. */
  grownBytes: number | undefined;
  hasEnded: boolean;
  /** The count of each outcome of the attacker's own calls. */
  outcomes: Record<string, number>;
}

export class Stage {
  private constructor(
    private readonly context: BenchContext,
    private readonly product: PreparedProduct,
    private readonly bystanders: readonly Bystander[],
    private readonly target: Omit<Target, 'url'>,
    private readonly gateway: BystanderGateway,
  ) {}

  /** Fills a database of the version's own. */
  static async prepare(context: BenchContext, version: ProductVersion, databaseName: string): Promise<Stage> {
    const gateway = await BystanderGateway.start(context.resources);
    const product = await prepareProduct(context, {
      version,
      databaseName,
      environment: { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: 'bench', GATEWAY_ALLOWED_HOSTS: '127.0.0.1' },
      otherTenantCount: bystanderCount,
      operatorCount,
    });
    const { databaseUrl, tenant, webhookSecret } = product;
    context.progress(`${databaseName}: storing ${messageCount.toLocaleString('en')} messages`);
    await using resources = new AsyncDisposableStack();
    // The product computes the dashboards of the stored messages.
    await startServer({
      folder: version.folder,
      script: 'dist/main.js',
      environment: product.environment,
      resources,
      signal: context.signal,
    });
    const { signal } = context;
    await storeConversations(databaseUrl, { tenantId: tenant.id, leadCount, messageCount, days, signal });
    const longLeads = await lengthenLeads(databaseUrl, tenant.id);
    const others = longLeads.map(({ id }) => id);
    const largeLeadIds = await enlargeLeads(databaseUrl, { tenantId: tenant.id, count: largeLeads, others });
    await fillPage(databaseUrl, tenant.id, largeLeadIds[0], others);
    const bystanders: Bystander[] = [];
    for (const [index, other] of product.otherTenants.entries())
      bystanders.push({ ...other, ...(await storeBystander(databaseUrl, other.id, index)) });
    await settle([databaseUrl]);
    return new Stage(context, product, bystanders, { tenant, webhookSecret, largeLeadIds, longLeads }, gateway);
  }

  /** Starts the process, and attacks it. @param wrapper the command that runs the process */
  async face(attack: Attack | undefined, seconds: number, wrapper: readonly string[]): Promise<Ordeal> {
    const { signal } = this.context;
    await using resources = new AsyncDisposableStack();
    let pid = 0;
    const { version, environment, webhookSecret, databaseUrl } = this.product;
    resources.defer(() => clearUp(databaseUrl));
    const url = await startServer({
      folder: version.folder,
      script: 'dist/main.js',
      nodeArguments: version.nodeArguments,
      wrapper,
      environment,
      // The state of the process does not count any more, so it needs no clean stop.
      endsBy: 'SIGKILL',
      onSpawn: (started) => (pid = started),
      resources,
      signal,
    });
    const attacker = attack && (await AttackProcess.start(attack, { ...this.target, url }, resources));
    const bystanders = new Bystanders({ url, webhookSecret, gateway: this.gateway, tenants: this.bystanders });
    await bystanders.experience(warmUpMs, signal);
    const memory = await ResidentMemory.follow(pid);
    if (attack?.waitsForRetries === true) await hurryRetries(databaseUrl, this.target.tenant.id);
    attacker?.begin();
    const experience = await bystanders.experience(seconds * 1_000, signal);
    const outcomes = (await attacker?.end()) ?? {};
    await delay(aftermathMs, undefined, { signal });
    return { ...experience, outcomes, ...memory.end() };
  }
}

/** Gives a lead as many messages as a page holds, but none of the other leads' messages. */
async function fillPage(
  url: string,
  tenantId: string,
  leadId: string | undefined,
  others: readonly string[],
): Promise<void> {
  const text = `UPDATE messages SET lead_id = $2 WHERE tenant_id = $1 AND id IN (
    SELECT id FROM messages WHERE tenant_id = $1 AND lead_id <> ALL ($3::uuid[]) LIMIT $4::int)`;
  await withClient(url, (client) => client.query(text, [tenantId, leadId, others, largestPage]));
}

/** @returns two more leads, with known numbers and many messages each */
async function lengthenLeads(url: string, tenantId: string): Promise<Target['longLeads']> {
  const chats = [chatNumberOf(1), chatNumberOf(2)];
  return withClient(url, async (client) => {
    const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows as unknown[];
    await storeLeads(run, tenantId, chats);
    const found = 'SELECT id, chat FROM leads WHERE tenant_id = $1 AND chat = ANY ($2::text[])';
    const { rows } = await client.query<{ id: string; chat: string }>(found, [tenantId, chats]);
    for (const { id } of rows) {
      const text = `UPDATE messages SET lead_id = $2 WHERE tenant_id = $1 AND id IN (
        SELECT id FROM messages WHERE tenant_id = $1 AND lead_id <> ALL ($3::uuid[]) ORDER BY id LIMIT $4::int)`;
      await client.query(text, [tenantId, id, rows.map((row) => row.id), longLeadMessages]);
      await client.query(
        `UPDATE leads SET (last_message_id, last_message_position) = (SELECT id, position FROM messages WHERE lead_id = $1
         ORDER BY position DESC LIMIT 1) WHERE id = $1`,
        [id],
      );
    }
    return rows;
  });
}

async function storeBystander(
  url: string,
  tenantId: string,
  index: number,
): Promise<Pick<Bystander, 'chats' | 'leadIds' | 'sentIds'>> {
  const chats = Array.from({ length: leadsPerBystander }, (_, number) => chatNumberOf(1_000 * (index + 1) + number));
  const sentIds = Array.from({ length: sendsPerBystander }, () => `sent-${randomUUID()}`);
  const leadIds = await withClient(url, async (client) => {
    const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows as unknown[];
    await storeLeads(run, tenantId, chats);
    return (await run('SELECT id FROM leads WHERE tenant_id = $1', [tenantId])) as { id: string }[];
  });
  await storeProductSends(url, { tenantId, text: 'Oi', externalIds: sentIds });
  return { chats, sentIds, leadIds: leadIds.map(({ id }) => id) };
}

async function hurryRetries(url: string, tenantId: string): Promise<void> {
  const text = 'UPDATE outbox_entries SET due_at = now() WHERE tenant_id = $1 AND due_at > now()';
  await withClient(url, (client) => client.query(text, [tenantId]));
}

/** Ends the queries and deletes the waiting sends of an ended process: they would slow the next attack down. */
async function clearUp(url: string): Promise<void> {
  const end =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await withClient(url, async (client) => {
    await client.query(end);
    await client.query('DELETE FROM outbox_entries');
  });
}

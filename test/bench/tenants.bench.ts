// The memory, timers and connections of a process for many tenants that each do a little and then nothing. The bench also counts the
// statements that the idle process goes on making.

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/redis-server.js';
import { openGraphqlSocket, subscribe } from './audience.js';
import { Connection } from './connection.js';
import type { Held } from './held-probe.js';
import { inboundPath, randomExternalId, signedHeaders } from './inbound-call.js';
import { withClient } from './postgres.js';
import { startProduct, type Product } from './product.js';
import { ProductVersion } from './product-version.js';
import { BenchGateway } from './sending-product.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';
import { countStatements } from './statement-count.js';

const tenantCount = 10_000;
const insertedAtOnce = 1_000;
const connectionCount = 32;
/** A tenant in so many has a socket with a subscription while it does its little. */
const socketEvery = 10;
const settleMs = 3_000;
/** The time is longer than any count or remembered value lasts. */
const idleMs = 100_000;
const countedMs = 20_000;
const jwtSecret = 'many tenants '.repeat(4);
const probe = fileURLToPath(new URL('held-probe.ts', import.meta.url));
const inboxQuery = '{ inbox(first: 20) { edges { node { id name unreadCount lastMessage { id body } } } } }';
const sendMutation = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';

interface SmallTenant {
  apiKey: string;
  token: string;
  number: number;
}

export const tenantsBench: Bench = { name: 'tenants', run: runTenants };

async function runTenants(context: BenchContext): Promise<Listing[]> {
  const count = context.isBrief === true ? 40 : tenantCount;
  const gateway = await BenchGateway.start(context);
  const port = await freePort();
  const product = await startProduct(context, {
    environment: { ...gateway.environment, JWT_SECRET: jwtSecret, HELD_PROBE_PORT: String(port) },
    nodeArguments: ['--import', probe],
  });
  const look = async () => (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Held;
  const tenants = await createTenants(product, count);
  // The bench measures memory and no time, so that no commit has to wait for the disk.
  await withClient(product.databaseUrl, async (client) => {
    await client.query('ALTER SYSTEM SET synchronous_commit = off');
    await client.query('SELECT pg_reload_conf()');
  });
  await delay(settleMs, undefined, { signal: context.signal });
  const rows: string[][] = [];
  const note = async (moment: string) => {
    const held = await look();
    context.progress(`${moment}: ${describe(held)}`);
    for (const { entries, keys } of held.collections) context.progress(`  ${entries}: ${keys.replaceAll(/\s+/g, ' ')}`);
    rows.push([moment, ...cellsOf(held)]);
  };
  await note('before');
  const startedAt = performance.now();
  await doLittle(product, tenants, context);
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  context.progress(`${count} tenants did their little in ${tookSeconds.toFixed(1)} s`);
  await note('at the end of it');
  await delay(context.isBrief === true ? settleMs : idleMs, undefined, { signal: context.signal });
  await note(`${idleMs / 1_000} s later`);
  const { statements, commits, top } = await countStatements(product.databaseUrl, async () => {
    await delay(context.isBrief === true ? settleMs : countedMs, undefined, { signal: context.signal });
  });
  for (const { text, calls } of top) context.progress(`  ${calls}: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
  const perSecond = (number: number) => ((number * 1_000) / countedMs).toFixed(1);
  return [
    {
      title: `A process, API and worker, with ${count.toLocaleString('en')} tenants that each do a little`,
      columns: ['', 'resident', 'JavaScript heap', 'timers', 'connections', 'greatest Map or Set'],
      rows,
      notes: [
        `Each tenant: 3 inbound messages in 2 calls, an inbox, a message sent; every ${socketEvery}th a subscription, whose socket ` +
          `then closes. All in ${tookSeconds.toFixed(0)} s, over ${connectionCount} connections.`,
        `Then, without callers: ${perSecond(statements)} statements and ${perSecond(commits)} commits a second, job queue included.`,
      ],
    },
  ];
}

/** Writes the tenants by SQL, because creating as many through the API would take minutes. */
async function createTenants({ databaseUrl }: Product, count: number): Promise<SmallTenant[]> {
  const tokenOf = await ProductVersion.current.tokenIssuer(jwtSecret);
  return withClient(databaseUrl, async (client) => {
    const tenants: SmallTenant[] = [];
    for (let start = 0; start < count; start += insertedAtOnce) {
      const numbers = Array.from({ length: Math.min(insertedAtOnce, count - start) }, (_, index) => start + index);
      const slugs = numbers.map((number) => `small-${number}`);
      const apiKeys = slugs.map((slug) => `lw_${createHash('sha256').update(slug).digest('base64url')}`);
      const { rows } = await client.query<{ tenantId: string; userId: string }>(insertTenants, [slugs, apiKeys]);
      for (const [index, { tenantId, userId }] of rows.entries()) {
        const token = tokenOf({ tenantId, userId }, `${slugs[index]}-admin`);
        tenants.push({ apiKey: apiKeys[index] ?? '', token, number: start + index });
      }
    }
    await client.query('VACUUM ANALYZE');
    return tenants;
  });
}

const insertTenants = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS g (slug, api_key, position)
  ), tenant AS (
    INSERT INTO tenants (id, name, slug, updated_at) SELECT uuidv7(), slug, slug, now() FROM given RETURNING id, slug
  ), key AS (
    INSERT INTO tenant_api_keys (tenant_id, id, hash, ciphertext)
    SELECT id, uuidv7(), sha256(convert_to(api_key, 'UTF8')), '' FROM tenant JOIN given USING (slug)
  ), person AS (
    INSERT INTO users (tenant_id, id, role, email, idp_sub, updated_at)
    SELECT id, uuidv7(), 'ADMIN', 'admin@' || slug || '.example', slug || '-admin', now() FROM tenant RETURNING tenant_id, id
  ), account AS (
    INSERT INTO accounts (tenant_id, id, user_id, name, updated_at)
    SELECT tenant_id, uuidv7(), id, 'Bench', now() FROM person RETURNING tenant_id, id
  ), instance AS (
    INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, is_default, status, told_status, updated_at)
    SELECT a.tenant_id, uuidv7(), a.id, t.slug || '-instance', true, 'CONNECTED', 'CONNECTED', now()
    FROM account a JOIN tenant t ON t.id = a.tenant_id
  )
  SELECT t.id AS "tenantId", p.id AS "userId" FROM tenant t JOIN person p ON p.tenant_id = t.id JOIN given USING (slug)
  ORDER BY position`;

async function doLittle(product: Product, tenants: readonly SmallTenant[], { signal }: BenchContext): Promise<void> {
  const waiting = tenants.values();
  const work = async () => {
    const connection = await Connection.open(product.url);
    for (const tenant of waiting) {
      signal.throwIfAborted();
      await serve(product, connection, tenant);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connectionCount }, work));
  await untilAllIsSent(product, signal);
}

async function serve(product: Product, connection: Connection, tenant: SmallTenant): Promise<void> {
  const hasSocket = tenant.number % socketEvery === 0;
  const socket = hasSocket ? await openGraphqlSocket(product.url, tenant.token) : undefined;
  if (socket !== undefined) subscribe(socket, 'subscription { messageReceived { id body lead { id name } } }');
  await write(product, connection, tenant, 1);
  await write(product, connection, tenant, 2);
  const inbox = await ask(product, connection, tenant, { query: inboxQuery });
  const leadId = /"node":\{"id":"([^"]+)"/.exec(inbox)?.[1];
  if (leadId === undefined) throw new Error(`An inbox is empty: ${inbox.slice(0, 500)}`);
  const input = { leadId, body: 'Pode ser às 15h' };
  const sent = await ask(product, connection, tenant, { query: sendMutation, variables: { input } });
  if (!sent.includes('"sendMessage":{')) throw new Error(`Not sent: ${sent.slice(0, 500)}`);
  await socket?.untilFrames(1);
  socket?.close();
}

async function write(product: Product, connection: Connection, tenant: SmallTenant, count: number): Promise<void> {
  const from = `55119${String(80_000_000 + tenant.number)}`;
  const messages = Array.from({ length: count }, () => ({
    messageId: randomExternalId('small'),
    from,
    name: 'Ana',
    text: 'Bom dia! Ainda tem a casa?',
  }));
  const body = JSON.stringify({ messages });
  const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret: product.webhookSecret });
  await exchange(product, connection, { path: inboundPath, body, headers });
}

function ask(product: Product, connection: Connection, { token }: SmallTenant, document: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return exchange(product, connection, { path: '/graphql', body: JSON.stringify(document), headers });
}

interface Call {
  path: string;
  body: string;
  headers: Record<string, string>;
}

async function exchange({ url }: Product, connection: Connection, call: Call): Promise<string> {
  const { status, body } = await connection.exchange(Connection.serialise(url, { method: 'POST', ...call }));
  if (status !== 200) throw new Error(`Answered with ${status}: ${body.slice(0, 500)}`);
  return body;
}

async function untilAllIsSent({ databaseUrl }: Product, signal: AbortSignal): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    while ((await client.query('SELECT FROM outbox_entries LIMIT 1')).rowCount !== 0)
      await delay(100, undefined, { signal });
  });
}

function describe(held: Held): string {
  const [resident, heap, timers, connections, greatest] = cellsOf(held);
  return `${resident} resident, heap ${heap}, ${timers} timers, ${connections} connections, greatest ${greatest}`;
}

function cellsOf({ residentBytes, heapBytes, timers, connections, collections }: Held): string[] {
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  return [
    megabytes(residentBytes),
    megabytes(heapBytes),
    String(timers),
    String(connections),
    (collections[0]?.entries ?? 0).toLocaleString('en'),
  ];
}

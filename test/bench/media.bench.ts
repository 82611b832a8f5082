// Files: what 500 of 10 MB at a time cost the process in memory, and the callers of its webhooks in time. First uploads by users of many
// tenants, then files of inbound messages, which are fetched a few at a time.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { png } from '../features/media/sample-files.js';
import { createLeads, inboundPath, inboundRequests, signedHeaders } from './inbound-call.js';
import { withClient } from './postgres.js';
import { startProduct } from './product.js';
import type { Product, ProductTenant } from './product.js';
import { ResidentMemory } from './resident-memory.js';
import { percentile } from './side-by-side.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';

const fileCount = 500;
/** A user may have four uploads at a time. */
const uploadsPerTenant = 4;
const fileBytes = 10_000_000;
const callsPerSecond = 40;
const quietMs = 10_000;
const pollMs = 200;

export const mediaBench: Bench = { name: 'media', run: runMedia };

interface Figures {
  p50Ms: number;
  p99Ms: number;
  grownBytes: number | undefined;
  seconds: number;
}

async function runMedia(context: BenchContext): Promise<Listing[]> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-bench-media-'));
  context.resources.defer(() => rm(folder, { recursive: true, force: true }));
  let pid = 0;
  const product = await startProduct(context, {
    otherTenantCount: fileCount / uploadsPerTenant - 1,
    environment: { DATA_DIR: folder, GATEWAY_ALLOWED_HOSTS: '127.0.0.1' },
    onSpawn: (started) => (pid = started),
  });
  await createLeads({ ...product, otherTenants: [] });
  // An image of 10 MB would be refused: the content is a document of no known type.
  const document = Buffer.alloc(fileBytes, 1);
  const files = await startFiles(context);
  const tenants = [product.tenant, ...product.otherTenants];
  const quiet = await follow(product, pid, () => delay(quietMs));
  context.progress('quiet');
  const uploads = await follow(product, pid, () => uploadAll(product, tenants, document));
  context.progress('uploads');
  const fetches = await follow(product, pid, () => receiveAll(product, tenants, files));
  context.progress('fetches');
  return [describe({ quiet, uploads, fetches })];
}

async function uploadAll({ url }: Product, tenants: readonly ProductTenant[], document: Buffer): Promise<void> {
  const upload = async ({ token }: ProductTenant) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
    // One buffer for all: `fetch` would copy it for each.
    const call = request(`${url}/media`, { method: 'POST', headers, agent: false });
    call.end(document);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const body = await text(answer);
    if (answer.statusCode !== 201) throw new Error(`An upload was answered ${answer.statusCode}: ${body}`);
  };
  await Promise.all(tenants.flatMap((tenant) => Array.from({ length: uploadsPerTenant }, () => upload(tenant))));
}

async function receiveAll(product: Product, tenants: readonly ProductTenant[], address: string): Promise<void> {
  for (const [index, tenant] of tenants.entries()) {
    const messages = Array.from({ length: uploadsPerTenant }, (_, file) => ({
      messageId: `file-${index}-${file}`,
      from: `5511970000${String(file).padStart(3, '0')}`,
      type: 'image',
      media: { url: `${address}/${index}-${file}`, mimeType: 'image/png' },
    }));
    const body = JSON.stringify({ messages });
    const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret: product.webhookSecret });
    const answer = await fetch(`${product.url}${inboundPath}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`Messages with files were answered ${answer.status}: ${await answer.text()}`);
  }
  await withClient(product.databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ state: string; count: number }>(
        'SELECT state, count(*)::int AS count FROM media_files WHERE message_id IS NOT NULL GROUP BY state',
      );
      const other = rows.find(({ state }) => state !== 'STORED' && state !== 'PENDING');
      if (other !== undefined) throw new Error(`${other.count} files are ${other.state}`);
      if (rows.find(({ state }) => state === 'STORED')?.count === fileCount) return;
      await delay(pollMs);
    }
  });
}

/** A picture at every path. @returns its address */
async function startFiles({ resources }: BenchContext): Promise<string> {
  const picture = png(fileBytes);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length }).end(picture);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Posts inbound messages at a steady pace while `work` runs. */
async function follow(product: Product, pid: number, work: () => Promise<void>): Promise<Figures> {
  const memory = await ResidentMemory.follow(pid);
  const { tenant, webhookSecret: secret } = product;
  const next = inboundRequests({ messagePrefix: `media-${Date.now()}`, ...tenant, secret });
  const timesMs: number[] = [];
  const calls: Promise<void>[] = [];
  const call = async () => {
    const { body, headers } = next();
    const startedAtMs = performance.now();
    const answer = await fetch(`${product.url}${inboundPath}`, {
      method: 'POST',
      headers: headers ?? {},
      body,
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A message was answered ${answer.status}`);
    timesMs.push(performance.now() - startedAtMs);
  };
  const startedAtMs = performance.now();
  const timer = setInterval(() => calls.push(call()), 1_000 / callsPerSecond);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  await Promise.all(calls);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const sorted = Float64Array.from(timesMs).sort();
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), seconds, ...memory.end() };
}

function describe({ quiet, ...loads }: Record<'quiet' | 'uploads' | 'fetches', Figures>): Listing {
  const names = { quiet: 'nothing', uploads: `${fileCount} uploads`, fetches: `${fileCount} files of messages` };
  const row = (name: keyof typeof names, { p50Ms, p99Ms, grownBytes, seconds }: Figures) => [
    names[name],
    `${seconds.toFixed(1)} s`,
    grownBytes === undefined ? '–' : `${Math.round(grownBytes / 1_000_000)} MB`,
    `${p50Ms.toFixed(1)} ms`,
    `${p99Ms.toFixed(1)} ms`,
    (p99Ms / quiet.p99Ms).toFixed(2),
  ];
  return {
    title: 'Files of 10 MB: memory of the process, and how long inbound messages wait meanwhile',
    columns: ['what goes on', 'time', 'memory above idle', 'p50', 'p99', 'p99 ÷ quiet'],
    rows: [row('quiet', quiet), row('uploads', loads.uploads), row('fetches', loads.fetches)],
    notes: [
      `${callsPerSecond} messages a second of another tenant's leads. Uploads begin together, 4 for each of ${fileCount / uploadsPerTenant} users. ` +
        'Files of messages are noted at once and fetched 16 at a time. Store: a folder.',
    ],
  };
}

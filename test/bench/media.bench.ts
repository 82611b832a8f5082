// Files: the memory and the webhook callers' time that 500 files of 10 MB at a time cost, coming in and going out. The bench also measures
// how soon a photo from a gateway can be seen.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MediaAddresses } from '../../src/features/media/media-address.js';
import { measureFirstSight } from './first-sight.js';
import { createLeads, inboundPath, signedHeaders } from './inbound-call.js';
import type { DownloadOrder, UploadOrder } from './media-peer.js';
import { withClient } from './postgres.js';
import { startProduct, type Product, type ProductTenant } from './product.js';
import { ResidentMemory } from './resident-memory.js';
import { startServer } from './server-process.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';
import { callSteadily, steadyCallsPerSecond, type SteadyFigures } from './steady-calls.js';

const fileCount = 500;
/** A user may have four uploads at a time. */
const filesPerTenant = 4;
const fileBytes = 10_000_000;
/** The product fetches 16 of them at a time, whatever their number. */
const fetchCount = 64;
const quietMs = 15_000;
const pollMs = 200;

export const mediaBench: Bench = { name: 'media', run: runMedia };

interface Figures extends SteadyFigures {
  grownBytes: number | undefined;
}

async function runMedia(context: BenchContext): Promise<Listing[]> {
  const { resources, signal, progress } = context;
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-bench-media-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const peer = await startServer({ script: 'test/bench/media-peer.ts', environment: {}, resources, signal });
  const encryptionKey = randomBytes(32);
  let pid = 0;
  const product = await startProduct(context, {
    otherTenantCount: fileCount / filesPerTenant - 1,
    environment: {
      DATA_DIR: folder,
      GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
      ENCRYPTION_KEY: encryptionKey.toString('hex'),
    },
    onSpawn: (started) => (pid = started),
  });
  const { url } = product;
  await createLeads({ ...product, otherTenants: [] });
  const tenants = [product.tenant, ...product.otherTenants];
  progress('ready');
  const idle = await ResidentMemory.follow(pid);
  const follow = async (what: string, work: () => Promise<unknown>): Promise<Figures> => {
    const memory = await ResidentMemory.follow(pid, idle.before);
    const figures = { ...(await callSteadily(product, work)), ...memory.end() };
    progress(describeProgress(what, figures));
    return figures;
  };
  const quiet = await follow('quiet', () => delay(quietMs, undefined, { signal }));
  idle.end();
  let uploaded: string[] = [];
  const uploads = await follow('uploads', async () => {
    const order: UploadOrder = {
      url,
      tokens: tenants.map(({ token }) => token),
      filesPerToken: filesPerTenant,
      bytes: fileBytes,
    };
    uploaded = await tell<string[]>(`${peer}/upload`, order, signal);
  });
  const addresses = new MediaAddresses({ secrets: [encryptionKey], publicUrl: url });
  const urls = uploaded.map((id, index) => addresses.of(tenants[Math.floor(index / filesPerTenant)]?.id ?? '', id));
  const order: DownloadOrder = { urls, bytes: fileBytes };
  const downloads = await follow('downloads', () => tell(`${peer}/download`, order, signal));
  const fetches = await follow('fetches', () =>
    receiveAll(product, tenants.slice(0, fetchCount / filesPerTenant), `${peer}/files/${fileBytes}`, signal),
  );
  return [describe({ quiet, uploads, downloads, fetches }), await measureFirstSight(product, peer, progress)];
}

async function tell<Answer>(address: string, order: object, signal: AbortSignal): Promise<Answer> {
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(order), signal });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}

async function receiveAll(
  product: Product,
  tenants: readonly ProductTenant[],
  address: string,
  signal: AbortSignal,
): Promise<void> {
  for (const [index, tenant] of tenants.entries()) {
    const messages = Array.from({ length: filesPerTenant }, (_, file) => ({
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
      if (rows.find(({ state }) => state === 'STORED')?.count === fetchCount) return;
      await delay(pollMs, undefined, { signal });
    }
  });
}

const inMegabytes = (bytes: number | undefined) => (bytes === undefined ? '–' : `${Math.round(bytes / 1_000_000)} MB`);

function describeProgress(what: string, { seconds, grownBytes, p50Ms, p99Ms }: Figures): string {
  return `${what}: ${seconds.toFixed(1)} s, ${inMegabytes(grownBytes)}, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

function describe({ quiet, uploads, downloads, fetches }: Record<string, Figures | undefined>): Listing {
  const row = (name: string, figures: Figures | undefined) => {
    if (figures === undefined || quiet === undefined) throw new RangeError('nothing was measured');
    const { p50Ms, p99Ms, grownBytes, seconds } = figures;
    const times = [p50Ms, p99Ms].map((timeMs) => `${timeMs.toFixed(1)} ms`);
    return [name, `${seconds.toFixed(1)} s`, inMegabytes(grownBytes), ...times, (p99Ms / quiet.p99Ms).toFixed(2)];
  };
  return {
    title: 'Files of 10 MB: memory of the process, and how long inbound messages wait meanwhile',
    columns: ['what goes on', 'time', 'memory above idle', 'p50', 'p99', 'p99 ÷ quiet'],
    rows: [
      row('nothing', quiet),
      row(`${fileCount} uploads`, uploads),
      row(`${fileCount} downloads`, downloads),
      row(`${fetchCount} files of messages`, fetches),
    ],
    notes: [
      `${steadyCallsPerSecond} messages a second of one tenant's leads. Uploads and downloads begin together, ${filesPerTenant} for each of ` +
        `${fileCount / filesPerTenant} tenants. Uploads come over a network that carries about 100 MB a second. Files of messages are noted at once and fetched 16 at a time. Store: a folder.`,
    ],
  };
}

// The hot paths of the product on a tenant with years of messages, and on one with ten thousand. Tens of millions of messages take long to
// store, so `--keep <folder>` keeps the databases: the first run with a folder fills it, and the next ones measure. `--before <folder>`
// measures another version on them, of which this one has all migrations.

import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { HotPaths, learnWords, type HotPath } from './hot-paths.js';
import { startForFilling, startKeptPostgres, trackStatements, withClient, type BenchPostgres } from './postgres.js';
import { prepareProduct, type PreparedProduct, type Product } from './product.js';
import { ProductVersion } from './product-version.js';
import { BenchGateway } from './sending-product.js';
import { startProcess } from './server-process.js';
import { median, type Bench, type BenchContext, type Listing } from './side-by-side.js';
import { storeYears } from './stored-years.js';

const manyMessages = 5_000_000;
const fewMessages = 10_000;
const briefMessages = 20_000;
/** A lead has so many messages on average. A small tenant has more leads, so that pages of its inbox are full. */
const messagesPerLead = 500;
const leastLeads = 1_000;
const turns = 3;
const callsOfTurn = 30;
const slowCalls = 8;

export const yearsBench: Bench = { name: 'years', run: runYears };

interface Stored {
  messages: number;
  product: Omit<PreparedProduct, 'version'>;
}

async function runYears(context: BenchContext): Promise<Listing[]> {
  const folder = context.keptIn ?? join(tmpdir(), `leadwire-bench-years-${process.pid}`);
  if (context.keptIn === undefined) context.resources.defer(() => rm(folder, { recursive: true, force: true }));
  const described = join(folder, 'stored.json');
  if (!existsSync(described)) {
    const messages = context.messages ?? (context.isBrief === true ? briefMessages : manyMessages);
    const stored = await fill(context, folder, [messages, fewMessages]);
    await writeFile(described, JSON.stringify(stored));
    if (context.keptIn !== undefined) return [];
  }
  const stored = JSON.parse(await readFile(described, 'utf8')) as Stored[];
  const postgres = await startKeptPostgres(folder, context.resources);
  await trackStatements(postgres.databaseUrl('postgres'), 'top');
  const sides: Measured[] = [];
  for (const one of stored) sides.push(await start(context, postgres, one));
  return [await measure(context, sides), await listSizes(postgres, stored)];
}

/** The product on one of the databases. */
interface Measured {
  messages: number;
  client: pg.Client;
  paths: HotPath[];
  /** The figures of each path, by its place. */
  figures: Figures[];
}

/** The figures of a path's turns. */
interface Figures {
  timesMs: number[];
  /** The time and the pages of PostgreSQL, by statement and call. */
  statements: Map<string, { ms: number; pages: number }>;
  calls: number;
}

async function start(context: BenchContext, postgres: BenchPostgres, { messages, product }: Stored): Promise<Measured> {
  const { resources, signal } = context;
  const databaseUrl = postgres.databaseUrl(databaseNameOf(messages));
  const gateway = await BenchGateway.start(context);
  const { folder, nodeArguments } = context.before ?? ProductVersion.current;
  const environment = {
    ...product.environment,
    ...gateway.environment,
    DATABASE_URL: databaseUrl,
    THROTTLE_LIMIT: '10000000',
  };
  const process = await startProcess({ folder, script: 'dist/main.js', nodeArguments, environment, resources, signal });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  resources.defer(() => client.end());
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await client.query(renameAccepted, [product.tenant.id]);
  await learnWords(client);
  const tokenOf = await ProductVersion.current.tokenIssuer(product.environment['JWT_SECRET'] ?? '');
  const { rows } = await client.query<{ userId: string; idpSub: string }>(
    'SELECT id AS "userId", idp_sub AS "idpSub" FROM users WHERE tenant_id = $1 AND role = $2',
    [product.tenant.id, 'ADMIN'],
  );
  const token = tokenOf({ userId: rows[0]?.userId ?? '', tenantId: product.tenant.id }, rows[0]?.idpSub ?? '');
  const startAnother = () => Promise.reject(new Error('one process is enough'));
  const running: Product = { ...product, ...process, databaseUrl, startAnother, tenant: { ...product.tenant, token } };
  const hotPaths = await HotPaths.on(running, client);
  resources.defer(() => hotPaths.close());
  const wanted = new RegExp(context.pathNames ?? '');
  const paths = hotPaths.all().filter(({ name }) => wanted.test(name));
  return { messages, client, paths, figures: paths.map(() => ({ timesMs: [], statements: new Map(), calls: 0 })) };
}

/** Each gateway counts its ids from 1: those of the run before get other ones. */
const renameAccepted = `UPDATE messages SET external_id = id::text
  WHERE tenant_id = $1 AND created_at > now() - interval '1 day' AND external_id LIKE 'accepted-%'`;

/** The sides take turns at each path, so that a slow moment of the machine slows both. */
async function measure(context: BenchContext, sides: readonly Measured[]): Promise<Listing> {
  const rounds = context.isBrief === true ? 1 : turns;
  const names = sides[0]?.paths.map(({ name }) => name) ?? [];
  for (const [index, name] of names.entries()) {
    for (let round = 0; round <= rounds; round += 1) {
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
        context.signal.throwIfAborted();
        await takeTurn(side, index, round);
      }
    }
    context.progress(
      `${name}: ${sides.map((side) => median(side.figures[index]?.timesMs ?? []).toFixed(2)).join(', ')} ms`,
    );
    for (const side of sides)
      for (const line of dearest(side.figures[index])) context.progress(`  ${side.messages}: ${line}`);
  }
  return listPaths(names, sides, rounds);
}

/** The first turn, 0, warms the path up and counts for nothing. */
async function takeTurn({ client, paths, figures }: Measured, index: number, round: number): Promise<void> {
  const [path, figure] = [paths[index], figures[index]];
  if (path === undefined || figure === undefined) return;
  const count = path.isSlow === true ? slowCalls : callsOfTurn;
  await client.query("SET pg_stat_statements.track = 'none'");
  await client.query('SELECT pg_stat_statements_reset()');
  for (let call = 0; call < count; call += 1) {
    const startedMs = performance.now();
    await path.call(round * count + call);
    if (round > 0) figure.timesMs.push(performance.now() - startedMs);
  }
  if (round === 0) return;
  figure.calls += count;
  const { rows } = await client.query<{ text: string; ms: number; pages: number }>(selectStatements, [count / 2]);
  for (const { text, ms, pages } of rows) {
    const known = figure.statements.get(text) ?? { ms: 0, pages: 0 };
    figure.statements.set(text, { ms: known.ms + ms, pages: known.pages + pages });
  }
}

// A statement that is not made for every second call belongs to another part of the process.
const selectStatements = `SELECT query AS text, sum(total_exec_time)::float AS ms, sum(shared_blks_hit + shared_blks_read)::float AS pages
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database()
  GROUP BY query HAVING sum(calls) >= $1`;

const sumOf = ({ statements, calls }: Figures, key: 'ms' | 'pages') =>
  [...statements.values()].reduce((sum, figures) => sum + figures[key], 0) / calls;

/** The statements that take most of a path's time. */
function dearest(figures: Figures | undefined): string[] {
  if (figures === undefined) return [];
  const sorted = [...figures.statements].sort(([, a], [, b]) => b.ms - a.ms).slice(0, 3);
  return sorted.map(
    ([text, { ms, pages }]) =>
      `${(ms / figures.calls).toFixed(2)} ms, ${(pages / figures.calls).toFixed(0)} pages: ${text.replaceAll(/\s+/g, ' ').slice(0, 140)}`,
  );
}

function listPaths(names: readonly string[], sides: readonly Measured[], rounds: number): Listing {
  const [many, few] = sides;
  const rows = names.map((name, index) => {
    const [more, fewer] = [many?.figures[index], few?.figures[index]];
    if (more === undefined || fewer === undefined) return [name];
    const pair = (of: (figures: Figures) => number, digits: number) =>
      `${of(fewer).toFixed(digits)} → ${of(more).toFixed(digits)}`;
    const call = (figures: Figures) => median(figures.timesMs);
    const server = (figures: Figures) => sumOf(figures, 'ms');
    const ratio = (of: (figures: Figures) => number) => (of(more) / of(fewer)).toFixed(2);
    return [
      name,
      pair(call, 1),
      ratio(call),
      pair(server, 2),
      ratio(server),
      pair((figures) => sumOf(figures, 'pages'), 0),
    ];
  });
  const counts = [few, many].map((side) => side?.messages.toLocaleString('en')).join(' → ');
  return {
    title: `Hot paths, by what is stored: ${counts} messages`,
    columns: ['path', 'call, ms', 'ratio', 'PostgreSQL, ms', 'ratio', 'pages'],
    rows,
    notes: [
      `Medians of ${rounds} alternating turns of ${callsOfTurn} calls (${slowCalls} of the slow ones), one after the other, over HTTP. ` +
        'PostgreSQL and pages: the mean of a call, over the statements that every call makes.',
    ],
  };
}

async function fill(context: BenchContext, folder: string, counts: readonly number[]): Promise<Stored[]> {
  await using resources = new AsyncDisposableStack();
  const postgres = await startForFilling(folder, resources);
  const stored: Stored[] = [];
  for (const messages of counts) {
    const name = databaseNameOf(messages);
    const { version: _, ...product } = await prepareProduct({ ...context, postgres }, { databaseName: name });
    const { signal } = context;
    const progress = (line: string) => context.progress(`${name}: ${line}`);
    const leadCount = Math.max(leastLeads, Math.ceil(messages / messagesPerLead));
    await storeYears(product.databaseUrl, {
      tenantId: product.tenant.id,
      leadCount,
      messageCount: messages,
      signal,
      progress,
    });
    stored.push({ messages, product });
  }
  return stored;
}

const databaseNameOf = (messages: number) => `years_${messages}`;

async function listSizes(postgres: BenchPostgres, stored: readonly Stored[]): Promise<Listing> {
  const sizes = await Promise.all(
    stored.map(({ messages }) =>
      withClient(postgres.databaseUrl(databaseNameOf(messages)), async (client) => {
        const { rows } = await client.query<{ name: string; bytes: string }>(selectSizes);
        return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
      }),
    ),
  );
  const names = [...(sizes[0]?.keys() ?? [])].slice(0, 24);
  const bytes = (size: Map<string, number>, name: string, index: number) =>
    ((size.get(name) ?? 0) / (stored[index]?.messages ?? 1)).toFixed(1);
  return {
    title: 'Bytes for each stored message',
    columns: ['', ...stored.map(({ messages }) => `${messages.toLocaleString('en')} messages`)],
    rows: names.map((name) => [name, ...sizes.map((size, index) => bytes(size, name, index))]),
    notes: [],
  };
}

const selectSizes = `SELECT c.oid::regclass::text AS name, pg_relation_size(c.oid)::text AS bytes FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('public', 'partitions', 'pg_toast') AND c.relkind IN ('r', 'i', 't')
  ORDER BY pg_relation_size(c.oid) DESC`;

// Intake under mixed load while the service, and separately PostgreSQL, is killed again and again: what was acknowledged is there
// exactly once, and nothing is half-written. The database commits durably here, as in production.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.js';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres.js';
import { readPostmasterFile } from '../../src/platform/embedded-postgres/postmaster-file.js';
import { applyMigrations } from '../../src/platform/migrations.js';
import { TestApp } from '../support/test-app.js';
import type { TestTenant } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { removeDeadRuns } from '../support/test-postgres.js';
import { IntakeLoad } from './intake-load.js';
import { ServiceProcess } from './service-process.js';

const rounds = 10;
/** How many calls are acknowledged between two kills, at least; each round has another count. */
const callsBetweenKills = (round: number) => 70 + ((round * 37) % 100);
const folderPrefix = 'leadwire-killed-intake-';
const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const silentLog = { info: () => undefined, warn: () => undefined };
const ranks: Record<string, number> = { SENT: 2, DELIVERED: 3, READ: 4 };

/** What one item of a call was answered. */
interface ItemResult {
  messageId: string | null;
  leadId?: string;
  duplicate?: boolean;
  externalId?: string;
  outcome?: string;
}

type LeadResult = { id: string; chat: string; created: boolean };

/** A call as the journal has it. */
interface Entry {
  key: string;
  call: Record<string, unknown>;
  result: LeadResult | { results: ItemResult[] };
}

interface StoredMessage {
  externalId: string;
  messageId: string;
  leadId: string;
  direction: string;
  status: string | null;
  steps: { from: string | null; to: string; source: string }[];
}

const resources = new AsyncDisposableStack();
let server: EmbeddedPostgres;
let service: ServiceProcess;
let tenant: TestTenant;
let sql: pg.Pool;

beforeAll(async () => {
  await removeDeadRuns(folderPrefix);
  const dataDir = join(tmpdir(), `${folderPrefix}${process.pid}`);
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o755);
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Below the ports that outgoing connections take, so that none of them has it when the server comes back.
  server = await startPostgres(dataDir, 20_000 + (process.pid % 10_000));
  resources.defer(() => server.stop());
  await applyMigrations(server.url, { migrationsDir, log: silentLog });
  const app = await TestApp.start({ PROCESS_ROLE: 'api' }, database());
  tenant = await app.createTenant();
  await app.stop({ keepDatabase: true });
  sql = new pg.Pool({ connectionString: server.url, max: 1, options: '-c TimeZone=UTC' });
  sql.on('error', () => undefined);
  resources.defer(() => sql.end());
  service = await ServiceProcess.start(database());
  resources.defer(async () => void (await service.end('SIGKILL')));
}, 60_000);

afterAll(() => resources.disposeAsync());

function startPostgres(dataDir: string, preferredPort: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, preferredPort, durable: true, log: silentLog });
}

function database(): TestDatabase {
  return { url: server.url, drop: async () => undefined };
}

async function killService(): Promise<void> {
  await service.end('SIGKILL');
  service = await ServiceProcess.start(database());
}

async function killPostgres(): Promise<void> {
  const { dataDir, port } = server;
  const file = await readPostmasterFile(join(dataDir, 'postgres'));
  if (file === undefined) throw new Error('PostgreSQL does not run');
  process.kill(file.pid, 'SIGKILL');
  server = await startPostgres(dataDir, port);
}

async function rowsOf<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  return (await sql.query<Row>(text)).rows;
}

async function readMessages(): Promise<Map<string, StoredMessage>> {
  const messages = await rowsOf<StoredMessage>(
    `SELECT m.external_id AS "externalId", m.id AS "messageId", m.lead_id AS "leadId", m.direction, m.status,
       coalesce(json_agg(json_build_object('from', t.from_status, 'to', t.to_status, 'source', t.source) ORDER BY t.id)
         FILTER (WHERE t.id IS NOT NULL), '[]') AS steps
     FROM messages m LEFT JOIN message_status_transitions t ON t.message_id = m.id GROUP BY m.tenant_id, m.id`,
  );
  const stored = new Map(messages.map((message) => [message.externalId, message]));
  expect(stored.size).toBe(messages.length);
  return stored;
}

async function readJournal(): Promise<Entry[]> {
  const rows = await rowsOf<{ outcome: string; body: Buffer; result: Entry['result'] }>(
    'SELECT outcome, body, result FROM webhook_deliveries ORDER BY id',
  );
  expect(rows.filter(({ outcome }) => outcome !== 'processed')).toEqual([]);
  return rows.map(({ body, result }) => {
    const call = JSON.parse(body.toString()) as Record<string, unknown>;
    return { key: String(call['call']), call, result };
  });
}

/** The items of a call that brought messages or statuses; their provider ids, and what is reported of each. */
function itemsOf({ call, result }: Entry): { externalId: string; status: string | undefined; result: ItemResult }[] {
  if (!('results' in result)) return [];
  const data = [call['data'] ?? []].flat() as { key: { id: string } }[];
  const listed = (call['messages'] ?? call['statuses'] ?? [call]) as { messageId: string; status?: string }[];
  const named: { messageId: string; status?: string }[] =
    data.length > 0 ? data.map(({ key }) => ({ messageId: key.id })) : listed;
  expect(result.results).toHaveLength(named.length);
  return result.results.map((item, index) => {
    const { messageId = '', status } = named[index] ?? {};
    return { externalId: messageId, status, result: item };
  });
}

/** Every answer that a caller has stands in the journal, and nobody is there who did not call. */
function expectAnswersJournalled(journal: readonly Entry[], { acknowledged, tried, prefix }: IntakeLoad): void {
  const told = new Map<string, string[]>();
  for (const { key, result } of journal) told.set(key, [...(told.get(key) ?? []), canonical(result)]);
  for (const { key, answer } of acknowledged) expect(told.get(key)).toContain(canonical(answer));
  const own = [...told.keys()].filter((key) => key.startsWith(`${prefix}-`));
  expect(own.filter((key) => !tried.has(key))).toEqual([]);
}

/** The same text for the same value: the journal keeps fields in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** What the journal tells of messages is what is stored; exactly one entry told of a message that it is new. */
function expectMessagesTrue(journal: readonly Entry[], stored: ReadonlyMap<string, StoredMessage>): void {
  const told = journal.flatMap(itemsOf).filter(({ status }) => status === undefined);
  const isStored = ({ externalId, result: { messageId, leadId } }: (typeof told)[number]) =>
    stored.get(externalId)?.messageId === messageId && stored.get(externalId)?.leadId === leadId;
  expect(told.filter((item) => !isStored(item))).toEqual([]);
  const firsts = told.filter(({ result }) => result.duplicate === false).map(({ externalId }) => externalId);
  expect(firsts.toSorted()).toEqual([...stored.keys()].toSorted());
}

/** Whether a report under these steps is either one of them or comes too late to be one. */
function isSettled(status: string, steps: StoredMessage['steps']): boolean {
  const highest = Math.max(...steps.map(({ to }) => ranks[to] ?? 0));
  const hasFailed = steps.some(({ to }) => to === 'FAILED');
  if (status === 'FAILED') return hasFailed || highest > 2;
  return highest >= (ranks[status] ?? Infinity);
}

interface Report {
  /** Provider id and status. */
  name: string;
  status: string;
  result: ItemResult;
  message: StoredMessage | undefined;
}

/** Each acknowledged report is a step of its message, too late to be one, or parked until that message comes. */
async function expectStatusesTrue(
  journal: readonly Entry[],
  stored: ReadonlyMap<string, StoredMessage>,
): Promise<void> {
  const rows = await rowsOf<{ name: string }>(`SELECT external_id || ' ' || status AS name FROM parked_statuses`);
  const parked = new Set(rows.map(({ name }) => name));
  const reports = journal.flatMap(itemsOf).flatMap(({ externalId, status, result }): Report[] => {
    if (status === undefined) return [];
    return [{ name: `${externalId} ${status}`, status, result, message: stored.get(externalId) }];
  });
  expect(reports.filter((report) => !isTrue(report, parked.has(report.name)))).toEqual([]);
  const applied = reports.filter(({ result }) => result.outcome === 'applied').map(({ name }) => name);
  expect(applied.length).toBeGreaterThan(0);
  expect(new Set(applied).size).toBe(applied.length);
  const reported = new Set(reports.map(({ name }) => name));
  expect([...parked].filter((name) => !reported.has(name))).toEqual([]);
  for (const message of stored.values()) expectExplained(message, reported);
}

function isTrue({ status, result: { outcome, messageId }, message }: Report, isParked: boolean): boolean {
  if (message === undefined) return outcome === 'parked' && messageId === null && isParked;
  if (isParked || !isSettled(status, message.steps)) return false;
  if (outcome === 'parked') return messageId === null;
  const isStep = message.steps.some(({ from, to }) => from !== null && to === status);
  return messageId === message.messageId && (isStep || outcome === 'ignored');
}

/** Each step leads on from the one before, was reported, and the last is what the message is. */
function expectExplained({ externalId, direction, status, steps }: StoredMessage, reported: ReadonlySet<string>): void {
  if (direction === 'INBOUND') return expect({ status, steps }).toEqual({ status: null, steps: [] });
  const [first, ...later] = steps;
  expect(first).toMatchObject({ from: null, to: 'SENT' });
  expect(later.map(({ from }) => from)).toEqual(steps.slice(0, -1).map(({ to }) => to));
  expect(steps.at(-1)?.to).toBe(status);
  expect(later.filter(({ to }) => !reported.has(`${externalId} ${to}`))).toEqual([]);
}

async function expectLeadsTrue(journal: readonly Entry[]): Promise<void> {
  const untrue = await rowsOf(
    `SELECT l.chat, l.unread_count, l.last_message_id, m.*, i.*, t.* FROM leads l
     LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE direction = 'INBOUND') AS inbound,
         (array_agg(id ORDER BY id DESC))[1] AS newest FROM messages WHERE lead_id = l.id) m ON true
     LEFT JOIN LATERAL (SELECT count(*) AS identities FROM lead_identities WHERE lead_id = l.id AND value = l.chat) i ON true
     LEFT JOIN LATERAL (SELECT count(*) AS touches FROM lead_touches WHERE lead_id = l.id) t ON true
     WHERE l.unread_count <> m.inbound OR l.last_message_id IS DISTINCT FROM m.newest OR i.identities <> 1
       OR (m.newest IS NULL AND t.touches = 0)`,
  );
  expect(untrue).toEqual([]);
  const leads = await rowsOf<{ id: string; chat: string }>('SELECT id, chat FROM leads');
  const persons = new Set(leads.map(({ chat }) => chat.replace(/^(55\d\d)9(\d{8})$/, '$1$2')));
  expect(persons.size).toBe(leads.length);
  await expectTouchesTrue(journal, new Map(leads.map(({ id, chat }) => [id, chat])));
}

/** Each entry about a lead names one that is there, left one touch, and at most one of them created it. */
async function expectTouchesTrue(journal: readonly Entry[], chats: ReadonlyMap<string, string>): Promise<void> {
  const told = journal.flatMap(({ key, result }) => ('results' in result ? [] : [{ key, ...result }]));
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter(({ id, chat }) => chats.get(id) !== chat)).toEqual([]);
  const created = told.filter((lead) => lead.created).map(({ id }) => id);
  expect(new Set(created).size).toBe(created.length);
  const touches = await rowsOf<{ touch: string }>(
    `SELECT lead_id || ' ' || (metadata->>'call') AS touch FROM lead_touches`,
  );
  expect(touches.map(({ touch }) => touch).toSorted()).toEqual(told.map(({ id, key }) => `${id} ${key}`).toSorted());
}

async function expectEventsTrue(): Promise<void> {
  const told = (type: string) =>
    rowsOf<{ id: string }>(`SELECT coalesce(message_id, lead_id) AS id FROM events WHERE type = '${type}' ORDER BY 1`);
  expect(await told('MESSAGE_RECEIVED')).toEqual(
    await rowsOf("SELECT id FROM messages WHERE direction = 'INBOUND' ORDER BY id"),
  );
  expect(await told('MESSAGE_STATUS_CHANGED')).toEqual(
    await rowsOf('SELECT message_id AS id FROM message_status_transitions ORDER BY 1'),
  );
  expect(await told('LEAD_CREATED')).toEqual(await rowsOf('SELECT id FROM leads ORDER BY id'));
  const gaps = await rowsOf(
    `SELECT h.last_seq, count(e.seq), min(e.seq), max(e.seq) FROM event_heads h LEFT JOIN events e USING (tenant_id)
     GROUP BY h.tenant_id HAVING count(DISTINCT e.seq) <> h.last_seq OR count(e.seq) <> h.last_seq OR min(e.seq) <> 1
       OR max(e.seq) <> h.last_seq`,
  );
  expect(gaps).toEqual([]);
}

async function expectWhole(load: IntakeLoad): Promise<void> {
  const [journal, stored] = [await readJournal(), await readMessages()];
  expectAnswersJournalled(journal, load);
  expectMessagesTrue(journal, stored);
  await expectStatusesTrue(journal, stored);
  await expectLeadsTrue(journal);
  await expectEventsTrue();
}

/** Load goes on through every kill; at the end whatever was begun is acknowledged or given up. */
async function killUnderLoad(prefix: string, kill: () => Promise<void>): Promise<IntakeLoad> {
  const load = new IntakeLoad(prefix, tenant, () => service.url);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAcknowledged(callsBetweenKills(round));
      await kill();
    }
    await load.finish();
  } finally {
    load.stop();
  }
  return load;
}

beforeEach(async () => {
  // A crash forgets that statistics are due: those of the first load serve the second.
  await rowsOf('ANALYZE');
  const settings = await rowsOf(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')",
  );
  expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
});

test('the service killed ten times: what was acknowledged is there once, and all that is there is whole', async () => {
  const load = await killUnderLoad('service', killService);
  expect([...load.outcomes.keys()].toSorted()).toEqual(['200', '201', 'no answer']);
  expect(load.outcomes.get('no answer')).toBeGreaterThan(rounds);
  await expectWhole(load);
}, 120_000);

test('PostgreSQL killed ten times: the same, and the service lives and tells its callers to retry', async () => {
  const load = await killUnderLoad('database', killPostgres);
  expect([...load.outcomes.keys()].toSorted()).toEqual(['200', '201', '503']);
  expect(load.outcomes.get('503')).toBeGreaterThan(rounds);
  expect({ isRunning: service.isRunning, crash: service.crash, faults: service.faults }).toEqual({
    isRunning: true,
    crash: '',
    faults: [],
  });
  await expectWhole(load);
}, 120_000);

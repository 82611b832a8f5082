// Intake under load while the service, and separately PostgreSQL, is killed again and again: what was acknowledged is there
// exactly once, and nothing is half-written. The database commits durably here, as in production.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.js';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres.js';
import { readPostmasterFile } from '../../src/platform/embedded-postgres/postmaster-file.js';
import { applyMigrations } from '../../src/platform/migrations.js';
import { until } from '../features/messages/sending-harness.js';
import { TestApp, withKey } from '../support/test-app.js';
import type { TestTenant } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { removeDeadRuns } from '../support/test-postgres.js';
import { ServiceProcess } from './service-process.js';

const rounds = 10;
const connections = 16;
const knownNumbers = 20;
const retryPauseMs = 100;
const answerLimitMs = 30_000;
/** How many calls are acknowledged between two kills, at least; each round has another count. */
const callsBetweenKills = (round: number) => 50 + ((round * 37) % 100);
const folderPrefix = 'leadwire-killed-intake-';
const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const silentLog = { info: () => undefined, warn: () => undefined };
const path = '/webhooks/chat/gateway/inbound';

interface Call {
  from: string;
  externalIds: string[];
  /** Given up at the first failure: nobody knows what became of it. */
  isTriedOnce: boolean;
}

interface Acknowledged {
  externalId: string;
  messageId: string;
  leadId: string;
}

/** An entry of the journal. */
interface Delivery {
  outcome: string;
  body: Buffer;
  result: { results: { messageId: string; leadId: string; duplicate: boolean }[] };
}

/** Callers that repeat each call until it is acknowledged, or give it up. */
class Callers {
  readonly acknowledged: Acknowledged[] = [];
  readonly tried = new Set<string>();
  readonly outcomes = new Map<string, number>();
  private callCount = 0;
  private acknowledgedCalls = 0;
  private stopping = false;
  private readonly running: Promise<unknown>;

  constructor(
    readonly prefix: string,
    private readonly tenant: TestTenant,
    private readonly urlNow: () => string,
  ) {
    this.running = Promise.all(Array.from({ length: connections }, () => this.callOneByOne()));
    // Told by finish(), which comes later.
    this.running.catch(() => undefined);
  }

  /** Resolves once so many more calls have been acknowledged. */
  async untilAcknowledged(more: number): Promise<void> {
    const wanted = this.acknowledgedCalls + more;
    await until(
      () => this.acknowledgedCalls,
      (count) => count >= wanted,
    );
  }

  /** Nothing new is begun. */
  stop(): void {
    this.stopping = true;
  }

  /** Resolves when every call that was begun is acknowledged or given up. */
  async finish(): Promise<void> {
    this.stop();
    await this.running;
  }

  private async callOneByOne(): Promise<void> {
    while (!this.stopping) {
      const call = this.nextCall();
      const deadline = Date.now() + answerLimitMs;
      while (!(await this.isAcknowledged(call)) && !call.isTriedOnce) {
        if (Date.now() > deadline)
          throw new Error(`${call.externalIds[0]} was not acknowledged in ${answerLimitMs} ms`);
        await delay(retryPauseMs);
      }
    }
  }

  private nextCall(): Call {
    const number = (this.callCount += 1);
    const isNewLead = number % 10 === 0;
    const count = number % 3 === 0 ? 3 : 1;
    const externalIds = Array.from({ length: count }, (_, index) => `${this.prefix}-${number}-${index}`);
    for (const externalId of externalIds) this.tried.add(externalId);
    const from = `4915${String(isNewLead ? 90_000_000 + number : 10_000_000 + (number % knownNumbers))}`;
    return { from, externalIds, isTriedOnce: number % 4 === 0 };
  }

  private async isAcknowledged({ from, externalIds }: Call): Promise<boolean> {
    const messages = externalIds.map((messageId) => ({ messageId, from, text: messageId }));
    const results = await this.post(messages.length === 1 ? messages[0] : { messages });
    if (results === undefined) return false;
    this.acknowledgedCalls += 1;
    for (const [index, externalId] of externalIds.entries()) {
      const { messageId = '', leadId = '' } = results[index] ?? {};
      this.acknowledged.push({ externalId, messageId, leadId });
    }
    return true;
  }

  private async post(body: unknown): Promise<Partial<Acknowledged>[] | undefined> {
    try {
      const headers = { 'content-type': 'application/json', ...withKey(this.tenant) };
      const response = await fetch(`${this.urlNow()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const answer = (await response.json()) as { results: Partial<Acknowledged>[] };
      this.note(String(response.status));
      return response.status === 200 ? answer.results : undefined;
    } catch {
      this.note('no answer');
      return undefined;
    }
  }

  private note(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
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

async function readMessages(): Promise<Acknowledged[]> {
  return rowsOf('SELECT external_id AS "externalId", id AS "messageId", lead_id AS "leadId" FROM messages ORDER BY id');
}

/** Each is there once, as it was told; and nothing is there that nobody sent. */
async function expectStoredOnce({ prefix, acknowledged, tried }: Callers): Promise<void> {
  const messages = (await readMessages()).filter(({ externalId }) => externalId.startsWith(`${prefix}-`));
  const stored = new Map(messages.map((message) => [message.externalId, message]));
  expect(stored.size).toBe(messages.length);
  const isThere = ({ externalId, messageId, leadId }: Acknowledged) => {
    const message = stored.get(externalId);
    return message?.messageId === messageId && message.leadId === leadId;
  };
  expect(acknowledged.filter((message) => !isThere(message))).toEqual([]);
  expect(messages.filter(({ externalId }) => !tried.has(externalId))).toEqual([]);
}

async function expectLeadsTrue(): Promise<void> {
  const untrue = await rowsOf(
    `SELECT l.chat, l.unread_count, l.last_message_id, m.*, i.* FROM leads l
     LEFT JOIN LATERAL (SELECT count(*) AS messages, (array_agg(id ORDER BY id DESC))[1] AS newest
       FROM messages WHERE lead_id = l.id AND direction = 'INBOUND') m ON true
     LEFT JOIN LATERAL (SELECT count(*) AS identities FROM lead_identities WHERE lead_id = l.id AND value = l.chat) i ON true
     WHERE l.unread_count <> m.messages OR l.last_message_id IS DISTINCT FROM m.newest OR m.messages = 0 OR i.identities <> 1`,
  );
  expect(untrue).toEqual([]);
  const [numbers] = await rowsOf('SELECT count(*)::int AS leads, count(DISTINCT chat)::int AS chats FROM leads');
  expect(numbers?.leads).toBe(numbers?.chats);
}

async function expectEventsTrue(): Promise<void> {
  const told = (type: string) =>
    rowsOf<{ id: string }>(`SELECT coalesce(message_id, lead_id) AS id FROM events WHERE type = '${type}' ORDER BY 1`);
  expect(await told('MESSAGE_RECEIVED')).toEqual(await rowsOf('SELECT id FROM messages ORDER BY id'));
  expect(await told('LEAD_CREATED')).toEqual(await rowsOf('SELECT id FROM leads ORDER BY id'));
  const gaps = await rowsOf(
    `SELECT h.last_seq, count(e.seq), min(e.seq), max(e.seq) FROM event_heads h LEFT JOIN events e USING (tenant_id)
     GROUP BY h.tenant_id HAVING count(e.seq) <> h.last_seq OR min(e.seq) <> 1 OR max(e.seq) <> h.last_seq`,
  );
  expect(gaps).toEqual([]);
}

/** What each call of the journal told of its messages; exactly one told of a message that it is new. */
async function expectJournalTrue(): Promise<void> {
  const stored = new Map((await readMessages()).map((message) => [message.externalId, message]));
  const deliveries = await rowsOf<Delivery>('SELECT outcome, body, result FROM webhook_deliveries');
  const entries = deliveries.flatMap(({ body, result, outcome }) => {
    const call = JSON.parse(body.toString()) as { messages?: { messageId: string }[]; messageId: string };
    const items = call.messages ?? [call];
    expect({ outcome, count: result.results.length }).toEqual({ outcome: 'processed', count: items.length });
    return items.map(({ messageId: externalId }, index) => ({ externalId, ...result.results[index] }));
  });
  const ids = entries.map(({ externalId, messageId, leadId }) => ({ externalId, messageId, leadId }));
  expect(ids).toEqual(entries.map(({ externalId }) => stored.get(externalId)));
  const firsts = entries.filter(({ duplicate }) => duplicate === false).map(({ externalId }) => externalId);
  expect(firsts.toSorted()).toEqual([...stored.keys()].toSorted());
}

/** Load goes on through every kill; at the end whatever was begun is acknowledged or given up. */
async function killUnderLoad(prefix: string, kill: () => Promise<void>): Promise<Callers> {
  const callers = new Callers(prefix, tenant, () => service.url);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await callers.untilAcknowledged(callsBetweenKills(round));
      await kill();
    }
    await callers.finish();
  } finally {
    callers.stop();
  }
  return callers;
}

beforeEach(async () => {
  const settings = await rowsOf(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')",
  );
  expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
});

test('the service killed ten times: what was acknowledged is there once, and all that is there is whole', async () => {
  const callers = await killUnderLoad('service', killService);
  expect([...callers.outcomes.keys()].toSorted()).toEqual(['200', 'no answer']);
  expect(callers.outcomes.get('no answer')).toBeGreaterThan(rounds);
  await expectStoredOnce(callers);
  await expectLeadsTrue();
  await expectEventsTrue();
  await expectJournalTrue();
}, 120_000);

test('PostgreSQL killed ten times: the same, and the service lives and tells its callers to retry', async () => {
  const callers = await killUnderLoad('database', killPostgres);
  expect([...callers.outcomes.keys()].toSorted()).toEqual(['200', '503']);
  expect(callers.outcomes.get('503')).toBeGreaterThan(rounds);
  expect({ isRunning: service.isRunning, crash: service.crash, faults: service.faults }).toEqual({
    isRunning: true,
    crash: '',
    faults: [],
  });
  await expectStoredOnce(callers);
  await expectLeadsTrue();
  await expectEventsTrue();
  await expectJournalTrue();
}, 120_000);

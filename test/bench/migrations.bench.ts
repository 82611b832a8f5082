// The cost of each migration for callers of a running version: the time that a writer and a reader of each table wait while it is applied
// to a database with a million messages.

import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { applyMigrations } from '../../src/platform/database/migrations.js';
import { withClient } from './postgres.js';
import type { Bench } from './side-by-side.js';

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const messageCount = 1_000_000;
/** The tables that calls of every kind write or read. */
const watchedTables = ['tenants', 'chat_instances', 'leads', 'messages', 'bulk_sends', 'webhook_deliveries'];
const modes = { writer: 'ROW EXCLUSIVE', reader: 'ACCESS SHARE' };
const lookMs = 5;
const silentLog = { info: () => undefined };

const nameOf = (folder: string) => folder.replace(/^\d+_/, '');

export const migrationsBench: Bench = {
  name: 'migrations',
  async run({ postgres, resources, signal, isBrief = false, progress }) {
    const url = await postgres.createDatabase('migrations');
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-migrations-'));
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const [first = '', ...later] = (await readdir(migrationsFolder)).filter((name) => /^\d/.test(name)).toSorted();
    const apply = async (name: string) => {
      await cp(join(migrationsFolder, name), join(folder, name), { recursive: true });
      await applyMigrations(url, { migrationsDir: folder, log: silentLog });
    };
    await apply(first);
    const count = isBrief ? 1_000 : messageCount;
    if (later.length > 0) await withClient(url, (client) => store(client, count), signal);
    const rows: string[][] = [];
    for (const name of later) {
      signal.throwIfAborted();
      const watch = await TableWatch.start(url);
      const startedAtMs = performance.now();
      await apply(name);
      const tookMs = performance.now() - startedAtMs;
      const { writer, reader } = await watch.stop();
      rows.push([`\`${nameOf(name)}\``, `${tookMs.toFixed(0)} ms`, writer, reader]);
      progress(rows.at(-1)?.join(', ') ?? '');
    }
    return [
      {
        title: `Migrations on ${count.toLocaleString('en')} leads and messages`,
        columns: ['migration', 'took', 'a writer waited', 'a reader waited'],
        rows,
        notes: [
          ...(later.length === 0 ? [`No migration has followed \`${nameOf(first)}\` yet.`] : []),
          `One message in 50 failed. Watched: ${watchedTables.map((table) => `\`${table}\``).join(', ')}. The longest wait counts; below 20 ms it is left out.`,
        ],
      },
    ];
  },
};

/** Runs a session for each table and mode, which takes the lock of a statement again and again. */
class TableWatch {
  private readonly longest = new Map<string, { table: string; ms: number }>();
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();

  static async start(url: string): Promise<TableWatch> {
    const watch = new TableWatch();
    const pairs = watchedTables.flatMap((table) => Object.entries(modes).map((mode) => ({ table, mode })));
    const clients = await Promise.all(
      pairs.map(async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        return client;
      }),
    );
    watch.running = Promise.all(
      pairs.map(async ({ table, mode: [who, mode] }, index) => {
        const client = clients[index]!;
        while (!watch.isOver) {
          const startedAtMs = performance.now();
          await client.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE; COMMIT`);
          const ms = performance.now() - startedAtMs;
          if (ms > (watch.longest.get(who)?.ms ?? 0)) watch.longest.set(who, { table, ms });
          await delay(lookMs);
        }
        await client.end();
      }),
    );
    return watch;
  }

  async stop(): Promise<Record<'writer' | 'reader', string>> {
    this.isOver = true;
    await this.running;
    const describe = (who: string) => {
      const { table, ms } = this.longest.get(who) ?? { table: '', ms: 0 };
      return ms < 20 ? '–' : `${ms.toFixed(0)} ms (\`${table}\`)`;
    };
    return { writer: describe('writer'), reader: describe('reader') };
  }
}

/** Stores rows in the tables of the first migration. */
async function store(client: pg.Client, count: number): Promise<void> {
  await client.query('SET session_replication_role = replica');
  for (const statement of [
    `INSERT INTO tenants (id, name, slug, updated_at) VALUES (uuidv7(), 'Bench', 'bench', now())`,
    `INSERT INTO users (tenant_id, id, role, email, updated_at) SELECT id, uuidv7(), 'ADMIN', 'ana@acme.example', now() FROM tenants`,
    `INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, updated_at) SELECT id, uuidv7(), uuidv7(), 'bench', now() FROM tenants`,
    `INSERT INTO bulk_sends (tenant_id, id, template_id, template_version, instance_id, author_id, idempotency_key, content_hash, total)
     SELECT t.id, uuidv7(), uuidv7(), 1, uuidv7(), uuidv7(), n, '', 1 FROM tenants t, generate_series(1, ${count / 1_000}) n`,
    `INSERT INTO leads (tenant_id, id, name, chat, source, updated_at)
     SELECT t.id, uuidv7(), 'Lead ' || n, '55119' || n, 'webhook', now() FROM tenants t, generate_series(1, ${count}) n`,
    `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, external_id, failed_at)
     SELECT l.tenant_id, uuidv7(), l.id, i.id, CASE WHEN number % 2 = 0 THEN 'OUTBOUND' ELSE 'INBOUND' END::message_direction,
       CASE WHEN number % 50 = 0 THEN 'FAILED' WHEN number % 2 = 0 THEN 'READ' END::message_status,
       'text', 'Bom dia! Ainda tem a casa?', number, CASE WHEN number % 50 = 0 THEN now() END
     FROM (SELECT *, row_number() OVER () AS number FROM leads) l, chat_instances i`,
    'UPDATE leads l SET last_message_id = m.id, last_message_position = m.position FROM messages m WHERE m.lead_id = l.id',
    `INSERT INTO webhook_deliveries (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, result, received_at)
     SELECT tenant_id, uuidv7(), '/webhooks/chat/gateway/inbound', 'neutral', '{}', '', 0, 'processed', '{}', now() FROM messages LIMIT ${count / 10}`,
    'VACUUM ANALYZE',
  ])
    await client.query(statement);
}

// A template to 10,000 leads, queued: `sendMessages` at the service, with its checks, texts, messages, transitions, outbox, inbox and
// events, against pg-boss by itself inserting as many jobs. Both run in this process, each on a database of its own.

import { randomBytes, randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { loadConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { createServices } from '../../src/services.js';
import { chatNumberOf } from './inbound-call.js';
import { countRows, settle } from './loaded-server.js';
import { machineTimeMs } from './machine-clock.js';
import { withClient } from './postgres.js';
import { startProduct } from './product.js';
import {
  measureSideBySide,
  type Bench,
  type BenchContext,
  type Comparison,
  type RoundFigures,
  type Side,
} from './side-by-side.js';
import { storeLeads } from './waiting-messages.js';

const recipientCount = 10_000;
const warmUpCount = 1_000;
const rounds = 7;
const connections = 10;

export const enqueueBench: Bench = { name: 'enqueue', run: runEnqueue };

async function runEnqueue(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const sides = [await createProductSide(context), await createBareSide(context)] as const;
  const comparison = {
    title: `Enqueue: a template to ${recipientCount.toLocaleString('en')} leads`,
    sides: await measureSideBySide(sides, { rounds, signal, progress }),
    notes: [
      `${rounds} rounds a side in turn, ${recipientCount.toLocaleString('en')} messages or jobs each, in one call; p50 and p99 are the ` +
        "call's time. Leadwire: `sendMessages` at the service, with a variable for each lead; pg-boss: `insert` of jobs that name a " +
        'tenant and a lead. Nobody works on either.',
    ],
  };
  return [comparison];
}

async function createProductSide(context: BenchContext): Promise<Side> {
  const keys = { JWT_SECRET: randomBytes(32).toString('hex'), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  const { tenant, databaseUrl } = await startProduct(context, { environment: { ...keys, PROCESS_ROLE: 'api' } });
  const config = loadConfig({
    NODE_ENV: 'production',
    TRUST_PROXY: 'false',
    DATABASE_URL: databaseUrl,
    PROCESS_ROLE: 'api',
    ...keys,
  });
  const services = createServices(config, databaseUrl, createLogger('silent'));
  context.resources.defer(() => services.database.close());
  await services.queue.start([]);
  context.resources.defer(() => services.queue.stop());
  const chatNumbers = Array.from({ length: recipientCount }, (_, index) => chatNumberOf(index));
  await storeLeads((text, values) => services.database.query(text, values), tenant.id, chatNumbers);
  const admin = await readAdmin(databaseUrl, tenant.id);
  const body = 'Olá {{nome}}! A visita está marcada para amanhã às 15h.';
  const template = await services.templates.create(admin, { name: 'visita', body });
  const leads = await services.database.query<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id]);
  await settle([databaseUrl]);
  const sendTo = async (count: number): Promise<RoundFigures> => {
    const recipients = leads
      .slice(0, count)
      .map(({ id }, index) => ({ leadId: id, variables: { nome: `Lead ${index}` } }));
    const input = { templateId: template.id, recipients, idempotencyKey: randomUUID() };
    const queued = () => countRows(databaseUrl, 'SELECT count(*) FROM outbox_entries');
    const before = await queued();
    const figures = await measureCall(count, () => services.bulkSends.send(admin, input));
    const written = (await queued()) - before;
    if (written !== count) throw new Error(`${written} of ${count} messages were queued.`);
    return figures;
  };
  return {
    name: 'Leadwire',
    warmUp: async () => void (await sendTo(warmUpCount)),
    measure: () => sendTo(recipientCount),
  };
}

async function readAdmin(databaseUrl: string, tenantId: string): Promise<UserPrincipal> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ userId: string; accountId: string; email: string }>(
      `SELECT u.id AS "userId", a.id AS "accountId", u.email FROM users u
       JOIN accounts a ON a.tenant_id = u.tenant_id AND a.user_id = u.id WHERE u.tenant_id = $1 AND u.role = 'ADMIN'`,
      [tenantId],
    );
    const [admin] = rows;
    if (admin === undefined) throw new Error('The tenant has no ADMIN.');
    return { kind: 'user', role: 'ADMIN', tenantId, isPlatformTenant: false, ...admin };
  });
}

async function createBareSide({ postgres, resources }: BenchContext): Promise<Side> {
  const connectionString = await postgres.createDatabase('bare');
  const boss = new PgBoss({ connectionString, max: connections, supervise: false, schedule: false });
  boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
  await boss.start();
  resources.defer(() => boss.stop());
  await boss.createQueue('bare');
  const tenantId = randomUUID();
  const insert = async (count: number): Promise<RoundFigures> => {
    const jobs = Array.from({ length: count }, () => ({ data: { tenantId, leadId: randomUUID() } }));
    return measureCall(count, () => boss.insert('bare', jobs));
  };
  return {
    name: 'pg-boss, insert',
    warmUp: async () => void (await insert(warmUpCount)),
    measure: () => insert(recipientCount),
  };
}

async function measureCall(count: number, call: () => Promise<unknown>): Promise<RoundFigures> {
  const startedAt = machineTimeMs();
  await call();
  const durationMs = machineTimeMs() - startedAt;
  return { perSecond: (count / durationMs) * 1_000, p50Ms: durationMs, p99Ms: durationMs };
}

// The version before and this one on one database under load. Leads, messages and statuses come in, an operator sends and reads, and a
// client listens. The new processes start beside the old ones, and then the old ones end.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { gatewayToken, until } from '../features/messages/sending-harness.js';
import { RedisServer, steadyPort } from '../support/redis-server.js';
import { jwtSecret, withKey, withToken, type TestEnvironment, type TestTenant } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import type { CallLog } from './call-log.js';
import { FaultyGateway } from './faulty-gateway.js';
import { FeedReader } from './feed-reader.js';
import { IntakeLoad } from './intake-load.js';
import { SendLoad } from './send-load.js';
import { ServiceProcess, type ProcessEnd } from './service-process.js';
import { SteadyCaller, readInbox } from './steady-caller.js';
import { joinTolls, tollOfIntake, tollOfSends, type Toll } from './toll.js';
import { runEnvironment } from '../support/run-environment.js';

const thisFolder = fileURLToPath(new URL('../..', import.meta.url));
const leadCount = 12;
// The load is light: the processes of both versions, PostgreSQL, Redis and the callers share a machine.
const intakeOptions = { connections: 4, pauseMs: 80 };
const sendPauseMs = 600;
const readPauseMs = 80;
const lookMs = 50;
/** The time within which a proxy notices that a process is going. */
const shutdownDelayMs = 2_000;

/** Two processes of one version. */
interface Pair {
  api: ServiceProcess;
  worker: ServiceProcess;
}

export interface UpgradeResult {
  /** The callers' logs by kind of call. */
  logs: Record<string, CallLog>;
  /** The migrations that the new version applied under load. */
  migrations: string[];
  toll: Toll;
  /** The numbers of the events that the client received, and the count of all events. */
  feed: { told: number[]; count: number };
  ends: ProcessEnd[];
  faults: string[];
  /** Times of `performance.now()`. */
  spans: Record<'quiet' | 'upgrade', { fromMs: number; toMs: number }>;
}

export class RollingUpgrade {
  private ready: ServiceProcess[] = [];
  private turn = 0;
  private readonly pairs: Pair[] = [];
  private readonly sql: pg.Pool;

  private constructor(
    private readonly database: TestDatabase,
    private readonly gateway: FaultyGateway,
    private readonly redis: RedisServer,
  ) {
    this.sql = new pg.Pool({ connectionString: database.url, max: 1 });
  }

  /** @param database an empty database @param oldFolder the folder of the built version before. Needs `redis-server` */
  static async play(
    { database, oldFolder, spanMs }: { database: TestDatabase; oldFolder: string; spanMs: number },
    resources: AsyncDisposableStack,
  ): Promise<UpgradeResult> {
    const redis = new RedisServer(await steadyPort());
    await redis.start();
    resources.defer(() => redis.stop());
    const gateway = await FaultyGateway.start();
    resources.defer(() => gateway.goDown());
    const upgrade = new RollingUpgrade(database, gateway, redis);
    resources.defer(() => upgrade.sql.end());
    const watching = new AbortController();
    resources.defer(async () => {
      watching.abort();
      await Promise.all(upgrade.pairs.flatMap(({ api, worker }) => [api.end('SIGKILL'), worker.end('SIGKILL')]));
    });
    const old = await upgrade.startPair(oldFolder);
    upgrade.ready = [old.api];
    const tenant = await upgrade.createTenant(oldFolder, old.api);
    void upgrade.watchReadiness(watching.signal);
    return upgrade.run(old, tenant, spanMs);
  }

  private async run(old: Pair, tenant: TestTenant, spanMs: number): Promise<UpgradeResult> {
    const urlNow = () => this.urlNow();
    const leadIds = await this.createLeads(tenant);
    const feed = await FeedReader.start(tenant, urlNow);
    const intake = new IntakeLoad('upgrade', tenant, urlNow, intakeOptions);
    const sends = new SendLoad({ prefix: 'upgrade', tenant, leadIds, urlNow, pauseMs: sendPauseMs });
    const reads = new SteadyCaller(() => readInbox(urlNow(), tenant), readPauseMs);
    const ends: ProcessEnd[] = [];
    const known = await this.migrations();
    // The wait lets the processes open connections and prepare plans.
    await delay(spanMs / 2);
    const quietFromMs = performance.now();
    await delay(spanMs);
    const upgradeFromMs = performance.now();
    const { api } = await this.startPair(thisFolder);
    await until(
      () => this.ready.includes(api),
      (isReady) => isReady,
    );
    await delay(spanMs);
    ends.push(...(await Promise.all([old.worker.end('SIGTERM'), old.api.end('SIGTERM')])));
    const upgradeToMs = performance.now();
    await delay(spanMs / 2);
    await Promise.all([intake.finish(), sends.finish(), reads.finish()]);
    await until(
      () => this.rowsOf('SELECT message_id, attempt_count FROM outbox_entries LIMIT 5'),
      (waiting) => waiting.length === 0,
      90_000,
    );
    const [{ count }] = (await this.rowsOf('SELECT max(seq)::int AS count FROM events')) as [{ count: number }];
    const told = await feed.finish(count);
    const processes = this.pairs.flatMap((pair) => [pair.api, pair.worker]);
    return {
      logs: { intake: intake.log, sending: sends.log, inbox: reads.log },
      migrations: (await this.migrations()).filter((name) => !known.includes(name)),
      toll: joinTolls([await tollOfIntake(this.rowsOf, intake), tollOfSends(sends, this.gateway)]),
      feed: { told, count },
      ends,
      faults: processes.flatMap(({ faults, crash }) => [...faults, crash].filter((text) => text !== '')),
      spans: {
        quiet: { fromMs: quietFromMs, toMs: upgradeFromMs },
        upgrade: { fromMs: upgradeFromMs, toMs: upgradeToMs },
      },
    };
  }

  private readonly rowsOf = async <Row extends object>(text: string): Promise<Row[]> =>
    (await this.sql.query(text)).rows as Row[];

  private async migrations(): Promise<string[]> {
    const rows = await this.rowsOf<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1',
    );
    return rows.map(({ name }) => name);
  }

  /** Chooses a process like a proxy: one that was ready at the last check. */
  private urlNow(): string {
    this.turn += 1;
    return this.ready[this.turn % this.ready.length]?.url ?? '';
  }

  private async watchReadiness(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const apis = this.pairs.map(({ api }) => api);
      const isReady = (api: ServiceProcess) =>
        fetch(`${api.url}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      const answers = await Promise.all(apis.map(isReady));
      const ready = apis.filter((_, index) => answers[index]);
      if (ready.length > 0) this.ready = ready;
      await delay(lookMs);
    }
  }

  private environmentOf(folder: string): TestEnvironment {
    return {
      REDIS_URL: this.redis.url,
      GATEWAY_URL: this.gateway.url,
      GATEWAY_TOKEN: gatewayToken,
      TRUST_PROXY: 'false',
      CONSOLE: folder === thisFolder ? 'off' : undefined,
      HISTORY_INTERVAL_MINUTES: '0',
      SHUTDOWN_DELAY_MS: String(shutdownDelayMs),
    };
  }

  private async startPair(folder: string): Promise<Pair> {
    const start = (role: 'api' | 'worker') =>
      ServiceProcess.startBy([process.execPath, join(folder, 'dist/main.js')], this.database, {
        ...this.environmentOf(folder),
        PROCESS_ROLE: role,
      });
    // They start one after the other, because a start takes a core.
    const [api, worker] = [await start('api'), await start('worker')];
    this.pairs.push({ api, worker });
    return { api, worker };
  }

  /** Creates a tenant with the command and the APIs of that version. */
  private async createTenant(folder: string, { url }: ServiceProcess): Promise<TestTenant> {
    const admin = ['--admin-email', 'ana@acme.example', '--admin-idp-sub', 'ana'];
    const command = [join(folder, 'dist/commands/tenant.js'), 'create', '--name', 'Acme', ...admin];
    const env = {
      ...runEnvironment,
      NODE_ENV: 'test',
      DATABASE_URL: this.database.url,
      JWT_SECRET: jwtSecret,
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    };
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    const valueOf = (label: string) => new RegExp(`^${label}: (\\S+)$`, 'm').exec(stdout)?.[1] ?? '';
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ idpSub: 'ana' });
    const signedIn = await fetch(`${url}/auth/dev/token`, { method: 'POST', headers, body });
    const { accessToken: token } = (await signedIn.json()) as { accessToken: string };
    const [user] = await this.rowsOf<{ id: string; accountId: string }>(
      'SELECT u.id, a.id AS "accountId" FROM users u JOIN accounts a ON a.tenant_id = u.tenant_id AND a.user_id = u.id',
    );
    const ana = { id: '', accountId: '', ...user, idpSub: 'ana', token };
    const query = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
    const variables = { input: { accountId: ana.accountId, instanceName: 'upgraded', isDefault: true } };
    const created = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, ...withToken(ana) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await created.json()) as {
      data?: { createChatInstance: { id: string } };
      errors?: object[];
    };
    if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(errors));
    const { id } = data.createChatInstance;
    await this.rowsOf(`UPDATE chat_instances SET status = 'CONNECTED'`);
    const apiKey = valueOf('api key');
    return {
      id: valueOf('tenant'),
      slug: valueOf('slug'),
      apiKey,
      admin: ana,
      operator: ana,
      instance: { id, name: 'upgraded' },
    };
  }

  private createLeads(tenant: TestTenant): Promise<string[]> {
    const create = async (_: unknown, number: number) => {
      const answer = await fetch(`${this.urlNow()}/public/leads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...withKey(tenant) },
        body: JSON.stringify({ chat: `4915100${String(number).padStart(2, '0')}000` }),
      });
      return ((await answer.json()) as { id: string }).id;
    };
    return Promise.all(Array.from({ length: leadCount }, create));
  }
}

// A stage for faults, real and on loopback: PostgreSQL, Redis, an identity provider and two gateways. One process takes calls and one
// sends, and a test may end either. There are two tenants; the gateway of one of them stays well.

import { fileURLToPath } from 'node:url';
import { gatewayToken, until } from '../features/messages/sending-harness.js';
import { OidcServer } from '../support/oidc-server.js';
import { RedisServer, steadyPort } from '../support/redis-server.js';
import { TestApp, withKey, type TestEnvironment, type TestTenant } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import type { DurablePostgres } from './durable-postgres.js';
import { FaultyGateway } from './faulty-gateway.js';
import { RedisPair } from './redis-pair.js';
import { ServiceProcess } from './service-process.js';

/** A module to load into a process whose clock is to go wrong. */
export const jumpingClock = fileURLToPath(new URL('./jumping-clock.ts', import.meta.url));

/** The rate limit of the tenant whose gateway stays well. */
export const neighbourLimit = { max: 5, durationMs: 500 };

/** The leads of each tenant: a dead worker's messages hold up their own leads only. */
const leadCount = 24;
const daySeconds = 86_400;
/** A worker's lease is 60 s, and the service looks for expired leases every 5 s. */
const nothingWaitsWithinMs = 90_000;

/** The PostgreSQL of a stage: one server, or a cluster. */
export interface StagePostgres {
  readonly database: TestDatabase;
  readonly rowsOf: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
}

interface Sender {
  tenant: TestTenant;
  leadIds: string[];
}

export class FaultStage<Postgres extends StagePostgres = DurablePostgres> {
  api!: ServiceProcess;
  worker!: ServiceProcess;
  /** The tenant whose gateway goes wrong. */
  own!: Sender;
  neighbour!: Sender;
  /** Tenants that get calls of intake, and nothing else. */
  readonly further: TestTenant[] = [];
  /** Takes the place of `redis` once it is used. */
  redisPair: RedisPair | undefined;
  private port = 0;

  private constructor(
    readonly postgres: Postgres,
    readonly redis: RedisServer,
    readonly provider: OidcServer,
    readonly gateway: FaultyGateway,
    readonly healthyGateway: FaultyGateway,
    private readonly resources: AsyncDisposableStack,
  ) {}

  /** Starts everything around a PostgreSQL; `resources` ends and removes it. Needs `redis-server`. */
  static async start<Postgres extends StagePostgres>(
    postgres: Postgres,
    resources: AsyncDisposableStack,
    furtherTenantCount = 0,
  ): Promise<FaultStage<Postgres>> {
    const redis = new RedisServer(await steadyPort());
    await redis.start();
    resources.defer(() => redis.stop());
    const provider = await OidcServer.start('', await steadyPort());
    resources.defer(() => provider.close());
    const [gateway, healthyGateway] = [await FaultyGateway.start(), await FaultyGateway.start()];
    resources.defer(async () => void (await Promise.all([gateway.goDown(), healthyGateway.goDown()])));
    const stage = new FaultStage(postgres, redis, provider, gateway, healthyGateway, resources);
    await stage.createTenants(furtherTenantCount);
    stage.port = await steadyPort();
    await stage.startProcesses();
    resources.defer(() => stage.endProcesses());
    return stage;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async restart(environment: TestEnvironment = {}): Promise<void> {
    await this.endProcesses();
    await this.startProcesses(environment);
  }

  /** Starts a Redis with a replica, and both processes with it. */
  async useRedisPair(): Promise<void> {
    this.redisPair = await RedisPair.start(this.resources);
    await this.restart();
  }

  async startApi(environment: TestEnvironment = {}): Promise<void> {
    this.api = await this.startProcess('api', { PORT: String(this.port), ...environment });
  }

  async startWorker(environment: TestEnvironment = {}): Promise<void> {
    this.worker = await this.startProcess('worker', environment);
  }

  /** Resolves once every accepted message has left. The test cuts no wait short. */
  async untilNothingWaits(): Promise<void> {
    await until(
      () => this.postgres.rowsOf('SELECT message_id, attempt_count, lease_until, due_at FROM outbox_entries LIMIT 5'),
      (waiting) => waiting.length === 0,
      nothingWaitsWithinMs,
    );
  }

  private async startProcesses(environment: TestEnvironment = {}): Promise<void> {
    await Promise.all([this.startApi(environment), this.startWorker(environment)]);
  }

  private async endProcesses(): Promise<void> {
    await Promise.all([this.api.end('SIGKILL'), this.worker.end('SIGKILL')]);
  }

  private startProcess(role: 'api' | 'worker', environment: TestEnvironment): Promise<ServiceProcess> {
    return ServiceProcess.start(this.postgres.database, {
      PROCESS_ROLE: role,
      REDIS_URL: this.redisPair?.url ?? this.redis.url,
      GATEWAY_URL: this.gateway.url,
      GATEWAY_TOKEN: gatewayToken,
      TRUST_PROXY: 'loopback',
      ...this.provider.environment,
      ...environment,
    });
  }

  private async createTenants(furtherCount: number): Promise<void> {
    const environment = { PROCESS_ROLE: 'api', JWT_TTL_SECONDS: String(daySeconds) };
    const app = await TestApp.start(environment, this.postgres.database);
    this.own = await createSender(app, await app.createTenant());
    this.neighbour = await createSender(app, await app.createTenant({ chatRateLimit: neighbourLimit }));
    for (let number = 0; number < furtherCount; number += 1) this.further.push(await app.createTenant());
    await app.sql('UPDATE chat_instances SET base_url = $2 WHERE id = $1', [
      this.neighbour.tenant.instance.id,
      this.healthyGateway.url,
    ]);
    await app.stop({ keepDatabase: true });
  }
}

async function createSender(app: TestApp, tenant: TestTenant): Promise<Sender> {
  const leadIds: string[] = [];
  for (let number = 0; number < leadCount; number += 1) {
    const answer = await app.post(
      '/public/leads',
      { chat: `4915100${String(number).padStart(2, '0')}000` },
      withKey(tenant),
    );
    leadIds.push(((await answer.json()) as { id: string }).id);
  }
  return { tenant, leadIds };
}

// A test's application on a database of its own, listening on a free port: test files talk to it over the wire.

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { App, type AppStart, type AppTuning } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import type { CreateTenantInput } from '../../src/features/tenants/tenant.schema.js';
import type { CreateUserInput } from '../../src/features/users/user.schema.js';
import type { UserRecord } from '../../src/features/users/user.sql.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { keepLogLine, noteSecretsOf } from './test-log.js';

export const encryptionKey = '0123456789abcdef'.repeat(4);
export const jwtSecret = 'a test secret of more than thirty-two characters';

/** The principal of test setups: no API creates it. */
export const serviceOperator = { kind: 'command' } as const;

// Tests of sessions wait for the next check, and tests of keys and roles wait until the process's memory of a caller expires.
const tuning: AppTuning = { sessionCheckIntervalMs: 200, callerMemoryMs: 300 };

/** The environment of a test's application; `undefined` removes a variable. */
export type TestEnvironment = Record<string, string | undefined>;

export interface TestUser {
  id: string;
  accountId: string;
  idpSub: string;
  token: string;
}

export interface TestTenant {
  id: string;
  slug: string;
  apiKey: string;
  admin: TestUser;
  operator: TestUser;
  instance: { id: string; name: string };
}

export class TestApp {
  private readonly sqlClient: pg.Pool;
  private running: App | undefined;

  private constructor(
    app: App,
    readonly database: TestDatabase,
  ) {
    this.running = app;
    this.sqlClient = new pg.Pool({
      connectionString: database.url,
      max: 2,
      options: '-c TimeZone=UTC',
      idleTimeoutMillis: 180_000,
    });
    this.sqlClient.on('error', () => undefined);
  }

  /** Starts on a fresh database, or on `database` (a second process of the same service). */
  static async start(
    environment: TestEnvironment = {},
    database?: TestDatabase,
    further: AppTuning = {},
    start: AppStart = {},
  ): Promise<TestApp> {
    const own = database ?? (await createTestDatabase());
    const variables = {
      NODE_ENV: 'test',
      PORT: '0',
      DATABASE_URL: own.url,
      DATABASE_POOL_SIZE: '8',
      DATA_DIR: dataFolderOf(own),
      JWT_SECRET: jwtSecret,
      ENCRYPTION_KEY: encryptionKey,
      THROTTLE_LIMIT: '1000000',
      FAILED_AUTH_LIMIT: '1000000',
      GRAPHQL_TIMEOUT_MS: '600000',
      // A key of tests alone: browsers of tests are real, their push services are not.
      WEB_PUSH_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64url'),
      WEB_PUSH_CONTACT: 'mailto:admin@test.example',
      TRUST_PROXY: 'false',
      // In production the default waits for proxies.
      SHUTDOWN_DELAY_MS: '0',
      // Tests alone decide which questions a gateway gets.
      LINE_CHECKS_PER_MINUTE: '0',
      HISTORY_INTERVAL_MINUTES: '0',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'info',
      ...environment,
    };
    noteSecretsOf(variables);
    const config = loadConfig(variables);
    const destination = process.env['TEST_LOG_LEVEL'] === undefined ? { write: keepLogLine } : undefined;
    const app = new App(config, own.url, createLogger(config.logLevel, { destination }), { ...tuning, ...further });
    try {
      await app.start(start);
    } catch (error) {
      await app.stop();
      if (database === undefined) await own.drop();
      throw error;
    }
    return new TestApp(app, own);
  }

  /** @throws Error after the application has stopped */
  get app(): App {
    if (this.running === undefined) throw new Error('This application has stopped.');
    return this.running;
  }

  get url(): string {
    return `http://127.0.0.1:${this.app.port}`;
  }

  get socketUrl(): string {
    return `ws://127.0.0.1:${this.app.port}/graphql`;
  }

  /** Runs SQL without going through the application. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.sqlClient.query<Row>(text, values)).rows;
  }

  /** A tenant with an ADMIN, an OPERATOR and a default chat instance. */
  async createTenant(input: Partial<CreateTenantInput> = {}): Promise<TestTenant> {
    const { tenantCreation, apiKeys, chatInstances } = this.app.services;
    const slug = input.slug ?? `t-${randomBytes(6).toString('hex')}`;
    const tenant = await tenantCreation.create(serviceOperator, { name: slug, ...input, slug });
    const [key] = await apiKeys.readCurrent(serviceOperator, [tenant.id]);
    const admin = await this.createSignedIn(tenant.id, slug, 'ADMIN');
    const operator = await this.createSignedIn(tenant.id, slug, 'OPERATOR');
    const instance = { accountId: admin.accountId, instanceName: `${slug}-instance`, isDefault: true };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { id, instanceName: name } = await chatInstances.create(serviceOperator, instance, place);
    return { id: tenant.id, slug, apiKey: key?.apiKey ?? '', admin, operator, instance: { id, name } };
  }

  private async createSignedIn(tenantId: string, slug: string, role: 'ADMIN' | 'OPERATOR'): Promise<TestUser> {
    const idpSub = `${slug}-${role.toLowerCase()}`;
    const { id, accountId } = await this.createUser(tenantId, { email: `${idpSub}@test.example`, role, idpSub });
    return { id, accountId, idpSub, token: await this.signIn(idpSub) };
  }

  /** Signs another OPERATOR of a tenant in. */
  createColleague({ id, slug }: TestTenant): Promise<TestUser> {
    return this.createSignedIn(id, `${slug}-${randomBytes(3).toString('hex')}`, 'OPERATOR');
  }

  /** Creates a user of a tenant without an API. */
  createUser(tenantId: string, input: CreateUserInput): Promise<UserRecord> {
    const { database, users } = this.app.services;
    return database.transaction((sql) => users.insert(serviceOperator, sql, tenantId, input));
  }

  /** A token for a user, or an empty string if the application issues none. The HTTP endpoint would allow an address only 30 a minute. */
  async signIn(idpSub: string): Promise<string> {
    const { auth } = this.app.services;
    return auth.issuesDevTokens ? (await auth.issueDevToken({ idpSub })).accessToken : '';
  }

  /** POSTs JSON; a string body is sent as it is. */
  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers });
  }

  /** Stops the application, and drops the database except where `keepDatabase` is set. */
  async stop(options: { keepDatabase?: boolean } = {}): Promise<void> {
    await this.app.stop();
    // A test file's variables live as long as the worker that ran it, and an application takes tens of megabytes.
    this.running = undefined;
    await this.sqlClient.end();
    if (options.keepDatabase === true) return;
    await this.database.drop();
    await rm(dataFolderOf(this.database), { recursive: true, force: true });
  }
}

/** The folder that all processes on this database share. */
export function dataFolderOf({ url }: TestDatabase): string {
  return join(tmpdir(), 'leadwire-tests', basename(new URL(url).pathname));
}

/** Gives a suite two applications on one database of their own. `assign` gets them before the first test. */
export function withTwoApps(assign: (apps: [TestApp, TestApp]) => unknown): void {
  let apps: [TestApp, TestApp];
  beforeAll(async () => {
    const first = await TestApp.start();
    apps = [first, await TestApp.start({}, first.database)];
    assign(apps);
  });
  afterAll(async () => {
    await apps[1].stop({ keepDatabase: true });
    await apps[0].stop();
  });
}

export function withKey(tenant: TestTenant): Record<string, string> {
  return { 'x-tenant-key': tenant.apiKey };
}

export function withToken(user: TestUser): Record<string, string> {
  return { authorization: `Bearer ${user.token}` };
}

// The product as it runs in production (`dist/main.js`, on a database of its own), with one tenant to call it as.

import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.js';
import { AccessTokens } from '../../src/features/auth/access-token.js';
import { createLogger } from '../../src/platform/logger.js';
import { applyMigrations } from '../../src/platform/migrations.js';
import { createServices } from '../../src/services.js';
import { startServer } from './server-process.js';
import type { BenchContext } from './side-by-side.js';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const ttlSeconds = 3_600;
const silentLog = { info: () => undefined, warn: () => undefined };

export interface Product {
  url: string;
  databaseUrl: string;
  /** Signs chat webhooks. */
  webhookSecret: string;
  tenant: ProductTenant;
  otherTenants: readonly ProductTenant[];
  /** Another process on the same database. @returns its address */
  startAnother(role: 'api' | 'worker'): Promise<string>;
}

export interface ProductTenant {
  id: string;
  apiKey: string;
  /** The default chat instance. */
  instanceName: string;
  /** A Bearer token of its ADMIN, valid for an hour. */
  token: string;
}

/** What the bench sets beside the required variables; everything else keeps its default. */
export interface ProductOptions {
  /** Where more than one runs at a time. Default `product`. */
  databaseName?: string;
  environment?: Record<string, string>;
  nodeArguments?: readonly string[];
  /** Beside the first. Default 0. */
  otherTenantCount?: number;
  /** Told of each process before it listens. */
  onSpawn?: (pid: number) => void;
}

/** Starts the built product; the rate limiter is on, with a limit that no bench reaches. */
export async function startProduct(context: BenchContext, options: ProductOptions = {}): Promise<Product> {
  const databaseUrl = await context.postgres.createDatabase(options.databaseName ?? 'product');
  const webhookSecret = randomBytes(32).toString('hex');
  const environment = {
    NODE_ENV: 'production',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    CHAT_WEBHOOK_SECRET: webhookSecret,
    THROTTLE_LIMIT: '10000000',
    ...options.environment,
  };
  await applyMigrations(databaseUrl, { migrationsDir, log: silentLog });
  const tenant = await createTenant(environment, databaseUrl, 'bench');
  const otherTenants: ProductTenant[] = [];
  for (let number = 1; number <= (options.otherTenantCount ?? 0); number += 1) {
    otherTenants.push(await createTenant(environment, databaseUrl, `bench-${number}`));
  }
  const { resources, signal } = context;
  const nodeArguments = ['--enable-source-maps', ...(options.nodeArguments ?? [])];
  const { onSpawn } = options;
  const start = (ownEnvironment: Record<string, string>) =>
    startServer({ script: 'dist/main.js', nodeArguments, environment: ownEnvironment, onSpawn, resources, signal });
  const startAnother = (role: 'api' | 'worker') => start({ ...environment, PROCESS_ROLE: role });
  return { url: await start(environment), databaseUrl, webhookSecret, tenant, otherTenants, startAnother };
}

async function createTenant(
  environment: Record<string, string>,
  databaseUrl: string,
  slug: string,
): Promise<ProductTenant> {
  const services = createServices(loadConfig(environment), databaseUrl, createLogger('silent'));
  try {
    const operator = { kind: 'command' } as const;
    const { id } = await services.tenantCreation.create(operator, { name: 'Bench', slug });
    const [key] = await services.apiKeys.readCurrent(operator, [id]);
    const { id: userId, accountId } = await services.database.transaction((sql) =>
      services.users.insert(operator, sql, id, {
        email: `admin@${slug}.example`,
        role: 'ADMIN',
        idpSub: `${slug}-admin`,
      }),
    );
    const tokens = new AccessTokens({ secret: environment['JWT_SECRET'] ?? '', previousSecret: undefined, ttlSeconds });
    const instanceName = `${slug}-line`;
    const place = { tenantId: id, status: 'CONNECTED' } as const;
    await services.chatInstances.create(operator, { accountId, instanceName, isDefault: true }, place);
    const { token } = tokens.issue({ userId, tenantId: id }, `${slug}-admin`);
    return { id, apiKey: key?.apiKey ?? '', instanceName, token };
  } finally {
    await services.database.close();
  }
}

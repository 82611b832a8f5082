// The product as it runs in production (`dist/main.js`, on a database of its own), with a tenant that calls it.

import { randomBytes } from 'node:crypto';
import { ProductVersion } from './product-version.js';
import { startProcess } from './server-process.js';
import type { BenchContext } from './side-by-side.js';

export interface Product {
  url: string;
  pid: number;
  databaseUrl: string;
  /** Signs chat webhooks. */
  webhookSecret: string;
  tenant: ProductTenant;
  otherTenants: readonly ProductTenant[];
  /** Starts another process on the same database. @returns its address */
  startAnother(role: 'api' | 'worker', environment?: Record<string, string>): Promise<string>;
}

export interface ProductTenant {
  id: string;
  apiKey: string;
  accountId: string;
  /** The default chat instance. */
  instanceName: string;
  /** A Bearer token of its ADMIN, valid for six hours: longer than any bench. */
  token: string;
  /** Bearer tokens of its OPERATORs. */
  operatorTokens: readonly string[];
}

/** The settings of the bench beside the required variables; everything else keeps its default. */
export interface ProductOptions extends PreparedOptions {
  nodeArguments?: readonly string[];
  /** Called with each process before it listens. */
  onSpawn?: (pid: number) => void;
}

export interface PreparedOptions {
  /** The version to run. Default: this repository's. */
  version?: ProductVersion;
  /** The database's name, for benches that run more than one product at a time. Default `product`. */
  databaseName?: string;
  environment?: Record<string, string>;
  /** The tenants beside the first. Default 0. */
  otherTenantCount?: number;
  /** The OPERATORs of the first tenant, beside its ADMIN. Default 0. */
  operatorCount?: number;
}

/** A database with its tenants, and the environment of the processes on it. */
export interface PreparedProduct extends Omit<Product, 'url' | 'pid' | 'startAnother'> {
  version: ProductVersion;
  environment: Record<string, string>;
}

/** Starts the built product; the rate limiter is on, with a limit that no bench reaches. */
export async function startProduct(context: BenchContext, options: ProductOptions = {}): Promise<Product> {
  const { resources, signal } = context;
  const { version, environment, ...product } = await prepareProduct(context, {
    ...options,
    environment: { THROTTLE_LIMIT: '10000000', ...options.environment },
  });
  const nodeArguments = [...version.nodeArguments, ...(options.nodeArguments ?? [])];
  const { onSpawn } = options;
  const { folder } = version;
  const script = 'dist/main.js';
  const start = (ownEnvironment: Record<string, string>) =>
    startProcess({ folder, script, nodeArguments, environment: ownEnvironment, onSpawn, resources, signal });
  const startAnother: Product['startAnother'] = async (role, own) =>
    (await start({ ...environment, PROCESS_ROLE: role, ...own })).url;
  return { ...product, ...(await start(environment)), startAnother };
}

/** The name of the previous version in tables. */
export const beforeName = 'Leadwire, the version before';

/** Starts the previous version on a database of its own; returns none when the bench compares with none. */
export async function startBefore(context: BenchContext, options: ProductOptions = {}): Promise<Product[]> {
  const { before: version } = context;
  return version === undefined ? [] : [await startProduct(context, { ...options, version, databaseName: 'before' })];
}

/** Creates the database and its tenants. Nothing runs on it yet, and every limit has its default. */
export async function prepareProduct(
  context: BenchContext,
  { version = ProductVersion.current, ...options }: PreparedOptions,
): Promise<PreparedProduct> {
  const databaseUrl = await context.postgres.createDatabase(options.databaseName ?? 'product');
  const webhookSecret = randomBytes(32).toString('hex');
  const environment = {
    NODE_ENV: 'production',
    PORT: '0',
    TRUST_PROXY: 'false',
    DATABASE_URL: databaseUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    CHAT_WEBHOOK_SECRET: webhookSecret,
    ...options.environment,
  };
  await version.applyMigrations(databaseUrl);
  const create = (slug: string, operatorCount = 0) =>
    createTenant(version, { environment, databaseUrl, slug, operatorCount });
  const tenant = await create('bench', options.operatorCount);
  const otherTenants: ProductTenant[] = [];
  for (let number = 1; number <= (options.otherTenantCount ?? 0); number += 1)
    otherTenants.push(await create(`bench-${number}`));
  return { version, environment, databaseUrl, webhookSecret, tenant, otherTenants };
}

interface NewTenant {
  environment: Record<string, string>;
  databaseUrl: string;
  slug: string;
  operatorCount: number;
}

async function createTenant(
  version: ProductVersion,
  { environment, databaseUrl, slug, operatorCount }: NewTenant,
): Promise<ProductTenant> {
  const tokenOf = await version.tokenIssuer(environment['JWT_SECRET'] ?? '');
  return version.withServices(environment, databaseUrl, async (services) => {
    const operator = { kind: 'command' } as const;
    const { id } = await services.tenantCreation.create(operator, { name: 'Bench', slug });
    const [key] = await services.apiKeys.readCurrent(operator, [id]);
    const createUser = async (name: string, role: 'ADMIN' | 'OPERATOR') => {
      const user = { email: `${name}@${slug}.example`, role, idpSub: `${slug}-${name}` };
      const { id: userId, accountId } = await services.database.transaction((sql) =>
        services.users.insert(operator, sql, id, user),
      );
      return { accountId, token: tokenOf({ userId, tenantId: id }, user.idpSub) };
    };
    const { accountId, token } = await createUser('admin', 'ADMIN');
    const operatorTokens: string[] = [];
    for (let number = 1; number <= operatorCount; number += 1)
      operatorTokens.push((await createUser(`colleague-${number}`, 'OPERATOR')).token);
    const instanceName = `${slug}-instance`;
    const place = { tenantId: id, status: 'CONNECTED' } as const;
    await services.chatInstances.create(operator, { accountId, instanceName, isDefault: true }, place);
    return { id, apiKey: key?.apiKey ?? '', accountId, instanceName, token, operatorTokens };
  });
}

// A built version of the product: this repository's, or one in another folder that it is compared with. A version prepares its own
// databases, because its code may not fit the tables of another version.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const silentLog = { info: () => undefined, warn: () => undefined };
const tokenTtlSeconds = 6 * 3_600;

type Module<Path extends keyof Modules> = Modules[Path];
interface Modules {
  'config/config.js': typeof import('../../src/config/config.js');
  'services.js': typeof import('../../src/services.js');
  'features/auth/access-token.js': typeof import('../../src/features/auth/access-token.js');
  'platform/observability/logger.js': typeof import('../../src/platform/observability/logger.js');
  'platform/database/migrations.js': typeof import('../../src/platform/database/migrations.js');
}

export type VersionServices = ReturnType<Modules['services.js']['createServices']>;

export class ProductVersion {
  static readonly current = new ProductVersion(fileURLToPath(new URL('../..', import.meta.url)));

  /** The arguments that `npm start` gives to Node.js. */
  readonly nodeArguments: readonly string[];

  /** @param folder a checkout that is installed and built */
  constructor(readonly folder: string) {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    this.nodeArguments = scripts.start.split(' ').filter((word) => word.startsWith('--'));
  }

  /** @param path as given on the command line */
  static at(path: string): ProductVersion {
    return new ProductVersion(resolve(path));
  }

  async applyMigrations(databaseUrl: string): Promise<void> {
    const { applyMigrations } = await this.load('platform/database/migrations.js');
    await applyMigrations(databaseUrl, { migrationsDir: join(this.folder, 'prisma/migrations'), log: silentLog });
  }

  /** Runs `work` with the services that a process of this version would have. */
  async withServices<Result>(
    environment: Record<string, string>,
    databaseUrl: string,
    work: (services: VersionServices) => Promise<Result>,
  ): Promise<Result> {
    const { loadConfig } = await this.load('config/config.js');
    const { createServices } = await this.load('services.js');
    const { createLogger } = await this.load('platform/observability/logger.js');
    const services = createServices(loadConfig(environment), databaseUrl, createLogger('silent'));
    try {
      return await work(services);
    } finally {
      await services.database.close();
    }
  }

  /** @returns a function that issues Bearer tokens, valid for an hour, for a user and its name at the identity provider */
  async tokenIssuer(secret: string): Promise<(user: { userId: string; tenantId: string }, idpSub: string) => string> {
    const { AccessTokens } = await this.load('features/auth/access-token.js');
    const tokens = new AccessTokens({ secret, previousSecret: undefined, ttlSeconds: tokenTtlSeconds });
    return (user, idpSub) => tokens.issue(user, idpSub).token;
  }

  private async load<Path extends keyof Modules>(path: Path): Promise<Module<Path>> {
    // Older versions have the platform in one folder, their modules in dist itself, and their configuration at its root.
    const inOneFolder = path.replace(/^platform\/\w+\//, 'platform/');
    const file = [join('modules', path), join('modules', inOneFolder), path, inOneFolder, basename(path)]
      .map((name) => join(this.folder, 'dist', name))
      .find((name) => existsSync(name));
    return (await import(pathToFileURL(file ?? path).href)) as Module<Path>;
  }
}

// `npm run doctor -- --backup`: restores the newest backup into a scratch server and examines it. The running database is only read, and
// what was restored goes at the end.

import { access } from 'node:fs/promises';
import pg from 'pg';
import type { Config } from '../../../config/config.js';
import { mediaStoreOf } from '../../../configured-parts.js';
import { AuditService } from '../../../features/audit/audit.service.js';
import { ApiKeyService } from '../../../features/tenants/api-key.service.js';
import { Database } from '../../../platform/database/database.js';
import { createLogger } from '../../../platform/observability/logger.js';
import { SecretBox } from '../../../platform/secret-box.js';
import { failed, ok, sentenceOf, warning, type Check, type Finding } from '../check.js';
import { findDatabaseUser } from './database-user.js';
import { BackupRepository, listMissingWal, type Backup, type WalFile } from './pgbackrest.js';
import { checkRules, checkTables, compareTenants } from './restored-rows.js';
import { ScratchServer } from './scratch-server.js';

/** The time limit of each step, in milliseconds. */
export const stepLimitMs = 2 * 60 * 60 * 1_000;
/** A backup that ends before is reported: no WAL was archived since. */
const warnFromAgeMs = 60 * 60 * 1_000;
const failFromAgeMs = 26 * 60 * 60 * 1_000;
const sampleSize = 100;
const namesShown = 3;
const connectTimeoutMs = 5_000;

export interface BackupOptions {
  stanza?: string | undefined;
  configFile?: string | undefined;
  /** The folder of PostgreSQL's programs. Undefined: Debian's for the backup's version. */
  binaries?: string | undefined;
}

interface Restored {
  backup: Backup;
  wal: readonly WalFile[];
  server: ScratchServer;
}

export class BackupDrill {
  private readonly resources = new AsyncDisposableStack();
  private readonly ended = new AbortController();
  /** The steps that write into the scratch folder. */
  private readonly writing = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;
  private restored: Restored | undefined;
  /** The newest moment that could be restored. Undefined: none. */
  restorableAt: Date | undefined;

  constructor(
    private readonly config: Config,
    private readonly options: BackupOptions,
  ) {}

  checks(): Check[] {
    const { config } = this;
    const step = (name: string, after: string | undefined, run: Check['run'], variables: string[] = []): Check => ({
      name,
      variables,
      ...(after !== undefined && { after }),
      run,
    });
    return [
      step('backup', undefined, (signal) => this.write(signal, (either) => this.restore(either))),
      step('backup-wal', 'backup', (signal) => this.checkWal(signal)),
      step('backup-recovery', 'backup', (signal) => this.write(signal, (either) => this.recover(either))),
      step('backup-tables', 'backup-recovery', () => this.withScratch(checkTables), ['DATABASE_URL']),
      step('backup-records', 'backup-recovery', () => this.withScratch(checkRules), ['DATABASE_URL']),
      step('backup-tenants', 'backup-recovery', () => this.compare(), ['DATABASE_URL']),
      step('backup-key', 'backup-recovery', () => this.checkKey(config), ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS']),
      step('backup-files', 'backup-recovery', () => this.checkFiles(config), ['MEDIA_STORE', 'DATA_DIR']),
    ];
  }

  /** Ends what runs, and removes what was restored. Each call resolves once nothing of it is left. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  get isClosed(): boolean {
    return this.closing !== undefined;
  }

  private async end(): Promise<void> {
    this.ended.abort();
    // A program that still writes would bring back what is being removed.
    await Promise.allSettled(this.writing);
    await this.resources.disposeAsync();
  }

  private write<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const written = work(AbortSignal.any([signal, this.ended.signal]));
    this.writing.add(written);
    return written;
  }

  private async restore(signal: AbortSignal): Promise<Finding> {
    const user = await findDatabaseUser();
    const repository = new BackupRepository({ stanza: this.options.stanza, configFile: this.options.configFile, user });
    const { stanza, backup } = await repository.findNewest(signal);
    const binaries = this.options.binaries ?? `/usr/lib/postgresql/${backup.postgresVersion}/bin`;
    await access(binaries).catch((cause: unknown) => {
      throw new Error(`PostgreSQL ${backup.postgresVersion} is not in ${binaries}: name its folder with --postgres`, {
        cause,
      });
    });
    const server = await ScratchServer.create(user, binaries);
    this.resources.defer(() => server.remove());
    const wal = await repository.listWal(stanza, backup, signal);
    await repository.restore(stanza, backup, server, signal);
    this.restored = { backup, wal, server };
    const { label, type, endedAt, bytes } = backup;
    return ok(`The backup ${label} (${type}, ${formatMegabytes(bytes)}) of ${endedAt.toISOString()} can be restored.`);
  }

  private async checkWal(signal: AbortSignal): Promise<Finding> {
    const { backup, wal, server } = this.found();
    const missing = listMissingWal(backup.firstWal, wal, await server.readSegmentBytes(signal));
    if (missing.length === 0) return ok(`The archive has every WAL file from ${backup.firstWal} on.`);
    const names = missing.slice(0, namesShown).join(', ');
    const more = missing.length > namesShown ? `, and ${missing.length - namesShown} more` : '';
    return failed(
      `The archive lacks the WAL file ${names}${more}: nothing after it can be restored.`,
      'Take a new backup now (`pgbackrest backup`), and look at `archive_command` and the repository.',
    );
  }

  private async recover(signal: AbortSignal): Promise<Finding> {
    const { backup, server } = this.found();
    try {
      await server.recover(signal);
    } catch (error) {
      return failed(`It does not recover: ${sentenceOf(error)}`, 'See `backup-wal`, or take a new full backup.');
    }
    const replayed = await this.withScratch(async (client) => {
      const { rows } = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at');
      return rows[0]?.at ?? null;
    });
    // The last commit may be older than the backup itself.
    this.restorableAt = replayed !== null && replayed > backup.endedAt ? replayed : backup.endedAt;
    return ageFinding(this.restorableAt);
  }

  private async compare(): Promise<readonly Finding[]> {
    const { databaseUrl, databaseDirectUrl: url = databaseUrl } = this.config;
    const { restorableAt } = this;
    if (url === undefined || restorableAt === undefined) throw new Error('DATABASE_URL is not set');
    const live = new pg.Client({
      connectionString: url,
      application_name: 'leadwire doctor',
      connectionTimeoutMillis: connectTimeoutMs,
    });
    live.on('error', () => undefined);
    try {
      await live.connect();
    } catch (error) {
      return [warning(`The running database cannot be asked: ${sentenceOf(error)}`, 'Compare again once it runs.')];
    }
    try {
      return await this.withScratch((restored) => compareTenants(live, restored, restorableAt));
    } finally {
      await live.end();
    }
  }

  private async checkKey({ encryptionKey, encryptionKeyPrevious }: Config): Promise<Finding> {
    const database = new Database({ url: this.scratchUrl(), poolSize: 2, log: createLogger('silent') });
    try {
      const secretBox = new SecretBox(encryptionKey, encryptionKeyPrevious);
      await new ApiKeyService({ database, secretBox, audit: new AuditService(database) }).checkEncryptionKey();
      return ok('ENCRYPTION_KEY decrypts what is restored.');
    } catch (error) {
      return failed(
        `ENCRYPTION_KEY does not decrypt what is restored: ${sentenceOf(error)}`,
        'Find the key of that day, and keep it apart from the backups: without it, what is encrypted is lost.',
      );
    } finally {
      await database.close();
    }
  }

  private async checkFiles(config: Config): Promise<Finding> {
    const files = await this.withScratch(async (client) => {
      const text = `SELECT tenant_id AS "tenantId", object_id AS "objectId", id FROM media_files
        WHERE state = 'STORED' AND object_id IS NOT NULL ORDER BY random() LIMIT ${sampleSize}`;
      return (await client.query<{ tenantId: string; objectId: string; id: string }>(text)).rows;
    });
    if (files.length === 0) return ok('There is no file of a message.');
    const store = mediaStoreOf(config);
    const missing: string[] = [];
    for (const { id, ...key } of files) {
      const stream = await store.open(key, { first: 0, last: 0 });
      stream?.destroy();
      if (stream === undefined) missing.push(id);
    }
    if (missing.length === 0) return ok(`MEDIA_STORE has each of ${files.length} files that were picked at random.`);
    return failed(
      `MEDIA_STORE lacks ${missing.length} of ${files.length} files that were picked at random, ${missing[0]} for example.`,
      'Restore the store of files too, and back it up after the database.',
    );
  }

  private found(): Restored {
    if (this.restored === undefined) throw new Error('nothing was restored');
    return this.restored;
  }

  private scratchUrl(): string {
    const { databaseUrl, databaseDirectUrl: url = databaseUrl } = this.config;
    if (url === undefined) throw new Error('DATABASE_URL is not set, which names the database of the backup');
    const { pathname, username } = new URL(url);
    return this.found().server.urlOf(decodeURIComponent(pathname.slice(1)), decodeURIComponent(username));
  }

  private async withScratch<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: this.scratchUrl(), application_name: 'leadwire doctor' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function ageFinding(restorableAt: Date): Finding {
  const ageMs = Math.max(0, Date.now() - restorableAt.getTime());
  const found = `The newest restorable minute is ${restorableAt.toISOString().slice(0, 16)}Z, ${formatAge(ageMs)} ago.`;
  const advice = 'Look at `pgbackrest info`, and whether `archive_command` succeeds (`pg_stat_archiver`).';
  if (ageMs < warnFromAgeMs) return ok(found);
  return ageMs < failFromAgeMs ? warning(found, advice) : failed(found, advice);
}

function formatAge(ageMs: number): string {
  const minutes = Math.round(ageMs / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function formatMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_024 / 1_024)} MB`;
}

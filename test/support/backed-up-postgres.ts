// A PostgreSQL of Debian on loopback whose backups and WAL go to a repository of pgBackRest, with the configuration and the commands of
// the guide.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findDatabaseUser, type DatabaseUser } from '../../src/commands/doctor/backup/database-user.js';
import { migrationsDir, productFolder } from '../../src/config/product.js';
import { applyMigrations } from '../../src/platform/database/migrations.js';
import { until } from '../features/messages/sending-harness.js';
import { steadyPort } from './redis-server.js';
import type { TestDatabase } from './test-database.js';

const run = promisify(execFile);
const silentLog = { info: () => undefined };
/** The newest version that Debian's pgBackRest knows. */
const binaries = '/usr/lib/postgresql/15/bin';

export const backupsInstalled = (): boolean =>
  existsSync('/usr/bin/pgbackrest') && existsSync(join(binaries, 'postgres'));

export class BackedUpPostgres {
  private user: DatabaseUser | undefined;
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Starts a server with a migrated database, makes the stanza, and takes the guide's backups. */
  static async start(): Promise<BackedUpPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-backed-up-'));
    const postgres = new BackedUpPostgres(folder, await steadyPort());
    try {
      await postgres.begin();
    } catch (error) {
      await postgres.remove();
      throw error;
    }
    return postgres;
  }

  get database(): TestDatabase {
    return { url: this.urlOf('leadwire'), drop: async () => undefined };
  }

  get configFile(): string {
    return join(this.folder, 'pgbackrest.conf');
  }

  /** Runs one statement as the superuser. */
  async query<Row extends object>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.urlOf('leadwire') });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the WAL file, and resolves with its name once it is archived. */
  async switchWal(): Promise<string> {
    await this.query(`SELECT pg_logical_emit_message(false, 'test', 'something to archive')`);
    const [row] = await this.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    const name = row?.name ?? '';
    await until(
      () => this.query<{ last: string | null }>('SELECT last_archived_wal AS last FROM pg_stat_archiver'),
      ([archiver]) => (archiver?.last ?? '') >= name,
    );
    return name;
  }

  /** Removes a WAL file from the archive. */
  async loseWal(name: string): Promise<void> {
    const archive = join(this.folder, 'repository/archive/leadwire');
    const files = await readdir(archive, { recursive: true });
    const found = files.find((file) => file.includes(`${name}-`));
    if (found === undefined) throw new Error(`the archive has no ${name}`);
    await rm(join(archive, found));
  }

  /** Cuts the file of a table while the server is down, as a file system does that forgets. */
  async truncateTable(name: string): Promise<void> {
    const [row] = await this.query<{ path: string }>(`SELECT pg_relation_filepath('${name}') AS path`);
    await this.end('SIGINT');
    await truncate(join(this.data, row?.path ?? ''), 0);
    await this.launch();
  }

  /** Takes a backup: `full` or `incr`. */
  async backUp(type: string): Promise<void> {
    await this.pgbackrest(['--stanza=leadwire', `--type=${type}`, 'backup']);
  }

  async remove(): Promise<void> {
    await this.end('SIGQUIT');
    await rm(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private urlOf(name: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${name}`;
  }

  private async begin(): Promise<void> {
    this.user = await findDatabaseUser();
    await chmod(this.folder, 0o755);
    for (const name of ['data', 'aside', 'repository', 'lock', 'log']) {
      await mkdir(join(this.folder, name), { mode: 0o700 });
      if (this.user !== undefined) await chown(join(this.folder, name), this.user.uid, this.user.gid);
    }
    const guide = await readFile(join(productFolder, 'src/docs/operate-backup.md'), 'utf8');
    await this.runAs(join(binaries, 'initdb'), ['-D', this.data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-k']);
    await writeFile(this.configFile, this.settingsOf(exampleOf(guide, 'ini')));
    const parameters = exampleOf(guide, 'conf').replace('pgbackrest ', `pgbackrest --config=${this.configFile} `);
    await appendFile(join(this.data, 'postgresql.conf'), parameters);
    await this.launch();
    const maintenance = new pg.Client({ connectionString: this.urlOf('postgres') });
    await maintenance.connect();
    await maintenance.query('CREATE DATABASE leadwire');
    await maintenance.end();
    await applyMigrations(this.database.url, { migrationsDir, log: silentLog });
    // A part of the database stands outside of its folder.
    await this.query(`CREATE TABLESPACE aside LOCATION '${join(this.folder, 'aside')}'`);
    await this.query('ALTER TABLE lead_notes SET TABLESPACE aside');
    for (const line of exampleOf(guide, 'sh').trim().split('\n')) {
      const [, options = ''] = /^sudo -u postgres pgbackrest (.*)$/.exec(line) ?? [];
      await this.pgbackrest(options.split(' '));
    }
  }

  /** The guide's settings with the addresses and folders of this server. */
  private settingsOf(documented: string): string {
    const global = `lock-path=${join(this.folder, 'lock')}\nlog-path=${join(this.folder, 'log')}\n`;
    return documented
      .replace(/^repo1-path=.*$/m, `repo1-path=${join(this.folder, 'repository')}\n${global}`)
      .replace(/^pg1-path=.*$/m, `pg1-path=${this.data}\npg1-port=${this.port}\npg1-socket-path=${this.folder}/log\n`);
  }

  private async launch(): Promise<void> {
    const log = openSync(join(this.folder, 'server.log'), 'a');
    const sockets = join(this.folder, 'log');
    const parameters = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${sockets}`,
      'fsync=off',
    ];
    const options = ['-D', this.data, ...parameters.flatMap((parameter) => ['-c', parameter])];
    this.child = spawn(join(binaries, 'postgres'), options, { stdio: ['ignore', log, log], cwd: '/', ...this.user });
    await until(
      () => this.answers(),
      (isThere) => isThere,
    );
  }

  private async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.urlOf('postgres') });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  }

  private async pgbackrest(options: readonly string[]): Promise<void> {
    await this.runAs('pgbackrest', [`--config=${this.configFile}`, '--log-level-stderr=error', ...options]);
  }

  private async runAs(program: string, options: readonly string[]): Promise<void> {
    await run(program, [...options], { cwd: '/', ...this.user });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** Returns the first example of a language in a guide. */
function exampleOf(guide: string, language: string): string {
  const [, example] = new RegExp(`\n\`\`\`${language}\n([^]*?)\`\`\`\n`).exec(guide) ?? [];
  if (example === undefined) throw new Error(`the guide has no example of ${language}`);
  return example;
}

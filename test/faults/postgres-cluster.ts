// A PostgreSQL cluster on loopback, with the configuration of the guide: Patroni keeps one primary and its standbys, etcd holds who is
// primary, and HAProxy leads all connections to it. Its faults: a machine dies, stands still and comes back, or gives its role away; a standby or etcd is lost.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { parse } from 'yaml';
import { migrationsDir, productFolder } from '../../src/config/product.js';
import { applyMigrations } from '../../src/platform/database/migrations.js';
import { until } from '../features/messages/sending-harness.js';
import { steadyPort } from '../support/redis-server.js';
import type { TestDatabase } from '../support/test-database.js';

const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' };
const binariesOf = (version: number) => `/usr/lib/postgresql/${version}/bin`;
const versions = [18, 17, 16, 15];
const password = 'cluster';
const startLimitMs = 90_000;
const failoverLimitMs = 60_000;
const silentLog = { info: () => undefined };

export const clusterInstalled = (): boolean =>
  Object.values(programs).every((path) => existsSync(path)) && findBinaries() !== undefined;

const findBinaries = () => versions.map(binariesOf).find((folder) => existsSync(join(folder, 'postgres')));

interface Member {
  name: string;
  folder: string;
  port: number;
  apiPort: number;
  patroni?: ChildProcess;
}

/** The parts of the guide's configuration that a test changes. */
interface DocumentedSettings {
  bootstrap: { dcs: object };
  postgresql: object;
}

interface Owner {
  uid: number;
  gid: number;
}

export class PostgresCluster {
  private readonly resources = new AsyncDisposableStack();
  private readonly members: Member[] = [];
  private folder = '';
  private owner: Owner | undefined;
  private etcd: ChildProcess | undefined;
  private etcdPort = 0;
  private etcdPeerPort = 0;
  private proxyPort = 0;
  private sql!: pg.Pool;

  private constructor(private readonly isSynchronous: boolean) {}

  /** Starts etcd, two members and the proxy, and applies the migrations. */
  static async start({ isSynchronous = true } = {}): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(isSynchronous);
    try {
      await cluster.begin();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  stop(): Promise<void> {
    return this.resources.disposeAsync();
  }

  get database(): TestDatabase {
    return { url: this.urlAt(this.proxyPort), drop: async () => undefined };
  }

  /** Reads rows like `ReadRows`, from whichever member is the primary. */
  readonly rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await this.sql.query(text, values)).rows as Row[];

  /** Kills the primary's machine: Patroni and PostgreSQL. Resolves when the other one is the primary, with that moment. */
  async killPrimary(): Promise<number> {
    const lost = await this.findPrimary();
    await this.killMember(lost);
    return this.untilPromoted(lost);
  }

  /** Stops every process of the primary's machine until the other one is the primary, and lets it go on as a zombie. */
  async pausePrimary(): Promise<number> {
    const paused = await this.findPrimary();
    const pids = await this.pidsOf(paused);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      return await this.untilPromoted(paused);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  }

  /** The primary gives its role to the standby. Resolves with the moment when the standby has it. */
  async switchOver(): Promise<number> {
    const before = await this.findPrimary();
    const answer = await fetch(`http://127.0.0.1:${before.apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: before.name }),
    });
    if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
    return this.untilPromoted(before);
  }

  /** Kills the standby's machine. Commits wait for it until Patroni gives it up. */
  async killStandby(): Promise<void> {
    const primary = await this.findPrimary();
    const standby = this.members.find(({ name }) => name !== primary.name);
    if (standby !== undefined) await this.killMember(standby);
  }

  /** Kills etcd while `work` runs: no member knows who is primary. */
  async withoutEtcd(work: () => Promise<void>): Promise<void> {
    await endProcess(this.etcd, 'SIGKILL');
    try {
      await work();
    } finally {
      await this.startEtcd();
    }
  }

  /** Starts lost members again. Resolves when the standby follows, and Patroni would promote it. */
  async untilWhole(): Promise<void> {
    for (const member of this.members) if (member.patroni === undefined) this.startMember(member);
    // PostgreSQL calls a standby synchronous some seconds before Patroni writes that it may be promoted.
    const wanted = this.isSynchronous ? 'sync_standby' : 'replica';
    await until(
      async () => rolesOf(await this.findPrimary()),
      (roles) => roles.includes(wanted),
      startLimitMs,
    );
  }

  private async begin(): Promise<void> {
    const { resources } = this;
    this.folder = await mkdtemp(join(tmpdir(), 'leadwire-cluster-'));
    await chmod(this.folder, 0o755);
    resources.defer(() => rm(this.folder, { recursive: true, force: true }));
    this.owner = await findOwner();
    [this.etcdPort, this.etcdPeerPort, this.proxyPort] = [await steadyPort(), await steadyPort(), await steadyPort()];
    resources.defer(() => endProcess(this.etcd, 'SIGKILL'));
    await this.startEtcd();
    for (const name of ['one', 'two']) {
      const folder = join(this.folder, name);
      await mkdir(folder);
      if (this.owner !== undefined) await chown(folder, this.owner.uid, this.owner.gid);
      this.members.push({ name, folder, port: await steadyPort(), apiPort: await steadyPort() });
    }
    resources.defer(async () => void (await Promise.all(this.members.map((member) => this.killMember(member)))));
    for (const member of this.members) {
      await writeFile(join(member.folder, 'patroni.json'), JSON.stringify(await this.settingsOf(member)));
      this.startMember(member);
      // The first member makes the cluster, and the second copies it.
      if (member === this.members[0]) await this.findPrimary();
    }
    const proxy = await this.startProxy();
    resources.defer(() => endProcess(proxy, 'SIGKILL'));
    this.sql = new pg.Pool({ connectionString: this.database.url, max: 1, options: '-c TimeZone=UTC' });
    this.sql.on('error', () => undefined);
    resources.defer(() => this.sql.end());
    await this.untilWhole();
    await applyMigrations(this.database.url, { migrationsDir, log: silentLog });
  }

  private urlAt(port: number): string {
    return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  }

  private async startEtcd(): Promise<void> {
    const [client, peer] = [`http://127.0.0.1:${this.etcdPort}`, `http://127.0.0.1:${this.etcdPeerPort}`];
    const options = [
      ['--data-dir', join(this.folder, 'etcd')],
      ['--listen-client-urls', client],
      ['--advertise-client-urls', client],
      ['--listen-peer-urls', peer],
      ['--initial-advertise-peer-urls', peer],
      ['--initial-cluster', `default=${peer}`],
      ['--enable-v2'],
      ['--unsafe-no-fsync'],
    ];
    this.etcd = this.launch(programs.etcd, options.flat(), 'etcd.log');
    await until(
      () => statusOf(`${client}/health`),
      (status) => status === 200,
      startLimitMs,
    );
  }

  private startMember(member: Member): void {
    member.patroni = this.launch(
      programs.patroni,
      [join(member.folder, 'patroni.json')],
      `${member.name}.log`,
      this.owner,
    );
  }

  private async startProxy(): Promise<ChildProcess> {
    const file = join(this.folder, 'haproxy.cfg');
    const servers = this.members.map(
      ({ name, port, apiPort }) => `  server ${name} 127.0.0.1:${port} check port ${apiPort}\n`,
    );
    const documented = await readExample('haproxy');
    const config = documented
      .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${this.proxyPort}`)
      .replace(/^ {2}server [^]*$/m, servers.join(''));
    await writeFile(file, config);
    return this.launch(programs.haproxy, ['-db', '-f', file], 'haproxy.log');
  }

  private launch(program: string, options: readonly string[], logName: string, owner?: Owner): ChildProcess {
    const log = openSync(join(this.folder, logName), 'a');
    return spawn(program, options, { stdio: ['ignore', log, log], cwd: '/', ...owner });
  }

  /** Returns the guide's configuration of Patroni, with this machine's addresses and folders. */
  private async settingsOf({ name, folder, port, apiPort }: Member): Promise<object> {
    const address = (at: number) => ({ listen: `127.0.0.1:${at}`, connect_address: `127.0.0.1:${at}` });
    const documented = parse(await readExample('yaml')) as DocumentedSettings;
    const { bootstrap, postgresql } = documented;
    return {
      ...documented,
      name,
      restapi: address(apiPort),
      etcd: { hosts: [`127.0.0.1:${this.etcdPort}`] },
      bootstrap: {
        ...bootstrap,
        dcs: {
          ...bootstrap.dcs,
          synchronous_mode: this.isSynchronous,
          // Tests wait for each round of Patroni's.
          loop_wait: 1,
          // An asynchronous standby is promoted however far it is behind.
          ...(!this.isSynchronous && { maximum_lag_on_failover: 1_073_741_824 }),
        },
      },
      postgresql: {
        ...postgresql,
        ...address(port),
        data_dir: join(folder, 'data'),
        bin_dir: findBinaries(),
        pgpass: join(folder, 'pgpass'),
        authentication: {
          superuser: { username: 'postgres', password },
          replication: { username: 'replicator', password },
        },
        parameters: { unix_socket_directories: folder },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    };
  }

  private async findPrimary(): Promise<Member> {
    const primary = await until(
      () => this.primaryNow(),
      (found) => found !== undefined,
      startLimitMs,
    );
    return primary as Member;
  }

  private async primaryNow(but?: Member): Promise<Member | undefined> {
    const candidates = this.members.filter((member) => member !== but);
    const statuses = await Promise.all(
      candidates.map(({ apiPort }) => statusOf(`http://127.0.0.1:${apiPort}/primary`)),
    );
    return candidates[statuses.indexOf(200)];
  }

  private async untilPromoted(before: Member): Promise<number> {
    await until(
      () => this.primaryNow(before),
      (found) => found !== undefined,
      failoverLimitMs,
    );
    return performance.now();
  }

  private async killMember(member: Member): Promise<void> {
    const pids = await this.pidsOf(member);
    // Patroni first: it would start PostgreSQL again.
    await endProcess(member.patroni, 'SIGKILL');
    delete member.patroni;
    for (const pid of pids) tryToKill(pid);
  }

  /** Lists Patroni and the processes of PostgreSQL, the parent first. */
  private async pidsOf({ patroni, folder }: Member): Promise<number[]> {
    const file = await readFile(join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(file.split('\n')[0]);
    const children = postmaster > 0 ? await childrenOf(postmaster) : [];
    return [patroni?.pid ?? 0, postmaster, ...children].filter((pid) => pid > 0);
  }
}

/** Returns the only example of a language in the guide of clusters. */
async function readExample(language: 'yaml' | 'haproxy'): Promise<string> {
  const guide = await readFile(join(productFolder, 'src/docs/operate-cluster.md'), 'utf8');
  const [, example] = new RegExp(`\n\`\`\`${language}\n([^]*?)\`\`\`\n`).exec(guide) ?? [];
  if (example === undefined) throw new Error(`the guide has no example of ${language}`);
  return example;
}

/** The user of PostgreSQL's processes where this process is root; they refuse to run as root. */
async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined) throw new Error('There is no user postgres.');
  return { uid: Number(uid), gid: Number(gid) };
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    if (/^\) \S (\d+) /.exec(stat.slice(stat.lastIndexOf(')')))?.[1] === String(parent)) children.push(Number(entry));
  }
  return children;
}

/** Lists the roles of members that run, as the primary's Patroni knows them. */
async function rolesOf({ apiPort }: Member): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => undefined);
  if (answer?.ok !== true) return [];
  const { members } = (await answer.json()) as { members: { role: string; state: string }[] };
  return members.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role);
}

async function statusOf(url: string): Promise<number> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status,
    () => 0,
  );
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with its parent.
  }
}

async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

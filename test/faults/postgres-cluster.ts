// A PostgreSQL cluster on loopback, with the configuration of the guide: Patroni keeps one primary and its standbys, etcd holds who is
// primary, and HAProxy leads all connections to it. Its faults: a machine dies, stands still and comes back, or gives its role away; a
// standby or etcd is lost.

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrationsDir } from '../../src/config/product.js';
import { applyMigrations } from '../../src/platform/database/migrations.js';
import { until } from '../features/messages/sending-harness.js';
import { steadyPort } from '../support/redis-server.js';
import type { TestDatabase } from '../support/test-database.js';
import { MachineNetwork, SmallDisk } from './cluster-machines.js';
import { etcdSettings, patroniSettings, programs, proxySettings, urlAt, type MemberPlace } from './cluster-settings.js';
import type { LossyEnd } from './fault-cases.js';
import { signalIfAlive } from './process-signal.js';

const startLimitMs = 90_000;
const failoverLimitMs = 60_000;
const walSwitchMs = 500;
/** Twice what the files of a member take during its faults. */
const diskMegabytes = 500;
const silentLog = { info: () => undefined };

interface Member extends MemberPlace {
  /** A disk of the machine's own, where it has one. */
  disk: SmallDisk | undefined;
  patroni?: ChildProcess;
}

export interface ClusterOptions {
  /** False: commits wait for no standby. Default true. */
  isSynchronous?: boolean;
  /** Gives each member a network namespace and a small disk of its own. Default false. */
  hasMachines?: boolean;
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
  private network: MachineNetwork | undefined;

  private constructor(
    private readonly isSynchronous: boolean,
    private readonly hasMachines: boolean,
  ) {}

  /** Starts etcd, two members and the proxy, and applies the migrations. */
  static async start({ isSynchronous = true, hasMachines = false }: ClusterOptions = {}): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(isSynchronous, hasMachines);
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
    return { url: urlAt('127.0.0.1', this.proxyPort), drop: async () => undefined };
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
    for (const pid of pids) signalIfAlive(pid, 'SIGSTOP');
    try {
      return await this.untilPromoted(paused);
    } finally {
      for (const pid of pids) signalIfAlive(pid, 'SIGCONT');
    }
  }

  /** Cuts the primary off from everything until the other one is the primary, and gives it the network back. Needs machines. */
  async partitionPrimary(): Promise<number> {
    const cut = await this.findPrimary();
    this.network?.cut(cut.name);
    try {
      return await this.untilPromoted(cut);
    } finally {
      this.network?.reconnect(cut.name);
    }
  }

  /** Leaves the primary's disk no room for a while, not even for its log. Resolves when there is a primary again. Needs machines. */
  async fillPrimaryDisk(durationMs: number): Promise<number> {
    const full = await this.findPrimary();
    const untilMs = performance.now() + durationMs;
    await full.disk?.fill(async () => {
      while (performance.now() < untilMs) {
        // The server goes on for as long as it has a file of its log left.
        await askOnce(full, 'SELECT pg_switch_wal()').catch(() => undefined);
        await delay(walSwitchMs);
      }
    });
    const endedAtMs = performance.now();
    const primary = await this.findPrimary();
    return primary === full ? endedAtMs : Math.max(endedAtMs, performance.now());
  }

  /** The primary gives its role to the standby. Resolves with the moment when the standby has it. */
  async switchOver(): Promise<number> {
    const before = await this.findPrimary();
    const answer = await fetch(`http://${before.host}:${before.apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: before.name }),
    });
    if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
    return this.untilPromoted(before);
  }

  /**
   * Kills the primary's machine for good, after its asynchronous standby got nothing for a while. Resolves when the standby is the primary.
   * @param atDeath is called once the primary is dead
   */
  async losePrimary(behindMs: number, atDeath: () => void): Promise<LossyEnd> {
    const lost = await this.findPrimary();
    const standby = this.members.find(({ name }) => name !== lost.name)!;
    const fromMs = performance.now();
    const [written] = await this.rowsOf<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
    const receiver = await this.untilReceived(standby, written?.lsn ?? '');
    process.kill(receiver, 'SIGSTOP');
    await delay(behindMs);
    await this.killMember(lost);
    atDeath();
    // It ends before it reads the bytes that wait in its socket.
    for (const signal of ['SIGTERM', 'SIGCONT'] as const) process.kill(receiver, signal);
    await rm(join(lost.folder, 'data'), { recursive: true, force: true });
    const endedAtMs = await this.untilPromoted(lost);
    return { endedAtMs, window: { fromMs, toMs: endedAtMs } };
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

  /** @returns the process that receives the log, once the standby has it up to there */
  private async untilReceived(standby: Member, lsn: string): Promise<number> {
    const statement = 'SELECT pid FROM pg_stat_wal_receiver WHERE pg_last_wal_receive_lsn() >= $1::pg_lsn';
    const [receiver] = await until(
      () => askOnce<{ pid: number }>(standby, statement, [lsn]),
      (found) => found.length > 0,
    );
    return receiver!.pid;
  }

  private async begin(): Promise<void> {
    const { resources } = this;
    this.folder = await mkdtemp(join(tmpdir(), 'leadwire-cluster-'));
    await chmod(this.folder, 0o755);
    resources.defer(() => rm(this.folder, { recursive: true, force: true }));
    this.owner = await findOwner();
    if (this.hasMachines) this.network = resources.use(new MachineNetwork());
    [this.etcdPort, this.etcdPeerPort, this.proxyPort] = [await steadyPort(), await steadyPort(), await steadyPort()];
    resources.defer(() => endProcess(this.etcd, 'SIGKILL'));
    await this.startEtcd();
    for (const name of ['one', 'two']) {
      const folder = join(this.folder, name);
      await mkdir(folder);
      const disk = this.hasMachines ? resources.use(new SmallDisk(folder, diskMegabytes)) : undefined;
      const host = this.network?.add(name) ?? '127.0.0.1';
      if (this.owner !== undefined) await chown(folder, this.owner.uid, this.owner.gid);
      this.members.push({ name, folder, host, disk, port: await steadyPort(), apiPort: await steadyPort() });
    }
    resources.defer(async () => void (await Promise.all(this.members.map((member) => this.killMember(member)))));
    const common = { etcd: `${this.ownHost}:${this.etcdPort}`, isSynchronous: this.isSynchronous };
    for (const member of this.members) {
      await writeFile(join(member.folder, 'patroni.json'), JSON.stringify(await patroniSettings(member, common)));
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

  /** The address of everything that is on no machine of a member. */
  private get ownHost(): string {
    return this.network?.host ?? '127.0.0.1';
  }

  private async startEtcd(): Promise<void> {
    const at = (port: number) => `http://${this.ownHost}:${port}`;
    const [client, peer] = [at(this.etcdPort), at(this.etcdPeerPort)];
    const environment = await etcdSettings({ client, peer, folder: join(this.folder, 'etcd') });
    this.etcd = this.launch(programs.etcd, ['--unsafe-no-fsync'], 'etcd.log', {
      env: { ...process.env, ...environment },
    });
    await until(
      () => statusOf(`${client}/health`),
      (status) => status === 200,
      startLimitMs,
    );
  }

  private startMember(member: Member): void {
    const { network, owner } = this;
    const settings = join(member.folder, 'patroni.json');
    const log = `${member.name}.log`;
    if (network === undefined || owner === undefined) {
      member.patroni = this.launch(programs.patroni, [settings], log, owner);
      return;
    }
    const [program, ...options] = network.commandOn(member.name, owner, programs.patroni);
    member.patroni = this.launch(program, [...options, settings], log);
  }

  private async startProxy(): Promise<ChildProcess> {
    const file = join(this.folder, 'haproxy.cfg');
    await writeFile(file, await proxySettings(this.members, this.proxyPort));
    return this.launch(programs.haproxy, ['-db', '-f', file], 'haproxy.log');
  }

  private launch(program: string, options: readonly string[], logName: string, how: SpawnOptions = {}): ChildProcess {
    const log = openSync(join(this.folder, logName), 'a');
    return spawn(program, options, { stdio: ['ignore', log, log], cwd: '/', ...how });
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
      candidates.map(({ host, apiPort }) => statusOf(`http://${host}:${apiPort}/primary`)),
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
    for (const pid of pids) signalIfAlive(pid, 'SIGKILL');
  }

  /** Lists Patroni and the processes of PostgreSQL, the parent first. */
  private async pidsOf({ patroni, folder }: Member): Promise<number[]> {
    const file = await readFile(join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(file.split('\n')[0]);
    const children = postmaster > 0 ? await childrenOf(postmaster) : [];
    return [patroni?.pid ?? 0, postmaster, ...children].filter((pid) => pid > 0);
  }
}

/** Runs a statement on one member, on a connection of its own. */
async function askOnce<Row extends object>(
  { host, port }: MemberPlace,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const sql = new pg.Client({ connectionString: urlAt(host, port) });
  sql.on('error', () => undefined);
  try {
    await sql.connect();
    return (await sql.query<Row>(statement, values)).rows;
  } finally {
    await sql.end();
  }
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
async function rolesOf({ host, apiPort }: Member): Promise<string[]> {
  const answer = await fetch(`http://${host}:${apiPort}/cluster`).catch(() => undefined);
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

async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

// Chooses the server that an operation reads from. A replica gets the operation once it has replayed all that the primary had committed
// when the operation began to read. So nobody reads less than what they wrote, heard of, or have read before, in whatever process.

import type { DatabaseServer, NamedStatement } from './database-server.js';
import type { Operation } from './operation.js';
import { ReadReplica, selectIdentity, type LogPlace, type ReplicaOptions } from './read-replica.js';
import { outsideOfRequests } from '../observability/request-scope.js';

const watchIntervalMs = 1_000;

// A commit is flushed before anybody sees it, unless `synchronous_commit` is off.
const selectPlace: NamedStatement = {
  name: 'select-primary-position',
  text: `SELECT CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn AS position,
    left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline`,
};

export type ReadFrom = 'primary' | 'replica';

export interface ReadReplicasOptions extends Omit<ReplicaOptions, 'url'> {
  urls: readonly string[];
  primary: DatabaseServer;
  /** Called for each operation that reads. */
  onChoice?: ((from: ReadFrom) => void) | undefined;
}

/** A place in the primary's log as PostgreSQL writes it. */
interface Place {
  position: string | number;
  /** In hexadecimal digits. */
  timeline: string;
}

/** A server that operations read from. */
interface Source {
  server: DatabaseServer;
  load: number;
}

export class ReadReplicas {
  readonly list: readonly ReadReplica[];
  private readonly primary: Source;
  private readonly choices = new WeakMap<Operation, Choice>();
  private readonly places: SharedReading<LogPlace>;
  private identity: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private watching: Promise<void> | undefined;

  constructor(private readonly options: ReadReplicasOptions) {
    const { urls, primary, ...replica } = options;
    this.list = urls.map((url) => new ReadReplica({ ...replica, url }));
    this.primary = { server: primary, load: 0 };
    this.places = new SharedReading(async () => {
      const [{ position, timeline } = { position: 0, timeline: '' }] = await primary.run<Place>(selectPlace);
      return { position: BigInt(position), timeline: Number.parseInt(timeline, 16) };
    });
  }

  /** Resolves after the first look, well or not: within 2 s of the primary's answer. */
  async start(): Promise<void> {
    this.timer = setInterval(() => void this.watch(), watchIntervalMs);
    await this.watch();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.watching;
    await Promise.all(this.list.map(({ server }) => server.close()));
  }

  /** Looks at each replica. Calls that come meanwhile join. Never rejects. */
  watch(): Promise<void> {
    this.watching ??= this.watchAll().finally(() => (this.watching = undefined));
    return this.watching;
  }

  /** Returns the server that this operation's reads go to. Never rejects. */
  serverFor(operation: Operation): Promise<DatabaseServer> {
    const known = this.choices.get(operation);
    if (known?.server !== undefined) return known.server;
    if (operation.hasEnded) return Promise.resolve(this.primary.server);
    const choice = new Choice(operation);
    this.choices.set(operation, choice);
    choice.server = this.choose(choice);
    return choice.server;
  }

  /** Notes that the operation has changed something: its next read chooses again. */
  chooseAgain(operation: Operation): void {
    const choice = this.choices.get(operation);
    if (choice === undefined) return;
    this.choices.delete(operation);
    choice.end();
  }

  /** Sends the further reads of this operation to the primary. */
  keepToPrimary(operation: Operation): void {
    const choice = this.choices.get(operation);
    if (choice === undefined) return;
    choice.move(this.primary);
    choice.server = Promise.resolve(this.primary.server);
  }

  /** Counts work of the primary's own, so that it gets fewer reads. */
  async onPrimary<Result>(work: () => Promise<Result>): Promise<Result> {
    this.primary.load += 1;
    try {
      return await work();
    } finally {
      this.primary.load -= 1;
    }
  }

  private async choose(choice: Choice): Promise<DatabaseServer> {
    const replica = this.leastBusy();
    if (replica !== undefined && replica.load <= this.primary.load) {
      choice.move(replica);
      if (await this.isCurrent(replica)) {
        this.options.onChoice?.('replica');
        return replica.server;
      }
    }
    choice.move(this.primary);
    this.options.onChoice?.('primary');
    return this.primary.server;
  }

  private leastBusy(): ReadReplica | undefined {
    let best: ReadReplica | undefined;
    for (const replica of this.list) if (replica.isUsable && replica.load < (best?.load ?? Infinity)) best = replica;
    return best;
  }

  private async isCurrent(replica: ReadReplica): Promise<boolean> {
    try {
      return await replica.reach(await this.places.read());
    } catch {
      // The primary is away: the read that goes to it will say so.
      return false;
    }
  }

  private async watchAll(): Promise<void> {
    const before = this.list.map(({ replayed }) => replayed);
    try {
      const atMs = performance.now();
      const place = await this.places.read();
      const identity = (this.identity ??= await this.readIdentity());
      await Promise.all(
        this.list.map((replica, index) => replica.watch({ ...place, atMs, identity }, before[index] ?? -1n)),
      );
    } catch (error) {
      // Without the primary it is unknown how far a replica should be.
      this.options.log.debug({ err: error }, 'the read replicas could not be compared with the primary');
    }
  }

  private async readIdentity(): Promise<string> {
    const [row] = await this.options.primary.run<{ identity: string }>(selectIdentity);
    return row?.identity ?? '';
  }
}

/** The server that one operation reads from. It stays there: two servers would show it two moments. */
class Choice {
  server: Promise<DatabaseServer> | undefined;
  private source: Source | undefined;
  private isOver = false;
  private readonly forget: () => void;

  constructor(operation: Operation) {
    this.forget = operation.whileRunning(() => this.end());
  }

  /** Counts the operation at its new source, unless it has ended meanwhile. */
  move(to: Source | undefined): void {
    if (this.source !== undefined) this.source.load -= 1;
    this.source = this.isOver ? undefined : to;
    if (this.source !== undefined) this.source.load += 1;
  }

  end(): void {
    this.isOver = true;
    this.forget();
    this.move(undefined);
  }
}

/** Shares a reading among all who ask before it begins: each gets a value that was read after it had asked. */
class SharedReading<Value> {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<Value> | undefined;

  constructor(private readonly take: () => Promise<Value>) {}

  read(): Promise<Value> {
    if (this.next === undefined) {
      const begin = () => {
        this.next = undefined;
        return outsideOfRequests(this.take);
      };
      this.next = this.last.then(begin);
      this.last = this.next.catch(() => undefined);
    }
    return this.next;
  }
}

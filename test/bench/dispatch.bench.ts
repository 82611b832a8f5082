// Dispatch without a limit: the rate at which waiting messages leave, with claim, HTTP call, status, transition and event. Its rivals are
// a worker of pg-boss that posts and stores answers, a process that only posts, and pg-boss alone with as many empty jobs. The bench
// also measures the CPU time of each message, and its statements in PostgreSQL.

import { chatNumbers, leadCount } from './inbound-call.js';
import { confirmStored, countEach, settle, type CountedServer } from './loaded-server.js';
import { machineTimeMs } from './machine-clock.js';
import { withClient } from './postgres.js';
import { beforeName, prepareProduct, type ProductOptions } from './product.js';
import { prepareTables } from './baselines/promising-sql.js';
import { BenchGateway, SendingProduct, outboxPoll } from './sending-product.js';
import { CpuMeter, cpuOfPostgres, cpuOfProcess, usesNone, type CpuCosts } from './cpu-meter.js';
import { startProcess, startServer } from './server-process.js';
import {
  measureSideBySide,
  percentile,
  type Bench,
  type BenchContext,
  type Comparison,
  type Listing,
  type RoundFigures,
  type Side,
} from './side-by-side.js';
import { countStatements, type StatementCount } from './statement-count.js';
import { storeLeads, storeWaiting } from './waiting-messages.js';

interface Amounts {
  messages: number;
  warmUp: number;
  rounds: number;
}

const full: Amounts = { messages: 20_000, warmUp: 2_000, rounds: 5 };
const brief: Amounts = { messages: 400, warmUp: 100, rounds: 1 };
/** The connections of each side, as many as the product has for its sends. */
const connections = 10;
/** The posts under way at once, as many as the product has through one instance. */
const sendsAtOnce = 256;
const workers = 4;
const batchSize = 50;
const bareQueues = [
  { name: `pg-boss without messages, ${connections} × batches of 500`, workers: connections, batchSize: 500 },
  // A batch holds as many jobs as the product has messages of one instance in hand at once.
  { name: 'pg-boss without messages, batches of 48', workers: 1, batchSize: 48 },
];

type SendingPart = 'sender' | 'postgres' | 'gateway';

/** A side that posts messages to a gateway of its own. */
interface PostingSide extends Pick<Side, 'warmUp' | 'measure'> {
  name: string;
  /** The cost of a message, over the turns. */
  cpu(): CpuCosts<SendingPart>;
}

/** A posting side whose database shows its sent messages. */
interface SendingSide extends PostingSide, CountedServer {
  /** Counts the statements of `count` messages in PostgreSQL. */
  countStatements(count: number): Promise<StatementCount>;
}

export const dispatchBench: Bench = { name: 'dispatch', run: runDispatch };

async function runDispatch(context: BenchContext): Promise<(Comparison | Listing)[]> {
  const { signal, progress } = context;
  const amounts = context.isBrief === true ? brief : full;
  const bare = await startBareSides(context, amounts);
  const posts = await startPostsSide(context, amounts);
  const product = await startProductSide(context, amounts, { name: 'Leadwire' });
  const before = context.before && [
    await startProductSide(context, amounts, { name: beforeName, version: context.before, databaseName: 'before' }),
  ];
  const worker = await startWorkerSide(context, amounts);
  const sending = [product, ...(before ?? []), worker] as const;
  const { messages, rounds } = amounts;
  const sides = await confirmStored(sending, () =>
    measureSideBySide([...sending, posts, ...bare] as const, { rounds, signal, progress }),
  );
  const comparison = {
    title: `Dispatch: ${messages.toLocaleString('en')} waiting messages to a gateway that answers at once, no limit`,
    path: 'sending',
    sides,
    notes: [
      `${rounds} rounds a side in turn. A turn ends when every message is stored as SENT; p50 and p99 are the times by which half ` +
        `and 99 % of them had arrived at the gateway (of the jobs: were completed). ${leadCount} leads in turn. Each message was ` +
        'found in its database as SENT, with its transition and its event.',
      `One worker process with ${connections} connections for its sends, and the gateway in a process of its own. The worker of ` +
        `pg-boss runs ${workers} fetchers with batches of ${batchSize} on connections of their own, posts what it fetched side by side, and ` +
        'stores each answer in a transaction of its own. It keeps no order within a conversation, no limit, no attempts and no SENDING.',
      `The process that only posts has ${sendsAtOnce} posts under way at once, as the product has sends, with no database. It is ` +
        'what is left of sending when nothing else is done.',
      'The sides without messages are one process that fetches and completes empty jobs.',
    ],
  };
  return [comparison, describeCpu([...sending, posts], posts), await describeStatements(sending, messages)];
}

/** @param posts the side that only posts */
function describeCpu(sides: readonly PostingSide[], posts: PostingSide): Listing {
  const floor = posts.cpu();
  const rows = sides.map((side) => {
    const { sender, postgres, gateway } = side.cpu();
    const own = sender + postgres - floor.sender;
    return [side.name, ...[sender, postgres, gateway, sender + postgres + gateway, own].map((us) => us.toFixed(0))];
  });
  return {
    title: 'Dispatch: CPU for each message, in microseconds',
    columns: ['side', 'sender', 'PostgreSQL', 'gateway', 'all', 'sender and PostgreSQL without the post'],
    rows,
    notes: [
      'Medians of the same rounds, user and system time, of PostgreSQL with all its processes. What the post costs is what the process ' +
        'that only posts takes for it.',
    ],
  };
}

async function describeStatements(sides: readonly SendingSide[], messages: number): Promise<Listing> {
  const rows: string[][] = [];
  for (const side of sides) {
    const { statements, commits } = await side.countStatements(messages);
    rows.push([side.name, (statements / messages).toFixed(2), (commits / messages).toFixed(3)]);
  }
  return {
    title: 'Dispatch: what a message asks of PostgreSQL',
    columns: ['side', 'statements', 'commits'],
    rows,
    notes: [
      `One more turn of ${messages.toLocaleString('en')} messages each, counted by \`pg_stat_statements\`. BEGIN and COMMIT are statements ` +
        'too; a commit is a transaction that changed or locked something.',
    ],
  };
}

async function startProductSide(
  context: BenchContext,
  { messages, warmUp }: Amounts,
  { name, ...version }: { name: string } & Pick<ProductOptions, 'version' | 'databaseName'>,
): Promise<SendingSide> {
  const gateway = await BenchGateway.start(context);
  const environment = { ...gateway.environment, PROCESS_ROLE: 'worker', DATABASE_POOL_SIZE: String(connections) };
  let senderPid = 0;
  const onSpawn = (pid: number) => (senderPid = pid);
  const sending = await SendingProduct.start(context, { environment, onSpawn, ...version });
  const { tenant, databaseUrl } = sending.product;
  await storeLeads(sending.sql, tenant.id, chatNumbers);
  const prepare = async (count: number) => {
    // The tenant is inactive meanwhile, because workers also look for waiting messages by themselves.
    await sending.setActive(tenant.id, false);
    await sending.storeWaiting({ tenantId: tenant.id, count, textPrefix: 'Oi ', priority: 10 });
    await settle([databaseUrl]);
    await gateway.forget();
  };
  const send = async () => {
    await sending.setActive(tenant.id, true);
    await sending.wake(tenant.id);
    await sending.untilNothingWaits(tenant.id, context.signal);
  };
  const { instanceName } = tenant;
  const turns = new Turns(gateway, { name, senderPid, databaseUrl, instanceName, prepare, send });
  return turns.toSendingSide(messages, warmUp, databaseUrl, outboxPoll);
}

async function startWorkerSide(context: BenchContext, { messages, warmUp }: Amounts): Promise<SendingSide> {
  const { resources, signal } = context;
  const gateway = await BenchGateway.start(context);
  const { databaseUrl, tenant } = await prepareProduct(context, { databaseName: 'promising' });
  const sql = (text: string, values: unknown[] = []) =>
    withClient(databaseUrl, async (client) => (await client.query<object>(text, values)).rows);
  await storeLeads(sql, tenant.id, chatNumbers);
  await sql(prepareTables);
  const environment = {
    ...gateway.environment,
    DATABASE_URL: databaseUrl,
    TENANT_ID: tenant.id,
    CONNECTIONS: String(connections),
    WORKERS: String(workers),
    BATCH_SIZE: String(batchSize),
  };
  const script = 'test/bench/baselines/promising-sender.ts';
  const { url, pid: senderPid } = await startProcess({ script, environment, resources, signal });
  const tell = async (path: string) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', signal });
    if (!response.ok) throw new Error(`The worker of pg-boss answers ${response.status}.`);
  };
  const prepare = async (count: number) => {
    await tell('/rest');
    await storeWaiting(sql, { tenantId: tenant.id, count, textPrefix: 'Oi ', priority: 10 });
    await sql('DELETE FROM outbox_entries');
    await tell('/enqueue');
    await settle([databaseUrl]);
    await gateway.forget();
  };
  const send = (count: number) => tell(`/send?count=${count}`);
  const name = 'pg-boss worker, the same gateway and answers';
  const { instanceName } = tenant;
  const turns = new Turns(gateway, { name, senderPid, databaseUrl, instanceName, prepare, send });
  return turns.toSendingSide(messages, warmUp, databaseUrl);
}

async function startPostsSide(context: BenchContext, { messages, warmUp }: Amounts): Promise<PostingSide> {
  const { resources, signal } = context;
  const gateway = await BenchGateway.start(context);
  const instanceName = 'bench-instance';
  const environment = { ...gateway.environment, INSTANCE_NAME: instanceName, AT_ONCE: String(sendsAtOnce) };
  const script = 'test/bench/baselines/posts-only.ts';
  const { url, pid: senderPid } = await startProcess({ script, environment, resources, signal });
  const prepare = () => gateway.forget();
  const send = async (count: number) => {
    const response = await fetch(`${url}/send?count=${count}`, { method: 'POST', signal });
    if (!response.ok) throw new Error(`The process that only posts answers ${response.status}.`);
  };
  const name = 'node:http, posts to the same gateway only';
  return new Turns(gateway, { name, senderPid, instanceName, prepare, send }).toSide(messages, warmUp);
}

interface Sender {
  name: string;
  senderPid: number;
  /** Undefined when the side has no database. */
  databaseUrl?: string;
  instanceName: string;
  /** Makes `count` messages wait. */
  prepare(count: number): Promise<void>;
  /** Resolves when the answers to all of them are stored. */
  send(count: number): Promise<void>;
}

/** The turns of a side that sends. */
class Turns {
  private readonly meter: CpuMeter<SendingPart>;
  private answeredCount = 0;

  constructor(
    private readonly gateway: BenchGateway,
    private readonly sender: Sender,
  ) {
    const { senderPid, databaseUrl } = sender;
    this.meter = new CpuMeter({
      sender: cpuOfProcess(senderPid),
      postgres: databaseUrl === undefined ? usesNone : cpuOfPostgres(databaseUrl),
      gateway: cpuOfProcess(gateway.pid),
    });
  }

  toSide(messages: number, warmUp: number): PostingSide {
    return {
      name: this.sender.name,
      warmUp: async () => void (await this.take(warmUp, (work) => work())),
      measure: () => this.take(messages, (work) => this.meter.measure(messages, work)),
      cpu: () => this.meter.medians(),
    };
  }

  toSendingSide(messages: number, warmUp: number, databaseUrl: string, ownText?: string): SendingSide {
    const sentCount = () => this.answeredCount;
    return {
      ...this.toSide(messages, warmUp),
      load: {
        get answeredCount() {
          return sentCount();
        },
      },
      countStored: () =>
        countEach(databaseUrl, {
          messages: "messages WHERE status = 'SENT' AND external_id IS NOT NULL",
          transitions: "message_status_transitions WHERE to_status = 'SENT'",
          events: "events WHERE type = 'MESSAGE_STATUS_CHANGED' AND data->>'status' = 'SENT'",
        }),
      countStatements: async (count) => {
        await this.sender.prepare(count);
        return countStatements(databaseUrl, () => this.sender.send(count), ownText);
      },
    };
  }

  private async take(count: number, metered: (work: () => Promise<number>) => Promise<number>): Promise<RoundFigures> {
    const { instanceName, prepare, send } = this.sender;
    await prepare(count);
    let startedAt = 0;
    const durationMs = await metered(async () => {
      startedAt = machineTimeMs();
      await send(count);
      return machineTimeMs() - startedAt;
    });
    const { times } = await this.gateway.arrivals(instanceName);
    if (times.length !== count) throw new Error(`${times.length} of ${count} messages arrived.`);
    this.answeredCount += count;
    return figuresOf(
      times.map((time) => time - startedAt),
      durationMs,
    );
  }
}

async function startBareSides(
  { postgres, resources, signal }: BenchContext,
  { messages, warmUp }: Amounts,
): Promise<Side[]> {
  const environment = { DATABASE_URL: await postgres.createDatabase('bare'), CONNECTIONS: String(connections) };
  const url = await startServer({ script: 'test/bench/baselines/bare-queue.ts', environment, resources, signal });
  return bareQueues.map(({ name, workers: fetchers, batchSize: size }) => {
    const drain = async (count: number): Promise<RoundFigures> => {
      const path = `/drain?count=${count}&workers=${fetchers}&batchSize=${size}`;
      const response = await fetch(`${url}${path}`, { method: 'POST', signal });
      const doneAtMs = (await response.json()) as number[];
      if (doneAtMs.length !== count) throw new Error(`${doneAtMs.length} of ${count} jobs were completed.`);
      return figuresOf(doneAtMs, doneAtMs.at(-1) ?? 0);
    };
    return { name, warmUp: async () => void (await drain(warmUp)), measure: () => drain(messages) };
  });
}

function figuresOf(afterMs: readonly number[], durationMs: number): RoundFigures {
  const sorted = Float64Array.from(afterMs).sort();
  const perSecond = (afterMs.length / durationMs) * 1_000;
  return { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

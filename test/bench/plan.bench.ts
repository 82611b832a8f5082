// The needs of growth: the bench measures the cost of a call of each kind by itself and the size of a row. From these, plan-model.ts
// computes the needs of 10, 1,000 and 100,000 tenants.

import { setTimeout as delay } from 'node:timers/promises';
import {
  chatNumberOf,
  chatNumbers,
  inboundPath,
  inboundRequests,
  leadCount,
  randomExternalId,
  signedHeaders,
} from './inbound-call.js';
import { settle } from './loaded-server.js';
import { PacedSends } from './paced-sends.js';
import {
  assumptions,
  countedTables,
  kinds,
  outlookFor,
  type CallCost,
  type CountedTable,
  type Kind,
  type Measured,
  type Outlook,
} from './plan-model.js';
import { serverCpuMs } from './postgres-processes.js';
import { BenchGateway, SendingProduct } from './sending-product.js';
import { ServerProbe } from './server-probe.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';
import { replaceInbound, storeProductSends } from './stored-messages.js';

const storedMessages = 200_000;
const storedSends = 50_000;
const callCount = 300;
const warmUpCount = 100;
const sendIntervalMs = 30;
// PostgreSQL's processes report their counts when they have been idle for 10 s.
const countsSettleMs = 11_000;
const idleStretches = 4;
const tenantCounts = [10, 1_000, 100_000];
/** The tables of each count; the rows of a lead include its numbers and its touches. */
const tablesOf: Record<CountedTable, readonly string[]> = {
  messages: ['messages'],
  message_status_transitions: ['message_status_transitions'],
  webhook_deliveries: ['webhook_deliveries'],
  events: ['events'],
  leads: ['leads', 'lead_identities', 'lead_touches'],
};

export const planBench: Bench = { name: 'plan', run: runPlan };

/** The totals so far. */
interface Use extends CallCost {
  atMs: number;
}

type Rates = Omit<Use, 'rows' | 'atMs'>;

async function runPlan(context: BenchContext): Promise<Listing[]> {
  const plan = await Plan.start(context);
  const bytesPerRow = await plan.measureRows();
  // No conversation has a message a millisecond: the dashboards' counts of such a time would add a cost that nobody has.
  await plan.fill(leadCount, 2 * callCount);
  const idle = await plan.measureIdle();
  const calls = {} as Record<Kind, CallCost>;
  for (const kind of kinds) {
    context.progress(`what one call costs: ${kind}`);
    calls[kind] = await plan.measureCall(kind, idle);
  }
  const measured: Measured = { calls, bytesPerRow, idleTransactionsPerSecond: idle.transactions };
  return [listCosts(measured, idle), listOutlooks(tenantCounts.map((tenants) => outlookFor(tenants, measured)))];
}

class Plan {
  private externalIds: string[] = [];
  private leadNumber = leadCount;

  private constructor(
    private readonly context: BenchContext,
    private readonly sending: SendingProduct,
    private readonly probe: ServerProbe,
    private readonly gateway: BenchGateway,
  ) {}

  static async start(context: BenchContext): Promise<Plan> {
    const gateway = await BenchGateway.start(context);
    const probe = await ServerProbe.prepare();
    const { environment, nodeArguments } = probe.options;
    const sending = await SendingProduct.start(context, {
      environment: { ...gateway.environment, ...environment },
      nodeArguments,
    });
    return new Plan(context, sending, probe, gateway);
  }

  /** @returns how many bytes a row takes with its indexes, in tables that are neither small nor bloated */
  async measureRows(): Promise<Record<CountedTable, number>> {
    this.context.progress(`storing ${storedMessages} messages`);
    await this.fill(storedMessages, storedSends);
    const rows = await this.countRows();
    const bytes = {} as Record<CountedTable, number>;
    for (const table of countedTables) {
      const [size] = await this.sending.sql<{ bytes: number }>(
        `SELECT sum(pg_total_relation_size(r.oid))::float AS bytes FROM unnest($1::regclass[]) AS t
         CROSS JOIN LATERAL (SELECT t AS oid UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = t) r`,
        [tablesOf[table]],
      );
      bytes[table] = (size?.bytes ?? 0) / rows[table];
    }
    return bytes;
  }

  /** Replaces the stored messages. */
  async fill(messageCount: number, sendCount: number): Promise<void> {
    const { databaseUrl, tenant } = this.sending.product;
    const stored = { tenantId: tenant.id, chatNumbers, messageCount, route: inboundPath };
    await replaceInbound(databaseUrl, { ...stored, signal: this.context.signal });
    this.externalIds = Array.from({ length: sendCount }, () => randomExternalId('s'));
    const text = 'Olá! A visita está marcada para amanhã às 15h.';
    await storeProductSends(databaseUrl, { tenantId: tenant.id, text, externalIds: this.externalIds });
    await settle([databaseUrl]);
  }

  /** The use of a second: the least of a few stretches, because the server still tidies up after the storing. */
  async measureIdle(): Promise<Rates> {
    const stretches: Rates[] = [];
    for (let count = 0; count < idleStretches; count += 1) stretches.push(await this.measureStretch());
    const least = (key: keyof Rates) => Math.min(...stretches.map((stretch) => stretch[key]));
    return {
      transactions: least('transactions'),
      flushes: least('flushes'),
      walBytes: least('walBytes'),
      serviceCpuMs: least('serviceCpuMs'),
      postgresCpuMs: least('postgresCpuMs'),
    };
  }

  private async measureStretch(): Promise<Rates> {
    const before = await this.readUse();
    const after = await this.readUse();
    const perSecond = (key: keyof Rates) => ((after[key] - before[key]) * 1_000) / (after.atMs - before.atMs);
    return {
      transactions: perSecond('transactions'),
      flushes: perSecond('flushes'),
      walBytes: perSecond('walBytes'),
      serviceCpuMs: perSecond('serviceCpuMs'),
      postgresCpuMs: perSecond('postgresCpuMs'),
    };
  }

  /** The cost of a call, one after the other, less the process's own work meanwhile. */
  async measureCall(kind: Kind, idle: Rates): Promise<CallCost> {
    await this.call(kind, warmUpCount);
    const before = await this.readUse();
    await this.call(kind, callCount);
    const after = await this.readUse();
    const seconds = (after.atMs - before.atMs) / 1_000;
    const each = (key: keyof typeof idle) => (after[key] - before[key] - idle[key] * seconds) / callCount;
    const rows = {} as Record<CountedTable, number>;
    for (const table of countedTables) rows[table] = (after.rows[table] - before.rows[table]) / callCount;
    // Every kind but the inbox writes: a cost of 0 or less was not measured, and nothing may be concluded from it.
    const shown =
      kind === 'inbox' ? (['serviceCpuMs', 'postgresCpuMs'] as const) : (Object.keys(idle) as (keyof Rates)[]);
    for (const key of shown)
      if (each(key) <= 0) throw new Error(`${key} of ${kind} could not be measured: ${each(key)}`);
    return {
      transactions: each('transactions'),
      // A call that only reads neither flushes nor writes WAL: a figure would be the error of the measurement.
      flushes: kind === 'inbox' ? 0 : each('flushes'),
      walBytes: kind === 'inbox' ? 0 : each('walBytes'),
      serviceCpuMs: each('serviceCpuMs'),
      postgresCpuMs: each('postgresCpuMs'),
      rows,
    };
  }

  private async call(kind: Kind, count: number): Promise<void> {
    if (kind === 'message out') return this.sendMessages(count);
    const { url, tenant, webhookSecret: secret } = this.sending.product;
    const key = { instanceName: tenant.instanceName, apiKey: tenant.apiKey, secret };
    const inbound = inboundRequests({ ...key, messagePrefix: 'p' });
    const bearer = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
    const requests: Record<
      Exclude<Kind, 'message out'>,
      () => [path: string, request: { body: string; headers: object }]
    > = {
      'message in': () => [inboundPath, inbound()],
      status: () => ['/webhooks/chat/gateway/status', this.statusRequest()],
      lead: () => ['/webhooks/leads', this.leadRequest()],
      inbox: () => ['/graphql', { body: JSON.stringify({ query: inboxQuery }), headers: bearer }],
    };
    for (let made = 0; made < count; made += 1) {
      const [path, { body, headers }] = requests[kind]();
      const response = await fetch(`${url}${path}`, { method: 'POST', body, headers: { ...headers } });
      const answer = await response.text();
      if (!response.ok || answer.includes('"errors"'))
        throw new Error(`${kind}: ${response.status} ${answer.slice(0, 300)}`);
    }
  }

  private async sendMessages(count: number): Promise<void> {
    const { sending, gateway, context } = this;
    const leadIds = await sending.listLeadIds(sending.product.tenant.id);
    const sends = new PacedSends({ sending, gateway, leadIds, intervalMs: sendIntervalMs, signal: context.signal });
    await sends.measure(count);
    await sending.untilNothingWaits(sending.product.tenant.id, context.signal);
  }

  private statusRequest(): { body: string; headers: object } {
    const { tenant, webhookSecret: secret } = this.sending.product;
    const messageId = this.externalIds.pop();
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ instance: tenant.instanceName, messageId, status: 'DELIVERED', timestamp });
    return { body, headers: signedHeaders(body, { apiKey: tenant.apiKey, secret }) };
  }

  private leadRequest(): { body: string; headers: object } {
    this.leadNumber += 1;
    const body = JSON.stringify({ chat: chatNumberOf(this.leadNumber), name: 'Ana', campaign: 'spring' });
    const headers = { 'content-type': 'application/json', 'x-tenant-key': this.sending.product.tenant.apiKey };
    return { body, headers };
  }

  private async readUse(): Promise<Use> {
    await delay(countsSettleMs, undefined, { signal: this.context.signal });
    const { sql } = this.sending;
    const rows = await this.countRows();
    const [counts] = await sql<{ transactions: number; flushes: number; walBytes: number; pid: number }>(
      `SELECT xact_commit::float AS transactions,
         (SELECT sum(fsyncs)::float FROM pg_stat_io WHERE object = 'wal') AS flushes,
         (pg_current_wal_insert_lsn() - '0/0')::float AS "walBytes", pg_backend_pid() AS pid
       FROM pg_stat_database WHERE datname = current_database()`,
    );
    if (counts === undefined) throw new Error('PostgreSQL told no counts');
    const { pid, ...told } = counts;
    const serviceCpuMs = await this.probe.readCpuMs();
    return { ...told, atMs: performance.now(), serviceCpuMs, postgresCpuMs: await serverCpuMs(pid), rows };
  }

  private async countRows(): Promise<Record<CountedTable, number>> {
    const counts = countedTables.map((table) => `(SELECT count(*) FROM ${table})::float AS ${table}`).join(', ');
    const [rows] = await this.sending.sql<Record<CountedTable, number>>(`SELECT ${counts}`);
    if (rows === undefined) throw new Error('PostgreSQL counted nothing');
    return rows;
  }
}

const inboxQuery =
  '{ inbox(first: 50) { edges { node { id name unreadCount assignee { id } lastMessage { body createdAt } } } } }';

function listCosts({ calls, bytesPerRow }: Measured, idle: Rates): Listing {
  const rowsOf = ({ rows }: CallCost) => countedTables.map((table) => rows[table].toFixed(0)).join(' + ');
  const rows = kinds.map((kind) => {
    const cost = calls[kind];
    const counts = [cost.transactions, cost.flushes, cost.walBytes / 1_000].map((count) => count.toFixed(1));
    const cpu = [cost.serviceCpuMs, cost.postgresCpuMs].map((ms) => `${ms.toFixed(2)} ms`);
    return [kind, ...counts, ...cpu, rowsOf(cost)];
  });
  const bytes = countedTables.map((table) => `${table} ${bytesPerRow[table].toFixed(0)}`).join(', ');
  const cpu = ['CPU of the service', 'CPU of PostgreSQL'];
  return {
    title: 'What one call costs by itself',
    columns: ['call', 'transactions', 'flushes', 'WAL kB', ...cpu, `rows (${countedTables.join(' + ')})`],
    rows,
    notes: [
      `${callCount} calls of a kind, one after the other: nothing is batched. Transactions that only read are counted, too; WAL holds ` +
        'some of the whole pages that follow a checkpoint; CPU of PostgreSQL is that of all its processes.',
      `Bytes a row, indexes included, with ${storedMessages} messages: ${bytes}.`,
      `An idle process makes ${idle.transactions.toFixed(1)} transactions, ${idle.flushes.toFixed(1)} flushes and ` +
        `${(idle.walBytes / 1_000).toFixed(1)} kB of WAL a second, and takes ${idle.serviceCpuMs.toFixed(1)} ms of CPU.`,
    ],
  };
}

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

function listOutlooks(outlooks: readonly Outlook[]): Listing {
  const row = (name: string, of: (outlook: Outlook) => number, unit = 1) => [
    name,
    ...outlooks.map((outlook) => digits.format(of(outlook) / unit)),
  ];
  return {
    title: 'What tenants come to',
    columns: ['', ...tenantCounts.map((count) => `${count.toLocaleString('en')} tenants`)],
    rows: [
      ...countedTables.map((table) => row(`rows of \`${table}\`, millions`, ({ rows }) => rows[table], 1e6)),
      row('storage, GB', ({ bytes }) => bytes, 1e9),
      row('calls a second in the busiest hour', ({ peakCallsPerSecond }) => peakCallsPerSecond),
      row('transactions a second', ({ peakTransactionsPerSecond }) => peakTransactionsPerSecond),
      row('of these flushed, at most', ({ peakFlushesPerSecond }) => peakFlushesPerSecond),
      row('WAL, MB a second', ({ peakWalBytesPerSecond }) => peakWalBytesPerSecond, 1e6),
      row('WAL, GB a day', ({ walBytesPerDay }) => walBytesPerDay, 1e9),
      row('cores of the service', ({ serviceCores }) => serviceCores),
      row('cores of PostgreSQL', ({ postgresCores }) => postgresCores),
      row('sockets', ({ sockets }) => sockets),
      row('api processes', ({ apiProcesses }) => apiProcesses),
      row('workers', ({ workers }) => workers),
      row('connections, at most', ({ connections }) => connections),
    ],
    notes: [`Assumed of a tenant: ${JSON.stringify(assumptions).replaceAll(/[{}"]/g, '').replaceAll(',', ', ')}.`],
  };
}

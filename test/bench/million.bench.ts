// The cost of a million messages of a busy tenant: processor time, WAL and disk. Some thousands are measured, with all that follows from
// them later: their words, the counts of dashboards, and what statuses change.

import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.js';
import { chatNumbers, createLeads, inboundPath, inboundRequests, signedHeaders } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { serverCpuMs } from './postgres-processes.js';
import { BenchGateway, SendingProduct } from './sending-product.js';
import { ServerProbe } from './server-probe.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';

const callCount = 2_000;
const briefCallCount = 200;
const connectionCount = 16;
const million = 1_000_000;
const lookMs = 500;
const statusPath = '/webhooks/chat/gateway/status';
const sendMutation = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';

export const millionBench: Bench = { name: 'million', run: runMillion };

type Request = () => { path: string; body: string; headers: Record<string, string> };

/** The totals at a moment. */
interface Use {
  serviceCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
  bytes: Record<string, number>;
}

/** The tables that keep something of a message, and for how long. */
const kept: readonly { what: string; tables: readonly string[] }[] = [
  { what: 'messages', tables: ['messages'] },
  { what: 'timelines of messages out', tables: ['message_status_transitions'] },
  { what: 'words, for the search', tables: ['message_words'] },
  { what: 'reply times and counts of dashboards', tables: ['reply_times', 'message_counts'] },
  { what: 'webhook calls, for 30 days', tables: ['webhook_deliveries'] },
  { what: 'events, for 7 days', tables: ['events'] },
  { what: 'attempts to send, until the limit forgets them', tables: ['send_attempts'] },
];

async function runMillion(context: BenchContext): Promise<Listing[]> {
  const count = context.isBrief === true ? briefCallCount : callCount;
  const gateway = await BenchGateway.start(context);
  const probe = await ServerProbe.prepare();
  const { nodeArguments } = probe.options;
  const environment = { ...gateway.environment, ...probe.options.environment };
  const sending = await SendingProduct.start(context, { environment, nodeArguments });
  const meter = new Meter(context, sending, probe);
  await createLeads(sending.product);
  const { tenant, webhookSecret: secret } = sending.product;
  const key = { apiKey: tenant.apiKey, secret };
  const nextInbound = inboundRequests({ messagePrefix: 'm', instanceName: tenant.instanceName, ...key });
  const leadIds = await sending.listLeadIds(tenant.id);
  const bearer = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
  let turn = 0;
  const send: Request = () => {
    const input = { leadId: leadIds[(turn += 1) % leadIds.length], body: 'Bom dia! Pode ser amanhã às 15h?' };
    return { path: '/graphql', body: JSON.stringify({ query: sendMutation, variables: { input } }), headers: bearer };
  };
  const receive: Request = () => ({ path: inboundPath, ...nextInbound() });
  await meter.call(receive, count / 4);
  await meter.call(send, count / 4);
  await meter.untilCaughtUp();

  const inbound = await meter.measure(() => meter.call(receive, count));
  const outbound = await meter.measure(async () => {
    await meter.call(send, count);
    await sending.untilNothingWaits(tenant.id, context.signal);
    const rows = await sending.sql<{ id: string }>(
      `SELECT external_id AS id FROM messages WHERE tenant_id = $1 AND direction = 'OUTBOUND' ORDER BY id DESC LIMIT $2`,
      [tenant.id, count],
    );
    for (const status of ['DELIVERED', 'READ']) {
      const ids = rows.map(({ id }) => id);
      const report: Request = () => {
        const timestamp = Math.floor(Date.now() / 1_000);
        const said = { instance: tenant.instanceName, messageId: ids.pop(), status, timestamp };
        const body = JSON.stringify(said);
        return { path: statusPath, body, headers: signedHeaders(body, key) };
      };
      await meter.call(report, rows.length);
    }
  });
  return [listCosts(count, inbound, outbound)];
}

class Meter {
  constructor(
    private readonly context: BenchContext,
    private readonly sending: SendingProduct,
    private readonly probe: ServerProbe,
  ) {}

  async call(next: Request, count: number): Promise<void> {
    const { url } = this.sending.product;
    let left = count;
    const work = async () => {
      const connection = await Connection.open(url);
      while (left > 0) {
        left -= 1;
        this.context.signal.throwIfAborted();
        const { path, ...request } = next();
        const message = Connection.serialise(url, { method: 'POST', path, ...request });
        const { status, body } = await connection.exchange(message);
        if (status !== 200 || body.includes('"errors"')) throw new Error(`${path}: ${status} ${body.slice(0, 300)}`);
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: connectionCount }, work));
  }

  /** The work takes this, with what follows from it. */
  async measure(work: () => Promise<void>): Promise<Use> {
    const before = await this.read();
    await work();
    await this.untilCaughtUp();
    const after = await this.read();
    const tables = Object.entries(after.bytes).map(([table, bytes]) => [table, bytes - (before.bytes[table] ?? 0)]);
    return {
      serviceCpuMs: after.serviceCpuMs - before.serviceCpuMs,
      postgresCpuMs: after.postgresCpuMs - before.postgresCpuMs,
      walBytes: after.walBytes - before.walBytes,
      bytes: Object.fromEntries(tables) as Record<string, number>,
    };
  }

  /** Waits until the words are there and the counts of dashboards are computed. */
  async untilCaughtUp(): Promise<void> {
    for (;;) {
      const [state] = await this.sending.sql<{ isBehind: boolean }>(
        `SELECT EXISTS (SELECT FROM dashboard_changes) OR EXISTS (
          SELECT FROM event_heads h LEFT JOIN message_word_progress p ON p.tenant_id = h.tenant_id
          WHERE p.last_seq IS DISTINCT FROM h.last_seq OR p.earlier_than IS NOT NULL) AS "isBehind"`,
      );
      if (state?.isBehind === false) return;
      await delay(lookMs, undefined, { signal: this.context.signal });
    }
  }

  private async read(): Promise<Use> {
    const { sending } = this;
    await settle([sending.product.databaseUrl]);
    const [wal] = await sending.sql<{ bytes: number; pid: number }>(
      `SELECT (pg_current_wal_insert_lsn() - '0/0')::float AS bytes, pg_backend_pid() AS pid`,
    );
    const tables = kept.flatMap((one) => one.tables);
    const sizes = await sending.sql<{ table: string; bytes: number }>(selectSizes, [tables]);
    return {
      serviceCpuMs: await this.probe.readCpuMs(),
      postgresCpuMs: await serverCpuMs(wal?.pid ?? 0),
      walBytes: wal?.bytes ?? 0,
      bytes: Object.fromEntries(sizes.map(({ table, bytes }) => [table, bytes])),
    };
  }
}

/** A table's bytes, with its indexes, of all its partitions. */
const selectSizes = `SELECT t AS table, (
    SELECT sum(pg_total_relation_size(coalesce(p.inhrelid, t::regclass)))::float
    FROM (SELECT) one LEFT JOIN pg_inherits p ON p.inhparent = t::regclass
  ) AS bytes FROM unnest($1::text[]) AS t`;

function listCosts(count: number, inbound: Use, outbound: Use): Listing {
  const row = (what: string, of: (use: Use) => number, unit: string) => [
    what,
    ...[inbound, outbound].map((use) => `${((of(use) / count) * million).toPrecision(2)} ${unit}`),
  ];
  return {
    title: 'What a million messages cost',
    columns: ['', 'in', 'out, delivered and read'],
    rows: [
      row('processor time of the service', ({ serviceCpuMs }) => serviceCpuMs / 1_000, 's'),
      row('processor time of PostgreSQL', ({ postgresCpuMs }) => postgresCpuMs / 1_000, 's'),
      row('WAL', ({ walBytes }) => walBytes / 1e9, 'GB'),
      ...kept.map(({ what, tables }) =>
        row(`disk: ${what}`, ({ bytes }) => tables.reduce((sum, table) => sum + (bytes[table] ?? 0), 0) / 1e9, 'GB'),
      ),
    ],
    notes: [
      `From ${count.toLocaleString('en')} of each, over ${connectionCount} connections and ${chatNumbers.length.toLocaleString('en')} leads, ` +
        'until their words and counts were there. Disk: with indexes, after a vacuum. WAL has the whole pages that follow a checkpoint.',
    ],
  };
}

// The needs of a number of tenants: rows, bytes, commits, WAL, CPU and connections, from assumptions about one tenant and from
// figures that plan.bench.ts measures. This file measures nothing itself.

/** The work of one tenant. */
export const assumptions = {
  messagesInPerDay: 200,
  messagesOutPerDay: 150,
  /** The statuses DELIVERED and READ. */
  statusesPerMessageOut: 2,
  leadsPerDay: 10,
  /** The operators in the busiest hour. */
  operatorsOnline: 2,
  inboxesPerOperatorAndHour: 60,
  /** Share of a day's work in its busiest hour. */
  peakHourShare: 0.15,
  messageDays: 730,
  /** The days kept by default, plus the width of a partition. */
  deliveryDays: 32,
  eventDays: 8,
} as const;

/** A process is full at half of a core on average, so that bursts find room. */
const coresPerProcess = 0.5;
const socketsPerProcess = 10_000;
/** The most connections of a process: DATABASE_POOL_SIZE by default, the job queue's, and the one that listens. */
const connectionsPerProcess = 16;
/** The least number of processes in each role, so that one may end. */
const leastProcesses = 2;
const secondsPerHour = 3_600;

export const countedTables = [
  'messages',
  'message_status_transitions',
  'webhook_deliveries',
  'events',
  'leads',
] as const;
export type CountedTable = (typeof countedTables)[number];

/** The cost of a call by itself, with no other call in its batch. */
export interface CallCost {
  /** Statements that only read count as transactions too. */
  transactions: number;
  /** The number of waits for the disk. */
  flushes: number;
  walBytes: number;
  serviceCpuMs: number;
  postgresCpuMs: number;
  rows: Record<CountedTable, number>;
}

export const kinds = ['message in', 'status', 'message out', 'lead', 'inbox'] as const;
export type Kind = (typeof kinds)[number];

export interface Measured {
  calls: Record<Kind, CallCost>;
  /** The bytes include all indexes, and for a lead the rows that belong to it. */
  bytesPerRow: Record<CountedTable, number>;
  /** The transactions of a process that has nothing to do. */
  idleTransactionsPerSecond: number;
}

export interface Outlook {
  rows: Record<CountedTable, number>;
  bytes: number;
  peakCallsPerSecond: number;
  peakTransactionsPerSecond: number;
  peakFlushesPerSecond: number;
  peakWalBytesPerSecond: number;
  walBytesPerDay: number;
  serviceCores: number;
  postgresCores: number;
  sockets: number;
  apiProcesses: number;
  workers: number;
  connections: number;
}

export function outlookFor(tenants: number, measured: Measured): Outlook {
  const daily = callsPerDay(tenants);
  const perSecond = peakRates(tenants, daily);
  const atPeak = (of: (cost: CallCost) => number) => sum(perSecond, measured, of);
  const rows = keptRows(daily, measured);
  const sockets = tenants * assumptions.operatorsOnline;
  const serviceCores = atPeak(({ serviceCpuMs }) => serviceCpuMs) / 1_000;
  const sendingCores = (perSecond['message out'] * measured.calls['message out'].serviceCpuMs) / 1_000;
  const apiProcesses = processesFor(serviceCores - sendingCores / 2, sockets);
  const workers = processesFor(sendingCores / 2, 0);
  return {
    rows,
    bytes: countedTables.reduce((bytes, table) => bytes + rows[table] * measured.bytesPerRow[table], 0),
    peakCallsPerSecond: kinds.reduce((calls, kind) => calls + perSecond[kind], 0),
    peakTransactionsPerSecond:
      atPeak(({ transactions }) => transactions) + (apiProcesses + workers) * measured.idleTransactionsPerSecond,
    peakFlushesPerSecond: atPeak(({ flushes }) => flushes),
    peakWalBytesPerSecond: atPeak(({ walBytes }) => walBytes),
    walBytesPerDay: sum(daily, measured, ({ walBytes }) => walBytes),
    serviceCores,
    postgresCores: atPeak(({ postgresCpuMs }) => postgresCpuMs) / 1_000,
    sockets,
    apiProcesses,
    workers,
    connections: (apiProcesses + workers) * connectionsPerProcess,
  };
}

function callsPerDay(tenants: number): Record<Kind, number> {
  const { messagesInPerDay, messagesOutPerDay, statusesPerMessageOut, leadsPerDay } = assumptions;
  return {
    'message in': tenants * messagesInPerDay,
    status: tenants * messagesOutPerDay * statusesPerMessageOut,
    'message out': tenants * messagesOutPerDay,
    lead: tenants * leadsPerDay,
    // A request of the inbox writes nothing that is kept.
    inbox: 0,
  };
}

function peakRates(tenants: number, daily: Record<Kind, number>): Record<Kind, number> {
  const { peakHourShare, operatorsOnline, inboxesPerOperatorAndHour } = assumptions;
  const rates = kinds.map((kind) => [kind, (daily[kind] * peakHourShare) / secondsPerHour] as const);
  const inbox = (tenants * operatorsOnline * inboxesPerOperatorAndHour) / secondsPerHour;
  return { ...(Object.fromEntries(rates) as Record<Kind, number>), inbox };
}

function keptRows(daily: Record<Kind, number>, measured: Measured): Record<CountedTable, number> {
  const { messageDays, deliveryDays, eventDays } = assumptions;
  const days = (table: CountedTable) =>
    table === 'webhook_deliveries' ? deliveryDays : table === 'events' ? eventDays : messageDays;
  const rows = countedTables.map(
    (table) => [table, days(table) * sum(daily, measured, (cost) => cost.rows[table])] as const,
  );
  return Object.fromEntries(rows) as Record<CountedTable, number>;
}

function sum(calls: Record<Kind, number>, measured: Measured, of: (cost: CallCost) => number): number {
  return kinds.reduce((total, kind) => total + calls[kind] * of(measured.calls[kind]), 0);
}

function processesFor(cores: number, sockets: number): number {
  return Math.max(leastProcesses, Math.ceil(cores / coresPerProcess), Math.ceil(sockets / socketsPerProcess));
}

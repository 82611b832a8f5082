// Recovers messages from the gateways' histories: on request, after an instance has connected again, and at regular times. Each reading
// is kept as an audit, and is evidence for the instance's health.

import { setTimeout as delay } from 'node:timers/promises';
import { permanent, type PermanentRefusal } from '../../providers/chat-gateway.js';
import type { Provider } from '../../providers/provider.js';
import { findProvider } from '../../providers/registry.js';
import type { Database } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid, parseInput } from '../../platform/input/input.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { keyFilter, readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import type { PromotionWatch } from '../../platform/database/promotion-watch.js';
import { requireAdmin, requireUser, type Principal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { AuditService } from '../audit/audit.service.js';
import { selectStoredInstance, type InstanceStateRow } from '../chat-instances/chat-instance.sql.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import { toAppError } from '../chat-instances/instance-lifecycle.service.js';
import type { HistoryReader, HistorySource, Reading } from './history-reader.js';
import type { ReadingEvidence } from './reading-evidence.js';
import { recoverySpanSchema, type RecoveryCause } from './recovery.schema.js';
import {
  deleteSurplusAudits,
  finishRecovery,
  hastenRecoveries,
  insertAudit,
  insertMissingRecoveries,
  releaseRecovery,
  selectStanding,
  takeDueRecoveries,
  takeRecovery,
  type InstanceAuditRow,
  type InstanceStanding,
  type TakenRecovery,
} from './recovery.sql.js';

export interface RecoveryOptions {
  database: Database;
  transactor: Transactor;
  audit: AuditService;
  endpoints: GatewayEndpoints;
  reader: HistoryReader;
  evidence: ReadingEvidence;
  promotions: Pick<PromotionWatch, 'findPromotion'>;
  metrics: Metrics;
  log: Logger;
  /** The interval of regular readings in minutes; 0: never. */
  intervalMinutes: number;
  /** The most days that a history is read back. */
  retentionDays: number;
}

const dayMs = 86_400_000;
/** The time limit of a request: a GraphQL operation ends after 30 s by default. */
const requestLimitMs = 20_000;
const requestRecords = 50_000;
/** The longest time that a request waits for a reading that is under way. */
const requestWaitMs = 8_000;
const requestPollMs = 250;
/** The time limit of a regular reading, which goes on in the next run. */
const turnLimitMs = 45_000;
const turnRecords = 50_000;
/** The lease of a reading: a call that is under way when the time is over may still take so long. */
const leaseSeconds = 180;
/** Webhooks of messages that were just written are still on their way. */
const graceMs = 60_000;
/** A gateway may list a message later than others of its time. */
const overlapMs = 15 * 60_000;
/** A reading of an instance that was never read goes back so far, but not before the instance was here. */
const firstReadingMs = dayMs;
const degradedSeconds = 600;
const failedSeconds = 300;
const instancesPerRun = 100;
const instancesAtOnce = 8;
const auditsKept = 1_000;

interface Request {
  source: HistorySource;
  standing: InstanceStanding;
  from: Date;
  to: Date;
  cause: RecoveryCause;
  userId: string | null;
  limitMs: number;
  maxRecords: number;
}

export class RecoveryService {
  private readonly ended = new AbortController();

  constructor(private readonly options: RecoveryOptions) {}

  /**
   * Reads the history of a span and takes in what is missing. ADMIN only; audited; safe to repeat. It goes back as far as calls are kept
   * in the journal, and ends after 20 s: `isComplete` is false then, and `to` is how far it came.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED; NOT_OFFERED where the gateway keeps no history; CONFLICT while a reading is under way,
   * or where the gateway refuses; UNAVAILABLE where it cannot answer now
   */
  async recover(
    principal: Principal | undefined,
    instanceId: string,
    wanted: { since: Date; until: Date },
  ): Promise<InstanceAuditRow> {
    const admin = requireAdmin(principal);
    const { tenantId, userId } = admin;
    const span = parseInput(recoverySpanSchema, wanted);
    if (!isUuid(instanceId)) throw notFound('chat instance');
    const id = instanceId.toLowerCase();
    const { source, standing } = await this.find(tenantId, id);
    await this.takeTurn(tenantId, id);
    const about = { tenantId, targetKind: 'CHAT_INSTANCE', targetId: id } as const;
    try {
      await this.options.audit.record(this.options.database, admin, [
        { ...about, action: 'CHAT_INSTANCE_HISTORY_READ', after: span },
      ]);
      const from = new Date(
        Math.max(span.since.getTime(), standing.now.getTime() - this.options.retentionDays * dayMs),
      );
      const to = span.until < standing.now ? span.until : standing.now;
      const limits = { limitMs: requestLimitMs, maxRecords: requestRecords };
      const request = {
        source,
        standing,
        from,
        to: to > from ? to : from,
        cause: 'MANUAL',
        userId,
        ...limits,
      } as const;
      const { reading, audit } = await this.run(request);
      if (reading.refusal !== undefined && reading.readTo <= from) throw refusedBy(reading.refusal);
      return audit;
    } finally {
      await this.options.database.query(releaseRecovery, [tenantId, id]);
    }
  }

  /** The readings of an instance, the newest first. @throws AppError NOT_FOUND for an instance that the tenant never had */
  async listAudits(
    principal: Principal | undefined,
    instanceId: string,
    args: PageArgs,
  ): Promise<Page<InstanceAuditRow>> {
    const { tenantId } = requireUser(principal);
    const { chatInstance } = this.options.database.prisma;
    const where = { tenantId, id: instanceId };
    if (!isUuid(instanceId) || (await chatInstance.count({ where })) === 0) throw notFound('chat instance');
    return readPage(args, {
      list: 'instance-audits',
      keyOf: (audit: InstanceAuditRow) => audit.id,
      read: async (range) => {
        const { bound, sort } = keyFilter(range, 'desc');
        const rows = await this.options.database.prisma.instanceAudit.findMany({
          where: { tenantId, instanceId, id: bound },
          orderBy: { id: sort },
          take: range.limit,
        });
        return rows as InstanceAuditRow[];
      },
    });
  }

  /**
   * Reads the histories that are due, each from where its last reading ended, some at once, tenants in turn. A failure is logged, and
   * retried. Safe to repeat, and to run in several processes.
   * @returns how many messages were recovered
   */
  async recoverDue(): Promise<number> {
    const { database, endpoints, promotions, intervalMinutes } = this.options;
    if (intervalMinutes === 0 || this.ended.signal.aborted) return 0;
    await database.query(insertMissingRecoveries);
    // The new primary may lack messages that histories still have. A reading from then on reaches past the loss.
    const lossEndMs = ((await promotions.findPromotion()) ?? Infinity) + graceMs;
    if (lossEndMs <= Date.now()) await database.query(hastenRecoveries, [new Date(lossEndMs)]);
    const providers = endpoints.providers.filter((provider) => endpoints.keepsHistory(provider));
    const taken = await database.query<TakenRecovery>(takeDueRecoveries, [providers, instancesPerRun, leaseSeconds]);
    let recovered = 0;
    const work = async () => {
      for (let next = taken.shift(); next !== undefined; next = taken.shift()) {
        const count = await this.recoverOne(next);
        recovered += count;
      }
    };
    await Promise.all(Array.from({ length: instancesAtOnce }, work));
    return recovered;
  }

  /** Ends calls that are under way, and begins no other reading. */
  stop(): void {
    this.ended.abort();
  }

  private async recoverOne(taken: TakenRecovery): Promise<number> {
    const { tenantId, instanceId } = taken;
    const { database, log, intervalMinutes } = this.options;
    const finish = (readUntil: Date | null, inSeconds: number, error: string | null) =>
      database.query(finishRecovery, [tenantId, instanceId, readUntil, inSeconds, error]);
    try {
      if (this.ended.signal.aborted) {
        await finish(null, 0, null);
        return 0;
      }
      const { source, standing } = await this.find(tenantId, instanceId);
      const { from, to } = this.spanOf(taken, standing);
      const cause = taken.isBack ? 'RECONNECTED' : 'SCHEDULED';
      const limits = { limitMs: turnLimitMs, maxRecords: turnRecords };
      const { reading, isDegraded } = await this.run({ source, standing, from, to, cause, userId: null, ...limits });
      const isAtEnd = reading.readTo >= to;
      const regular = isDegraded ? degradedSeconds : intervalMinutes * 60;
      const inSeconds = reading.refusal === undefined ? (isAtEnd ? regular : 0) : failedSeconds;
      await finish(reading.readTo > from ? reading.readTo : null, inSeconds, reading.refusal?.detail ?? null);
      return reading.recovered;
    } catch (error) {
      log.warn({ err: error, tenantId, instanceId }, 'the history of a chat instance could not be read; trying again');
      const words = error instanceof AppError ? error.message : 'a fault of this service';
      await finish(null, failedSeconds, words).catch(() => undefined);
      return 0;
    }
  }

  private spanOf({ readUntil }: TakenRecovery, { createdAt, now }: InstanceStanding): { from: Date; to: Date } {
    const first = Math.max(createdAt.getTime(), now.getTime() - firstReadingMs);
    const wanted = readUntil === null ? first : readUntil.getTime() - overlapMs;
    const from = Math.max(wanted, now.getTime() - this.options.retentionDays * dayMs);
    return { from: new Date(from), to: new Date(Math.max(from, now.getTime() - graceMs)) };
  }

  /** Reads, keeps the audit, and weighs what was found. */
  private async run(request: Request): Promise<{ reading: Reading; audit: InstanceAuditRow; isDegraded: boolean }> {
    const { source, from, to, limitMs, maxRecords, cause } = request;
    const { metrics, transactor, evidence, reader } = this.options;
    const { tenantId } = source;
    // Both ends are in whole seconds, as the gateway counts: the end's own second is part of it.
    const bounds = { from: secondOf(from), to: new Date(secondOf(to).getTime() + 1_000), limitMs, maxRecords };
    const reading = await reader.read(source, { ...bounds, signal: this.ended.signal });
    const outcome = reading.refusal === undefined ? 'succeeded' : 'refused';
    metrics.historyReadings.inc({ cause: cause.toLowerCase(), outcome });
    for (const found of ['here', 'recovered', 'unexplained'] as const)
      metrics.historyRecords.inc({ found }, reading[found]);
    metrics.historyStatuses.inc(reading.statuses);
    const found = await evidence.gather(request, reading);
    return transactor.run(tenantId, async (tx) => {
      const audit = await this.keepAudit(tx, request, reading);
      const isDegraded = await evidence.weigh(tx, request, found);
      return { reading, audit, isDegraded };
    });
  }

  private async keepAudit(tx: Transaction, request: Request, reading: Reading): Promise<InstanceAuditRow> {
    const { source, cause, userId, from, to } = request;
    const { instanceId } = source;
    const { atGateway, here, recovered, unexplained, statuses, reasons } = reading;
    const isComplete = reading.readTo > to;
    const counts = [atGateway, here, recovered, unexplained, statuses];
    const [audit] = await tx.query<InstanceAuditRow>(insertAudit, [
      tx.tenantId,
      newRecordId(),
      instanceId,
      cause,
      userId,
      from,
      isComplete ? to : reading.readTo,
      isComplete,
      ...counts,
      JSON.stringify(Object.fromEntries(reasons)),
    ]);
    if (audit === undefined) throw new Error('an audit that was just written cannot be read');
    await tx.query(deleteSurplusAudits, [tx.tenantId, instanceId, auditsKept]);
    return audit;
  }

  /** @throws AppError */
  private async find(
    tenantId: string,
    instanceId: string,
  ): Promise<{ source: HistorySource; standing: InstanceStanding }> {
    const { database, endpoints } = this.options;
    const [instance] = await database.query<InstanceStateRow>(selectStoredInstance, [tenantId, instanceId]);
    const [standing] = await database.query<InstanceStanding>(selectStanding, [tenantId, instanceId]);
    if (instance === undefined || standing === undefined) throw notFound('chat instance');
    const provider = findProvider(instance.provider);
    if (provider?.history === undefined || !endpoints.keepsHistory(instance.provider))
      throw refusedBy(notOffered(provider));
    const place = endpoints.find(instance);
    if (place.outcome === 'permanent') throw toAppError(place);
    const { gateway, endpoint } = place;
    const { instanceName } = instance;
    return { source: { tenantId, instanceId, instanceName, dialect: provider.dialect, gateway, endpoint }, standing };
  }

  private async takeTurn(tenantId: string, instanceId: string): Promise<void> {
    for (let waitedMs = 0; waitedMs <= requestWaitMs; waitedMs += requestPollMs) {
      const values = [tenantId, instanceId, leaseSeconds];
      if ((await this.options.database.query(takeRecovery, values)).length > 0) return;
      await delay(requestPollMs);
    }
    throw new AppError('CONFLICT', 'The history of this chat instance is being read right now: try again in a minute');
  }
}

function secondOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1_000) * 1_000);
}

function notOffered(provider: Provider | undefined): PermanentRefusal {
  const detail = provider?.withoutHistory ?? 'The gateway of this chat instance keeps no history.';
  return permanent('NOT_OFFERED', detail);
}

function refusedBy(refusal: NonNullable<Reading['refusal']>): AppError {
  return refusal.code === 'NOT_OFFERED' ? new AppError('NOT_OFFERED', refusal.detail) : toAppError(refusal);
}

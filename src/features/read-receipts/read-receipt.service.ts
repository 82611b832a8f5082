// Tells gateways that operators have read what leads wrote, where the tenant wants it. Best effort: receipts wait in memory, with a lane
// for each tenant. Only the newest message of a chat is told, and a lost receipt is retried for a minute only.

import { LRUCache } from 'lru-cache';
import { boundedTo } from '../../platform/expiring-cache.js';
import type { NoticeResult } from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import { LaneScheduler, type Claimed } from '../../platform/jobs/lane-scheduler.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { inOperation, Operation } from '../../platform/database/operation.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { ChannelChoices } from '../tenants/channel-choices.js';
import { isOut, leadReadColumns, selectReadChats, type LeadRead, type ReadChat } from './read-receipt.sql.js';

export interface ReadReceiptOptions {
  database: Database;
  endpoints: GatewayEndpoints;
  choices: Pick<ChannelChoices, 'of'>;
  metrics: Metrics;
  log: Logger;
  /** Receipts of one tenant, and of all tenants, at a time in this process. */
  concurrency: number;
  totalConcurrency: number;
  /** Receipts of one tenant, and of all tenants, that may wait in this process. */
  maxWaitingPerTenant: number;
  maxWaiting: number;
}

/** A chat whose newest read message is to be told. */
interface Receipt extends ReadChat {
  /** Attempts that were made. */
  attempts: number;
  /** The time of the read, by this process's monotonic clock. */
  readAtMs: number;
  notBeforeMs: number;
}

/** The waiting receipts of one tenant. */
interface Waiting {
  /** Reads by lead. Their chats are not known yet. */
  reads: Map<string, LeadRead>;
  /** Receipts by lead and instance. */
  receipts: Map<string, Receipt>;
}

type Outcome = 'sent' | 'refused' | 'lost' | 'dropped';

const maxAttempts = 3;
/** After this time, a receipt is no news to the lead. */
const worthTellingMs = 60_000;
const firstRetryMs = 1_000;
/** The most messages of one lead that are looked at. The newest through each instance is usually among them. */
const maxMessagesRead = 50;
const leadsLookedUpAtOnce = 50;
const maxRestingInstances = 10_000;
/** A sweep finds nothing: waiting receipts are in memory. */
const sweepIntervalMs = 60_000;

export class ReadReceiptService {
  private readonly lanes: LaneScheduler<Receipt>;
  private readonly waiting = new Map<string, Waiting>();
  /** The time until which an instance rests that was told to slow down, by the process's monotonic clock. */
  private readonly restingUntilMs = new LRUCache<string, number>(boundedTo(maxRestingInstances));
  private waitingCount = 0;

  constructor(private readonly options: ReadReceiptOptions) {
    const { log, concurrency, totalConcurrency } = options;
    this.lanes = new LaneScheduler<Receipt>({
      name: 'read receipts',
      log,
      concurrency,
      totalConcurrency,
      sweepIntervalMs,
      sweep: () => Promise.resolve(),
      claim: ({ tenantId }, { limit }) => this.claim(tenantId, limit),
      begin: ({ tenantId }, receipts) => receipts.map((receipt) => this.send(tenantId, receipt)),
      release: (_lane, receipts) => {
        for (const receipt of receipts) this.count(receipt, 'dropped');
        return Promise.resolve();
      },
    });
  }

  /** An operator has read messages of a lead. Returns at once, and never throws; the tenant may not want it to be told. */
  add(tenantId: string, read: LeadRead): void {
    const own = this.waiting.get(tenantId) ?? { reads: new Map(), receipts: new Map() };
    const earlier = own.reads.get(read.leadId);
    const { maxWaitingPerTenant, maxWaiting, metrics } = this.options;
    if (earlier === undefined) {
      const isFull = own.reads.size + own.receipts.size >= maxWaitingPerTenant || this.waitingCount >= maxWaiting;
      if (isFull) {
        metrics.readReceipts.inc({ provider: 'unknown', outcome: 'dropped' });
        return;
      }
      this.waitingCount += 1;
    }
    this.waiting.set(tenantId, own);
    own.reads.set(read.leadId, merged(earlier, read));
    this.lanes.wake({ tenantId, id: tenantId });
  }

  /** Takes nothing new, and waits for the calls under way, at most `timeoutMs`. Waiting receipts are dropped. */
  async stop(timeoutMs: number): Promise<void> {
    await this.lanes.stop(timeoutMs);
    this.waiting.clear();
  }

  private async claim(tenantId: string, limit: number): Promise<Claimed<Receipt>> {
    const own = this.waiting.get(tenantId);
    if (own === undefined) return { items: [], nextInMs: () => undefined };
    if (own.reads.size > 0 && own.receipts.size < limit) await this.takeReads(tenantId, own);
    const nowMs = performance.now();
    const due = [...own.receipts].filter(([, receipt]) => this.dueAtMs(receipt) <= nowMs).slice(0, limit);
    for (const [key] of due) this.take(own.receipts, key);
    if (own.reads.size + own.receipts.size === 0) this.waiting.delete(tenantId);
    return { items: due.map(([, receipt]) => receipt), nextInMs: () => this.nextInMs(own) };
  }

  private async takeReads(tenantId: string, own: Waiting): Promise<void> {
    const reads = [...own.reads.values()].slice(0, leadsLookedUpAtOnce);
    for (const { leadId } of reads) this.take(own.reads, leadId);
    try {
      await this.lookUp(tenantId, own, reads);
    } catch (error) {
      this.options.metrics.readReceipts.inc({ provider: 'unknown', outcome: 'lost' }, reads.length);
      throw error;
    }
  }

  /** Finds the chats of leads that were read. Where the tenant does not want it to be told, they are forgotten. */
  private async lookUp(tenantId: string, own: Waiting, reads: readonly LeadRead[]): Promise<void> {
    const { choices, database } = this.options;
    const { sendsReadReceipts } = await choices.of(tenantId);
    if (!sendsReadReceipts) return;
    const operation = new Operation({ tenantId, kind: 'service' });
    const values = [tenantId, ...leadReadColumns.valuesOf(reads)];
    const chats = await inOperation(operation, () => database.query<ReadChat>(selectReadChats, values));
    const readAtMs = performance.now();
    for (const chat of chats) {
      const place = this.options.endpoints.find(chat);
      const isOffered = place.outcome === 'reachable' && place.gateway.courtesies !== undefined;
      if (isOffered && !isOut(chat)) this.keep(own, { ...chat, attempts: 0, readAtMs, notBeforeMs: 0 });
    }
  }

  /** A newer message of the chat takes the place of an older one. */
  private keep(own: Waiting, receipt: Receipt): void {
    const key = `${receipt.leadId} ${receipt.instanceId}`;
    const other = own.receipts.get(key);
    if (other !== undefined && BigInt(other.position) >= BigInt(receipt.position)) return;
    if (other === undefined) this.waitingCount += 1;
    own.receipts.set(key, receipt);
  }

  private take(from: Map<string, unknown>, key: string): void {
    if (from.delete(key)) this.waitingCount -= 1;
  }

  private dueAtMs({ notBeforeMs, instanceId }: Receipt): number {
    return Math.max(notBeforeMs, this.restingUntilMs.get(instanceId) ?? 0);
  }

  private nextInMs({ reads, receipts }: Waiting): number | undefined {
    if (reads.size > 0) return 1;
    if (receipts.size === 0) return undefined;
    const dueAtMs = Math.min(...Array.from(receipts.values(), (receipt) => this.dueAtMs(receipt)));
    return Math.max(1, dueAtMs - performance.now());
  }

  /** Never rejects. @returns true: the lane may have more, which waited for this place */
  private async send(tenantId: string, receipt: Receipt): Promise<boolean> {
    const result = await this.tell(receipt).catch((error: unknown): NoticeResult => {
      this.options.log.error({ err: error, tenantId, leadId: receipt.leadId }, 'a gateway driver failed');
      return { outcome: 'permanent', code: 'DRIVER_FAULT', detail: 'Something went wrong on our side' };
    });
    this.settle(tenantId, receipt, result);
    return true;
  }

  private async tell(receipt: Receipt): Promise<NoticeResult> {
    const place = this.options.endpoints.find(receipt);
    if (place.outcome === 'permanent') return place;
    const { chat, externalId } = receipt;
    const told = await place.gateway.courtesies?.markRead(place.endpoint, { chat, externalId }, this.lanes.signal);
    return told ?? { outcome: 'accepted' };
  }

  private settle(tenantId: string, receipt: Receipt, result: NoticeResult): void {
    if (result.outcome === 'accepted') return this.count(receipt, 'sent');
    if (result.outcome === 'permanent' || result.outcome === 'paused') return this.count(receipt, 'refused');
    const nowMs = performance.now();
    const asked = 'retryAfterSeconds' in result ? result.retryAfterSeconds : undefined;
    const attempts = receipt.attempts + 1;
    const waitMs = Math.max(firstRetryMs * 2 ** receipt.attempts, (asked ?? 0) * 1_000);
    // A wait that the gateway asks for is about the instance, whichever chat it answers for.
    if (asked !== undefined) this.restingUntilMs.set(receipt.instanceId, nowMs + waitMs);
    const isWorthIt = attempts < maxAttempts && nowMs + waitMs < receipt.readAtMs + worthTellingMs;
    if (!isWorthIt || this.lanes.isStopping) return this.count(receipt, 'lost');
    const own = this.waiting.get(tenantId) ?? { reads: new Map(), receipts: new Map() };
    this.waiting.set(tenantId, own);
    this.keep(own, { ...receipt, attempts, notBeforeMs: nowMs + waitMs });
  }

  private count(receipt: Receipt, outcome: Outcome): void {
    const provider = this.options.endpoints.providerOf(receipt);
    this.options.metrics.readReceipts.inc({ provider, outcome });
  }
}

function merged(earlier: LeadRead | undefined, read: LeadRead): LeadRead {
  const isBehind = earlier !== undefined && BigInt(earlier.upTo) > BigInt(read.upTo);
  return {
    ...read,
    upTo: isBehind ? earlier.upTo : read.upTo,
    count: Math.min((earlier?.count ?? 0) + read.count, maxMessagesRead),
  };
}

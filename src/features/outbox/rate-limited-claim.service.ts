// Decides in PostgreSQL which messages may leave now: the tenant's limit, paused instances, leases and the order of messages. When to
// claim, and the sending itself, belong to dispatcher.ts; the results of sends to send-result.service.ts.

import type { OutgoingMedia } from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { unsent } from '../messages/message.sql.js';
import type { SentChannelTemplate } from '../channel-templates/channel-template.service.js';
import { emitStatusChanged } from '../messages/status.service.js';
import {
  admitScheduled,
  busyColumns,
  claimColumns,
  claimMessages,
  commitWithoutFlush,
  earlyColumns,
  finishReaction,
  grantReaction,
  lockTenantLimit,
  measureWindow,
  pullBackAttempts,
  raiseBefore,
  selectDue,
  selectExternalIdsOfOthers,
  selectNextDue,
  selectWaitingTenants,
  type EarlyMessage,
} from './outbox.sql.js';

/** A message that is this worker's until its lease ends. */
export interface ClaimedMessage {
  id: string;
  leadId: string;
  instanceId: string;
  type: string;
  body: string | null;
  /** The file to send; an uploaded one has no `url`. */
  media: (Omit<OutgoingMedia, 'url'> & { url?: string | null }) | null;
  replyTo: string | null;
  /** The network's template to send. */
  channelTemplate: SentChannelTemplate | null;
  /**
   * The time from the claim on for which the network takes it, in milliseconds; 0 or less: no longer. Null where no reply window applies to
   * it.
   */
  windowLeftMs: number | null;
  /** The message is of a bulk send, or was scheduled: an opt-out waits for the end of its send. */
  needsConsent: boolean;
  chat: string | null;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** Earlier attempts that count. Attempts that a paused instance refused do not. */
  failedAttempts: number;
  /** The time at which it was handed over without an answer, by the database's clock; null where it was not. */
  unconfirmedSince: Date | null;
  /** The last attempt ended without an answer of the gateway, and not with its worker. */
  wasUnanswered: boolean;
  /** The provider's id that an earlier attempt reserved for it. */
  reservedId: string | null;
  /** The gateway has reported what became of it under this id. */
  isReported: boolean;
  provider: string;
  instanceName: string;
  baseUrl: string | null;
  tokenCiphertext: Uint8Array | null;
  phoneNumberId: string | null;
  apiVersion: string | null;
  /** Its instance was paused, and this message tests it. */
  wasPaused: boolean;
  /** Its instance was known not to answer. */
  isUnreachable: boolean;
  /** Its instance was deleted while a worker had claimed it. */
  isInstanceDeleted: boolean;
  /** The start of the claim, by this process's monotonic clock: its lease has not begun before. */
  claimedAtMs: number;
}

export interface Claim {
  messages: ClaimedMessage[];
  /**
   * The time in milliseconds until asking again can bring more: a place in the window opens, a retry is due, a lease ends. Undefined:
   * nothing waits.
   */
  nextInMs: number | undefined;
  /** The limit's window has no place, whatever may be waiting. */
  isLimited?: boolean;
  /** Messages to leads that have opted out left the outbox. */
  hasEnded?: boolean;
}

export interface ClaimRequest {
  /**
   * The most messages to claim: no more than can be sent at once. A message that is claimed and not handed over would leave after a change
   * of the limit.
   */
  limit: number;
  /** The most sends that may be under way through one instance. */
  limitPerInstance: number;
  /** This worker's sends under way, by instance. */
  underWay: ReadonlyMap<string, number>;
  /** The sends among them that probe an instance whose pause has ended, by instance. */
  probes: ReadonlyMap<string, number>;
}

interface TenantLimit {
  max: number | null;
  durationMs: number | null;
  /** A scheduled message is due. */
  hasScheduled: boolean;
}

interface DueMessage {
  messageId: string;
  /** Its lead has opted out of such messages. */
  lacksConsent: boolean;
}

interface SendWindow {
  /** The sends that hold a place. */
  held: number;
  /** The time in milliseconds until the first of them leaves its place; null while none of them has an answer. */
  opensInMs: number | null;
  /** Some attempts lie in the future: the database's clock was set back. */
  isAhead: boolean;
}

interface Permits {
  permits: number;
  opensInMs?: number;
}

export interface ClaimOptions {
  database: Database;
  transactor: Transactor;
  /** The lease of a claimed message, in milliseconds: it is presumed abandoned after it. Longer than a send can take. */
  leaseMs: number;
  /** Ends messages whose leads have opted out of them. */
  optedOut: { end(tx: Transaction, messageIds: readonly string[]): Promise<void> };
}

// The wait while sends without an answer hold every place: the answers of another process do not wake this one.
const unansweredPollMs = 100;

export class RateLimitedClaimService {
  constructor(private readonly options: ClaimOptions) {}

  /** Takes the messages that may leave now, in their order. */
  async claim(tenantId: string, request: ClaimRequest): Promise<Claim> {
    const claimedAtMs = performance.now();
    return this.options.transactor.run(tenantId, async (tx) => {
      const claim = await this.claimIn(tx, request, claimedAtMs);
      // Most claims find nothing, and the next one waits for the end of this one.
      if (claim.messages.length === 0 && claim.hasEnded !== true) await tx.query(commitWithoutFlush);
      return claim;
    });
  }

  /** Returns the instance's provider ids that belong to other messages than this one. */
  async listExternalIdsOfOthers(
    tenantId: string,
    { id, instanceId }: Pick<ClaimedMessage, 'id' | 'instanceId'>,
    externalIds: readonly string[],
  ): Promise<Set<string>> {
    const values = [tenantId, instanceId, externalIds, id];
    const rows = await this.options.database.query<{ externalId: string }>(selectExternalIdsOfOthers, values);
    return new Set(rows.map(({ externalId }) => externalId));
  }

  async listWaitingTenants(): Promise<string[]> {
    const rows = await this.options.database.query<{ tenantId: string }>(selectWaitingTenants);
    return rows.map((row) => row.tenantId);
  }

  private async claimIn(tx: Transaction, request: ClaimRequest, claimedAtMs: number): Promise<Claim> {
    const { permits, opensInMs } = await this.measurePermits(tx, request);
    if (permits === 0) return { messages: [], nextInMs: opensInMs, isLimited: opensInMs !== undefined };
    const due = await this.listDue(tx, permits, request);
    const idsWhere = (lacksConsent: boolean) =>
      due.filter((message) => message.lacksConsent === lacksConsent).map(({ messageId }) => messageId);
    const [ids, unwanted] = [idsWhere(false), idsWhere(true)];
    if (unwanted.length > 0) await this.options.optedOut.end(tx, unwanted);
    const messages = ids.length === 0 ? [] : await this.take(tx, ids, claimedAtMs);
    // With the permits used up, or messages ended that others waited behind, the next claim says when there are more.
    const hasEnded = unwanted.length > 0;
    const nextInMs = due.length < permits && !hasEnded ? await this.nextInMs(tx) : 1;
    return hasEnded ? { messages, nextInMs, hasEnded } : { messages, nextInMs };
  }

  /**
   * Grants a reaction to a message a place in the tenant's window, which it holds as a send does until `finishReaction`.
   * @returns its number, or in how many ms asking again can help
   */
  async grantReaction(tenantId: string, messageId: string): Promise<{ number: number } | { opensInMs: number }> {
    return this.options.transactor.run(tenantId, async (tx) => {
      const request = { limit: 1, limitPerInstance: 1, underWay: new Map(), probes: new Map() };
      const { permits, opensInMs = unansweredPollMs } = await this.measurePermits(tx, request);
      const [granted] = permits > 0 ? await tx.query<{ number: number }>(grantReaction, [tenantId, messageId]) : [];
      return granted ?? { opensInMs };
    });
  }

  /** The gateway has answered: the place is free once the answer is a window old. */
  async finishReaction(tenantId: string, messageId: string, number: number): Promise<void> {
    await this.options.database.query(finishReaction, [tenantId, messageId, number]);
  }

  // A reply that was scheduled goes ahead of bulk like any other, and so do the messages that its lead is to get before it.
  private async admitScheduled(tx: Transaction): Promise<void> {
    await raiseBeforeAll(tx, await tx.query<EarlyMessage>(admitScheduled, [tx.tenantId]));
  }

  private async measurePermits(tx: Transaction, request: ClaimRequest): Promise<Permits> {
    const [tenant] = await tx.query<TenantLimit>(lockTenantLimit, [tx.tenantId]);
    if (tenant === undefined) return { permits: 0 };
    if (tenant.hasScheduled) await this.admitScheduled(tx);
    const { max, durationMs } = tenant;
    if (max === null || durationMs === null) return { permits: request.limit };
    const values = [tx.tenantId, durationMs, this.options.leaseMs];
    let [window] = await tx.query<SendWindow>(measureWindow, values);
    if (window?.isAhead === true) {
      await tx.query(pullBackAttempts, values);
      [window] = await tx.query<SendWindow>(measureWindow, values);
    }
    const permits = Math.max(0, Math.min(request.limit, max - (window?.held ?? 0)));
    const opensInMs = Math.max(1, window?.opensInMs ?? unansweredPollMs);
    return { permits, opensInMs };
  }

  private async listDue(tx: Transaction, permits: number, request: ClaimRequest): Promise<DueMessage[]> {
    const { underWay, probes, limitPerInstance } = request;
    const busy = Array.from(underWay, ([id, sends]) => ({ id, sends, probes: probes.get(id) ?? 0 }));
    const values = [tx.tenantId, permits, limitPerInstance, ...busyColumns.valuesOf(busy)];
    return tx.query<DueMessage>(selectDue, values);
  }

  private async take(tx: Transaction, messageIds: string[], claimedAtMs: number): Promise<ClaimedMessage[]> {
    const rows = await tx.query<Omit<ClaimedMessage, 'claimedAtMs'> & { isFirstTake: boolean }>(claimMessages, [
      tx.tenantId,
      this.options.leaseMs,
      ...claimColumns.valuesOf(messageIds),
    ]);
    for (const { id, leadId, instanceId, isFirstTake } of rows) {
      if (isFirstTake) emitStatusChanged(tx, { ...unsent, id, leadId, instanceId, status: 'SENDING' });
    }
    return rows.map((row) => ({ ...row, claimedAtMs }));
  }

  private async nextInMs(tx: Transaction): Promise<number | undefined> {
    const [next] = await tx.query<{ inMs: number | null }>(selectNextDue, [tx.tenantId]);
    return next === undefined || next.inMs === null ? undefined : Math.max(1, next.inMs);
  }
}

/** Gives the earlier messages of these leads the priority of these messages. Safe to repeat. */
export async function raiseBeforeAll(tx: Transaction, messages: readonly EarlyMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(raiseBefore, [tx.tenantId, ...earlyColumns.valuesOf(messages)]);
}

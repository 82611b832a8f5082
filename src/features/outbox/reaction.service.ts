// Our reactions to messages: asked of the gateway at once, under the tenant's limit, and stored when it has taken them. Reactions that
// gateways report belong to messages/changes.

import { setTimeout as delay } from 'node:timers/promises';
import {
  gatewayNameOf,
  reactionNotOffered,
  type OutgoingReaction,
  type ReactionResult,
} from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import { within } from '../../platform/jobs/deadline.js';
import { AppError, notFound } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { Tally } from '../../platform/jobs/tally.js';
import type { Transactor } from '../../platform/database/transaction.js';
import { selectStoredInstance, type InstanceStateRow } from '../chat-instances/chat-instance.sql.js';
import type { GatewayEndpoints, ReachableInstance } from '../chat-instances/gateway-endpoints.js';
import type { LeadService } from '../leads/lead.service.js';
import { reactionInputSchema } from '../messages/changes/change.schema.js';
import type { MessageChangeService } from '../messages/changes/change.service.js';
import { hasReachedNetwork, isWritten, type MessageRow, type MessageService } from '../messages/message.service.js';
import type { RateLimitedClaimService } from './rate-limited-claim.service.js';

export interface ReactionOptions {
  database: Database;
  transactor: Transactor;
  messages: MessageService;
  leads: LeadService;
  changes: MessageChangeService;
  endpoints: GatewayEndpoints;
  claims: RateLimitedClaimService;
  /** The time limit of the gateway's answer, in milliseconds. */
  timeLimitMs: number;
}

/** The longest time that a reaction waits for a place in the window of the tenant's limit. */
const permitLimitMs = 5_000;
/** The most reactions of one tenant that may be under way in a process. */
const maxUnderWay = 8;

export class ReactionService {
  private readonly underWay = new Tally();

  constructor(private readonly options: ReactionOptions) {}

  /**
   * Sets our reaction to a message, or takes it back (null). It counts as a send against the tenant's limit. Emits MESSAGE_UPDATED. Safe
   * to repeat.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED for what is not one emoji; NOT_OFFERED where the gateway has no reactions; CONFLICT for
   * a message that is not at the network or was deleted, and where the gateway refuses or cannot be called; RATE_LIMITED where the
   * limit has no place within 5 s, or the tenant has 8 reactions under way; UNAVAILABLE where the gateway cannot answer now
   */
  async react(principal: Principal | undefined, id: string, emoji: string | null | undefined): Promise<MessageRow> {
    const user = requireUser(principal);
    const wanted = parseInput(reactionInputSchema, { id, emoji });
    const message = await this.options.messages.find(user, wanted.id);
    if (message === null) throw notFound('message');
    const target = await this.findTarget(user, message);
    const place = await this.findPlace(user.tenantId, message.instanceId);
    const reaction = { ...target, emoji: wanted.emoji ?? null };
    await this.underLimit(user.tenantId, message.id, () => this.ask(place, reaction));
    const isStored = await this.options.transactor.run(user.tenantId, (tx) =>
      this.options.changes.storeReaction(tx, message.id, reaction.emoji, user.userId),
    );
    const stored = isStored ? await this.options.messages.find(user, message.id) : null;
    if (stored === null) throw notFound('message');
    return stored;
  }

  private async findTarget(principal: Principal, message: MessageRow): Promise<Omit<OutgoingReaction, 'emoji'>> {
    const { externalId, deletedAt, direction, leadId } = message;
    if (externalId === null || !hasReachedNetwork(message))
      throw new AppError('CONFLICT', 'The message has not reached the network yet');
    if (!isWritten(message)) throw new AppError('CONFLICT', 'Notices and calls take no reactions');
    if (deletedAt !== null) throw new AppError('CONFLICT', 'The message was deleted by its writer');
    const [lead] = await this.options.leads.listByIds(principal, [leadId]);
    if (lead === undefined) throw notFound('message');
    if (lead.chat === null) throw new AppError('CONFLICT', 'The lead has no chat number yet. Give it one');
    return { to: lead.chat, externalId, fromMe: direction === 'OUTBOUND' };
  }

  private async findPlace(tenantId: string, instanceId: string): Promise<ReachableInstance> {
    const { database, endpoints } = this.options;
    const [instance] = await database.query<InstanceStateRow>(selectStoredInstance, [tenantId, instanceId]);
    if (instance === undefined) throw new AppError('CONFLICT', 'The chat instance of the message was deleted');
    const place = endpoints.find(instance);
    if (place.outcome === 'permanent') throw new AppError('CONFLICT', place.detail);
    if (place.gateway.react === undefined) throw toAppError(reactionNotOffered);
    return place;
  }

  private async ask({ gateway, endpoint }: ReachableInstance, reaction: OutgoingReaction): Promise<void> {
    const { timeLimitMs } = this.options;
    const asked = gateway.react?.(endpoint, reaction) ?? Promise.resolve<ReactionResult>(reactionNotOffered);
    const result = await within<ReactionResult>(timeLimitMs, asked, () => {
      const detail = `${gatewayNameOf(endpoint)} did not answer within ${timeLimitMs / 1_000} s`;
      return { outcome: 'unknown', code: 'GATEWAY_UNREACHABLE', detail };
    });
    if (result.outcome !== 'accepted') throw toAppError(result);
  }

  /** Runs `work` in a place of the tenant's window, so that no window at the gateway exceeds the limit. */
  private async underLimit(tenantId: string, messageId: string, work: () => Promise<void>): Promise<void> {
    if (this.underWay.of(tenantId) >= maxUnderWay) throw tooMany('Too many reactions are under way', 1_000);
    this.underWay.add(tenantId, 1);
    try {
      const number = await this.waitForPlace(tenantId, messageId);
      try {
        await work();
      } finally {
        await this.options.claims.finishReaction(tenantId, messageId, number);
      }
    } finally {
      this.underWay.add(tenantId, -1);
    }
  }

  private async waitForPlace(tenantId: string, messageId: string): Promise<number> {
    const endsAtMs = performance.now() + permitLimitMs;
    for (;;) {
      const granted = await this.options.claims.grantReaction(tenantId, messageId);
      if ('number' in granted) return granted.number;
      const { opensInMs } = granted;
      if (performance.now() + opensInMs > endsAtMs) throw tooMany("The tenant's limit on sends is used up", opensInMs);
      await delay(opensInMs);
    }
  }
}

function tooMany(detail: string, waitMs: number): AppError {
  return new AppError('RATE_LIMITED', detail, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
}

type Refusal = Exclude<ReactionResult, { outcome: 'accepted' }>;

/** A refusal for good is a CONFLICT: its sentence says what to change first. Any other refusal may be retried. */
function toAppError(refusal: Refusal): AppError {
  const cause = new Error(refusal.code);
  const { detail } = refusal;
  if (refusal.code === reactionNotOffered.code) return new AppError('NOT_OFFERED', detail, { cause });
  if (refusal.outcome === 'permanent') return new AppError('CONFLICT', detail, { cause });
  const retryAfterSeconds = 'retryAfterSeconds' in refusal ? refusal.retryAfterSeconds : undefined;
  return new AppError('UNAVAILABLE', detail, {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

// Makes sure that a message is sent once: reserves its id where the gateway offers that, and looks up what may have been sent.
// dispatcher.ts decides when a message is handed over.

import type { FoundSend, OutgoingMessage } from '../../providers/chat-gateway.js';
import type { PromotionWatch } from '../../platform/database/promotion-watch.js';
import { timeOfId } from '../../platform/database/record-id.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { GatewayEndpoints, ReachableInstance } from '../chat-instances/gateway-endpoints.js';
import type { ReservedIdService } from '../messages/reserved-ids.service.js';
import type { ClaimedMessage, RateLimitedClaimService } from './rate-limited-claim.service.js';
import { maxAttempts, type SendOutcome } from './send-result.service.js';

export interface LostAnswerGuardOptions {
  claims: Pick<RateLimitedClaimService, 'listExternalIdsOfOthers'>;
  reservedIds: ReservedIdService;
  endpoints: GatewayEndpoints;
  promotions: Pick<PromotionWatch, 'findPromotion'>;
  log: Logger;
}

/** The time after a promotion in which messages from before it are looked up: those that were handed over last stand first in the queue. */
const doubtAfterPromotionMs = 600_000;

/** Gives a signal that ends a call before it is too late to send the message. */
type SignalOf = () => AbortSignal;

export class LostAnswerGuard {
  constructor(private readonly options: LostAnswerGuardOptions) {}

  /** True if it may have been sent, so that sending it again may double it. */
  isDoubtful({ unconfirmedSince, provider, isInstanceDeleted }: ClaimedMessage): boolean {
    return unconfirmedSince !== null && (isInstanceDeleted || !this.options.endpoints.honoursKeys(provider));
  }

  /**
   * Sending again is safe if the gateway honours keys. Otherwise a message that may have been sent is looked up; if that gives no
   * answer, an operator decides. One with a reserved id is looked up too, and sent again under that id where it is not found.
   * @returns the message that can be handed over now, or what became of it
   */
  async prepare(
    tenantId: string,
    message: ClaimedMessage,
    instance: ReachableInstance,
    outgoing: OutgoingMessage,
    signalOf: SignalOf,
  ): Promise<OutgoingMessage | SendOutcome> {
    if (instance.gateway.honoursKeys) return outgoing;
    const lost = await this.lookUpLost(tenantId, message, instance, outgoing, signalOf);
    if (lost !== undefined) return lost;
    const named = await this.withReservedId(tenantId, message, instance, outgoing, signalOf);
    if ('outcome' in named || !mayHaveBeenSent(message, named)) return named;
    return (await this.lookUp(tenantId, message, instance, named, signalOf)) ?? named;
  }

  /**
   * The message with the id that it is sent under, where its gateway reserves ids. The id is kept before anything is handed over, so that
   * the worker that sends the message after this one knows it.
   * @returns why there is no id; nothing was sent then
   */
  private async withReservedId(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
    signalOf: SignalOf,
  ): Promise<OutgoingMessage | SendOutcome> {
    const { id, instanceId, reservedId, wasUnanswered } = message;
    if (gateway.reserveId === undefined) return outgoing;
    if (reservedId !== null) return { ...outgoing, reservedId };
    // A message that was handed over without an id is looked up without one.
    if (wasUnanswered) return outgoing;
    const reserved = await gateway.reserveId(endpoint, signalOf());
    if (reserved.outcome === 'notOffered') return outgoing;
    if (reserved.outcome !== 'reserved')
      return reserved.outcome === 'permanent' && this.isDoubtful(message) ? unconfirmed(reserved.detail) : reserved;
    try {
      const kept = await this.options.reservedIds.keep(tenantId, { id, instanceId, externalId: reserved.id });
      return kept === undefined ? reservedTwice : { ...outgoing, reservedId: kept };
    } catch (error) {
      this.options.log.warn({ err: error, tenantId, messageId: id }, 'a reserved id could not be stored; trying again');
      return reservationNotStored;
    }
  }

  /**
   * Looks up a message that a database before the last promotion may have recorded as handed over, where the gateway can be asked.
   * @returns undefined when it is to be sent
   */
  private async lookUpLost(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
    signalOf: SignalOf,
  ): Promise<SendOutcome | undefined> {
    const { id, unconfirmedSince, reservedId } = message;
    if (gateway.findSent === undefined || unconfirmedSince !== null || reservedId !== null) return undefined;
    // While the database is away, no other server has given this message out.
    const promotedAtMs = await this.options.promotions.findPromotion().catch(() => undefined);
    const since = timeOfId(id);
    if (promotedAtMs === undefined || since.getTime() > promotedAtMs) return undefined;
    if (Date.now() - promotedAtMs > doubtAfterPromotionMs) return undefined;
    const listOthers = (ids: readonly string[]) => this.options.claims.listExternalIdsOfOthers(tenantId, message, ids);
    const found = await gateway.findSent(endpoint, outgoing, { since, listOthers }, signalOf());
    if (found.outcome === 'sent') return { outcome: 'accepted', externalId: found.externalId };
    if (found.outcome === 'paused') return found;
    // Most of these messages were never handed over, so a gateway that cannot tell gets them.
    return found.outcome === 'unavailable' ? { ...notLookedUp, detail: found.detail } : undefined;
  }

  /** @returns undefined when it is to be sent */
  private async lookUp(
    tenantId: string,
    message: ClaimedMessage,
    { gateway, endpoint }: ReachableInstance,
    outgoing: OutgoingMessage,
    signalOf: SignalOf,
  ): Promise<SendOutcome | undefined> {
    const { unconfirmedSince, failedAttempts } = message;
    if (gateway.findSent === undefined) return unconfirmed('This network does not report what it sent');
    const listOthers = (ids: readonly string[]) => this.options.claims.listExternalIdsOfOthers(tenantId, message, ids);
    const lost = { since: unconfirmedSince ?? new Date(), listOthers };
    const found = await gateway.findSent(endpoint, outgoing, lost, signalOf());
    if (found.outcome === 'sent') return { outcome: 'accepted', externalId: found.externalId };
    if (found.outcome === 'absent') return undefined;
    if (found.outcome === 'paused') return found;
    if (outgoing.reservedId !== undefined)
      return found.outcome === 'unknown' ? undefined : lookUpFailed('repeatable', found);
    const isPassing = found.outcome === 'unavailable' && failedAttempts + 1 < maxAttempts;
    return isPassing ? lookUpFailed('unknown', found) : unconfirmed(found.detail);
  }
}

/** It may have been sent, and this cannot be found out: an operator decides. */
export function unconfirmed(reason: string): SendOutcome {
  const detail = `It may have reached the lead: ${reason.replace(/\.$/, '')}. Look at the chat, and send it again only if it is not there`;
  return { outcome: 'unconfirmed', code: 'SEND_UNCONFIRMED', detail };
}

/** Returns whether an earlier attempt may have sent it. An id that was reserved in this attempt has not been sent. */
function mayHaveBeenSent({ unconfirmedSince, reservedId }: ClaimedMessage, outgoing: OutgoingMessage): boolean {
  return outgoing.reservedId === undefined ? unconfirmedSince !== null : reservedId !== null;
}

function lookUpFailed(
  outcome: 'repeatable' | 'unknown',
  { detail }: Extract<FoundSend, { detail: string }>,
): SendOutcome {
  return { outcome, code: 'LOOK_UP_FAILED', detail };
}

const notLookedUp = { outcome: 'temporary', code: 'LOOK_UP_FAILED' } as const;

const reservedTwice = {
  outcome: 'temporary',
  code: 'GATEWAY_ANSWER_INVALID',
  detail: 'The gateway reserved a message id that another message has',
} as const;

const reservationNotStored = {
  outcome: 'temporary',
  code: 'RESERVED_ID_NOT_STORED',
  detail: 'The id of the message could not be stored right now',
} as const;

// Shows leads that an operator is typing, where the tenant wants it and the lead has written. Best effort: nothing waits and nothing is
// retried. A gateway that is slow is left alone for a while.

import type { NoticeResult } from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import { notFound } from '../../platform/errors.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import { isUuid } from '../../platform/input/input.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { outsideOfRequests } from '../../platform/observability/request-scope.js';
import { Tally } from '../../platform/jobs/tally.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { GatewayEndpoints, ReachableInstance } from '../chat-instances/gateway-endpoints.js';
import type { LeadService } from '../leads/lead.service.js';
import type { MessageService } from '../messages/message.service.js';
import type { ChannelChoice, ChannelChoices } from '../tenants/channel-choices.js';
import { isOut, selectTypingChat, type TypingChat } from './read-receipt.sql.js';

export interface TypingInput {
  leadId: string;
  /** The chat instance; undefined or null: the one that a reply leaves through. */
  instanceId?: string | null | undefined;
  isTyping: boolean;
}

export interface TypingOptions {
  database: Database;
  leads: LeadService;
  chatInstances: Pick<ChatInstanceService, 'find'>;
  messages: MessageService;
  endpoints: GatewayEndpoints;
  choices: Pick<ChannelChoices, 'of'>;
  metrics: Metrics;
  log: Logger;
  /** Calls of one tenant, and of all tenants, at a time in this process. */
  concurrency: number;
  totalConcurrency: number;
}

/** A lead is shown typing at most once in this time. */
export const typingIntervalSeconds = 5;
const intervalMs = typingIntervalSeconds * 1_000;
const maxKnownLeads = 10_000;
/** The time in milliseconds for which a gateway that did not answer is left alone. */
const restMs = 30_000;
const maxRestingInstances = 10_000;

export class TypingService {
  /** Leads that are shown typing, with the instance. */
  private readonly shown = new ExpiringCache<string>({ max: maxKnownLeads, ttl: intervalMs });
  private readonly resting = new ExpiringCache<true>({ max: maxRestingInstances, ttl: restMs });
  private readonly underWay = new Tally();
  private readonly aborter = new AbortController();

  constructor(private readonly options: TypingOptions) {}

  /**
   * Shows the lead that the caller is typing, or has stopped. The call to the gateway is not waited for, and may be dropped. Without an
   * instance, the one that a reply leaves through. More often than every 5 s changes nothing.
   * @returns whether the lead can see it: not where the tenant does not want it, the gateway cannot show it, or the lead has not written
   * through the instance
   * @throws AppError NOT_FOUND for a lead or an instance that the tenant does not have
   */
  async show(principal: Principal | undefined, input: TypingInput): Promise<boolean> {
    const user = requireUser(principal);
    const { tenantId } = user;
    const { leadId, instanceId, isTyping } = input;
    const key = `${tenantId} ${leadId}`;
    const shownThrough = this.shown.get(key);
    if (isTyping && shownThrough !== undefined && shownThrough === (instanceId ?? shownThrough)) return true;
    const lead = await this.options.leads.find(user, leadId);
    if (lead === null) throw notFound('lead');
    if (instanceId != null && (await this.options.chatInstances.find(user, instanceId)) === null)
      throw notFound('chat instance');
    const choice = await this.options.choices.of(tenantId);
    if (!choice.showsTyping) return false;
    const chat = await this.findChat(tenantId, lead.id, instanceId ?? null);
    const place = chat === undefined ? undefined : this.findPlace(chat, choice);
    if (chat === undefined || place === undefined) return false;
    if (isTyping) this.shown.set(key, instanceId ?? chat.instanceId);
    else this.shown.delete(key);
    this.begin(tenantId, chat, place, isTyping);
    return true;
  }

  /** Ends the calls under way. */
  stop(): void {
    this.aborter.abort();
  }

  private async findChat(tenantId: string, leadId: string, wanted: string | null): Promise<TypingChat | undefined> {
    const { database, messages } = this.options;
    const tx = { tenantId, query: database.query.bind(database) };
    const instanceId = wanted ?? (await messages.findReplyInstance(tx, leadId));
    if (instanceId === null || !isUuid(instanceId)) return undefined;
    const [chat] = await database.query<TypingChat>(selectTypingChat, [tenantId, leadId, instanceId]);
    return chat;
  }

  /** The gateway that shows typing in a chat; undefined where the lead cannot see it there. */
  private findPlace(chat: TypingChat, { sendsReadReceipts }: ChannelChoice): ReachableInstance | undefined {
    const place = this.options.endpoints.find(chat);
    if (place.outcome === 'permanent' || isOut(chat)) return undefined;
    const { gateway } = place;
    const isWanted = sendsReadReceipts || gateway.typingMarksRead !== true;
    return gateway.courtesies !== undefined && isWanted ? place : undefined;
  }

  private begin(tenantId: string, chat: TypingChat, place: ReachableInstance, isTyping: boolean): void {
    const { concurrency, totalConcurrency } = this.options;
    const isFull = this.underWay.of(tenantId) >= concurrency || this.underWay.total >= totalConcurrency;
    if (isFull || this.resting.has(chat.instanceId) || this.aborter.signal.aborted) return this.count(chat, 'dropped');
    this.underWay.add(tenantId, 1);
    void outsideOfRequests(() => this.tell(chat, place, isTyping))
      .catch((error: unknown) => this.options.log.error({ err: error, tenantId }, 'a gateway driver failed'))
      .finally(() => this.underWay.add(tenantId, -1));
  }

  private async tell(chat: TypingChat, place: ReachableInstance, isTyping: boolean): Promise<void> {
    const about = { chat: chat.chat, externalId: chat.externalId };
    const result = await place.gateway.courtesies?.showTyping(place.endpoint, about, isTyping, this.aborter.signal);
    if (result === undefined) return;
    // A gateway that does not answer, or asks for time, is left alone for a while.
    if (result.outcome === 'unknown' || result.outcome === 'temporary') this.resting.set(chat.instanceId, true);
    this.count(chat, outcomeOf(result));
  }

  private count(chat: TypingChat, outcome: 'sent' | 'refused' | 'lost' | 'dropped'): void {
    const provider = this.options.endpoints.providerOf(chat);
    this.options.metrics.typing.inc({ provider, outcome });
  }
}

function outcomeOf({ outcome }: NoticeResult): 'sent' | 'refused' | 'lost' {
  if (outcome === 'accepted') return 'sent';
  return outcome === 'permanent' || outcome === 'paused' ? 'refused' : 'lost';
}

// Asks gateways whether a number is on the channel, before the first message to a lead that never wrote. The tenant has to want it, and the
// gateway has to be able to say it. The result is remembered. A gateway that does not say holds nothing up: the message is sent.

import { numberNotOnNetworkCode, type NumberLookUp, type PermanentRefusal } from '../../../providers/chat-gateway.js';
import type { Database } from '../../../platform/database/database.js';
import { ExpiringCache } from '../../../platform/expiring-cache.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Metrics } from '../../../platform/observability/metrics.js';
import type { Principal } from '../../../platform/principal.js';
import type { GatewayEndpoints, ReachableInstance } from '../../chat-instances/gateway-endpoints.js';
import type { ChannelChoices } from '../../tenants/channel-choices.js';
import {
  selectChannelNumbers,
  selectKnownNumber,
  storeChannelNumber,
  type ChannelNumberRow,
  type KnownNumber,
} from './channel-number.sql.js';

export interface ChannelNumberOptions {
  database: Database;
  choices: Pick<ChannelChoices, 'of'>;
  endpoints: GatewayEndpoints;
  metrics: Metrics;
  log: Logger;
}

/** A message about to be sent. */
export interface NumberedMessage {
  id: string;
  leadId: string;
  instanceId: string;
  provider: string;
  /** The lead's number. */
  chat: string;
  /** False if it may have been sent before: then it no longer fails for its number. */
  mayFail: boolean;
}

/** The gateway was not asked to send: the attempt keeps no place in the limit's window. */
export type UnspentRefusal = PermanentRefusal & { isUnspent: true };

const foundCountsDays = 30;
const absentCountsHours = 24;
const lookUpTimeoutMs = 5_000;
/** The time in milliseconds for which a gateway that did not say is not asked again. */
const restMs = 30_000;
const maxRestingInstances = 10_000;

const notOnNetwork: UnspentRefusal = {
  outcome: 'permanent',
  code: numberNotOnNetworkCode,
  detail:
    "The gateway was asked before the first message, and the network does not know this number. Correct the lead's number, or reach the lead another way. A retry asks again.",
  isUnspent: true,
};

export class ChannelNumberService {
  private readonly resting = new ExpiringCache<true>({ max: maxRestingInstances, ttl: restMs });

  constructor(private readonly options: ChannelNumberOptions) {}

  /**
   * Finds the number to send a message to, in the network's writing where that is known; or the reason why it is not sent. Never throws.
   * @param withinMs the time limit in milliseconds
   * @param signal ends the look-up
   */
  async find(
    tenantId: string,
    message: NumberedMessage,
    place: ReachableInstance,
    { withinMs, signal }: { withinMs: number; signal: AbortSignal },
  ): Promise<{ to: string } | UnspentRefusal> {
    const asItIs = { to: message.chat };
    if (place.gateway.courtesies?.lookUpNumber === undefined) return asItIs;
    try {
      if (!(await this.options.choices.of(tenantId)).checksNumbers) return asItIs;
      const known = await this.read(tenantId, message);
      if (known === undefined) return asItIs;
      if (known.state === 'absent' && message.mayFail) return notOnNetwork;
      if (known.state !== 'unasked' || !message.mayFail || this.resting.has(message.instanceId))
        return { to: known.canonical ?? message.chat };
      const limit = AbortSignal.timeout(Math.max(1, Math.min(lookUpTimeoutMs, Math.ceil(withinMs))));
      return await this.ask(tenantId, message, place, AbortSignal.any([signal, limit]));
    } catch (error) {
      const { id: messageId, leadId } = message;
      this.options.log.warn({ err: error, tenantId, messageId, leadId }, 'a number could not be looked up');
      return asItIs;
    }
  }

  /** Reads what gateways said of leads' numbers, in one statement. */
  async listByLeads({ tenantId }: Principal, leadIds: readonly string[]): Promise<ChannelNumberRow[]> {
    return this.options.database.query<ChannelNumberRow>(selectChannelNumbers, [tenantId, leadIds]);
  }

  private async ask(
    tenantId: string,
    message: NumberedMessage,
    { gateway, endpoint }: ReachableInstance,
    signal: AbortSignal,
  ): Promise<{ to: string } | UnspentRefusal> {
    const { chat, instanceId } = message;
    const answer = await gateway.courtesies?.lookUpNumber?.(endpoint, chat, signal);
    if (answer === undefined) return { to: chat };
    const provider = this.options.endpoints.providerOf(message);
    this.options.metrics.numberLookUps.inc({ provider, outcome: answer.outcome });
    if (answer.outcome === 'unknown') {
      this.resting.set(instanceId, true);
      return { to: chat };
    }
    await this.store(tenantId, message, answer);
    return answer.outcome === 'absent' ? notOnNetwork : { to: answer.number ?? chat };
  }

  private async store(
    tenantId: string,
    { leadId, chat }: NumberedMessage,
    answer: Exclude<NumberLookUp, { outcome: 'unknown' }>,
  ): Promise<void> {
    const written = answer.outcome === 'found' ? answer.number : undefined;
    const canonical = written === undefined || written === chat ? null : written;
    const values = [tenantId, leadId, chat, answer.outcome === 'found', canonical];
    await this.options.database.change(tenantId, storeChannelNumber, values);
  }

  private async read(tenantId: string, { id, leadId }: NumberedMessage): Promise<KnownNumber | undefined> {
    const values = [tenantId, leadId, id, foundCountsDays, absentCountsHours];
    const [known] = await this.options.database.query<KnownNumber>(selectKnownNumber, values);
    return known;
  }
}

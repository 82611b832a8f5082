// Evolution API's calls beside messages: read receipts, typing, and the look-up of a number on the network.

import { z } from 'zod';
import {
  gatewayNameOf,
  permanent,
  type Courtesies,
  type GatewayEndpoint,
  type LeadChat,
  type NoticeResult,
  type NumberLookUp,
} from '../chat-gateway.js';
import { readReason, readSendRefusal } from './answer.js';
import { numberOfJid } from '../whatsapp/jid.js';
import { isSuccess, sendWithoutAnswer } from '../answer.js';
import type { GatewayCall, GatewayCallResult } from '../http.js';

export type EvolutionCall = (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;

/** The time for which a lead sees that somebody is typing. Evolution answers after it, and hides the sign then. */
const typingMs = 4_800;
const typingTimeoutMs = 10_000;
const timeoutMs = 5_000;

// Evolution skips chats whose number is hidden.
const numberHidden = permanent('NUMBER_HIDDEN', 'Evolution API needs the number of the lead, which is hidden.');

/** Evolution answers with an entry for each number that was asked for; we ask for one. */
const foundSchema = z
  .array(z.object({ exists: z.boolean(), jid: z.string().max(300).nullish().catch(undefined) }))
  .length(1);

export class EvolutionCourtesies implements Courtesies {
  constructor(private readonly call: EvolutionCall) {}

  markRead(endpoint: GatewayEndpoint, { chat, externalId }: LeadChat, signal: AbortSignal): Promise<NoticeResult> {
    if (chat === null) return Promise.resolve(numberHidden);
    const readMessages = [{ remoteJid: `${chat}@s.whatsapp.net`, fromMe: false, id: externalId }];
    return this.tell(endpoint, 'markMessageAsRead', { readMessages }, { timeoutMs, signal });
  }

  showTyping(
    endpoint: GatewayEndpoint,
    { chat }: LeadChat,
    isTyping: boolean,
    signal: AbortSignal,
  ): Promise<NoticeResult> {
    if (chat === null) return Promise.resolve(numberHidden);
    const presence = isTyping ? { presence: 'composing', delay: typingMs } : { presence: 'paused', delay: 0 };
    return this.tell(endpoint, 'sendPresence', { number: chat, ...presence }, { timeoutMs: typingTimeoutMs, signal });
  }

  async lookUpNumber(endpoint: GatewayEndpoint, number: string, signal: AbortSignal): Promise<NumberLookUp> {
    const answer = await this.post(endpoint, 'whatsappNumbers', { numbers: [number] }, { timeoutMs, signal });
    if (answer.outcome !== 'answered') return { outcome: 'unknown', detail: answer.detail };
    if (!isSuccess(answer)) return { outcome: 'unknown', detail: readReason(answer).message };
    const [found] = foundSchema.safeParse(answer.json).data ?? [];
    if (found === undefined)
      return { outcome: 'unknown', detail: `${gatewayNameOf(endpoint)} did not say whether it knows the number` };
    return found.exists ? { outcome: 'found', number: numberOfJid(found.jid ?? '') } : { outcome: 'absent' };
  }

  private async tell(
    endpoint: GatewayEndpoint,
    action: string,
    body: object,
    limits: Pick<GatewayCall, 'timeoutMs' | 'signal'>,
  ): Promise<NoticeResult> {
    const answer = await this.post(endpoint, action, body, limits);
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    return isSuccess(answer) ? { outcome: 'accepted' } : readSendRefusal(answer);
  }

  private post(
    endpoint: GatewayEndpoint,
    action: string,
    body: object,
    limits: Pick<GatewayCall, 'timeoutMs' | 'signal'>,
  ): Promise<GatewayCallResult> {
    const path = ['chat', action, endpoint.instanceName];
    return this.call(endpoint, { method: 'POST', path, body, isRepeatable: true, ...limits });
  }
}

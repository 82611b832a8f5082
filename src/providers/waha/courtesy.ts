// WAHA's calls beside messages: read receipts, typing, and the look-up of a number on the network.

import { setTimeout as delay } from 'node:timers/promises';
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
import { isSuccess, sendWithoutAnswer } from '../answer.js';
import type { GatewayCall, GatewayCallResult } from '../http.js';
import { isNotImplemented, readReason, readSendRefusal } from './answer.js';
import { chatIdOf } from './outgoing-message.js';
import { numberOfJid } from '../whatsapp/jid.js';

export type WahaCall = (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;

/** The longest time for which typing is shown. WAHA shows it until it is told otherwise. */
const typingShownMs = 4_800;
const timeoutMs = 5_000;

const numberHidden = permanent('NUMBER_HIDDEN', 'WAHA needs the number of the lead, which is hidden.');
const notOffered = permanent('NOT_OFFERED', "The engine of this chat instance's session does not offer this.");

const checkedSchema = z.object({ numberExists: z.boolean(), chatId: z.string().max(300).nullish().catch(undefined) });

export class WahaCourtesies implements Courtesies {
  /** @param shownMs for how long a lead sees that somebody types, in milliseconds */
  constructor(
    private readonly call: WahaCall,
    private readonly shownMs = typingShownMs,
  ) {}

  markRead(endpoint: GatewayEndpoint, { chat, externalId }: LeadChat, signal: AbortSignal): Promise<NoticeResult> {
    if (chat === null) return Promise.resolve(numberHidden);
    const messageIds = [`false_${chatIdOf(chat)}_${externalId}`];
    return this.tell(endpoint, 'sendSeen', { chatId: chatIdOf(chat), messageIds }, signal);
  }

  /** Resolves when typing is hidden again. */
  async showTyping(
    endpoint: GatewayEndpoint,
    { chat }: LeadChat,
    isTyping: boolean,
    signal: AbortSignal,
  ): Promise<NoticeResult> {
    if (chat === null) return numberHidden;
    const body = { chatId: chatIdOf(chat) };
    if (!isTyping) return this.tell(endpoint, 'stopTyping', body, signal);
    const shown = await this.tell(endpoint, 'startTyping', body, signal);
    if (shown.outcome !== 'accepted') return shown;
    await delay(this.shownMs, undefined, { signal }).catch(() => undefined);
    // Typing is hidden also where the process ends: the lead would see it for longer.
    await this.tell(endpoint, 'stopTyping', body, undefined);
    return shown;
  }

  async lookUpNumber(endpoint: GatewayEndpoint, phone: string, signal: AbortSignal): Promise<NumberLookUp> {
    const answer = await this.call(endpoint, {
      method: 'GET',
      path: ['api', 'contacts', 'check-exists'],
      query: { phone, session: endpoint.instanceName },
      isRepeatable: true,
      timeoutMs,
      signal,
    });
    if (answer.outcome !== 'answered') return { outcome: 'unknown', detail: answer.detail };
    if (!isSuccess(answer)) return { outcome: 'unknown', detail: readReason(answer).message };
    const checked = checkedSchema.safeParse(answer.json).data;
    if (checked === undefined)
      return { outcome: 'unknown', detail: `${gatewayNameOf(endpoint)} did not say whether it knows the number` };
    return checked.numberExists
      ? { outcome: 'found', number: numberOfJid(checked.chatId ?? '') }
      : { outcome: 'absent' };
  }

  private async tell(
    endpoint: GatewayEndpoint,
    action: string,
    body: object,
    signal: AbortSignal | undefined,
  ): Promise<NoticeResult> {
    const answer = await this.call(endpoint, {
      method: 'POST',
      path: ['api', action],
      body: { session: endpoint.instanceName, ...body },
      isRepeatable: true,
      timeoutMs,
      signal,
    });
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    if (isSuccess(answer)) return { outcome: 'accepted' };
    return isNotImplemented(answer) ? notOffered : readSendRefusal(answer);
  }
}

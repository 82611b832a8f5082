// Meta's calls beside messages: read receipts and typing. Meta looks no numbers up.

import type { Courtesies, GatewayEndpoint, LeadChat, NoticeResult } from '../chat-gateway.js';

/** Posts to the messages of an instance's number. */
export type MetaPost = (
  endpoint: GatewayEndpoint,
  body: object,
  limits: { timeoutMs: number; signal: AbortSignal },
) => Promise<NoticeResult>;

const timeoutMs = 5_000;

export class MetaCourtesies implements Courtesies {
  constructor(private readonly post: MetaPost) {}

  /** Messages before this one count as read too. */
  markRead(endpoint: GatewayEndpoint, { externalId }: LeadChat, signal: AbortSignal): Promise<NoticeResult> {
    return this.post(endpoint, readNotice(externalId), { timeoutMs, signal });
  }

  /** The lead sees it until the answer comes, 25 s at most. It cannot be taken back. */
  showTyping(
    endpoint: GatewayEndpoint,
    { externalId }: LeadChat,
    isTyping: boolean,
    signal: AbortSignal,
  ): Promise<NoticeResult> {
    if (!isTyping) return Promise.resolve({ outcome: 'accepted' });
    const body = { ...readNotice(externalId), typing_indicator: { type: 'text' } };
    return this.post(endpoint, body, { timeoutMs, signal });
  }
}

function readNotice(messageId: string): object {
  return { messaging_product: 'whatsapp', status: 'read', message_id: messageId };
}

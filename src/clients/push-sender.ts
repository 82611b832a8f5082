// Posts encrypted notifications to the push services of browsers, signed with the service's own key (VAPID). A push service learns which
// browser is notified, and nothing of what the notification says.

import webPush from 'web-push';
import type { WebhookSender } from './webhook-sender.js';

export interface PushSenderOptions {
  sender: Pick<WebhookSender, 'checkUrl' | 'post'>;
  /** Both halves of the key in Base64 for URLs. */
  publicKey: string;
  privateKey: string;
  /** A `mailto:` address or an https URL of the administrator. */
  contact: string;
}

/** A browser's address at its push service, with the keys that only the browser can decrypt for. */
export interface PushAddress {
  endpoint: string;
  publicKey: string;
  secret: string;
}

export interface PushNotice {
  /** A notification of the same topic replaces one that the browser has not fetched yet: 32 characters of Base64 for URLs at most. */
  topic: string;
  payload: object;
}

/**
 * - `gone`: the browser's address is no longer there.
 * - `stopped`: the caller's signal ended it.
 */
export type PushOutcome = 'sent' | 'gone' | 'failed' | 'stopped';

/** A push service keeps a notification for so long while the browser cannot be reached. */
const lifeSeconds = 3_600;

export class PushSender {
  constructor(private readonly options: PushSenderOptions) {}

  /** @returns what is wrong with posting to this address; undefined where nothing is */
  checkUrl(url: string): string | undefined {
    return this.options.sender.checkUrl(url);
  }

  /** Never throws. @param signal ends the call */
  async send(
    { endpoint, publicKey, secret }: PushAddress,
    notice: PushNotice,
    signal: AbortSignal,
  ): Promise<PushOutcome> {
    const { sender } = this.options;
    try {
      const keys = { p256dh: publicKey, auth: secret };
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(notice.payload), {
        TTL: lifeSeconds,
        urgency: 'high',
        topic: notice.topic,
      });
      const signed = { ...inSmallLetters(headers), authorization: this.signatureFor(endpoint) };
      const answer = await sender.post({ url: endpoint, headers: signed, body }, signal);
      if (answer.outcome === 'delivered') return 'sent';
      if (answer.outcome === 'stopped') return 'stopped';
      return answer.status === 404 || answer.status === 410 ? 'gone' : 'failed';
    } catch {
      // Keys that cannot be encrypted for are refused when they are kept: the browser counts as not reached.
      return 'failed';
    }
  }

  /** Signs for the whole push service of an endpoint; the signature holds for 12 hours. */
  private signatureFor(endpoint: string): string {
    const { contact, publicKey, privateKey } = this.options;
    const { origin } = new URL(endpoint);
    return webPush.getVapidHeaders(origin, contact, publicKey, privateKey, 'aes128gcm').Authorization;
  }
}

function inSmallLetters(headers: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

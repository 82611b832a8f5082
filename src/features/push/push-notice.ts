// Makes the notifications of new messages: who wrote, how many messages, and a text only where the tenant allows it.

import type { PushNotice } from '../../clients/push-sender.js';
import { maxPushedText, type Recipient } from './push-round.sql.js';

/** A notification on its way to one browser. */
export interface Push {
  recipient: Recipient;
  notice: PushNotice;
}

/** Returns the notifications for each browser: one for each conversation, and one more that counts those without a row. */
export function pushesOf(recipients: readonly Recipient[]): Push[] {
  const byDevice = Map.groupBy(recipients, ({ deviceId }) => deviceId);
  return [...byDevice.values()].flatMap((own) => {
    const shown = own.map((recipient) => {
      const { leadId, leadName: name, count, language, text } = recipient;
      const payload = { kind: 'message', leadId, name, count, language, ...(text !== null && { text: shorten(text) }) };
      return { recipient, notice: { topic: leadId.replaceAll('-', ''), payload } };
    });
    const [recipient] = own;
    const count = (recipient?.conversations ?? 0) - shown.length;
    if (recipient === undefined || count === 0) return shown;
    return [
      ...shown,
      { recipient, notice: { topic: 'further', payload: { kind: 'further', count, language: recipient.language } } },
    ];
  });
}

/** Cuts by whole characters: a half of one would be no text. */
function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= maxPushedText ? text : `${characters.slice(0, maxPushedText - 1).join('')}…`;
}

// Turns a phone call of a lead into a message: one message for each call, whatever its outcome.

import { externalId, fieldErrors, isPlainObject } from '../../platform/input/input.js';
import type { ReadReport, ReportedMessage } from '../reported.js';
import { contactOf } from './jid.js';
import { objectAt, readDate } from './written-value.js';

export interface SeenCall {
  contact: ReportedMessage['contact'];
  isVideo: boolean;
  at: Date | undefined;
}

/** All events of one call have one id, so that there is one message. Its text never says that the call was missed. */
export function toCall(callId: string, { contact, isVideo, at }: SeenCall): { item: ReportedMessage } {
  return {
    item: {
      kind: 'message',
      direction: 'INBOUND',
      // No longer than an id may be.
      externalId: `call:${callId}`.slice(0, 255),
      contact,
      type: 'call',
      text: isVideo ? 'Video call' : 'Voice call',
      timestamp: at,
    },
  };
}

/**
 * Reads an event of a phone call, as the network's gateways pass it on.
 * @param own the chat instance's own jids: its own calls are ignored
 * @param path where the event stands in the body, for errors
 */
export function readCallEvent(call: unknown, own: readonly unknown[], path: string): ReadReport {
  if (!isPlainObject(call)) return { errors: [{ path, message: 'has to be an object' }] };
  if (call.isGroup === true || (call.groupJid != null && call.groupJid !== '')) return ignoredCall('a call of a group');
  const partner = call.from ?? call.chatId;
  const alternative = objectAt(call._data).CallCreatorAlt;
  const who = contactOf(
    { partner, candidates: [partner, call.callerPn, call.chatId, alternative], own },
    `${path}.from`,
  );
  if ('ignored' in who) return ignoredCall(who.ignored);
  const id = externalId.safeParse(call.id);
  if (!id.success || 'errors' in who) {
    return {
      errors: [...(id.success ? [] : fieldErrors(id.error, `${path}.id`)), ...('errors' in who ? who.errors : [])],
    };
  }
  return toCall(id.data, {
    contact: who.contact,
    isVideo: call.isVideo === true,
    at: readDate(call.timestamp ?? call.date),
  });
}

function ignoredCall(reason: string): ReadReport {
  return { item: { kind: 'ignored', reason } };
}

// The reports of gateways: messages, changes of messages at the network, and delivery statuses of outbound messages.

import type { LeadIdentity } from '../leads/identity/lead-identity.js';
import type { Referral } from '../leads/referrals/referral.js';
import { keywordKeyOf } from '../tenants/keyword.js';
import { toStoredChoice, type ReportedChoice } from './choice.js';

/** A file by reference. */
export interface ReportedMedia {
  /** The address of the file; null if the gateway names the file by its id only. */
  url: string | null;
  /** The provider's id of the file. */
  providerId?: string | undefined;
  mimeType?: string | undefined;
  fileName?: string | undefined;
  caption?: string | undefined;
  sizeBytes?: number | undefined;
  /** Set for a recorded voice message, unlike other audio files. */
  isVoice?: true | undefined;
  /** The bytes, if the call holds them; at most as many as a call may have. They are stored with the file, not with the message. */
  content?: Buffer | undefined;
  /** The reason why the network does not give the file out. */
  problem?: 'TOO_LARGE' | undefined;
}

/** An event that stands as an entry in the conversation, beside the sentence that a person reads. */
export interface ReportedNotice {
  kind: 'NUMBER_CHANGED' | 'IDENTITY_CHANGED' | 'CALL_PERMISSION' | 'OTHER';
  /** The lead's new number. It becomes an identity of the same lead. */
  newContact?: LeadIdentity | undefined;
}

/** A message of the lead (INBOUND), or from the tenant's number (OUTBOUND): written on the phone, or the echo of a send. */
export interface ReportedMessage {
  kind: 'message';
  direction: 'INBOUND' | 'OUTBOUND';
  /** The provider's message id. */
  externalId: string;
  /** The lead's identities, at least one, the best known first: a number before a hidden one. */
  contact: readonly [LeadIdentity, ...LeadIdentity[]];
  /** The lead's name as the network shows it; undefined if it is the tenant's own or unknown. */
  name?: string | undefined;
  /** `text`, `image`, `video`, `audio`, `document`, `sticker`, `location`, `contact`, or the provider's own word. */
  type: string;
  text?: string | undefined;
  media?: ReportedMedia | undefined;
  /** The provider's id of the message it answers. */
  replyTo?: string | undefined;
  /** The time when the message was written, by the provider's clock. */
  timestamp?: Date | undefined;
  choice?: ReportedChoice | undefined;
  /** The ad, post or product through which the lead came to write. */
  referral?: Referral | undefined;
  isForwarded?: true | undefined;
  /** Set for an entry of the conversation that no person wrote. */
  isNotice?: true | undefined;
  /** The event behind a notice, if it is more than its sentence. */
  notice?: ReportedNotice | undefined;
  /** Set for a message whose content has not come: the next call under its id that has content fills it. */
  isPlaceholder?: true | undefined;
  /** Set for a kind that is in no list of its provider's. */
  isUnknownKind?: true | undefined;
}

/** The delivery status of an outbound message. */
export interface ReportedStatus {
  kind: 'status';
  externalId: string;
  status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';
  /** The time of the status; undefined if the gateway gives none. */
  timestamp?: Date | undefined;
  error?: { code: string; message?: string | undefined } | undefined;
  /** Identities of the recipient that the report reveals. */
  contact?: readonly LeadIdentity[] | undefined;
}

/** A change of a message that was written before. It is never a message of its own. */
export type ReportedChange = ChangeOf & {
  kind: 'change';
  /** The provider's id of the changed message. */
  externalId: string;
  /** The side that made the change: the lead, or the tenant's phone; undefined for the message's own writer. */
  direction?: 'INBOUND' | 'OUTBOUND' | undefined;
  /** The lead's identities, if the report names them. They have to be those of the message's lead. */
  contact?: readonly LeadIdentity[] | undefined;
  /** The time of the change, by the provider's clock. */
  timestamp?: Date | undefined;
};

/** The content of a change. `emoji` is null for a reaction that was taken back, and `text` for a text that is empty now. */
export type ChangeOf =
  { change: 'REACTION'; emoji: string | null } | { change: 'EDIT'; text: string | null } | { change: 'DELETION' };

/** The longest emoji that is kept, in UTF-16 units: families of several people with skin tones have fewer. */
export const maxEmojiLength = 64;

/** A reported message whose instance is known. */
export interface LocatedMessage {
  /** The id of the message if it is new, a UUID v7. */
  id: string;
  instanceId: string;
  message: ReportedMessage;
  /** The time at which a message of a gateway's history was written. It is stored among the messages of that time. */
  recoveredFrom?: Date | undefined;
}

/** A located message whose lead is known. */
export interface NewMessage extends LocatedMessage {
  leadId: string;
}

/** A message in the database, with its key at the gateway. */
export interface StoredMessage {
  id: string;
  leadId: string;
  instanceId: string;
  externalId: string;
}

/** The fields of a stored message that a call which repeats its id needs. */
export interface RepeatedMessage extends StoredMessage {
  direction: 'INBOUND' | 'OUTBOUND';
  /** True if the message came without its content. */
  waitsForContent: boolean;
}

/** The key of a message at its gateway. */
export interface ExternalKey {
  instanceId: string;
  externalId: string;
}

/** A reported status whose instance is known. */
export interface StatusReport extends ExternalKey {
  status: ReportedStatus['status'];
  occurredAt: Date;
  providerCode?: string | null | undefined;
  detail?: string | null | undefined;
}

/** Returns the text that is stored of a message. A message without a text that came through an ad has the ad's headline. */
export function bodyOf({ text, media, referral }: ReportedMessage): string | null {
  return text ?? (media === undefined ? referral?.headline : media.caption) ?? null;
}

/**
 * Returns the form in which a message is compared with keywords of consent. Only a text that the lead typed counts: no button, list row,
 * card, place, form, caption, call or notice. @returns null for a message that cannot be a keyword
 */
export function typedKeyOf({ direction, type, text, media, choice, isNotice }: ReportedMessage): string | null {
  const isTyped = direction === 'INBOUND' && type === 'text' && media === undefined && choice === undefined;
  return isTyped && isNotice === undefined && text !== undefined ? keywordKeyOf(text) : null;
}

/** Returns the file of a message as JSON, in the form that is stored. */
export function mediaOf({ media }: ReportedMessage): string | null {
  return media === undefined ? null : JSON.stringify({ ...media, content: undefined });
}

/** Returns the lead's choice as JSON, in the form that is stored. */
export function choiceOf({ choice }: ReportedMessage): string | null {
  return choice === undefined ? null : toStoredChoice(choice);
}

/** True if a message waits for its content. */
export function isPlaceholder({ isPlaceholder: isMarked, type, text, media, choice }: ReportedMessage): boolean {
  return isMarked === true || (type === 'unknown' && text === undefined && media === undefined && choice === undefined);
}

/** Returns a status in the form in which it is applied. Without a time it happened now, and a failure without a code is UNKNOWN. */
export function toStatusChange({ status, timestamp, error }: ReportedStatus) {
  return {
    status,
    occurredAt: timestamp ?? new Date(),
    providerCode: error?.code ?? (status === 'FAILED' ? 'UNKNOWN' : undefined),
    detail: error?.message,
  };
}

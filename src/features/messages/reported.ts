// What gateways report: messages, what becomes of them at the network, and how far our own messages have come.

import type { LeadIdentity } from '../leads/identity/lead-identity.js';
import type { Referral } from '../leads/referrals/referral.js';
import { keywordKeyOf } from '../tenants/keyword.js';

/** A file by reference. */
export interface ReportedMedia {
  /** Null where the gateway names the file by its id only. */
  url: string | null;
  /** The provider's id of the file. */
  providerId?: string | undefined;
  mimeType?: string | undefined;
  fileName?: string | undefined;
  caption?: string | undefined;
  sizeBytes?: number | undefined;
  /** Sound that was recorded, in place of a file of sound. */
  isVoice?: true | undefined;
  /** The bytes themselves, where the call holds them: no more than a call may have. They go to the file, not to the message. */
  content?: Buffer | undefined;
  /** The network gives no file out, and this is why. */
  problem?: 'TOO_LARGE' | undefined;
}

/** The lead's choice: a button, a row of a list, or a form that was filled in. */
export interface ReportedChoice {
  kind: 'BUTTON' | 'LIST' | 'FLOW';
  /** The sender's own id of what was picked; undefined where the network gives none. */
  id?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** The answers of a form, without its token. */
  answers?: Record<string, unknown> | undefined;
}

/** An event that stands in the conversation as a line, beside the sentence that a person reads. */
export interface ReportedNotice {
  kind: 'NUMBER_CHANGED' | 'IDENTITY_CHANGED' | 'CALL_PERMISSION' | 'OTHER';
  /** The lead's new number. It becomes an identity of the same lead. */
  newContact?: LeadIdentity | undefined;
}

/** A message that was written: by the lead (INBOUND), or by us, on the phone or as the echo of a send (OUTBOUND). */
export interface ReportedMessage {
  kind: 'message';
  direction: 'INBOUND' | 'OUTBOUND';
  /** The provider's message id. */
  externalId: string;
  /** The lead's identities, at least one, the best known first: a number before a hidden one. */
  contact: readonly [LeadIdentity, ...LeadIdentity[]];
  /** The lead's name as the network shows it; undefined where it is ours or unknown. */
  name?: string | undefined;
  /** `text`, `image`, `video`, `audio`, `document`, `sticker`, `location`, `contact`, or the provider's own word. */
  type: string;
  text?: string | undefined;
  media?: ReportedMedia | undefined;
  /** The provider's id of the message it answers. */
  replyTo?: string | undefined;
  /** When it was written, by the provider's clock. */
  timestamp?: Date | undefined;
  choice?: ReportedChoice | undefined;
  /** Through what the lead came to write. */
  referral?: Referral | undefined;
  isForwarded?: true | undefined;
  /** A line of the conversation that nobody wrote. */
  isNotice?: true | undefined;
  /** The event behind a notice, where it is more than its sentence. */
  notice?: ReportedNotice | undefined;
  /** A message whose content has not come: the next call under its id that has content fills it. */
  isPlaceholder?: true | undefined;
  /** Its kind is in no list of its provider's. */
  isUnknownKind?: true | undefined;
}

/** How far a message of ours has come. */
export interface ReportedStatus {
  kind: 'status';
  externalId: string;
  status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';
  /** Undefined where the gateway gives no time. */
  timestamp?: Date | undefined;
  error?: { code: string; message?: string | undefined } | undefined;
  /** Identities of the recipient that the report reveals. */
  contact?: readonly LeadIdentity[] | undefined;
}

/** What someone did to a message that was written before. It is never a message of its own. */
export type ReportedChange = ChangeOf & {
  kind: 'change';
  /** The provider's id of the message that it is about. */
  externalId: string;
  /** Who did it: the lead, or we on the phone. Undefined: the message's own writer. */
  direction?: 'INBOUND' | 'OUTBOUND' | undefined;
  /** The lead's identities, where the report names them: they have to be those of the message's lead. */
  contact?: readonly LeadIdentity[] | undefined;
  /** When it was done, by the provider's clock. */
  timestamp?: Date | undefined;
};

/** `emoji` and `text` are null for a reaction that was taken back, and for a text that is empty now. */
export type ChangeOf =
  { change: 'REACTION'; emoji: string | null } | { change: 'EDIT'; text: string | null } | { change: 'DELETION' };

/** The longest emoji that is kept, in UTF-16 units: families of several people with skin tones have fewer. */
export const maxEmojiLength = 64;

/** A reported message whose instance is known. */
export interface LocatedMessage {
  /** The id it gets if it is new, a UUID v7. */
  id: string;
  instanceId: string;
  message: ReportedMessage;
  /** When it was written, for one that was found in a gateway's history: it stands among the messages of then. */
  recoveredFrom?: Date | undefined;
}

/** A located message whose lead is known. */
export interface NewMessage extends LocatedMessage {
  leadId: string;
}

/** A message that the database has, and what names it at its gateway. */
export interface StoredMessage {
  id: string;
  leadId: string;
  instanceId: string;
  externalId: string;
}

/** A stored message, as a call that repeats its id has to know it. */
export interface RepeatedMessage extends StoredMessage {
  direction: 'INBOUND' | 'OUTBOUND';
  /** It came without its content. */
  waitsForContent: boolean;
}

/** What names a message at its gateway. */
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

/** The text that is kept of a message: of one that came through an ad without a word, the ad's headline. */
export function bodyOf({ text, media, referral }: ReportedMessage): string | null {
  return text ?? (media === undefined ? referral?.headline : media.caption) ?? null;
}

/**
 * The form in which a message is compared with keywords of consent. Only the lead's own typing counts: no button, no row of a list, no card,
 * no place, no form, no caption, no call and no notice. @returns null for one that cannot be a keyword
 */
export function typedKeyOf({ direction, type, text, media, choice, isNotice }: ReportedMessage): string | null {
  const isTyped = direction === 'INBOUND' && type === 'text' && media === undefined && choice === undefined;
  return isTyped && isNotice === undefined && text !== undefined ? keywordKeyOf(text) : null;
}

/** The file that is kept of a message, as JSON. */
export function mediaOf({ media }: ReportedMessage): string | null {
  return media === undefined ? null : JSON.stringify({ ...media, content: undefined });
}

/** The lead's choice, as JSON. */
export function choiceOf({ choice }: ReportedMessage): string | null {
  return choice === undefined ? null : JSON.stringify(choice);
}

/** Whether a message waits for its content. */
export function isPlaceholder({ isPlaceholder: isMarked, type, text, media, choice }: ReportedMessage): boolean {
  return isMarked === true || (type === 'unknown' && text === undefined && media === undefined && choice === undefined);
}

/** A status as it is applied: without a time it happened now, and without a code its failure is UNKNOWN. */
export function toStatusChange({ status, timestamp, error }: ReportedStatus) {
  return {
    status,
    occurredAt: timestamp ?? new Date(),
    providerCode: error?.code ?? (status === 'FAILED' ? 'UNKNOWN' : undefined),
    detail: error?.message,
  };
}

// Reports of gateways whose instance or lead is known, and the forms in which they are stored.

import type { ReportedMessage, ReportedStatus } from '../../providers/reported.js';
import { keywordKeyOf } from '../tenants/keyword-form.js';
import { toStoredChoice } from './choice.js';

/** A reported message whose instance is known. */
export interface MessageReport {
  /** The id of the message if it is new, a UUID v7. */
  id: string;
  instanceId: string;
  message: ReportedMessage;
  /** The time at which a message of a gateway's history was written. It is stored among the messages of that time. */
  recoveredFrom?: Date | undefined;
  /** The position of a message of a history among its neighbours, where these are known. */
  pastPosition?: string | undefined;
}

/** A reported message whose lead is known too. */
export interface NewMessage extends MessageReport {
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

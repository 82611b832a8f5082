// A bulk send in progress. Its content and keys are frozen at the first click, so that no second click or reload sends it twice.

import { draftKey } from '../../app/session.js';
import { splitIntoParts, type Planned } from './send-plan.js';

export interface SendingPart {
  /** The idempotency key, which never changes: the service sends equal keys once. */
  key: string;
  recipients: readonly Planned[];
  /** The bulk send's id, once the service has accepted the part. */
  bulkSendId?: string;
}

export interface Sending {
  title: string;
  terms: { templateId?: string; channelTemplateId?: string; instanceId?: string; sendAt?: string };
  parts: readonly SendingPart[];
}

export function createSending(sending: Omit<Sending, 'parts'>, recipients: readonly Planned[]): Sending {
  return {
    ...sending,
    parts: splitIntoParts(recipients).map((part) => ({ key: crypto.randomUUID(), recipients: part })),
  };
}

/** Changed content needs a new key. The old key is free, because nothing was sent under it. */
export function withoutRecipients(part: SendingPart, places: ReadonlySet<number>): SendingPart {
  return { key: crypto.randomUUID(), recipients: part.recipients.filter((_, index) => !places.has(index)) };
}

export interface RecipientProblem {
  /** The recipient's index in the part. */
  place: number;
  label: string;
  message: string;
}

/** Returns the recipients that the service refused. Its field paths contain their index, as in `input.recipients.12.leadId`. */
export function problemsOfPart(
  part: SendingPart,
  fields: readonly { path: string; message: string }[],
): RecipientProblem[] {
  return fields.flatMap(({ path, message }) => {
    const place = Number(/(?:^|\.)recipients\.(\d+)/.exec(path)?.[1] ?? Number.NaN);
    const label = part.recipients[place]?.label;
    if (label === undefined) return [];
    const variable = /\.variables\.(.+)$/.exec(path)?.[1];
    return [{ place, label, message: variable === undefined ? message : `${variable}: ${message}` }];
  });
}

const storageKey = (userId: string) => draftKey('bulk-sending', userId);

/** Stores the send for a reload of this tab. A send that is too large stays only in memory. */
export function keepSending(userId: string, sending: Sending | undefined): void {
  try {
    if (sending === undefined) sessionStorage.removeItem(storageKey(userId));
    else sessionStorage.setItem(storageKey(userId), JSON.stringify(withoutLeads(sending)));
  } catch {
    // The storage is full. The page warns before the user leaves it.
  }
}

export function keptSending(userId: string): Sending | undefined {
  const stored = sessionStorage.getItem(storageKey(userId));
  return stored === null ? undefined : (JSON.parse(stored) as Sending);
}

function withoutLeads(sending: Sending): Sending {
  const parts = sending.parts.map((part) => ({
    ...part,
    recipients: part.recipients.map(({ lead: _lead, ...recipient }) => recipient),
  }));
  return { ...sending, parts };
}

// A bulk send under way: frozen with its keys from the first click on, so that neither a second click nor a reload sends it twice.

import type { Planned } from './send-plan.js';
import { splitIntoParts } from './send-plan.js';

export interface SendingPart {
  /** Made once: the service sends what has the same key once. */
  key: string;
  recipients: readonly Planned[];
  /** The bulk send, once the service has taken it. */
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

/** Other content needs another key: nothing was sent under the old one. */
export function withoutRecipients(part: SendingPart, places: ReadonlySet<number>): SendingPart {
  return { key: crypto.randomUUID(), recipients: part.recipients.filter((_, index) => !places.has(index)) };
}

export interface RecipientProblem {
  /** In the part. */
  place: number;
  label: string;
  message: string;
}

/** Which recipients the service refused: it names them by their place, as `input.recipients.12.leadId`. */
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

const storageKey = (userId: string) => `leadwire.bulk-sending.${userId}`;

/** For the return after a reload of this tab; too large a send is kept in memory alone. */
export function keepSending(userId: string, sending: Sending | undefined): void {
  try {
    if (sending === undefined) sessionStorage.removeItem(storageKey(userId));
    else sessionStorage.setItem(storageKey(userId), JSON.stringify(withoutLeads(sending)));
  } catch {
    // Without room in the storage the page warns before it is left.
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

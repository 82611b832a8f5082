// What callers of the webhooks are answered.

import type { AppError } from '../../platform/errors.js';
import type { IntakeLead } from '../leads/lead.service.js';
import type { ReceivedMessage } from '../messages/intake.service.js';
import type { RefusedItem } from './webhook-call.js';

export type LeadAnswer = IntakeLead & { created: boolean };

/** What became of one item. `externalId` is the provider's id, `messageId` ours (null while parked). */
export type ItemResult =
  | ReceivedMessage
  | { messageId: string | null; externalId: string; outcome: 'applied' | 'ignored' | 'parked' }
  | { outcome: 'applied' }
  | { outcome: 'ignored'; reason: string }
  | ({ outcome: 'refused' } & RefusedItem);

/** `accepted` counts the items that were not refused; one result for each item, in their order. */
export interface ItemsAnswer {
  accepted: number;
  results: ItemResult[];
}

/** What a call gets: its answer, or what the caller has to mend. */
export type Settled = { answer: LeadAnswer | ItemsAnswer } | { refusal: AppError };

/** What each item of an answer was, and what became of it, in a few words. */
export function tallyOf(answer: LeadAnswer | ItemsAnswer): { item: string; outcome: string }[] {
  if (!('results' in answer)) return [{ item: 'lead', outcome: answer.created ? 'created' : 'existing' }];
  return answer.results.map((result) => {
    if ('duplicate' in result) return { item: 'message', outcome: result.duplicate ? 'duplicate' : 'recorded' };
    return { item: 'externalId' in result ? 'status' : 'other', outcome: result.outcome };
  });
}

// One webhook call: as it arrived, and as it was read.

import type { AppError, FieldError } from '../../platform/errors.js';
import type { NumberReading } from '../leads/identity/written-number.js';
import type { LeadBody } from '../leads/lead.schema.js';
import type { IntakeLead } from '../leads/lead.service.js';
import type { ReceivedMessage } from '../messages/intake.service.js';
import type { Country } from '../tenants/country.js';
import type { ReportedChange, ReportedItem } from './dialects/dialect.js';

/** As it arrived, before anything is judged. */
export interface WebhookCall {
  /** The journal's id for it, a UUID v7. */
  id: string;
  tenantId: string;
  /** The path that was called, as in the API's documents. */
  route: string;
  contentType: string | undefined;
  /** The `x-signature` header, or the network's own. */
  signature: string | undefined;
  /** The `x-webhook-hmac` header, with which WAHA signs. */
  hmac?: string | undefined;
  userAgent: string | undefined;
  body: Buffer;
  receivedAt: Date;
  /** The journal's entry that this one runs again, and when that call came. */
  replayOf?: { id: string; receivedAt: Date } | undefined;
  /** `history`: nobody called; these are records of the gateway's history. */
  source?: CallSource | undefined;
}

export type CallSource = 'webhook' | 'history';

export type DialectName = 'lead' | 'neutral' | 'evolution' | 'waha' | 'cloud' | 'meta_leads' | 'google_leads' | 'form';

/** What one item of a chat webhook says, or what is wrong with it, and the instance it names; null: the tenant's default. */
export type Report = { instance: string | null } & ({ item: ReportedItem } | RefusedItem);

/** An item that is refused. With a `code`, a limit refused it; otherwise the item itself is wrong. */
export interface RefusedItem {
  code?: 'RATE_LIMITED';
  errors: FieldError[];
}

/** A report with the id that its message gets if it is new: made when the call is read, so that ids stand in the order of arrival. */
export type IdentifiedReport = Report & { messageId: string };

/** What a lead gets where its call does not say it. */
export interface LeadDefaults {
  source: LeadIntake['defaultSource'];
  /** Whose numbers national writings are. */
  country: Country | undefined;
}

export interface LeadIntake {
  kind: 'lead';
  lead: LeadBody;
  /** The source of a lead where neither it nor the tenant names one. */
  defaultSource: 'public' | 'webhook';
}

export interface ChatIntake {
  kind: 'chat';
  /** Each item stands for itself; otherwise what is wrong with the one item refuses the call. */
  many: boolean;
  reports: IdentifiedReport[];
}

/** As it was read: what is left is to write it. */
export interface ReadWebhookCall {
  call: WebhookCall;
  dialect: DialectName;
  intake: LeadIntake | ChatIntake;
}

export type LeadAnswer = IntakeLead & { created: boolean };

/** A dry run answers with a null `id` if the lead would be new. `reading` says how its number was read. */
export type DryLeadAnswer = Omit<LeadAnswer, 'id'> & { id: string | null; reading: NumberReading | null };

/**
 * What became of one item. `externalId` is the provider's id, `messageId` ours (null while parked); with a `change` it is the message that
 * was reacted to, edited or deleted.
 */
export type ItemResult =
  | ReceivedMessage
  | {
      messageId: string | null;
      externalId: string;
      change: ReportedChange['change'];
      outcome: 'applied' | 'ignored' | 'parked';
    }
  | { messageId: string | null; externalId: string; outcome: 'applied' | 'ignored' | 'parked' }
  | { outcome: 'applied' }
  | { outcome: 'ignored'; reason: string }
  | ({ outcome: 'refused' } & RefusedItem);

/** `accepted` counts the items that were not refused; one result for each item, in their order. */
export interface ItemsAnswer {
  accepted: number;
  results: ItemResult[];
}

/**
 * What a call gets: its answer, or what the caller has to correct. `optedOut`: leads that opt out by this call, to which nothing that needs
 * consent may leave once it is answered.
 */
export type Settled = { answer: LeadAnswer | ItemsAnswer; optedOut?: readonly string[] } | { refusal: AppError };

/** What each item of an answer was, and what became of it, in a few words. */
export function tallyOf(answer: LeadAnswer | ItemsAnswer): { item: string; outcome: string }[] {
  if (!('results' in answer)) return [{ item: 'lead', outcome: answer.created ? 'created' : 'existing' }];
  return answer.results.map((result) => {
    if ('duplicate' in result) return { item: 'message', outcome: result.duplicate ? 'duplicate' : 'recorded' };
    if ('change' in result) return { item: 'change', outcome: result.outcome };
    return { item: 'externalId' in result ? 'status' : 'other', outcome: result.outcome };
  });
}

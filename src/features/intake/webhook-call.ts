// A webhook call: as it arrived, and as it was read.

import type { AppError, FieldError } from '../../platform/errors.js';
import type { ChatDialect } from '../../providers/registry.js';
import type { NumberReading } from '../../platform/phone-numbers/written-number.js';
import type { LeadBody } from '../leads/lead.schema.js';
import type { IntakeLead } from '../leads/lead.service.js';
import type { ReceivedMessage } from '../messages/reported-message.service.js';
import type { Country } from '../../platform/phone-numbers/country.js';
import type { ReportedChange, ReportedItem } from '../../providers/reported.js';

/** A call as it arrived, before any check. */
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
  /** The entry of the journal that this call replays, and when that call came. */
  replayOf?: { id: string; receivedAt: Date } | undefined;
  /** `history`: no gateway called; the call holds records of a gateway's history. */
  source?: CallSource | undefined;
}

export type CallSource = 'webhook' | 'history';

/** How a call was read: as a lead, by a provider, or by a lead source. */
export type DialectName = 'lead' | ChatDialect | 'meta_leads' | 'google_leads' | 'form';

/**
 * An item of a chat webhook, or its errors, and the instance that it names; null is the tenant's default. `ownNumber`: the number of the
 * line itself, where the call says it.
 */
export type Report = { instance: string | null; ownNumber?: string | undefined } & (
  { item: ReportedItem } | RefusedItem
);

/** An item that is refused. With a `code`, a limit refused it; otherwise the item itself is wrong. */
export interface RefusedItem {
  code?: 'RATE_LIMITED';
  errors: FieldError[];
}

/** A report with the id for its message, if that is new. A message of a history has a position, where its neighbours are known. */
export type IdentifiedReport = Report & { messageId: string; position?: string | undefined };

/** Values for a lead whose call leaves them out. */
export interface LeadDefaults {
  source: LeadIntake['defaultSource'];
  /** The country of numbers in a national writing. */
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
  /** True where each item stands for itself. Otherwise an error in the one item refuses the call. */
  many: boolean;
  reports: IdentifiedReport[];
}

/** A call that was read and only has to be written. */
export interface ReadWebhookCall {
  call: WebhookCall;
  dialect: DialectName;
  intake: LeadIntake | ChatIntake;
}

export type LeadAnswer = IntakeLead & { created: boolean };

/** A dry run answers with a null `id` if the lead would be new. `reading` says how its number was read. */
export type DryLeadAnswer = Omit<LeadAnswer, 'id'> & { id: string | null; reading: NumberReading | null };

/**
 * The result of one item. `externalId` is the provider's id, `messageId` ours (null while parked). With a `change`, they name the message
 * that was reacted to, edited or deleted.
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
 * The outcome of a call: its answer, or an error that the caller has to correct. `optedOut` lists the leads that opt out by this call. Once
 * the call is answered, nothing that needs consent may leave to them.
 */
export type Settled = { answer: LeadAnswer | ItemsAnswer; optedOut?: readonly string[] } | { refusal: AppError };

/** Returns the kind and the outcome of each item of an answer, in a few words. */
export function tallyOf(answer: LeadAnswer | ItemsAnswer): { item: string; outcome: string }[] {
  if (!('results' in answer)) return [{ item: 'lead', outcome: answer.created ? 'created' : 'existing' }];
  return answer.results.map((result) => {
    if ('duplicate' in result) return { item: 'message', outcome: result.duplicate ? 'duplicate' : 'recorded' };
    if ('change' in result) return { item: 'change', outcome: result.outcome };
    return { item: 'externalId' in result ? 'status' : 'other', outcome: result.outcome };
  });
}

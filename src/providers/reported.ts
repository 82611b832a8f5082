// The one shape into which every dialect reads a gateway's call, whatever the gateway's make. The tenant, instance and lead are found
// later.

import type { FieldError } from '../platform/errors.js';
import type { Referral } from './referral.js';

/** A number or id under which the other side of a conversation is known. */
export interface LeadIdentity {
  kind: 'PHONE' | 'LID' | 'BSUID';
  /** PHONE: 7 to 15 digits with country code. The others: as the network writes them, without a domain, at most 255 characters. */
  value: string;
}

/** The lead's choice: a button, a row of a list, or a form that was filled in. */
export interface ReportedChoice {
  kind: 'BUTTON' | 'LIST' | 'FLOW';
  /** The sender's own id of the chosen option; undefined if the network gives none. */
  id?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** The answers of a form, without its token. */
  answers?: Record<string, unknown> | undefined;
}

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
  /** Set for an OUTBOUND message that is certainly not the echo of a send. */
  isFromPhone?: true | undefined;
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

/** From weakest to strongest: a status that proves arrival overrules a failure. */
const statusOrder: readonly ReportedStatus['status'][] = ['SENT', 'FAILED', 'DELIVERED', 'READ'];

/** Returns the strongest of several statuses of one message; undefined for an empty list. */
export function furthestStatus(statuses: readonly ReportedStatus['status'][]): ReportedStatus['status'] | undefined {
  return statusOrder.findLast((status) => statuses.includes(status));
}

/** The state of a chat instance's connection. */
export interface ReportedConnection {
  kind: 'connection';
  status: 'CONNECTING' | 'CONNECTED' | 'DISCONNECTED' | 'ERROR';
  /** The reason in words; undefined where the connection has no error. */
  lastError?: string | undefined;
  /** The line's own number, where the report names it: digits with country code. */
  number?: string | undefined;
  /** The time by the gateway's own clock. It serves only to tell an earlier report from a later one. */
  reportedAt?: Date | undefined;
}

/** A person stopped or resumed marketing messages, by a switch of the chat network. */
export interface ReportedPreference {
  kind: 'preference';
  contact: readonly [LeadIdentity, ...LeadIdentity[]];
  action: 'OPT_OUT' | 'OPT_IN';
  timestamp?: Date | undefined;
}

/** The status of a template that the network keeps. */
export interface ReportedTemplateStatus {
  kind: 'templateStatus';
  /** The business account; null where the call names none. */
  wabaId: string | null;
  name: string;
  language: string;
  status: string;
  reason: string | null;
  /** The time by the network's clock; undefined where the call gave none. */
  reportedAt?: Date | undefined;
}

/** An item that the service understands and has no use for. */
export interface Ignored {
  kind: 'ignored';
  /** The reason in words, for the journal: `a group`, `an event that is not handled: contacts.update`. */
  reason: string;
}

export type ReportedItem =
  | ReportedMessage
  | ReportedChange
  | ReportedStatus
  | ReportedConnection
  | ReportedPreference
  | ReportedTemplateStatus
  | Ignored;

/** An item as it was read, or its errors. */
export type ReadReport = { item: ReportedItem } | { errors: FieldError[] };

/** A report that names its instance; null is the tenant's default. `ownNumber`: the number of the line itself, where the call says it. */
export type NamedReport = { instance: string | null; ownNumber?: string | undefined } & ReadReport;

/** A call as it was read. */
export interface ReadCall {
  /** The instance's name at the gateway; null where the call names none. */
  instance: string | null;
  /** The number of the line itself: digits with country code; undefined where the call does not say it. */
  ownNumber?: string | undefined;
  reports: ReadReport[];
}

// What a gateway's call says, whatever its make: the one shape that every dialect is read into. Which tenant, instance and
// lead it is about is found later.

import type { FieldError } from '../../../platform/errors.js';
import type { LeadIdentity } from '../../leads/identity/lead-identity.js';
import type { ReportedChange, ReportedMedia, ReportedMessage, ReportedStatus } from '../../messages/reported.js';

export type { ReportedChange, ReportedMedia, ReportedMessage, ReportedStatus };
export type ContactIdentity = LeadIdentity;

/** In the order in which they count: a failure is overruled by what proves arrival. */
const statusOrder: readonly ReportedStatus['status'][] = ['SENT', 'FAILED', 'DELIVERED', 'READ'];

/** Of several statuses of one message the one that counts; undefined where there is none. */
export function furthestStatus(statuses: readonly ReportedStatus['status'][]): ReportedStatus['status'] | undefined {
  return statusOrder.findLast((status) => statuses.includes(status));
}

/** The state of an instance's line. */
export interface ReportedConnection {
  kind: 'connection';
  status: 'CONNECTING' | 'CONNECTED' | 'DISCONNECTED' | 'ERROR';
  /** Why, in words; undefined where all is well. */
  lastError?: string | undefined;
  /** When the gateway saw it, by its own clock: only to tell an earlier report from a later one. */
  reportedAt?: Date | undefined;
}

/** That a person stopped or resumed marketing messages, by a switch of the chat network. */
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
  /** By the network's clock; undefined where it gave no time. */
  reportedAt?: Date | undefined;
}

/** Something that is understood and means nothing to us. */
export interface Ignored {
  kind: 'ignored';
  /** In words, for the journal: `a group`, `an event that is not handled: contacts.update`. */
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

/** An item as it was read, or what is wrong with it. */
export type ReadReport = { item: ReportedItem } | { errors: FieldError[] };

/** A call as it was read. */
export interface ReadCall {
  /** The instance's name at the gateway; null where the call names none. */
  instance: string | null;
  reports: ReadReport[];
}

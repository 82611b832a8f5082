// The one shape into which every dialect reads a gateway's call, whatever the gateway's make. The tenant, instance and lead are found
// later.

import type { FieldError } from '../../../platform/errors.js';
import type { LeadIdentity } from '../../leads/identity/lead-identity.js';
import type { ReportedChange, ReportedMedia, ReportedMessage, ReportedStatus } from '../../messages/reported.js';

export type { ReportedChange, ReportedMedia, ReportedMessage, ReportedStatus };
export type ContactIdentity = LeadIdentity;

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

/** A call as it was read. */
export interface ReadCall {
  /** The instance's name at the gateway; null where the call names none. */
  instance: string | null;
  reports: ReadReport[];
}

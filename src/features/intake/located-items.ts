// Groups the items of chat calls by their kind, each with the instance that it names and the report that is written for it.

import { timeOfId } from '../../platform/database/record-id.js';
import { matchKeyOfNumber } from '../../platform/phone-numbers/match-key.js';
import type { LeadIdentity, ReportedItem, ReportedStatus } from '../../providers/reported.js';
import { noteToSelf } from '../../providers/whatsapp/jid.js';
import type { TemplateStatusReport } from '../channel-templates/channel-template.sql.js';
import type { KnownInstance } from '../chat-instances/chat-instance.service.js';
import type { ConnectionReport } from '../chat-instances/instance-state.service.js';
import type { LeadPreference } from '../consent/consent-intake.service.js';
import type { ChangeReport } from '../messages/changes/change.service.js';
import { toStatusChange, type MessageReport } from '../messages/reported.js';
import type { ParkedReport } from '../messages/status.sql.js';
import type { IdentifiedReport, ItemResult, ReadWebhookCall, RefusedItem } from './webhook-call.js';

/** An item whose instance is known, or its errors. */
export type Located = LocatedItem | RefusedItem;

export interface LocatedItem {
  instanceId: string;
  item: ReportedItem;
  webhookCallId: string;
  receivedAt: Date;
  messageId: string;
  /** The position of a message from the gateway's history among its neighbours. */
  position: string | undefined;
  /** True for an item from the gateway's history. */
  isPast: boolean;
  /** The number of the instance's line, where it is unknown and the call says it. */
  ownNumber: string | undefined;
}

export type LocatedItems = ReadonlyMap<ReadWebhookCall, readonly Located[]>;

/** A status, and the identities of the recipient where it reveals them. */
export type RevealingStatus = ParkedReport & Pick<ReportedStatus, 'contact'>;
/** An item with the report that is written for it. */
export type ItemWith<Report> = readonly [item: Located, report: Report];
export type Results = Map<Located, ItemResult>;
export type ItemsByKind = ReturnType<typeof groupByKind>;

/** Finds the instance of an item. An unknown instance refuses the item. */
export function locate(report: IdentifiedReport, { call }: ReadWebhookCall, known: readonly KnownInstance[]): Located {
  if ('errors' in report) return refusedItem(report);
  const { instance: name, item, ownNumber: said, messageId, position } = report;
  // A default instance comes first in this list.
  const instance = name === null ? known[0] : known.find(({ instanceName }) => instanceName === name);
  const { id: webhookCallId, receivedAt } = call;
  const isPast = call.source === 'history';
  if (instance !== undefined) {
    const ownNumber = instance.number === null ? said : undefined;
    const ofLead = withoutOwnNumber(item, instance.number);
    return { instanceId: instance.id, webhookCallId, receivedAt, messageId, position, isPast, item: ofLead, ownNumber };
  }
  const message =
    name === null ? 'is required: this tenant has no chat instance yet' : 'is not an instance of this tenant';
  return { errors: [{ path: 'instance', message }] };
}

// The line's own number on what the line wrote is never the lead's: it would make one person of all leads. A call says the number, the
// record of a history does not.
function withoutOwnNumber(item: ReportedItem, own: string | null): ReportedItem {
  if (own === null || (item.kind !== 'message' && item.kind !== 'change') || item.direction !== 'OUTBOUND') return item;
  const key = matchKeyOfNumber(own);
  const isLeads = ({ kind, value }: LeadIdentity) => kind !== 'PHONE' || matchKeyOfNumber(value) !== key;
  const [first, ...others] = item.contact?.filter(isLeads) ?? [];
  if (first !== undefined) return { ...item, contact: [first, ...others] };
  return item.contact === undefined ? item : { kind: 'ignored', reason: noteToSelf };
}

/**
 * Sorts the items by kind. The results that are known before anything is written are entered here: those of refused and ignored items, of
 * preferences and of connections.
 */
export function groupByKind(items: readonly Located[]) {
  const results: Results = new Map();
  const messages: ItemWith<MessageReport>[] = [];
  const changes: ItemWith<ChangeReport>[] = [];
  const statuses: ItemWith<RevealingStatus>[] = [];
  const connections: ConnectionReport[] = [];
  const preferences: ItemWith<LeadPreference>[] = [];
  const templates: ItemWith<TemplateStatusReport>[] = [];
  const ownNumbers = new Map<string, string>();
  for (const item of items) {
    if ('errors' in item) {
      results.set(item, { outcome: 'refused', ...item });
      continue;
    }
    const { item: reported, instanceId, messageId, position, webhookCallId, receivedAt, isPast, ownNumber } = item;
    if (ownNumber !== undefined) ownNumbers.set(instanceId, ownNumber);
    if (reported.kind === 'message') {
      const recoveredFrom = isPast ? (reported.timestamp ?? timeOfId(messageId)) : undefined;
      messages.push([item, { id: messageId, instanceId, message: reported, recoveredFrom, pastPosition: position }]);
    } else if (reported.kind === 'change') {
      const { externalId } = reported;
      changes.push([item, { instanceId, externalId, reported, receivedAt, webhookCallId, isPast }]);
    } else if (reported.kind === 'status') {
      const { externalId, contact } = reported;
      statuses.push([item, { instanceId, webhookCallId, externalId, contact, ...toStatusChange(reported) }]);
    } else if (reported.kind === 'templateStatus') {
      templates.push([item, { ...reported, instanceId, reportedAt: reported.reportedAt ?? receivedAt }]);
    } else if (reported.kind === 'preference') {
      const { contact, action, timestamp: decidedAt } = reported;
      preferences.push([item, { contact, action, decidedAt, webhookCallId }]);
      results.set(item, { outcome: 'applied' });
    } else if (reported.kind === 'ignored') results.set(item, { outcome: 'ignored', reason: reported.reason });
    else {
      connections.push({ ...reported, instanceId });
      results.set(item, { outcome: 'applied' });
    }
  }
  return { results, messages, changes, statuses, connections, preferences, templates, ownNumbers };
}

function refusedItem({ code, errors }: RefusedItem): RefusedItem {
  return code === undefined ? { errors } : { code, errors };
}

// The items of a dry-run call: how each item was read, and what would become of it.

import type { ErrorCode, FieldError } from '../../platform/errors.js';
import { isPlainObject } from '../../platform/input/input.js';
import type { NumberReading } from '../../platform/phone-numbers/written-number.js';
import type { IntakeLead } from '../leads/lead.service.js';
import type { LeadIdentity, ReportedItem } from '../../providers/reported.js';
import type { IdentifiedReport, ItemResult, ItemsAnswer, LeadAnswer, ReadWebhookCall } from './webhook-call.js';

/** Every kind with its meaning. */
export const dryRunItemKinds = {
  lead: 'A lead.',
  message: 'A message that was written, by the lead or on the phone.',
  change: 'A reaction, an edit or a deletion.',
  status: 'How far a message of ours has come.',
  connection: 'The state of a chat instance.',
  preference: 'A person has stopped or resumed marketing messages.',
  templatestatus: 'The status of a template that the network keeps.',
  ignored: 'Something that means nothing here.',
  unreadable: 'It cannot be read: `errors` says why.',
} as const;

export type DryRunItemKind = keyof typeof dryRunItemKinds;

/** Every outcome with its meaning. */
export const dryRunItemOutcomes = {
  created: 'A lead or a message would be new.',
  existing: 'The lead is there, and would get a touch.',
  duplicate: 'The message is there: nothing would change.',
  applied: 'It would be applied.',
  ignored: 'Nothing would change.',
  parked: 'It would wait for the message that it is about.',
  held: 'It would wait for a number: it has an e-mail address and no usable one. `reason` says why.',
  expected: 'Its answers would be fetched, and make a lead then. `reason` and `errors` say why they do not now.',
  refused: 'It would be refused: `errors` says why.',
} as const;

export type DryRunItemOutcome = keyof typeof dryRunItemOutcomes;

export interface CallDryRunItem {
  kind: DryRunItemKind;
  outcome: DryRunItemOutcome;
  /** The reason for the outcomes `ignored`, `held` and `expected`. */
  reason: string | null;
  /** The error code of a refusal. */
  code: ErrorCode | null;
  errors: FieldError[];
  /** The chat instance that the item names. */
  instanceName: string | null;
  /** The provider's id of the message, or the lead source's id of the lead. */
  externalId: string | null;
  /** The number or id of the lead, as it is understood. */
  from: string | null;
  /** The reading of a posted lead's number. Null where a network reported the number, or nothing was read. */
  reading: NumberReading | null;
  name: string | null;
  text: string | null;
  /** The item's time, by the provider's clock. */
  timestamp: Date | null;
  /** The lead's source. A known lead shows its stored source. */
  source: string | null;
  /** The posted fields that are no fields of a lead. A known lead shows its stored metadata. */
  metadata: Record<string, unknown> | null;
  /** The boxes of a form: evidence of consent. */
  disclaimers: DryRunDisclaimer[];
  leadId: string | null;
  messageId: string | null;
}

export interface DryRunDisclaimer {
  key: string;
  isChecked: boolean;
}

/** An item whose fields are all empty. */
export const nothingSaid: Omit<CallDryRunItem, 'kind' | 'outcome'> = {
  reason: null,
  code: null,
  errors: [],
  instanceName: null,
  externalId: null,
  from: null,
  reading: null,
  name: null,
  text: null,
  timestamp: null,
  source: null,
  metadata: null,
  disclaimers: [],
  leadId: null,
  messageId: null,
};

/** Returns the call's items, in their order. */
export function itemsOf({ intake }: ReadWebhookCall, answer: LeadAnswer | ItemsAnswer): CallDryRunItem[] {
  if (!('results' in answer)) {
    const { created, id: leadId } = answer;
    const reading = intake.kind === 'lead' ? (intake.lead.reading ?? null) : null;
    const becomes = { kind: 'lead', outcome: created ? 'created' : 'existing' } as const;
    return [{ ...nothingSaid, ...becomes, ...fieldsOfLead(answer), reading, leadId }];
  }
  const reports = intake.kind === 'chat' ? intake.reports : [];
  return answer.results.map((result, index) => ({
    ...nothingSaid,
    ...saidOf(reports[index]),
    ...becomesOf(result),
  }));
}

/** Returns the fields of an item that describe its lead. */
export function fieldsOfLead({ chat: from, name, source, metadata }: IntakeLead) {
  return { from, name, source, metadata: isPlainObject(metadata) ? metadata : null };
}

type Said = Pick<CallDryRunItem, 'kind'> & Partial<CallDryRunItem>;

function saidOf(report: IdentifiedReport | undefined): Said {
  if (report === undefined || 'errors' in report) return { kind: 'unreadable', instanceName: report?.instance ?? null };
  const { item, instance: instanceName } = report;
  return { ...saidByItem(item), instanceName };
}

function saidByItem(item: ReportedItem): Said {
  return {
    kind: kindOf(item),
    from: 'contact' in item ? idOf(item.contact) : null,
    externalId: 'externalId' in item ? item.externalId : null,
    name: 'name' in item ? (item.name ?? null) : null,
    text: textOf(item),
    timestamp: timeOf(item),
  };
}

/** Returns the kind of an item, as dry runs and the journal name it. */
export function kindOf({ kind }: ReportedItem): DryRunItemKind {
  return kind === 'templateStatus' ? 'templatestatus' : kind;
}

function textOf(item: ReportedItem): string | null {
  if (item.kind === 'message') return item.text ?? item.media?.caption ?? null;
  if (item.kind === 'change')
    return item.change === 'EDIT' ? item.text : item.change === 'REACTION' ? item.emoji : null;
  if (item.kind === 'preference') return item.action;
  return item.kind === 'ignored' ? null : item.status;
}

function timeOf(item: ReportedItem): Date | null {
  if ('timestamp' in item) return item.timestamp ?? null;
  return 'reportedAt' in item ? (item.reportedAt ?? null) : null;
}

function idOf(contact: readonly LeadIdentity[] | undefined): string | null {
  return contact?.[0]?.value ?? null;
}

function becomesOf(result: ItemResult): Pick<CallDryRunItem, 'outcome'> & Partial<CallDryRunItem> {
  if ('duplicate' in result) {
    const { duplicate, leadId, messageId } = result;
    return { outcome: duplicate ? 'duplicate' : 'created', leadId, messageId };
  }
  if (result.outcome === 'refused') {
    const { code = 'VALIDATION_FAILED', errors } = result;
    return { outcome: 'refused', code, errors };
  }
  if ('reason' in result) return { outcome: result.outcome, reason: result.reason };
  return { outcome: result.outcome, ...('messageId' in result && { messageId: result.messageId }) };
}

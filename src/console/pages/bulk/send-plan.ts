// Plans a bulk send: the recipients, the skipped candidates with reasons, and the parts, because a call holds about 5,000 recipients.

import { missingOf, type ParsedTemplate, type TemplateLead } from '../../parts/template-text.js';

/** The source of a variable's value. */
export type ValueSource =
  { from: 'text'; text: string } | { from: 'column'; column: string } | { from: 'lead'; field: 'name' | 'firstName' };

export interface PlannedLead extends TemplateLead {
  id: string;
  optOut: { at: string } | null;
}

/** A lead of the filter, or a row of the file. */
export interface Candidate {
  /** The candidate's name, else the text in the file. */
  label: string;
  /** Undefined if the file contains an id. The service then looks the lead up when it sends. */
  lead?: PlannedLead;
  leadId?: string;
  row?: Readonly<Record<string, string>>;
  /** The problem that excludes the row. */
  problem?: 'unknown' | 'notANumber' | 'notAnId';
}

/** The content of a send: a template of the tenant, or the variable paths of a network template, such as `body.1`. */
export type Content = { template: ParsedTemplate } | { paths: readonly string[] };

export const skipReasons = ['unknown', 'notANumber', 'notAnId', 'repeated', 'noNumber', 'optedOut', 'missing'] as const;
export type SkipReason = (typeof skipReasons)[number];

export interface Planned {
  label: string;
  leadId: string;
  lead?: PlannedLead;
  variables?: Record<string, unknown>;
}

export interface SendPlan {
  recipients: readonly Planned[];
  skipped: readonly { label: string; reason: SkipReason; detail?: string }[];
}

export function planSend(
  candidates: readonly Candidate[],
  content: Content,
  sources: Readonly<Record<string, ValueSource>>,
): SendPlan {
  const recipients: Planned[] = [];
  const skipped: SendPlan['skipped'][number][] = [];
  const seen = new Set<string>();
  for (const candidate of candidates) {
    const { label, lead, problem } = candidate;
    const leadId = lead?.id ?? candidate.leadId;
    const reason = problem ?? reasonToSkip(leadId, lead, seen);
    if (reason !== undefined || leadId === undefined) {
      skipped.push({ label, reason: reason ?? 'unknown' });
      continue;
    }
    const values = valuesFor(candidate, namesOf(content), sources);
    const missing = missingIn(content, values, lead);
    if (missing.length > 0) {
      skipped.push({ label, reason: 'missing', detail: missing.join(', ') });
      continue;
    }
    seen.add(leadId);
    const variables = 'template' in content ? values : nested(values);
    const hasAny = Object.keys(variables).length > 0;
    recipients.push({ label, leadId, ...(lead !== undefined && { lead }), ...(hasAny && { variables }) });
  }
  return { recipients, skipped };
}

function reasonToSkip(
  leadId: string | undefined,
  lead: PlannedLead | undefined,
  seen: ReadonlySet<string>,
): SkipReason | undefined {
  if (leadId !== undefined && seen.has(leadId)) return 'repeated';
  if (lead === undefined) return undefined;
  if (lead.chat === null) return 'noNumber';
  return lead.optOut === null ? undefined : 'optedOut';
}

/** Returns the variables that the sender has to give. The lead's own fields already have values. */
export function namesOf(content: Content): readonly string[] {
  if ('paths' in content) return content.paths;
  return content.template.variables.filter(({ isLeadField }) => !isLeadField).map(({ name }) => name);
}

function valuesFor(
  { lead, row }: Candidate,
  names: readonly string[],
  sources: Readonly<Record<string, ValueSource>>,
): Record<string, string> {
  const given = names.flatMap((name) => {
    const value = valueOf(sources[name], lead, row);
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function valueOf(
  source: ValueSource | undefined,
  lead: PlannedLead | undefined,
  row: Candidate['row'],
): string | undefined {
  if (source === undefined) return undefined;
  if (source.from === 'text') return source.text;
  if (source.from === 'column') return row?.[source.column];
  if (lead === undefined || lead.name === lead.chat) return undefined;
  return source.field === 'name' ? lead.name : lead.name.trim().split(/\s/)[0];
}

function missingIn(content: Content, values: Record<string, string>, lead: PlannedLead | undefined): string[] {
  if ('paths' in content) return content.paths.filter((path) => values[path] === undefined);
  // The console knows no fields of a lead that it did not look up. It checks only the sender's values.
  const missing = missingOf(content.template, values, lead);
  return lead === undefined ? missing.filter((name) => !name.startsWith('lead.')) : missing;
}

/** Turns `body.1` into `{body: {1: …}}`. */
function nested(values: Record<string, string>): Record<string, Record<string, string>> {
  const byComponent: Record<string, Record<string, string>> = {};
  for (const [path, value] of Object.entries(values)) {
    const [component = '', name = ''] = path.split('.');
    byComponent[component] = { ...byComponent[component], [name]: value };
  }
  return byComponent;
}

/** Limits the recipients of one call, in bytes. The API accepts at most 256 KiB for the whole body. */
const maxPartBytes = 240_000;
const maxPartRecipients = 10_000;

/** Splits the recipients, in order, into parts that fit one call each. */
export function splitIntoParts(recipients: readonly Planned[]): Planned[][] {
  const encoder = new TextEncoder();
  const parts: Planned[][] = [];
  let room = 0;
  for (const recipient of recipients) {
    const bytes = encoder.encode(JSON.stringify(inputOf(recipient))).length + 1;
    if (room < bytes || (parts.at(-1)?.length ?? 0) >= maxPartRecipients) {
      parts.push([]);
      room = maxPartBytes;
    }
    parts.at(-1)?.push(recipient);
    room -= bytes;
  }
  return parts;
}

export const inputOf = ({ leadId, variables }: Planned) => ({
  leadId,
  ...(variables !== undefined && { variables }),
});

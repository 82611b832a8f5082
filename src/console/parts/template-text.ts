// The template language as the service reads it. It renders a text that is not stored yet, and finds missing values.

export const maxBodyLength = 4_096;
const maxVariables = 100;

export interface TemplateVariable {
  name: string;
  /** Null if a value is required. */
  default: string | null;
  isLeadField: boolean;
}

/** The lead's fields that a text can use. */
export interface TemplateLead {
  name: string;
  chat: string | null;
  source: string;
  metadata?: unknown;
  customFields?: unknown;
}

type Part = string | TemplateVariable;

export interface ParsedTemplate {
  parts: readonly Part[];
  /** Each variable once, in the order of the text. It has no default if any of its places has none. */
  variables: readonly TemplateVariable[];
}

export type TemplateProblem = 'notClosed' | 'nameRule' | 'leadField' | 'tooMany';

/** @returns the parsed template, or a problem with its position: the place of the braces, counted from 1 */
export function parseTemplate(body: string): ParsedTemplate | { position: number; problem: TemplateProblem } {
  const parts: Part[] = [];
  const variables = new Map<string, TemplateVariable>();
  let end = 0;
  for (let start = body.indexOf('{{'); start !== -1; start = body.indexOf('{{', end)) {
    parts.push(body.slice(end, start));
    const place = readPlace(body, start);
    if ('problem' in place) return { position: start + 1, problem: place.problem };
    parts.push(place.part);
    if (typeof place.part !== 'string') {
      const known = variables.get(place.part.name);
      if (known === undefined || place.part.default === null) variables.set(place.part.name, place.part);
    }
    if (variables.size > maxVariables) return { position: start + 1, problem: 'tooMany' };
    end = place.end;
  }
  parts.push(body.slice(end));
  return { parts: parts.filter((part) => part !== ''), variables: [...variables.values()] };
}

/** A part of the rendered text: text, a filled value, or a missing variable. */
export type RenderedPart = { text: string; isValue: boolean } | { missing: string };

/** A given value wins over the lead's field, and both win over the default. */
export function renderParts(
  { parts }: ParsedTemplate,
  values: Readonly<Record<string, string>>,
  lead?: TemplateLead,
): RenderedPart[] {
  return parts.map((part) => {
    if (typeof part === 'string') return { text: part, isValue: false };
    const value = valueOf(part, values, lead);
    return value === null ? { missing: part.name } : { text: value, isValue: true };
  });
}

/** Returns the variables without any value. */
export function missingOf(
  { variables }: ParsedTemplate,
  values: Readonly<Record<string, string>>,
  lead?: TemplateLead,
): string[] {
  return variables.filter((variable) => valueOf(variable, values, lead) === null).map(({ name }) => name);
}

/** A shortcut is searched as it is typed in a conversation, behind a slash. */
export const searchOf = (typed: string): string => typed.trim().replace(/^\//, '').slice(0, 100);

/** Counts characters like the service, by code points. */
export const lengthOf = (text: string): number => Array.from(text).length;

export const usesObjectsOfLead = ({ variables }: ParsedTemplate): boolean =>
  variables.some(({ name }) => objectKeyOf(name) !== undefined);

function valueOf(
  variable: TemplateVariable,
  values: Readonly<Record<string, string>>,
  lead: TemplateLead | undefined,
): string | null {
  const given = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
  return given ?? leadValueOf(variable, lead) ?? variable.default;
}

const literalForm = /\s*"([^"]*)"\s*\}\}/y;
const nameForm = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]{0,63}$/u;
const objectKeyForm = /^[^{}\p{Cc}]{1,100}$/u;
const hiddenNameForm = /^Hidden number .{1,4}$/su;
export const leadFields = ['lead.firstName', 'lead.name', 'lead.chat', 'lead.source'] as const;
const leadObjects = ['metadata', 'customFields'] as const;

function readPlace(body: string, start: number): { part: Part; end: number } | { problem: TemplateProblem } {
  literalForm.lastIndex = start + 2;
  const literal = literalForm.exec(body);
  if (literal !== null) return { part: literal[1] ?? '', end: literalForm.lastIndex };
  const close = body.indexOf('}}', start + 2);
  const nested = body.indexOf('{{', start + 2);
  if (close === -1 || (nested !== -1 && nested < close)) return { problem: 'notClosed' };
  const content = body.slice(start + 2, close);
  const bar = content.indexOf('|');
  const name = (bar === -1 ? content : content.slice(0, bar)).trim();
  const isLeadField = name.startsWith('lead.');
  if (isLeadField && !isKnownField(name)) return { problem: 'leadField' };
  if (!isLeadField && !nameForm.test(name)) return { problem: 'nameRule' };
  const part = { name, default: bar === -1 ? null : content.slice(bar + 1).trim(), isLeadField };
  return { part, end: close + 2 };
}

function isKnownField(name: string): boolean {
  const place = objectKeyOf(name);
  return place === undefined ? leadFields.some((field) => field === name) : objectKeyForm.test(place.key);
}

function objectKeyOf(name: string) {
  const object = leadObjects.find((one) => name.startsWith(`lead.${one}.`));
  return object === undefined ? undefined : { object, key: name.slice(`lead.${object}.`.length) };
}

function leadValueOf({ name, isLeadField }: TemplateVariable, lead: TemplateLead | undefined): string | null {
  if (!isLeadField || lead === undefined) return null;
  const place = objectKeyOf(name);
  const value = place === undefined ? directValueOf(name, lead) : ownValueOf(lead[place.object], place.key);
  return value === null || value.trim() === '' ? null : value;
}

function directValueOf(name: string, lead: TemplateLead): string | null {
  // A lead without a name has its number as the name. A text must not use a number as a name.
  const given = lead.name === lead.chat || hiddenNameForm.test(lead.name) ? null : lead.name;
  if (name === 'lead.name') return given;
  if (name === 'lead.firstName') return given?.trim().split(/\s/)[0] ?? null;
  return name === 'lead.chat' ? lead.chat : lead.source;
}

function ownValueOf(object: unknown, key: string): string | null {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return null;
  const value = (object as Record<string, unknown>)[key];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

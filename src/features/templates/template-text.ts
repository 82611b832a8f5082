// The language of templates: `{{name}}`, `{{name | default}}`, `{{lead.name}}`, `{{lead.customFields.plan}}` and `{{"literal text"}}`.
// A body is parsed once and rendered in one pass, so a value that looks like a variable is text. Reading bodies and values belongs to
// template.service.ts.

import { exceedsLength, isPlainObject } from '../../platform/input/input.js';
import { mayHavePlaceholderName } from '../leads/identity/lead-identity.js';

/** The most characters of a body, and of a rendered text: chat networks accept no longer messages. */
export const maxTemplateLength = 4_096;

/** The most different variables of a body, and values that a caller may give. */
export const maxTemplateVariables = 100;

/** A variable of a body. */
export interface TemplateVariable {
  name: string;
  /** Used if there is no value; null if the variable is required. */
  default: string | null;
  /** True if the lead has the value. */
  isLeadField: boolean;
}

/** The fields of a lead that a text may use. */
export interface TemplateLead {
  name: string;
  chat: string | null;
  source: string;
  metadata: unknown;
  customFields: unknown;
}

/** Text, or a variable with the default of this place. */
type Part = string | TemplateVariable;

export interface ParsedTemplate {
  readonly parts: readonly Part[];
  /** Each variable once, in the order of the body. Its default is null if any of its places has none. */
  readonly variables: readonly TemplateVariable[];
}

/** The reason why a body cannot be parsed. */
export interface TemplateProblem {
  /** The place of the `{{` in the body, in UTF-16 units from 1. */
  position: number;
  problem: string;
}

/** Values by variable name, from `parseTemplateVariables`. */
export type TemplateValues = ReadonlyMap<string, string>;

/** A text of 1 to `maxTemplateLength` characters, or the missing variables, or why it cannot be sent. */
export type Rendering = { text: string } | { missing: string[] } | { problem: string };

/** Parses a body in one pass, and stops at the first problem. */
export function parseTemplate(body: string): ParsedTemplate | TemplateProblem {
  const parts: Part[] = [];
  const variables = new Map<string, TemplateVariable>();
  let end = 0;
  for (let start = body.indexOf('{{'); start !== -1; start = body.indexOf('{{', end)) {
    parts.push(body.slice(end, start));
    const read = readPlace(body, start);
    if ('problem' in read) return { position: start + 1, problem: read.problem };
    parts.push(read.part);
    if (typeof read.part !== 'string') noteVariable(variables, read.part);
    if (variables.size > maxTemplateVariables)
      return { position: start + 1, problem: `a template has at most ${maxTemplateVariables} different variables` };
    end = read.end;
  }
  parts.push(body.slice(end));
  return { parts: parts.filter((part) => part !== ''), variables: [...variables.values()] };
}

/**
 * Renders a template. A given value precedes the lead's field of that name, and both precede the default.
 * @param lead without one, lead fields need values or defaults
 */
export function renderTemplate({ parts }: ParsedTemplate, values: TemplateValues, lead?: TemplateLead): Rendering {
  const missing = new Set<string>();
  let text = '';
  for (const part of parts) {
    const value = typeof part === 'string' ? part : (values.get(part.name) ?? leadValue(part, lead) ?? part.default);
    if (value === null) missing.add(typeof part === 'string' ? part : part.name);
    // A text that is already too long is not made longer.
    else if (text.length <= 2 * maxTemplateLength) text += value;
  }
  if (missing.size > 0) return { missing: [...missing] };
  if (text.trim() === '') return { problem: 'the text would be empty' };
  if (exceedsLength(text, maxTemplateLength))
    return { problem: `the text would be longer than ${maxTemplateLength} characters` };
  return { text };
}

const literalForm = /\s*"([^"]*)"\s*\}\}/y;
const nameForm = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]{0,63}$/u;
/** Objects of a lead by prefix. The rest of the name is the key. */
const leadObjects: ReadonlyMap<string, (lead: TemplateLead) => unknown> = new Map([
  ['lead.metadata.', ({ metadata }) => metadata],
  ['lead.customFields.', ({ customFields }) => customFields],
]);
const objectKeyForm = /^[^{}\p{Cc}]{1,100}$/u;

/** The object and key of a lead field such as `lead.metadata.key`; undefined for direct fields. */
function keyInObject(name: string): { prefix: string; key: string } | undefined {
  const prefix = [...leadObjects.keys()].find((known) => name.startsWith(known));
  return prefix === undefined ? undefined : { prefix, key: name.slice(prefix.length) };
}

/** The part that starts with the `{{` at `start`, and where it ends. */
function readPlace(body: string, start: number): { part: Part; end: number } | { problem: string } {
  literalForm.lastIndex = start + 2;
  const literal = literalForm.exec(body);
  if (literal !== null) return { part: literal[1] ?? '', end: literalForm.lastIndex };
  const close = body.indexOf('}}', start + 2);
  const nested = body.indexOf('{{', start + 2);
  if (close === -1 || (nested !== -1 && nested < close))
    return { problem: '"{{" is not closed by "}}"; braces as text are written {{"{{"}}' };
  const variable = readVariable(body.slice(start + 2, close));
  return 'problem' in variable ? variable : { part: variable, end: close + 2 };
}

function readVariable(content: string): TemplateVariable | { problem: string } {
  const bar = content.indexOf('|');
  const name = (bar === -1 ? content : content.slice(0, bar)).trim();
  const isLeadField = name.startsWith('lead.');
  const problem = isLeadField ? leadFieldProblem(name) : nameProblem(name);
  if (problem !== undefined) return { problem };
  return { name, default: bar === -1 ? null : content.slice(bar + 1).trim(), isLeadField };
}

function nameProblem(name: string): string | undefined {
  if (nameForm.test(name)) return undefined;
  return 'a variable is named with 1 to 64 letters, digits, _ or -';
}

function leadFieldProblem(name: string): string | undefined {
  const place = keyInObject(name);
  if (leadFields.has(name) || (place !== undefined && objectKeyForm.test(place.key))) return undefined;
  const known = [...leadFields.keys(), ...[...leadObjects.keys()].map((prefix) => `${prefix}<key>`)];
  return `a lead's field is one of ${known.join(', ')}`;
}

function noteVariable(variables: Map<string, TemplateVariable>, variable: TemplateVariable): void {
  const known = variables.get(variable.name);
  if (known === undefined || variable.default === null) variables.set(variable.name, variable);
}

const leadFields: ReadonlyMap<string, (lead: TemplateLead) => string | null> = new Map([
  ['lead.name', givenName],
  ['lead.firstName', (lead) => givenName(lead)?.trim().split(/\s/)[0] ?? null],
  ['lead.chat', ({ chat }) => chat],
  ['lead.source', ({ source }) => source],
]);

// A number is not a name to use in a text.
function givenName(lead: TemplateLead): string | null {
  return mayHavePlaceholderName(lead) ? null : lead.name;
}

/** The lead's value; null if it has none, or a blank one. */
function leadValue({ name, isLeadField }: TemplateVariable, lead: TemplateLead | undefined): string | null {
  if (!isLeadField || lead === undefined) return null;
  const place = keyInObject(name);
  const value =
    place === undefined
      ? (leadFields.get(name)?.(lead) ?? null)
      : fieldOf(leadObjects.get(place.prefix)?.(lead), place.key);
  return value === null || value.trim() === '' ? null : value;
}

// Own fields only, not what every object inherits.
function fieldOf(object: unknown, key: string): string | null {
  if (!isPlainObject(object) || !Object.hasOwn(object, key)) return null;
  const value = object[key];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

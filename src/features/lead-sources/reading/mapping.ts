// Which part of a submission becomes which field of a lead. A mapping is written as JSON pointers to fields; names without a slash are
// answers of the form. Each kind has a usual mapping, of which a written one replaces the fields that it names.

import type { FieldError } from '../../../platform/errors.js';
import { isPlainObject } from '../../../platform/input.js';
import type { LeadSourceKind } from '../lead-source-kind.js';

/** The fields of a lead; everything else is kept in its metadata. */
const leadTargets = ['chat', 'name', 'firstName', 'lastName', 'source', 'country', 'externalId'] as const;

export type LeadTarget = (typeof leadTargets)[number];

/** For each target its pointers: the first one that leads to something counts. */
export interface Mapping {
  fields: ReadonlyMap<LeadTarget, readonly string[]>;
  /** Evidence of consent, by the key that it is entered under. */
  consents: ReadonlyMap<string, string>;
  /** Parts with a name of their own in the metadata. */
  metadata: ReadonlyMap<string, string>;
}

const maxEntries = 50;
const maxPointerLength = 300;
const maxTargetLength = 100;
const consentPrefix = 'consent.';
const metadataPrefix = 'metadata.';

const answers = (...names: string[]) => names.map((name) => `/answers/${name}`);

const usualFields: Record<LeadSourceKind, readonly (readonly [LeadTarget, readonly string[]])[]> = {
  META: [
    ['chat', answers('phone_number', 'whatsapp_number', 'work_phone_number', 'phone')],
    ['name', answers('full_name', 'name')],
    ['firstName', answers('first_name')],
    ['lastName', answers('last_name')],
  ],
  GOOGLE: [
    ['chat', answers('PHONE_NUMBER', 'WORK_PHONE')],
    ['name', answers('FULL_NAME')],
    ['firstName', answers('FIRST_NAME')],
    ['lastName', answers('LAST_NAME')],
  ],
  FORM: [
    ['chat', ['/chat', '/phone']],
    ['name', ['/name']],
    ['source', ['/source']],
    ['country', ['/country']],
  ],
};

/** @param written as `createLeadSource` takes it; null: the usual mapping */
export function mappingOf(kind: LeadSourceKind, written: Record<string, unknown> | null): Mapping {
  return readMapping(kind, written ?? {}).mapping;
}

/** Reads a written mapping. Where there are problems, the mapping is the part that can be read. */
export function readMapping(
  kind: LeadSourceKind,
  written: Readonly<Record<string, unknown>>,
): { mapping: Mapping; problems: FieldError[] } {
  const own = new Map<LeadTarget, string[]>();
  const [consents, metadata] = [new Map<string, string>(), new Map<string, string>()];
  const problems: FieldError[] = [];
  const entries = Object.entries(written);
  if (entries.length > maxEntries)
    problems.push({ path: 'mapping', message: `must not have more than ${maxEntries} entries` });
  for (const [key, value] of entries.slice(0, maxEntries)) {
    const read = readEntry(kind, key, value);
    if ('message' in read) {
      problems.push({ path: `mapping.${key.slice(0, maxPointerLength)}`, message: read.message });
      continue;
    }
    const { pointer, target } = read;
    if (isLeadTarget(target)) own.set(target, [...(own.get(target) ?? []), pointer]);
    else if (target.startsWith(consentPrefix)) consents.set(target.slice(consentPrefix.length), pointer);
    else metadata.set(target.startsWith(metadataPrefix) ? target.slice(metadataPrefix.length) : target, pointer);
  }
  const fields = new Map([...usualFields[kind], ...own]);
  return { mapping: { fields, consents, metadata }, problems };
}

interface Entry {
  pointer: string;
  target: string;
}

// `{"/phone": "chat"}`; the other way round is understood as well.
function readEntry(kind: LeadSourceKind, key: string, value: unknown): Entry | { message: string } {
  if (typeof value !== 'string' || value.trim() === '') return { message: 'has to be the name of a field, as text' };
  const isTurned = !key.startsWith('/') && (value.startsWith('/') || (isTarget(key) && !isTarget(value)));
  const [from, target] = isTurned ? [value, key] : [key, value];
  const pointer = from.startsWith('/') ? from : `${kind === 'FORM' ? '' : '/answers'}/${escaped(from)}`;
  const name = target.trim();
  const message = pointerProblem(pointer) ?? targetProblem(name);
  return message === undefined ? { pointer, target: name } : { message };
}

function pointerProblem(pointer: string): string | undefined {
  if (pointer.length > maxPointerLength) return `must not be longer than ${maxPointerLength} characters`;
  return /~(?![01])/.test(pointer) ? 'has to be a JSON pointer, where ~ is written as ~0' : undefined;
}

function targetProblem(name: string): string | undefined {
  const isName = name.length <= maxTargetLength && !name.startsWith('/') && name.isWellFormed() && !name.includes('\0');
  if (isName && !/^(?:(?:consent|metadata)\.)?$/.test(name)) return undefined;
  return 'has to be the name of a field of the lead';
}

function isTarget(name: string): boolean {
  return isLeadTarget(name) || name.startsWith(consentPrefix) || name.startsWith(metadataPrefix);
}

function isLeadTarget(name: string): name is LeadTarget {
  return (leadTargets as readonly string[]).includes(name);
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

const namesOf = (pointer: string) => pointer.slice(1).split('/').map(unescaped);

/** What a JSON pointer leads to; undefined: nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const name of namesOf(pointer)) {
    if (Array.isArray(value)) value = /^\d{1,6}$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
    else if (isPlainObject(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}

/** Takes what a pointer leads to out of a document that is this caller's own. */
export function removeAt(document: Record<string, unknown>, pointer: string): void {
  const names = namesOf(pointer);
  const last = names.pop() ?? '';
  const parent = names.length === 0 ? document : valueAt(document, `/${names.map(escaped).join('/')}`);
  // The places of the others stay.
  if (Array.isArray(parent)) parent[Number(last)] = null;
  else if (isPlainObject(parent)) Reflect.deleteProperty(parent, last);
}

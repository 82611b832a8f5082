// The mapping of a submission's fields to fields of a lead. It is written as JSON pointers to fields; names without a slash are answers of
// the form. Each kind has a default mapping, and a written one replaces the fields that it names.

import type { FieldError } from '../../../platform/errors.js';
import type { NamePart } from '../../leads/field-names.js';
import { fieldNameSchema, maxCustomFields } from '../../leads/lead.schema.js';
import type { LeadSourceKind } from '../lead-source-kind.js';
import { escaped } from './pointer.js';

/** The fields of a lead; everything else is kept in its metadata. */
const leadTargets = ['chat', 'name', 'firstName', 'lastName', 'source', 'country', 'externalId'] as const;

/** A mapping cannot name the last two parts of a name. They are found by usual names only. */
export type LeadTarget = (typeof leadTargets)[number] | NamePart;

/** The pointers of each target. The first pointer that leads to a value counts. */
export interface Mapping {
  fields: ReadonlyMap<LeadTarget, readonly string[]>;
  /** The pointers of tags. All values that they lead to become tags. */
  tags: readonly string[];
  /** The pointers by the name of the custom field. The first pointer that leads to a value counts. */
  customFields: ReadonlyMap<string, readonly string[]>;
  /** The pointers of evidence of consent, by the key under which it is entered. */
  consents: ReadonlyMap<string, string>;
  /** The pointers of values that get a name of their own in the metadata. */
  metadata: ReadonlyMap<string, string>;
  /** The fields for which the source has pointers of its own. */
  written: ReadonlySet<LeadTarget>;
  /** The pointer to the object whose fields are the answers. */
  root: '' | '/answers';
}

const maxEntries = 50;
const maxPointerLength = 300;
const maxTargetLength = 100;
const consentPrefix = 'consent.';
const metadataPrefix = 'metadata.';
const customFieldPrefix = 'customFields.';
const tagsTarget = 'tags';

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

/** Returns the mapping of a source. @param written in the form of `createLeadSource`; null for the default mapping */
export function mappingOf(kind: LeadSourceKind, written: Record<string, unknown> | null): Mapping {
  return readMapping(kind, written ?? {}).mapping;
}

/** Reads a written mapping. If there are problems, the mapping is the part that can be read. */
export function readMapping(
  kind: LeadSourceKind,
  written: Readonly<Record<string, unknown>>,
): { mapping: Mapping; problems: FieldError[] } {
  const own = new Map<LeadTarget, string[]>();
  const [consents, metadata] = [new Map<string, string>(), new Map<string, string>()];
  const customFields = new Map<string, string[]>();
  const tags: string[] = [];
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
    if (isLeadTarget(target)) addTo(own, target, pointer);
    else if (target === tagsTarget) tags.push(pointer);
    else if (target.startsWith(customFieldPrefix)) addTo(customFields, target.slice(customFieldPrefix.length), pointer);
    else if (target.startsWith(consentPrefix)) consents.set(target.slice(consentPrefix.length), pointer);
    else metadata.set(target.startsWith(metadataPrefix) ? target.slice(metadataPrefix.length) : target, pointer);
  }
  if (customFields.size > maxCustomFields)
    problems.push({ path: 'mapping', message: `must not name more than ${maxCustomFields} custom fields` });
  const fields = new Map([...usualFields[kind], ...own]);
  const root = kind === 'FORM' ? '' : '/answers';
  const mapping = { fields, tags, customFields, consents, metadata, written: new Set(own.keys()), root } as const;
  return { mapping, problems };
}

function addTo<Key>(map: Map<Key, string[]>, key: Key, pointer: string): void {
  map.set(key, [...(map.get(key) ?? []), pointer]);
}

interface Entry {
  pointer: string;
  target: string;
}

// Reads `{"/phone": "chat"}`, and also the reverse, `{"chat": "/phone"}`.
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
  if (name.startsWith(customFieldPrefix)) {
    const parsed = fieldNameSchema.safeParse(name.slice(customFieldPrefix.length));
    return parsed.success ? undefined : `its custom field ${parsed.error.issues[0]?.message ?? 'is wrong'}`;
  }
  if (isName && !/^(?:(?:consent|metadata)\.)?$/.test(name)) return undefined;
  return 'has to be the name of a field of the lead';
}

function isTarget(name: string): boolean {
  const prefixes = [consentPrefix, metadataPrefix, customFieldPrefix];
  return isLeadTarget(name) || name === tagsTarget || prefixes.some((prefix) => name.startsWith(prefix));
}

function isLeadTarget(name: string): name is LeadTarget {
  return (leadTargets as readonly string[]).includes(name);
}

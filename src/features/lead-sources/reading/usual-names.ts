// Looks for the number and the name of a submission whose mapping leads to none: by the names that people give to such fields.

import { isPlainObject } from '../../../platform/input/input.js';
import { isPartOfName, nameKey, rankOf, type NamedField } from '../../leads/field-names.js';
import { isNumberLabel } from '../../leads/posted-field.js';
import type { LeadTarget, Mapping } from './mapping.js';
import { escaped, type DocumentReader } from './pointer.js';
import { textAt } from './texts.js';

/** The most fields of one object, and the most objects, that are looked at. */
const maxFields = 200;
const maxObjects = 50;
const maxNameLength = 100;

/** A field of a submission that has a text. */
interface NamedText {
  pointer: string;
  key: string;
  text: string;
}

export interface NameSearch {
  document: Record<string, unknown>;
  mapping: Mapping;
  /** Judges the text of a field that may be the number. */
  isNumber: (text: string) => boolean;
}

/**
 * Returns the mapping with pointers to fields of usual names, where its own pointers lead to nothing. A field that a written mapping names is
 * not looked for, nor is a name where a written mapping has names.
 */
export function withUsualNames(reader: DocumentReader, search: NameSearch): Mapping {
  const { mapping, isNumber } = search;
  const fields = new Map(mapping.fields);
  const isFound = (target: LeadTarget) => textAt(reader, mapping.fields.get(target) ?? []) !== undefined;
  const objects = objectsOf(reader, search);
  let siblings = textsOf(reader, objects[0]);
  let isInside = false;
  if (!mapping.written.has('chat') && !isFound('chat')) {
    const found = findNumber(
      objects.map((object) => textsOf(reader, object)),
      isNumber,
    );
    if (found !== undefined) {
      fields.set('chat', [...(fields.get('chat') ?? []), found.number.pointer]);
      isInside = found.place > 0;
      siblings = found.siblings;
    }
  }
  if (nameTargets.some((target) => mapping.written.has(target))) return { ...mapping, fields };
  const names = findNames(siblings);
  const isWhole = names[0]?.[0] === 'name';
  // Beside the number, a name is the person's. Elsewhere it may be the form's.
  const isKnown = !isInside && (isFound('firstName') || isFound('lastName') || (isFound('name') && isWhole));
  if (isKnown || names.length === 0) return { ...mapping, fields };
  for (const target of nameTargets) fields.set(target, []);
  for (const [target, { pointer }] of names) fields.set(target, [pointer]);
  return { ...mapping, fields };
}

const nameTargets = ['name', 'firstName', 'lastName'] as const;

interface FieldObject {
  pointer: string;
  value: Record<string, unknown>;
}

/** The object that has the answers, and then the objects in it, also those in JSON that is text: the nearest come first. */
function objectsOf(reader: DocumentReader, { document, mapping: { root } }: NameSearch): FieldObject[] {
  const start = root === '' ? document : document[root.slice(1)];
  const objects: FieldObject[] = isPlainObject(start) ? [{ pointer: root, value: start }] : [];
  for (const { pointer, value } of objects) {
    for (const [name, field] of Object.entries(value).slice(0, maxFields)) {
      const inner = typeof field === 'string' && pointer === root ? reader.parse(field) : field;
      if (isPlainObject(inner) && objects.length < maxObjects)
        objects.push({ pointer: `${pointer}/${escaped(name)}`, value: inner });
    }
  }
  return objects;
}

function textsOf(reader: DocumentReader, object: FieldObject | undefined): NamedText[] {
  return Object.keys(object?.value ?? {})
    .slice(0, maxFields)
    .flatMap((name) => {
      const key = name.length > maxNameLength ? '' : keyOf(name);
      const pointer = `${object?.pointer ?? ''}/${escaped(name)}`;
      const text = key === '' ? undefined : textAt(reader, [pointer]);
      return text === undefined ? [] : [{ pointer, key, text }];
    });
}

/** `your-phone`, `tel-123`, `q3_phone`, `fields[phone][value]` and `Telefone *` say the same as their word alone. Parts of a field have no key. */
function keyOf(name: string): string {
  const parts = name.split(/[[\]]+/).filter((part) => part !== '');
  const last = parts.length > 1 && parts.at(-1) === 'value' ? parts.at(-2) : parts.at(-1);
  if (parts.length > 2 && parts.at(-1) !== 'value') return '';
  const key = nameKey((last ?? '').replace(/^q\d{1,4}_/, '')).replace(/^your(?=.)/, '');
  return rankOf('chat', key) >= 0 || rankOf('name', key) >= 0 ? key : key.replace(/\d{1,4}$/, '');
}

/** Finds the best-named field that holds a number. If none does, the best-named one of all is what the person filled in wrongly. */
function findNumber(
  objects: readonly NamedText[][],
  isNumber: (text: string) => boolean,
): { number: NamedText; siblings: NamedText[]; place: number } | undefined {
  for (const mustBeNumber of [true, false])
    for (const [place, siblings] of objects.entries()) {
      const ranked = bestOf(siblings, 'chat');
      const labelled = siblings.filter(({ key }) => !ranked.some((one) => one.key === key) && isNumberLabel(key));
      const number = mustBeNumber ? [...ranked, ...labelled].find(({ text }) => isNumber(text)) : ranked[0];
      if (number !== undefined) return { number, siblings, place };
    }
  return undefined;
}

function findNames(fields: readonly NamedText[]): [LeadTarget, NamedText][] {
  const [whole] = bestOf(fields, 'name').filter(({ key }) => !people.has(key));
  const [first] = bestOf(fields, 'firstName');
  const [last] = bestOf(fields, 'lastName');
  if (whole === undefined) return partsOf(first, last);
  const keys = fields.map(({ key }) => key);
  if (first !== undefined) return isPartOfName(whole.key, keys) ? partsOf(first, whole) : [['name', whole]];
  const isFirst = isPartOfName(whole.key, keys) || whole.key === 'name';
  const hasLast = last === undefined || whole.text.toLowerCase().includes(last.text.trim().toLowerCase());
  return isFirst && !hasLast ? partsOf(whole, last) : [['name', whole]];
}

function partsOf(first: NamedText | undefined, last: NamedText | undefined): [LeadTarget, NamedText][] {
  const parts: [LeadTarget, NamedText | undefined][] = [
    ['firstName', first],
    ['lastName', last],
  ];
  return parts.flatMap(([target, field]): [LeadTarget, NamedText][] => (field === undefined ? [] : [[target, field]]));
}

/** In a form these words may be anything about a contact; in a file they head the column of names. */
const people = new Set('contact contato contacto cliente customer kunde client'.split(' '));

function bestOf(fields: readonly NamedText[], field: NamedField): NamedText[] {
  return fields
    .map((one) => ({ one, rank: rankOf(field, one.key) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

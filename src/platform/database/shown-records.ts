// Reads no more than is shown: which columns the selected fields of a record need, and rows of them as records. Times stay text, as the
// APIs write them, so that nobody parses them only to write them out again.

import pg from 'pg';

/** Fields by their names, each with the names of its own. */
export type SelectedFields = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds a value once for each selection, which is the same for as long as its document is remembered. */
export function oncePerSelection<Value>(find: (fields: SelectedFields) => Value): (fields: SelectedFields) => Value {
  const found = new WeakMap<SelectedFields, Value>();
  return (fields) => {
    const known = found.get(fields);
    if (known !== undefined) return known;
    const value = find(fields);
    found.set(fields, value);
    return value;
  };
}

/** A record as it is shown: its times are text, in UTC with milliseconds. */
export type Shown<Row> = {
  [Field in keyof Row]: Date extends Row[Field] ? Exclude<Row[Field], Date> | string : Row[Field];
};

/** The columns that the fields of a record are read from. */
export interface Showable {
  columns: Readonly<Record<string, string>>;
  /** The columns of fields that have a resolver. A field that is neither here nor a column needs every column. */
  needs: Readonly<Record<string, readonly string[]>>;
}

export interface ShowableOf<Row> extends Showable {
  columns: Readonly<Record<keyof Row & string, string>>;
  needs: Readonly<Record<string, readonly (keyof Row & string)[]>>;
}

/**
 * Returns the columns that some fields of a record need.
 * @param fields undefined where the shown fields are not known: all columns are needed
 * @param keys the fields that are read in any case
 */
export function columnsOfShown(
  { columns, needs }: Showable,
  fields: Iterable<string> | undefined,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  if (fields === undefined) return columns;
  const needed = new Set<string>(keys);
  for (const field of fields) {
    const own = needs[field] ?? (field in columns ? [field] : field === '__typename' ? [] : undefined);
    if (own === undefined) return columns;
    for (const column of own) needed.add(column);
  }
  return Object.fromEntries(Object.entries(columns).filter(([column]) => needed.has(column)));
}

/** The mark between the name of a part and its column. A part is a record that belongs to the one of the row. */
export const partMark = '.';

/**
 * Extension of a field with a record of its own. Where that record was read together with the one that has the field, it is there under the
 * field's name.
 */
export const partExtension = 'readsPart';

const timestamptz: number = pg.types.builtins.TIMESTAMPTZ;

/** The form in which rows are asked for: as lists of values, with times as text. */
export const shownReading = {
  rowMode: 'array',
  types: {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === timestamptz ? toIsoTime : (pg.types.getTypeParser(oid, format) as Parser),
  },
} as const;

type Parser = (text: string) => unknown;

const parseTime = pg.types.getTypeParser(timestamptz) as (text: string) => Date;

// PostgreSQL leaves out zeros at the end.
const endOfLength = new Map([
  [22, '.000Z'],
  [24, '00Z'],
  [25, '0Z'],
  [26, 'Z'],
]);

/** Turns `2026-11-23 14:24:56.9+00`, as a session in UTC writes it, into `2026-11-23T14:24:56.900Z`. */
function toIsoTime(text: string): string {
  const end = endOfLength.get(text.length);
  if (end === undefined || text[10] !== ' ' || !text.endsWith('+00')) return parseTime(text).toISOString();
  return `${text.slice(0, 10)}T${text.slice(11, -3)}${end}`;
}

/**
 * Turns rows into records. Columns `part.field` make a record of their own, which is null where its `id` is.
 * @param names the names of the columns
 */
export function toRecords<Row>(names: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  const parts = new Map<string, Place[]>();
  for (const [index, name] of names.entries()) {
    const end = name.indexOf(partMark);
    const part = end === -1 ? '' : name.slice(0, end);
    const places = parts.get(part) ?? [];
    places.push({ index, field: name.slice(end + 1) });
    parts.set(part, places);
  }
  const own = parts.get('') ?? [];
  parts.delete('');
  const related = Array.from(parts, ([part, places]) => {
    const id = places.find(({ field }) => field === 'id')?.index ?? -1;
    return { part, places, id, blank: blankOf(places) };
  });
  const blank = { ...blankOf(own), ...Object.fromEntries(related.map(({ part }) => [part, null])) };
  return rows.map((row) => {
    const record = filled(blank, own, row);
    for (const { part, places, id, blank: blankPart } of related)
      if (row[id] != null) record[part] = filled(blankPart, places, row);
    return record as Row;
  });
}

interface Place {
  index: number;
  field: string;
}

function blankOf(places: readonly Place[]): Record<string, unknown> {
  return Object.fromEntries(places.map(({ field }) => [field, null]));
}

// A copy has its shape at once; adding field after field would make a shape for each.
function filled(blank: Readonly<Record<string, unknown>>, places: readonly Place[], row: readonly unknown[]) {
  const record = { ...blank };
  for (const { index, field } of places) record[field] = row[index];
  return record;
}

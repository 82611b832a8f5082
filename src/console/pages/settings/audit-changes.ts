// The changed fields of an audit entry, with their values before and after, and how a value is said.

export interface FieldChange {
  field: string;
  /** Undefined if there was no value. */
  before: unknown;
  after: unknown;
}

type Fields = Record<string, unknown> | null;

export function changesOf(before: Fields, after: Fields): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const all = [...names].map((field) => ({ field, before: before?.[field], after: after?.[field] }));
  // A field of a new or deleted record that never had a value says nothing.
  return all.filter((change) => (change.before ?? change.after ?? null) !== null);
}

const maxLength = 160;

/** Cuts a text that is long. */
export function shortValue(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Words for values, under the API's names. */
export type Words = Readonly<Record<string, unknown>>;

interface Formats {
  full(iso: string): string;
  number(value: number): string;
  list(values: readonly string[]): string;
}

interface Saying {
  none: string;
  yes: string;
  no: string;
  words: Words;
  formats: Formats;
}

const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a whole id, of which the words show the end. */
export const wholeId = (value: unknown): string | undefined =>
  typeof value === 'string' && uuid.test(value) ? value : undefined;

/** Says any value without the signs of JSON. */
export function inWords(value: unknown, saying: Saying): string {
  const { none, yes, no, words, formats } = saying;
  if (isNothing(value)) return none;
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') return formats.number(value);
  if (typeof value === 'string') return textOf(value, { words, formats });
  if (typeof value !== 'object') return '';
  if (Array.isArray(value)) return formats.list(value.map((one) => inWords(one, saying)));
  // A widget of a dashboard is known by its title.
  if ('title' in value && typeof value.title === 'string') return value.title;
  const parts = Object.entries(value).map(([name, one]) => `${wordFor(name, words) ?? name}: ${inWords(one, saying)}`);
  return parts.join(', ');
}

/** An empty text, list or object says as much as no value. */
function isNothing(value: unknown): value is null | undefined {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function textOf(text: string, { words, formats }: Pick<Saying, 'words' | 'formats'>): string {
  const word = wordFor(text, words);
  if (word !== undefined) return word;
  if (time.test(text)) return formats.full(text);
  return uuid.test(text) ? `…${text.slice(-8)}` : text;
}

function wordFor(name: string, words: Words): string | undefined {
  const word = Object.hasOwn(words, name) ? words[name] : undefined;
  return typeof word === 'string' ? word : undefined;
}

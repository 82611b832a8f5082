// Relay pagination over one unique, sortable key (a UUID v7): arguments, cursors and pages, without a word of GraphQL.

import { invalidField } from './errors.js';
import { isUuid } from './input.js';

/** `first` with `after`, or `last` with `before`: 50 by default, 200 at most. */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Which rows to read: beyond `from` (exclusive; undefined: from the end) in this direction, at most `limit`. */
export interface KeyRange {
  direction: 'forward' | 'backward';
  from: string | undefined;
  limit: number;
}

export interface Edge<Row> {
  node: Row;
  cursor: string;
}

export interface Page<Row> {
  edges: Edge<Row>[];
  /** Asked of the storage only when the client selects it and the read itself does not tell. */
  hasNextPage: () => Promise<boolean>;
  hasPreviousPage: () => Promise<boolean>;
}

export const defaultPageSize = 50;
export const maxPageSize = 200;

export interface KeysetSource<Row> {
  /** Names the list in its cursors, so that another list's cursor is refused. */
  list: string;
  keyOf(row: Row): string;
  /** Rows in the order of travel: for `backward` the nearest to `from` first. */
  read(range: KeyRange): Promise<Row[]>;
}

/** @throws AppError VALIDATION_FAILED for sizes out of bounds, contradicting arguments or a foreign cursor */
export async function readPage<Row>(args: PageArgs, source: KeysetSource<Row>): Promise<Page<Row>> {
  const range = toRange(args, source.list);
  const read = await source.read({ ...range, limit: range.limit + 1 });
  const more = read.length > range.limit;
  const rows = read.slice(0, range.limit);
  if (range.direction === 'backward') rows.reverse();
  const ahead = () => Promise.resolve(more);
  const behind = () => hasRowsBehind(rows, range, source);
  return {
    edges: rows.map((node) => ({ node, cursor: encodeCursor(source.list, source.keyOf(node)) })),
    hasNextPage: range.direction === 'forward' ? ahead : behind,
    hasPreviousPage: range.direction === 'forward' ? behind : ahead,
  };
}

// Rows on the side we came from: none without a cursor, otherwise true to the data rather than assumed.
async function hasRowsBehind<Row>(rows: Row[], range: KeyRange, source: KeysetSource<Row>): Promise<boolean> {
  if (range.from === undefined) return false;
  const edge = range.direction === 'forward' ? rows[0] : rows.at(-1);
  if (edge === undefined) return true;
  const direction = range.direction === 'forward' ? 'backward' : 'forward';
  return (await source.read({ direction, from: source.keyOf(edge), limit: 1 })).length > 0;
}

function toRange(args: PageArgs, list: string): KeyRange {
  if (args.last != null && args.first != null) throw invalidField('last', 'cannot be combined with first');
  if (args.last != null || (args.before != null && args.first == null)) {
    if (args.after != null) throw invalidField('after', 'cannot be combined with last or before');
    return { direction: 'backward', from: decodeCursor('before', args.before, list), limit: sizeOf('last', args.last) };
  }
  if (args.before != null) throw invalidField('before', 'cannot be combined with first');
  return { direction: 'forward', from: decodeCursor('after', args.after, list), limit: sizeOf('first', args.first) };
}

function sizeOf(path: string, size: number | null | undefined): number {
  if (size == null) return defaultPageSize;
  if (size < 0 || size > maxPageSize) throw invalidField(path, `has to be from 0 to ${maxPageSize}`);
  return size;
}

function encodeCursor(list: string, key: string): string {
  return Buffer.from(`${list}:${key}`).toString('base64url');
}

function decodeCursor(path: string, cursor: string | null | undefined, list: string): string | undefined {
  if (cursor == null) return undefined;
  const [name, key = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(':');
  if (name !== list || !isUuid(key)) throw invalidField(path, 'is not a cursor of this list');
  return key;
}

/** A range as a storage filter on the key and a sort order; `listOrder` is the key's order in the list itself. */
export function keyFilter(
  range: KeyRange,
  listOrder: 'asc' | 'desc',
): { bound: { gt?: string; lt?: string }; sort: 'asc' | 'desc' } {
  const sort = range.direction === 'forward' ? listOrder : listOrder === 'asc' ? 'desc' : 'asc';
  if (range.from === undefined) return { bound: {}, sort };
  return { bound: sort === 'asc' ? { gt: range.from } : { lt: range.from }, sort };
}

// Relay pagination over one unique, sortable key (a UUID v7, or text with one): arguments, cursors and pages. Knows no GraphQL.

import { invalidField } from '../errors.js';
import { isUuid } from '../input/input.js';

/** `first` with `after`, or `last` with `before`: 50 by default, 200 at most. */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** The rows to read: beyond `from` (undefined: from the end) in this direction, at most `limit`. */
export interface KeyRange {
  direction: 'forward' | 'backward';
  from: string | undefined;
  /** True if the row at `from` counts too. */
  isInclusive?: boolean;
  limit: number;
}

export interface Edge<Row> {
  node: Row;
  cursor: string;
}

export interface Page<Row> {
  edges: Edge<Row>[];
  /** Read only when the client selects it and the page itself does not show it. */
  hasNextPage: () => Promise<boolean>;
  hasPreviousPage: () => Promise<boolean>;
  /** The number of rows on all pages; asked of the storage only when the client selects it. */
  totalCount: () => Promise<number>;
}

export const defaultPageSize = 50;
export const maxPageSize = 200;

export interface KeysetSource<Row> {
  /** Names the list in its cursors, so that a cursor of another list, or of another order of it, is refused. Without a colon. */
  list: string;
  keyOf(row: Row): string;
  /** Returns whether a cursor's text can be a key. Left out: a key is a UUID. */
  isKey?: (text: string) => boolean;
  /** Counts the rows of the whole list; a list without it has no `totalCount`. */
  count?: () => Promise<number>;
  /** Reads rows in the order of travel: for `backward` the nearest to `from` first. */
  read(range: KeyRange): Promise<Row[]>;
}

/** @throws AppError VALIDATION_FAILED for sizes out of bounds, contradicting arguments or a foreign cursor */
export async function readPage<Row>(args: PageArgs, source: KeysetSource<Row>): Promise<Page<Row>> {
  const range = toRange(args, source);
  const read = await source.read({ ...range, limit: range.limit + 1 });
  const hasRowsBehind = async () => (await source.read(behind(range))).length > 0;
  const count = () => source.count?.() ?? uncounted();
  return toPage(read, range, source, { hasRowsBehind, count });
}

/**
 * Reads the page around a row, `first` rows in all: half of them before it, and more on one side where the other has fewer. It takes two
 * reads.
 * @param key the row's key; the row is part of the page if it is part of the list
 * @throws AppError VALIDATION_FAILED for `after`, `last` and `before`, and for sizes out of bounds
 */
export async function readPageAround<Row>(key: string, args: PageArgs, source: KeysetSource<Row>): Promise<Page<Row>> {
  for (const path of ['after', 'last', 'before'] as const)
    if (args[path] != null) throw invalidField(path, 'cannot be combined with around');
  const size = sizeOf('first', args.first);
  if (size === 0) throw invalidField('first', 'has to be at least 1 together with around');
  const [before, after] = await Promise.all([
    source.read({ direction: 'backward', from: key, limit: size }),
    source.read({ direction: 'forward', from: key, isInclusive: true, limit: size + 1 }),
  ]);
  const half = Math.floor(size / 2);
  const taken = Math.min(before.length, Math.max(half, size - after.length));
  const rows = [...before.slice(0, taken).reverse(), ...after.slice(0, size - taken)];
  return {
    edges: rows.map((node) => ({ node, cursor: encodeCursor(source.list, source.keyOf(node)) })),
    hasNextPage: () => Promise.resolve(after.length > size - taken),
    hasPreviousPage: () => Promise.resolve(before.length > taken),
    totalCount: () => source.count?.() ?? uncounted(),
  };
}

/** The same list of many owners (the messages of each lead), read together. */
export interface OwnedKeysetSource<Row> {
  list: string;
  keyOf: (row: Row) => string;
  /** Returns whether a cursor's text can be a key. Left out: a key is a UUID. */
  isKey?: (text: string) => boolean;
  ownerOf: (row: Row) => string;
  /** Reads with one statement: of each owner at most `limit` rows, in the order of travel. Every owner comes once. */
  read: (range: KeyRange, owners: readonly string[]) => Promise<Row[]>;
  /** Counts with one statement; owners without rows may be left out. */
  count: (owners: readonly string[]) => Promise<OwnedCount[]>;
}

export interface OwnedCount {
  owner: string;
  count: number;
}

export interface OwnedPage<Row> {
  owner: string;
  page: Page<Row>;
}

/**
 * Reads pages like `readPage` for many owners, with one statement for all of them. It takes one more if any page is asked for rows behind
 * it, and one if any page is counted.
 */
export async function readOwnedPages<Row>(
  args: PageArgs,
  wanted: readonly string[],
  source: OwnedKeysetSource<Row>,
): Promise<OwnedPage<Row>[]> {
  const range = toRange(args, source);
  const owners = [...new Set(wanted)];
  const read = Map.groupBy(await source.read({ ...range, limit: range.limit + 1 }, owners), source.ownerOf);
  const ownersBehind = once(async () => new Set((await source.read(behind(range), owners)).map(source.ownerOf)));
  const counts = once(async () => new Map((await source.count(owners)).map(({ owner, count }) => [owner, count])));
  return owners.map((owner) => ({
    owner,
    page: toPage(read.get(owner) ?? [], range, source, {
      hasRowsBehind: async () => (await ownersBehind()).has(owner),
      count: async () => (await counts()).get(owner) ?? 0,
    }),
  }));
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => (reading ??= read());
}

/** The nearest row on the side that a range comes from; the cursor's own row is one, unless it has gone since. */
function behind({ direction, from }: KeyRange): KeyRange {
  return { direction: direction === 'forward' ? 'backward' : 'forward', from, isInclusive: true, limit: 1 };
}

interface PageSurroundings {
  hasRowsBehind: () => Promise<boolean>;
  count: () => Promise<number>;
}

/** @param read one row more than the page holds, where there is one, in the order of travel */
function toPage<Row>(
  read: readonly Row[],
  range: KeyRange,
  { list, keyOf }: Pick<KeysetSource<Row>, 'list' | 'keyOf'>,
  { hasRowsBehind, count }: PageSurroundings,
): Page<Row> {
  const more = read.length > range.limit;
  const rows = read.slice(0, range.limit);
  if (range.direction === 'backward') rows.reverse();
  const ahead = () => Promise.resolve(more);
  // There are no rows behind a page without a cursor. For other pages the data is asked rather than assumed.
  const back = () => (range.from === undefined ? Promise.resolve(false) : hasRowsBehind());
  return {
    edges: rows.map((node) => ({ node, cursor: encodeCursor(list, keyOf(node)) })),
    hasNextPage: range.direction === 'forward' ? ahead : back,
    hasPreviousPage: range.direction === 'forward' ? back : ahead,
    totalCount: count,
  };
}

function uncounted(): never {
  throw new Error('a list that is not counted');
}

type CursorSource = Pick<KeysetSource<never>, 'list' | 'isKey'>;

function toRange(args: PageArgs, source: CursorSource): KeyRange {
  if (args.last != null && args.first != null) throw invalidField('last', 'cannot be combined with first');
  if (args.last != null || (args.before != null && args.first == null)) {
    if (args.after != null) throw invalidField('after', 'cannot be combined with last or before');
    return {
      direction: 'backward',
      from: decodeCursor('before', args.before, source),
      limit: sizeOf('last', args.last),
    };
  }
  if (args.before != null) throw invalidField('before', 'cannot be combined with first');
  return { direction: 'forward', from: decodeCursor('after', args.after, source), limit: sizeOf('first', args.first) };
}

export function sizeOf(path: string, size: number | null | undefined): number {
  if (size == null) return defaultPageSize;
  if (size < 0 || size > maxPageSize) throw invalidField(path, `has to be from 0 to ${maxPageSize}`);
  return size;
}

function encodeCursor(list: string, key: string): string {
  return Buffer.from(`${list}:${key}`).toString('base64url');
}

function decodeCursor(
  path: string,
  cursor: string | null | undefined,
  { list, isKey = isUuid }: CursorSource,
): string | undefined {
  if (cursor == null) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const key = text.slice(list.length + 1);
  if (!text.startsWith(`${list}:`) || !isKey(key)) throw invalidField(path, 'is not a cursor of this list');
  return key;
}

/** Returns the same order, seen from its other end. */
export function reversed(order: 'asc' | 'desc'): 'asc' | 'desc' {
  return order === 'asc' ? 'desc' : 'asc';
}

/** Returns the travel of a range as SQL: the order of its rows, and the comparison of their key to `from`. */
export function travelOf(
  range: Pick<KeyRange, 'direction' | 'isInclusive'>,
  listOrder: 'asc' | 'desc',
): { sort: 'asc' | 'desc'; comparison: string } {
  const sort = range.direction === 'forward' ? listOrder : reversed(listOrder);
  return { sort, comparison: `${sort === 'asc' ? '>' : '<'}${range.isInclusive === true ? '=' : ''}` };
}

/** Bounds of a key, as storage filters write them. */
export interface KeyBound {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
}

/** A range as a storage filter on the key and a sort order; `listOrder` is the key's order in the list itself. */
export function keyFilter(range: KeyRange, listOrder: 'asc' | 'desc'): { bound: KeyBound; sort: 'asc' | 'desc' } {
  const { sort } = travelOf(range, listOrder);
  const { from, isInclusive = false } = range;
  if (from === undefined) return { bound: {}, sort };
  if (isInclusive) return { bound: sort === 'asc' ? { gte: from } : { lte: from }, sort };
  return { bound: sort === 'asc' ? { gt: from } : { lt: from }, sort };
}

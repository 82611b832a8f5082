// Statements that are put together from conditions: their values are numbered in the order in which they are used.

import type { SqlRunner } from './database.js';
import { firstIdAt } from './record-id.js';

/** The values of one statement; `use` gives the place that stands for a value, such as `$3`. */
export class SqlValues {
  readonly list: unknown[] = [];

  readonly use = (value: unknown): string => `$${this.list.push(value)}`;
}

/** A statement that is planned for its values, or, with a name (unique to the text), once for each connection. */
export interface SqlText {
  name?: string | undefined;
  text: string;
  values: unknown[];
}

export function runText<Row>(sql: SqlRunner, { name, text, values }: SqlText): Promise<Row[]> {
  return sql.query<Row>(name === undefined ? text : { name, text }, values);
}

/** The SQL of each field of a record. */
export type Columns<Row> = Readonly<Record<keyof Row & string, string>>;

/** The columns under their fields' names, each behind `prefix`. */
export function selectColumns(columns: Readonly<Record<string, string>>, prefix = ''): string {
  return Object.entries(columns)
    .map(([field, column]) => `${column} AS "${prefix}${field}"`)
    .join(', ');
}

/** Returns whether a list is asked for whole: then one plan serves every value. */
export function isUnfiltered(filter: object): boolean {
  return Object.values(filter).every((value) => value == null);
}

/** The condition for a value that is given. */
export function whenGiven<Value>(value: Value | null | undefined, condition: (value: Value) => string): string[] {
  return value == null ? [] : [condition(value)];
}

/** A pattern that finds the text anywhere, by LIKE and ILIKE. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

// An id is made by its process's clock, which may have been set since; the column decides how exactly a time is kept.
const clockMarginMs = 3_600_000;

/**
 * The conditions for rows of `alias` that were made in a span: `since` counts, `until` does not. The ids' own time keeps an index on them
 * in use; the exact bounds are those of `created_at`.
 */
export function madeBetween(
  alias: string,
  { since, until }: { since?: Date | null | undefined; until?: Date | null | undefined },
  use: (value: unknown) => string,
): string[] {
  return [
    ...whenGiven(
      since,
      (at) => `${alias}.id >= ${use(firstIdAt(at, -clockMarginMs))} AND ${alias}.created_at >= ${use(at)}`,
    ),
    ...whenGiven(
      until,
      (at) => `${alias}.id < ${use(firstIdAt(at, clockMarginMs))} AND ${alias}.created_at < ${use(at)}`,
    ),
  ];
}

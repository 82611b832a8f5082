// Lists of a tenant's records, the newest first: the statements of a page, and of how many records there are.

import { travelOf } from './page.js';
import type { KeyRange } from './page.js';
import { columnsOfShown } from './shown-records.js';
import type { SelectedFields, Showable } from './shown-records.js';
import { isUnfiltered, selectColumns, SqlValues, whenGiven } from './sql-text.js';
import type { SqlText } from './sql-text.js';

/** What is listed. Ids are UUID v7, in the order of time. */
export interface NewestFirst<Filter extends object> {
  /** Of the statement of a page that is not filtered. */
  name: string;
  record: Showable & { columns: { id: string } };
  /** What stands behind FROM. */
  from: string;
  /** What is read in any case. */
  keys: readonly string[];
  /** Of the tenant's records that the filter lets through. */
  conditions: (tenantId: string, filter: Filter, use: SqlValues['use']) => string[];
}

/** A page of the list. */
export function selectNewestFirst<Filter extends object>(
  { name, record, from, keys, conditions }: NewestFirst<Filter>,
  tenantId: string,
  filter: Filter,
  range: KeyRange,
  fields?: SelectedFields,
): SqlText {
  const { list, use } = new SqlValues();
  const { id } = record.columns;
  const { sort, comparison } = travelOf(range, 'desc');
  const given = conditions(tenantId, filter, use);
  const holds = [...given, ...whenGiven(range.from, (key) => `${id} ${comparison} ${use(key)}`)].join(' AND ');
  const columns = selectColumns(columnsOfShown(record, fields?.keys(), keys));
  const text = `SELECT ${columns} FROM ${from} WHERE ${holds} ORDER BY ${id} ${sort} LIMIT ${use(range.limit)}`;
  return { name: isUnfiltered(filter) ? name : undefined, text, values: list };
}

/** How many records the list has, as `count`. */
export function countListed<Filter extends object>(
  { from, conditions }: NewestFirst<Filter>,
  tenantId: string,
  filter: Filter,
): SqlText {
  const { list, use } = new SqlValues();
  const holds = conditions(tenantId, filter, use).join(' AND ');
  return { text: `SELECT count(*)::int AS count FROM ${from} WHERE ${holds}`, values: list };
}

// Lists of a tenant's records, the newest first: the statements for a page, and for the number of records.

import { travelOf, type KeyRange } from './page.js';
import { columnsOfShown, type SelectedFields, type Showable } from './shown-records.js';
import { isUnfiltered, selectColumns, SqlValues, whenGiven, type SqlText } from './sql-text.js';

/** A list of records. Ids are UUID v7, in the order of time. */
export interface NewestFirst<Filter extends object> {
  /** The name of the statement for a page that is not filtered. */
  name: string;
  record: Showable & { columns: { id: string } };
  /** The SQL text behind FROM. */
  from: string;
  /** The fields that are read in any case. */
  keys: readonly string[];
  /** The conditions for the tenant's records that the filter lets through. */
  conditions: (tenantId: string, filter: Filter, use: SqlValues['use']) => string[];
}

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

/** Selects the number of records in the list, as `count`. */
export function countListed<Filter extends object>(
  { from, conditions }: NewestFirst<Filter>,
  tenantId: string,
  filter: Filter,
): SqlText {
  const { list, use } = new SqlValues();
  const holds = conditions(tenantId, filter, use).join(' AND ');
  return { text: `SELECT count(*)::int AS count FROM ${from} WHERE ${holds}`, values: list };
}

// The keys of a dimension, which are the slices of a breakdown and the lines of a table: all keys, the shown keys, and their labels.

import type { Principal } from '../../platform/principal.js';
import { messageStates, type Dimension, type MessageState, type MetricValue } from './metric.js';

/** Reads names by id, one statement for each kind. Unknown ids are left out. */
export interface GroupNames {
  users(principal: Principal, ids: readonly string[]): Promise<{ id: string; name: string | null; email: string }[]>;
  instances(principal: Principal, ids: readonly string[]): Promise<{ id: string; instanceName: string }[]>;
  templates(principal: Principal, ids: readonly string[]): Promise<{ id: string; name: string }[]>;
  ads(principal: Principal, ids: readonly string[]): Promise<{ id: string; name: string }[]>;
}

const statusStates = new Map(
  messageStates.map((state) => [state === 'received' ? '' : state.toUpperCase(), [state]] as [string, MessageState[]]),
);
const directionStates = new Map<string, readonly MessageState[]>([
  ['INBOUND', ['received']],
  ['OUTBOUND', messageStates.filter((state) => state !== 'received')],
]);

/** Returns the message states of each key of STATUS and DIRECTION; undefined for other dimensions. */
export function statesOf(dimension: Dimension): ReadonlyMap<string, readonly MessageState[]> | undefined {
  if (dimension === 'STATUS') return statusStates;
  return dimension === 'DIRECTION' ? directionStates : undefined;
}

const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const weekdays = weekdayNames.map((_, index) => String(index + 1));
/** All keys of the dimensions of time, in their order. */
const timeKeys: Partial<Record<Dimension, readonly string[]>> = {
  HOUR_OF_DAY: hours,
  WEEKDAY: weekdays,
  HOUR_OF_WEEK: weekdays.flatMap((day) => hours.map((hour) => `${day}-${hour}`)),
};

/** Returns keys with their number of records. Hours and weekdays are complete and in their order. */
export function everyKey(dimension: Dimension, groups: ReadonlyMap<string, MetricValue>): readonly [string, number][] {
  const fixed = timeKeys[dimension];
  // Equal sizes keep hours and weekdays in their order.
  if (fixed !== undefined) return fixed.map((key) => [key, Infinity]);
  return [...groups].map(([key, { total }]) => [key, total]);
}

/** Returns the keys with the most records first. Hours and weekdays are never cut. */
export function largestKeys(groups: readonly [string, number][], limit: number): { shown: string[]; rest: string[] } {
  if (groups.every(([, size]) => size === Infinity)) return { shown: groups.map(([key]) => key), rest: [] };
  const keys = groups.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([key]) => key);
  return { shown: keys.slice(0, limit), rest: keys.slice(limit) };
}

/** Returns the labels of keys: the name of a user, chat instance or template, the headline of an ad, else the key itself. */
export async function labelledBy(
  names: GroupNames,
  principal: Principal,
  dimension: Dimension,
  keys: readonly string[],
): Promise<(key: string) => string> {
  const known = await readNames(
    names,
    principal,
    dimension,
    keys.filter((key) => key !== ''),
  );
  return (key) => (key === '' ? nameOfNone(dimension) : (known.get(key) ?? key));
}

function nameOfNone(dimension: Dimension): string {
  if (dimension === 'STATUS') return 'received';
  return dimension === 'ASSIGNEE' ? 'unassigned' : 'none';
}

async function readNames(
  names: GroupNames,
  principal: Principal,
  dimension: Dimension,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  if (dimension === 'ASSIGNEE' || dimension === 'AUTHOR')
    return new Map((await names.users(principal, ids)).map(({ id, name, email }) => [id, name ?? email]));
  if (dimension === 'INSTANCE')
    return new Map((await names.instances(principal, ids)).map(({ id, instanceName }) => [id, instanceName]));
  if (dimension === 'TEMPLATE')
    return new Map((await names.templates(principal, ids)).map(({ id, name }) => [id, name]));
  if (dimension === 'AD') return new Map((await names.ads(principal, ids)).map(({ id, name }) => [id, name]));
  if (dimension === 'WEEKDAY' || dimension === 'HOUR_OF_WEEK') return new Map(ids.map((key) => [key, nameOfTime(key)]));
  return new Map();
}

/** @param key of WEEKDAY or HOUR_OF_WEEK */
function nameOfTime(key: string): string {
  const [day, hour] = key.split('-');
  const name = weekdayNames[Number(day) - 1] ?? key;
  return hour === undefined ? name : `${name} ${hour}:00`;
}

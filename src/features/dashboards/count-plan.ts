// Which messages are read counted, and which are counted themselves: counts are kept for whole quarters of an hour, and by one
// dimension at a time.

import type { KeyFilter, Span, TallySpans } from './widget-result.sql.js';
import type { Dimension } from './metric.js';

const quarterMs = 900_000;
const storedDimensions: readonly Dimension[] = ['SOURCE', 'ASSIGNEE', 'INSTANCE', 'AUTHOR', 'TEMPLATE'];

/** @param bounds two or more, rising: the segments lie between them */
export function planTallies(
  filter: KeyFilter,
  dimension: Dimension | undefined,
  bounds: readonly [Date, ...Date[]],
): TallySpans {
  const whole: Span = { from: bounds[0], to: bounds.at(-1) ?? bounds[0] };
  const by = new Set([...filter.keys(), ...(dimension && storedDimensions.includes(dimension) ? [dimension] : [])]);
  const [from, to] = [quarterFrom(whole.from, Math.ceil), quarterFrom(whole.to, Math.floor)];
  if (by.size > 1 || from >= to) return { stored: null, live: [whole] };
  // A bound within a quarter of an hour parts what is counted there.
  const parted = bounds.filter((bound) => bound > from && bound < to && bound.getTime() % quarterMs !== 0);
  const without = [...new Set(parted.map((bound) => quarterFrom(bound, Math.floor).getTime()))].map(
    (ms) => new Date(ms),
  );
  const [own] = by;
  const stored = { dimension: own ?? 'TOTAL', keys: (own && filter.get(own)) ?? null, from, to, without };
  const edges = [
    { from: whole.from, to: from },
    ...without.map((start) => ({ from: start, to: new Date(start.getTime() + quarterMs) })),
    { from: to, to: whole.to },
  ];
  return { stored, live: edges.filter((edge) => edge.from < edge.to) };
}

function quarterFrom(time: Date, round: (value: number) => number): Date {
  return new Date(round(time.getTime() / quarterMs) * quarterMs);
}

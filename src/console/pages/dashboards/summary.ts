// A chart's content in one sentence: sum, highest and lowest value. The sentence is the chart's accessible name.

import type { Mark } from './marks.js';
import { wantedDirection, type Unit } from './metric-rules.js';

export interface SummaryWords {
  nothing: string;
  noValue: string;
  sum(value: string): string;
  highest(value: string, label: string): string;
  lowest(value: string, label: string): string;
  all(value: string): string;
  before(value: string, label: string): string;
  values(count: number): string;
}

interface Summarized {
  title: string;
  marks: readonly Mark[];
  words: SummaryWords;
  print: (value: number | null, unit: Unit) => string;
}

/** Summarizes a series or a breakdown. */
export function summaryOf({ title, marks, words, print }: Summarized): string {
  const known = marks.filter(({ value, isRest }) => value !== null && !isRest);
  const isCount = marks[0]?.unit === 'COUNT';
  if (known.length === 0 || marks.every(({ total }) => total === 0)) return sentence(title, words.nothing);
  const highest = known.reduce((most, mark) => ((mark.value ?? 0) > (most.value ?? 0) ? mark : most));
  const lowest = known.reduce((least, mark) => ((mark.value ?? 0) < (least.value ?? 0) ? mark : least));
  const sum = marks.reduce((total, { value }) => total + (value ?? 0), 0);
  const parts = [words.values(marks.length)];
  if (isCount) parts.push(words.sum(print(sum, 'COUNT')));
  if (highest.value === lowest.value && known.length > 1) parts.push(words.all(print(highest.value, highest.unit)));
  else {
    parts.push(words.highest(print(highest.value, highest.unit), highest.label));
    if (known.length > 1) parts.push(words.lowest(print(lowest.value, lowest.unit), lowest.label));
  }
  return sentence(title, parts.join(' '));
}

/** Summarizes a figure, whose second mark is the previous period. */
export function figureSummary({ title, marks, words, print }: Summarized): string {
  const [now, before] = marks;
  if (now === undefined) return sentence(title, words.nothing);
  const value = now.value === null ? words.noValue : print(now.value, now.unit);
  const earlier = before === undefined ? '' : ` ${words.before(print(before.value, before.unit), before.label)}`;
  return sentence(title, `${value}.${earlier}`);
}

const sentence = (title: string, rest: string) => `${title}: ${rest}`;

export interface Trend {
  direction: 'up' | 'down' | 'same';
  /** Undefined for metrics of which more is neither better nor worse. */
  isGood: boolean | undefined;
  /** The change in the terms of its unit: a count, a share of the count before, points of 100, or seconds. */
  amount: number;
  /** True for a share of the count before. */
  isShare: boolean;
}

/** Returns the change of a figure since the period before; undefined if there is nothing to compare with. */
export function trendOf(now: Mark, before: Mark | undefined): Trend | undefined {
  if (before?.value == null || before.total === 0 || now.value === null) return undefined;
  const difference = now.value - before.value;
  if (now.unit !== 'RATIO' && before.value === 0) return undefined;
  const isShare = now.unit === 'COUNT' && before.value >= leastForShare;
  const amount = Math.abs(isShare ? difference / before.value : difference);
  const least = now.unit === 'SECONDS' ? 1 : leastShare;
  if (amount < least) return { direction: 'same', isGood: undefined, amount: 0, isShare };
  const isMore = difference > 0;
  const wanted = wantedDirection(now.metric);
  return {
    direction: isMore ? 'up' : 'down',
    isGood: wanted === undefined ? undefined : (wanted === 'more') === isMore,
    amount: now.unit === 'RATIO' ? amount * 100 : amount,
    isShare,
  };
}

/** A share of fewer would say more than it knows: 3 more, not 300% more. */
const leastForShare = 10;
/** A smaller change of a share is printed as none. */
const leastShare = 0.0005;

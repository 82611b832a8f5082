// The providers that keep a history that is read, each with its dialect.

import type { HistoryDialect } from '../intake/history-call.js';

const dialects: ReadonlyMap<string, HistoryDialect> = new Map([
  ['evolution', 'evolution'],
  ['waha', 'waha'],
]);

/** The dialect of a provider's history; undefined where it keeps none. */
export function historyDialectOf(provider: string): HistoryDialect | undefined {
  return dialects.get(provider);
}

// Which providers keep a history that is read, and by which dialect.

import type { HistoryDialect } from '../intake/history-call.js';

const dialects: ReadonlyMap<string, HistoryDialect> = new Map([
  ['evolution', 'evolution'],
  ['waha', 'waha'],
]);

/** Undefined where the provider keeps none. */
export function historyDialectOf(provider: string): HistoryDialect | undefined {
  return dialects.get(provider);
}

// A record of a gateway's history that nests without end cannot be read, and holds up no other.

import { readPastRecord } from '../../../src/features/intake/history-call.js';

const depth = 30_000;

export function describePastRecords(): void {
  test.each(['evolution', 'waha'] as const)('of %s: the record has a reason, and nothing walks it', (dialect) => {
    const deep: unknown = JSON.parse(`${'{"message":'.repeat(depth)}"x"${'}'.repeat(depth)}`);
    const errors = [{ path: 'records.7', message: 'must not nest deeper than 32 levels' }];
    expect(readPastRecord(dialect, deep, 'records.7')).toEqual({ errors });
  });
}

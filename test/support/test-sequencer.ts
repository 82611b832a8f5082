// Jest's order of test files: those that take longest begin, so that none of them is left when the other workers are done.
// By itself Jest knows what earlier runs took, and on a fresh machine there are none.

import { createRequire } from 'node:module';
import { sep } from 'node:path';

type SequencerModule = typeof import('@jest/test-sequencer');
// Its types are those of its CommonJS form.
const { default: JestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as SequencerModule;

/** Below `test`; those that use the processor stand between those that mostly wait. */
const longest = [
  'faults/paced-workers',
  'faults/killed-intake',
  'features/live/session-end',
  'faults/slow-clients',
  'faults/fuzzed-intake',
  'faults/killed-while-sending',
  'faults/database-outages',
  'faults/gateway-outages',
  'platform/embedded-postgres',
  'access/roles',
  'faults/leaked-secrets',
  'commands/tenant',
  'faults/killed-worker',
  'faults/bounded-memory',
  'features/bulk-sends/bulk-send',
];

type Tests = Parameters<InstanceType<typeof JestSequencer>['sort']>[0];

export default class TestSequencer extends JestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => placeOf(a.path) - placeOf(b.path));
  }
}

function placeOf(path: string): number {
  const bare = path.replace(/\.(?:suite|test|long)\.ts$/, '');
  const place = longest.findIndex((name) => bare.endsWith(`${sep}test${sep}${name.replaceAll('/', sep)}`));
  return place < 0 ? longest.length : place;
}

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
  'faults/fuzzed-intake',
  'faults/slow-clients',
  'features/live/sockets',
  'access/access',
  'rest/authentication',
  'faults/processes',
  'faults/outages',
  'platform/embedded-postgres',
  'features/messages/sending',
  'graphql/requests',
  'rest/limits',
  'platform/postgres',
  'faults/secrets',
  'features/webhooks/webhooks',
  'features/messages/messages',
  'faults/killed-worker',
  'faults/intake',
  'transport/transport',
  'docs/docs',
  'commands/commands',
];

type Tests = Parameters<InstanceType<typeof JestSequencer>['sort']>[0];

export default class TestSequencer extends JestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => placeOf(a.path) - placeOf(b.path));
  }
}

function placeOf(path: string): number {
  const bare = path.replace(/\.(?:test|long)\.ts$/, '');
  const place = longest.findIndex((name) => bare.endsWith(`${sep}test${sep}${name.replaceAll('/', sep)}`));
  return place < 0 ? longest.length : place;
}

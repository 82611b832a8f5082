// Jest's order of test files: those that take longest begin, so that none of them is left when the other workers are done.
// By itself Jest knows what earlier runs took, and on a fresh machine there are none.

import { createRequire } from 'node:module';
import { sep } from 'node:path';

type SequencerModule = typeof import('@jest/test-sequencer');
// Its types are those of its CommonJS form.
const { default: JestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as SequencerModule;

/** Below `test`; those that use the processor stand between those that mostly wait. */
const longest = [
  'faults/paced-workers.long',
  'faults/fuzzed-intake.long',
  'faults/slow-clients.long',
  'faults/killed-worker.long',
  'faults/processes.long',
  'platform/embedded-postgres.long',
  'operating.test',
  'features/media/media.test',
  'commands/commands.test',
  'docs/docs.test',
  'rest/leads.test',
  'rest/authentication.test',
  'rest/routes.test',
  'features/messages/messages.test',
  'faults/hostile.test',
  'features/messages/sending.test',
  'faults/intake.test',
  'platform/postgres.test',
  'faults/secrets.test',
  'rest/webhooks.test',
  'features/chat-instances/chat-instances.test',
  'faults/outages.test',
  'features/leads/leads.test',
  'features/lead-sources/lead-sources.test',
  'features/webhooks/webhooks.test',
  'transport/transport.test',
  'rest/limits.test',
  'faults/bounded-memory.test',
  'access/access.test',
  'graphql/leads.test',
  'graphql/requests.test',
  'features/live/sockets.test',
  'platform/platform.test',
];

type Tests = Parameters<InstanceType<typeof JestSequencer>['sort']>[0];

export default class TestSequencer extends JestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => placeOf(a.path) - placeOf(b.path));
  }
}

function placeOf(path: string): number {
  const place = longest.findIndex((name) => path.endsWith(`${sep}test${sep}${name.replaceAll('/', sep)}.ts`));
  return place < 0 ? longest.length : place;
}

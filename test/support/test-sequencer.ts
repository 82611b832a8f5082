// Jest's order of test files: the longest begin, so that none of them is left when the other workers are done. Jest itself orders by the
// times of earlier runs, which a fresh machine does not have.

import { createRequire } from 'node:module';
import { sep } from 'node:path';

type SequencerModule = typeof import('@jest/test-sequencer');
// The ES module has the same types as the CommonJS form.
const { default: JestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as SequencerModule;

/** Paths below `test`. Files that use the processor stand between files that mostly wait. */
const longest = [
  'bench/benches.long',
  'faults/cluster.long',
  'console/two-browsers.long',
  'faults/opted-out.long',
  'faults/paced-workers.long',
  'faults/fuzzed-intake.long',
  'faults/slow-clients.long',
  'faults/killed-worker.long',
  'faults/processes.long',
  'start.long',
  'features/assistants/hostile-conversations.long',
  'faults/bounded-memory.long',
  'platform/embedded-postgres.long',
  'console/administration.test',
  'console/every-page.test',
  'docs/docs.test',
  'commands/commands.test',
  'features/leads/conversations.test',
  'platform/postgres.test',
  'console/console.test',
  'features/messages/sending.test',
  'features/media/media.test',
  'console/conversation.test',
  'features/messages/messages.test',
  'faults/outages.test',
  'operating.test',
  'features/auth/auth.test',
  'features/leads/leads.test',
  'faults/secrets.test',
  'faults/intake.test',
  'faults/hostile.test',
  'rest/authentication.test',
  'features/lead-sources/lead-sources.test',
  'rest/limits.test',
  'features/webhooks/webhooks.test',
  'rest/webhooks.test',
  'rest/routes.test',
  'transport/transport.test',
  'simulator/simulator.test',
  'graphql/leads.test',
  'access/access.test',
  'rest/leads.test',
  'graphql/requests.test',
  'features/live/sockets.test',
  'features/outgoing-webhooks/outgoing-webhooks.test',
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

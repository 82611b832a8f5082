// The pace and the order of sending through 1 to 4 worker processes, whatever gateways answer and whichever process stalls or is killed.
// The cases come from a seed: `PACED_SEED` repeats those of a run that failed.

import fc from 'fast-check';
import { maxDurationMs, pacedCases } from './paced-case.js';
import { PacedRun, type AskedCase, type Blow } from './paced-run.js';
import { judge } from './paced-verdict.js';

const seed = Number(process.env['PACED_SEED'] ?? 20_261_121);
const workerCounts = [1, 2, 3, 4];
const casesPerCount = 50;
/** The next cases begin while the last messages of earlier cases still wait, for example for a gateway that hangs. */
const mayStillWait = 20;

const pauseMs = fc.integer({ min: 50, max: 800 });
// A worker that wakes up late sends late the messages that were granted early.
const stall = fc.record({ pauseMs, stallMs: fc.integer({ min: 100, max: maxDurationMs }) });

/** Two kills, and stalls around them. */
function blowsOf(workerCount: number): Blow[] {
  const kill = fc.record({ pauseMs, killCount: fc.integer({ min: 1, max: Math.min(workerCount, 2) }) });
  const turns = fc.tuple(stall, stall, kill, stall, stall, kill, stall, stall);
  return fc.sample(turns, { numRuns: 1, seed: seed + workerCount }).flat();
}

test('200 cases with 1 to 4 workers, stalls and kills: the limit holds, the order is kept, and each message is sent once', async () => {
  await using resources = new AsyncDisposableStack();
  const run = await PacedRun.start(resources);
  const played: { name: string; asked: AskedCase }[] = [];
  for (const workerCount of workerCounts) {
    await run.workers.add();
    const name = `seed ${seed}, ${workerCount} workers`;
    const cases = pacedCases(name, seed + workerCount, casesPerCount);
    for (const asked of await run.ask(cases, blowsOf(workerCount))) played.push({ name, asked });
    await run.untilWaiting(mayStillWait);
  }
  await run.untilWaiting(0);
  const broken = run.workers.crashes;
  for (const { name, asked } of played) {
    const sentences = [...asked.broken, ...judge(await run.readPlayed(asked))];
    if (sentences.length > 0) broken.push(`${name}: ${JSON.stringify(asked.paced)}`, ...sentences);
  }
  expect(broken).toEqual([]);
}, 600_000);

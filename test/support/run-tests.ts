// `npm test`: runs Jest with three additions. A suite can be named by its path, as in `npm test -- test/rest/health.suite`. Where CI is
// set, each failed file runs once more by itself. A shared machine that stumbles then does not fail a change, and the report names the
// stumble. `TEST_CLOCK=23:58` lets the run begin at another time of day.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { reportVariable, type FailedFile } from './failed-files-reporter.js';
import { filesInMemory } from './memory-folder.js';
import { shiftedClock } from './shifted-clock.js';
import { endedVariable } from './test-run.js';

/** The most failed files that still count as a stumble. */
const maxRepeatedFiles = 3;
const root = join(import.meta.dirname, '../..');
const jest = ['--disable-warning=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js')];

const given = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'leadwire-run-'));
// PostgreSQL may run as another user, and loads the library of the shifted clock from here.
await chmod(folder, 0o755);
try {
  process.exitCode = await runTests([...given, ...kindOf(given)]);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runTests(options: readonly string[]): Promise<number> {
  const report = join(folder, 'failed.json');
  const ended = join(folder, 'ended');
  const code = await runJest(options, { [reportVariable]: report, [endedVariable]: ended });
  if (code === 0 || !process.env['CI']) return code;
  // The run itself failed, not a case: a log holds a secret, for example. Repeating a file cannot make that good.
  if (!existsSync(report) || !existsSync(ended)) return code;
  const failed = JSON.parse(await readFile(report, 'utf8')) as FailedFile[];
  if (failed.length === 0) return code;
  for (const file of failed) process.stdout.write(describe(file));
  if (failed.length > maxRepeatedFiles) {
    process.stdout.write(`${failed.length} files failed: that is no stumble, and none of them runs again.\n`);
    return code;
  }
  for (const { path } of failed) {
    const again = await runJest(['--runTestsByPath', path, ...kindOf([path])]);
    if (again !== 0) {
      process.stdout.write(`${relative(root, path)} failed twice.\n`);
      return again;
    }
  }
  process.stdout.write(`Passed when repeated: ${failed.map(({ path }) => relative(root, path)).join(', ')}\n`);
  return 0;
}

/**
 * Returns the options for suites and long files. Jest finds only `*.test.ts` by itself. The options follow the paths, or Jest takes a path
 * for a value.
 */
function kindOf(paths: readonly string[]): string[] {
  const kinds = ['suite', 'long'].filter((kind) => paths.some((path) => new RegExp(`\\.${kind}(\\.ts)?$`).test(path)));
  return kinds.flatMap((kind) => ['--testMatch', `**/*.${kind}.ts`]);
}

function describe({ path, firstFailure, load, pauseMs }: FailedFile): string {
  const machine = `load ${load.toFixed(1)}, longest pause of the event loop ${pauseMs} ms`;
  return `\nFailed at first: ${relative(root, path)} (${machine})\n${firstFailure}\n`;
}

function runJest(options: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, [...jest, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...filesInMemory(process.env),
      ...shiftedClock(process.env['TEST_CLOCK'], folder),
      ...environment,
    },
  });
  // A terminal's interruption reaches Jest directly. Jest ends its PostgreSQL, and then this process ends with Jest's code.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

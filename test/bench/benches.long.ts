// The benches that compare with servers of their own run here once and briefly: their sides start, answer alike, and store what they
// acknowledge, or the bench ends with an error. No figure is checked.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const limitMs = 600_000;

const sidesOf: Record<string, string[]> = {
  inbound: [
    'Leadwire',
    'node:http + pg, the same promises',
    'Express + pg that promises nothing',
    'node:http + pg that promises nothing',
    'Express, no database',
  ],
  status: ['Leadwire', 'node:http + pg, the same promises', 'node:http + pg that promises nothing'],
  leads: ['Leadwire', 'node:http + pg, the same promises', 'node:http + pg that promises nothing'],
  inbox: ['Leadwire', 'Mercurius + graphql-jit + pg', 'PostGraphile 5', 'node:http + pg'],
  dispatch: [
    'Leadwire',
    'pg-boss worker, the same gateway and answers',
    'node:http, posts to the same gateway only',
    'pg-boss without messages, batches of 48',
  ],
};

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['test/bench/install.ts'], { cwd: repository });
}, limitMs);

test.each(Object.entries(sidesOf))(
  '%s',
  async (name, sides) => {
    const bench = ['--import', './test/support/typescript-loader.ts', 'test/bench/bench.ts', '--brief', name];
    const options = { cwd: repository, timeout: limitMs, maxBuffer: 1e7 };
    const { stdout } = await promisify(execFile)(process.execPath, bench, options);
    for (const side of sides) expect(stdout).toContain(`\n| ${side} | `);
  },
  limitMs,
);

// The benches that compare with servers of their own run here once and briefly: their sides start, answer alike, and store what they
// acknowledge, or the bench ends with an error. So does the bench that stores years of messages by SQL, which a new column can break.
// No figure is checked.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const limitMs = 600_000;

/** The rows that each bench prints: its sides, or its calls. */
const rowsOf: Record<string, string[]> = {
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
  years: ['a new message, and its live event', 'the longest conversation, newest page', 'a search for a rare word'],
};

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['test/bench/install.ts'], { cwd: repository });
}, limitMs);

test.each(Object.entries(rowsOf))(
  '%s',
  async (name, rows) => {
    const bench = ['--import', './test/support/typescript-loader.ts', 'test/bench/bench.ts', '--brief', name];
    const options = { cwd: repository, timeout: limitMs, maxBuffer: 1e7 };
    const { stdout } = await promisify(execFile)(process.execPath, bench, options);
    for (const row of rows) expect(stdout).toContain(`\n| ${row} | `);
  },
  limitMs,
);

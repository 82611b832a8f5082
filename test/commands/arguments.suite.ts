// Every built command answers --help, and names an argument that it does not know. It does nothing else then.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productFolder } from '../../src/config/product.js';
import { compileCache } from '../faults/service-process.js';

// The limit is far longer than an answer takes: a command that starts its work instead is ended, and its test fails.
const patienceMs = 60_000;

export function describeArguments(): void {
  let folder: string;
  let commands: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-arguments-'));
    const bundle = await readFile(join(productFolder, 'src/dev/bundle.ts'), 'utf8');
    const [, entries = ''] = /const entries = \[([^\]]+)\]/.exec(bundle) ?? [];
    commands = [...entries.matchAll(/'([^']+)'/g)].map(([, entry = '']) => entry);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function run(command: string, args: string[]) {
    // In a folder of its own, with the environment of nobody: whatever a command began there would be seen.
    const options = { cwd: folder, env: { ...compileCache, PATH: process.env['PATH'] }, timeout: patienceMs };
    const script = join(productFolder, 'dist', `${command}.js`);
    return new Promise<{ command: string; code: unknown; stdout: string; stderr: string }>((settle) => {
      execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
        settle({ command, code: error === null ? 0 : error.code, stdout, stderr }),
      );
    });
  }

  const runEach = async (args: string[]) => {
    const outcomes: Awaited<ReturnType<typeof run>>[] = [];
    for (const command of commands) outcomes.push(await run(command, args));
    return outcomes;
  };

  test('there are commands', () => {
    expect(commands).toEqual(expect.arrayContaining(['main', 'dev/dev', 'commands/tenant', 'commands/doctor']));
  });

  test('--help prints the usage, and nothing is begun', async () => {
    for (const outcome of await runEach(['--help']))
      expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /), stderr: '' });
    expect(await readdir(folder)).toEqual([]);
  });

  test.each(['--nonsense', 'nonsense'])(
    '%s is refused by a sentence that names it, with the usage',
    async (argument) => {
      for (const outcome of await runEach([argument])) {
        expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('\nUsage: ') });
        expect(outcome.stderr.split('\n')[0]).toContain(argument);
      }
      expect(await readdir(folder)).toEqual([]);
    },
  );
}

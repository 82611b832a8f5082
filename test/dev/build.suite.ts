// The build of a checkout, with tools that only note that they ran: one build at a time, and no part twice.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slow } from '../support/slow.js';

const buildFile = fileURLToPath(new URL('../../src/dev/build.ts', import.meta.url));

export function describeBuild(): void {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'leadwire-build-'));
    for (const folder of ['src/dev', 'prisma', 'node_modules/.bin'])
      await mkdir(join(checkout, folder), { recursive: true });
    await copyFile(buildFile, join(checkout, 'src/dev/build.ts'));
    await write('package.json', '{ "type": "module" }');
    for (const source of ['package-lock.json', 'prisma.config.ts', 'prisma/schema.prisma']) await write(source, '');
    await writeLoneTool('prisma', 'mkdir -p src/platform/prisma');
    await writeLoneTool('tsc', 'mkdir -p dist/modules && echo compiled > dist/modules/main.js');
    await write(
      'src/dev/bundle.ts',
      `import { appendFileSync, writeFileSync } from 'node:fs';
       appendFileSync('ran', 'bundle\\n');
       writeFileSync('dist/main.js', '');`,
    );
  });
  afterEach(() => rm(checkout, { recursive: true, force: true }));

  const write = (path: string, text: string) => writeFile(join(checkout, path), text);

  /** Writes a tool that fails where another one is at work. */
  const writeLoneTool = (name: string, work: string) =>
    writeTool(name, `mkdir busy || exit 1\necho ${name} >> ran\nsleep 0.3\n${work}\nrmdir busy`);

  /** Writes a tool that runs beside others. */
  const writeFreeTool = (name: string, work: string) => writeTool(name, `echo ${name} >> ran\n${work}`);

  async function writeTool(name: string, script: string): Promise<void> {
    const path = join('node_modules/.bin', name);
    await write(path, `#!/bin/sh\n${script}\n`);
    await chmod(join(checkout, path), 0o755);
  }

  /** @returns the exit code, and what it says */
  function build(...options: string[]): Promise<{ code: number; stderr: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, ['src/dev/build.ts', ...options], { cwd: checkout }, (error, _stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stderr }),
      );
    });
  }

  const ran = async () => (await readFile(join(checkout, 'ran'), 'utf8')).trim().split('\n');
  const locks = async () => (await readdir(join(checkout, 'dist'))).filter((name) => name.startsWith('.building'));

  test('two at once run one after the other, and the second makes no part again that has not changed', async () => {
    expect((await Promise.all([build('--server'), build('--server')])).map(({ code }) => code)).toEqual([0, 0]);
    expect(await ran()).toEqual(['prisma', 'tsc', 'bundle', 'tsc']);
    expect(await locks()).toEqual([]);
  });

  slow('a part is made again once its sources or its result have changed', async () => {
    await build('--server');
    await write('prisma/schema.prisma', 'changed');
    await build('--server');
    await rm(join(checkout, 'dist/main.js'));
    await build('--server');
    expect(await ran()).toEqual(['prisma', 'tsc', 'bundle', 'prisma', 'tsc', 'tsc', 'bundle']);
  });

  test('a build that fails says which tool, and the next one does not wait for it', async () => {
    await writeLoneTool('tsc', 'rmdir busy; exit 2');
    expect(await build('--server')).toEqual({ code: 1, stderr: 'tsc failed (2)\n' });
    expect(await locks()).toEqual([]);
    await writeLoneTool('tsc', 'mkdir -p dist/modules');
    expect((await build('--server')).code).toBe(0);
    expect(await ran()).toEqual(['prisma', 'tsc', 'tsc', 'bundle']);
  });

  slow(
    'the operations of the console are made before it, and again once the schema or one of them has changed',
    async () => {
      // The console is built beside the server, so its tools do not run alone.
      const operations = 'src/console/api/operations.ts';
      await writeFreeTool('graphql-codegen', `mkdir -p src/console/api && cat schema.graphql > ${operations}`);
      await writeFreeTool(
        'vite',
        `test -f ${operations} && mkdir -p dist/console-new && touch dist/console-new/index.html`,
      );
      const buildConsole = async () => {
        expect(await build()).toEqual({ code: 0, stderr: '' });
        return (await ran()).filter((tool) => tool === 'graphql-codegen' || tool === 'vite');
      };
      for (const folder of ['src/docs', 'src/console/pages/lead'])
        await mkdir(join(checkout, folder), { recursive: true });
      await write('codegen.ts', '');
      await write('schema.graphql', 'the first');
      const both = ['graphql-codegen', 'vite'];
      expect(await buildConsole()).toEqual(both);
      expect(await buildConsole()).toEqual(both);
      await write('schema.graphql', 'another');
      expect(await buildConsole()).toEqual([...both, ...both]);
      await write('src/console/pages/lead/lead.graphql', 'query');
      expect(await buildConsole()).toEqual([...both, ...both, ...both]);
    },
  );

  slow('a console that is being built, or cannot be built, leaves the former one in its place', async () => {
    const shown = () => readFile(join(checkout, 'dist/console/index.html'), 'utf8');
    const buildAnew = async (work: string) => {
      await writeFreeTool('graphql-codegen', 'mkdir -p src/console/api && touch src/console/api/operations.ts');
      await writeFreeTool('vite', `rm -rf dist/console-new; mkdir -p dist/console-new; ${work}`);
      await write('package.json', `{ "type": "module", "description": ${JSON.stringify(work)} }`);
      return build();
    };
    await mkdir(join(checkout, 'src/docs'), { recursive: true });
    for (const source of ['codegen.ts', 'schema.graphql']) await write(source, '');
    expect(await buildAnew('echo first > dist/console-new/index.html')).toEqual({ code: 0, stderr: '' });
    expect(await shown()).toBe('first\n');
    expect((await buildAnew('exit 3')).stderr).toBe('vite failed (3)\n');
    expect(await shown()).toBe('first\n');
    const seen = 'cp dist/console/index.html seen; echo second > dist/console-new/index.html';
    expect((await buildAnew(seen)).code).toBe(0);
    expect(await readFile(join(checkout, 'seen'), 'utf8')).toBe('first\n');
    expect(await shown()).toBe('second\n');
    const left = (await readdir(join(checkout, 'dist'))).filter((name) => name.startsWith('console'));
    expect(left).toEqual(['console']);
  });

  test('--help says what it builds, and an argument that it does not know is named; nothing is built', async () => {
    expect(await build('--help')).toEqual({ code: 0, stderr: '' });
    expect(await build('--serve')).toEqual({ code: 2, stderr: expect.stringContaining('no argument --serve.') });
    expect(await readdir(checkout)).not.toContain('ran');
  });

  test('the lock of a build that was killed is taken over', async () => {
    const killed = spawn('true');
    await once(killed, 'exit');
    await mkdir(join(checkout, 'dist'));
    await write('dist/.building', String(killed.pid));
    expect((await build('--server')).code).toBe(0);
    expect(await locks()).toEqual([]);
  });
}

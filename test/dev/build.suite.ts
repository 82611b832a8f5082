// The build of a checkout, with tools that only note that they ran: one build at a time, and no part twice.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
    await writeTool('prisma', 'mkdir -p src/platform/prisma');
    await writeTool('tsc', 'mkdir -p dist/modules && echo compiled > dist/modules/main.js');
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
  async function writeTool(name: string, work: string): Promise<void> {
    const path = join('node_modules/.bin', name);
    await write(path, `#!/bin/sh\nmkdir busy || exit 1\necho ${name} >> ran\nsleep 0.3\n${work}\nrmdir busy\n`);
    await chmod(join(checkout, path), 0o755);
  }

  /** @returns the exit code, and what it says */
  function build(): Promise<{ code: number; stderr: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, ['src/dev/build.ts', '--server'], { cwd: checkout }, (error, _stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stderr }),
      );
    });
  }

  const ran = async () => (await readFile(join(checkout, 'ran'), 'utf8')).trim().split('\n');
  const locks = async () => (await readdir(join(checkout, 'dist'))).filter((name) => name.startsWith('.building'));

  test('two at once run one after the other, and the second makes no part again that has not changed', async () => {
    expect((await Promise.all([build(), build()])).map(({ code }) => code)).toEqual([0, 0]);
    expect(await ran()).toEqual(['prisma', 'tsc', 'bundle', 'tsc']);
    expect(await locks()).toEqual([]);
  });

  test('a part is made again once its sources or its result have changed', async () => {
    await build();
    await write('prisma/schema.prisma', 'changed');
    await build();
    await rm(join(checkout, 'dist/main.js'));
    await build();
    expect(await ran()).toEqual(['prisma', 'tsc', 'bundle', 'prisma', 'tsc', 'tsc', 'bundle']);
  });

  test('a build that fails says which tool, and the next one does not wait for it', async () => {
    await writeTool('tsc', 'rmdir busy; exit 2');
    expect(await build()).toEqual({ code: 1, stderr: 'tsc failed (2)\n' });
    expect(await locks()).toEqual([]);
    await writeTool('tsc', 'mkdir -p dist/modules');
    expect((await build()).code).toBe(0);
    expect(await ran()).toEqual(['prisma', 'tsc', 'tsc', 'bundle']);
  });

  test('the lock of a build that was killed is taken over', async () => {
    const killed = spawn('true');
    await once(killed, 'exit');
    await mkdir(join(checkout, 'dist'));
    await write('dist/.building', String(killed.pid));
    expect((await build()).code).toBe(0);
    expect(await locks()).toEqual([]);
  });
}

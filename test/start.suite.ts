// The start of the product: the version of Node, the address, and the sentences about its environment. Its end when npm gets a signal.
// start.long.ts starts a process for each of them.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FileStore } from '../src/clients/object-store/file-store.js';
import { nodeProblem, oldestNode } from '../src/node-version.js';
import { requireDataFolder } from '../src/platform/folder.js';
import { failureOf } from './failing-start.js';
import { ServiceProcess } from './faults/service-process.js';
import { until } from './features/messages/sending-harness.js';
import { slow } from './support/slow.js';
import { TestApp, type TestEnvironment } from './support/test-app.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outsideAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** The product's files that npm scripts start, without their extension. */
const entries = ['main', 'dev/dev', 'commands/tenant', 'commands/doctor', 'commands/encrypt-anew'];

export function describeStart(): void {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  async function startApi(environment: TestEnvironment) {
    const started = await TestApp.start({ PROCESS_ROLE: 'api', ...environment }, database);
    return { app: started.app, stop: () => started.stop({ keepDatabase: true }) };
  }

  const answers = (host: string, port: number) =>
    fetch(`http://${host}:${port}/health/live`).then(
      ({ status }) => status === 200,
      () => false,
    );

  describe('on a Node that is too old', () => {
    test.each(['20.20.2', '22.21.0', '24.8.1'])('%s is refused by a sentence', (version) => {
      expect(nodeProblem(version)).toMatch(
        new RegExp(`needs Node ${oldestNode} or newer, and this is Node ${version}`),
      );
    });

    test.each(['24.9.0', '24.21.0', '25.0.0', process.versions.node])('%s is good enough', (version) => {
      expect(nodeProblem(version)).toBeUndefined();
    });

    test.each(entries)('%s says so before it imports anything else, and exits with 1', async (entry) => {
      const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`;
      const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, `dist/${entry}.js`];
      const started = promisify(execFile)(process.execPath, args, { cwd: root, env: {} });
      await expect(started).rejects.toMatchObject({ code: 1, stderr: `${nodeProblem('20.19.0')}\n` });
      const source = await readFile(`${root}/src/${entry}.ts`, 'utf8');
      const imports = [...source.matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from);
      expect(imports).toEqual([expect.stringMatching(/^\.{1,2}\/node-version\.js$/)]);
    });

    test('no script of npm starts another entry', async () => {
      const { scripts } = JSON.parse(await readFile(`${root}/package.json`, 'utf8')) as {
        scripts: Record<string, string>;
      };
      const started = Object.values(scripts).flatMap((script) => [...script.matchAll(/dist\/([\w/-]+)\.js/g)]);
      const generating = 'commands/emit-files';
      expect(
        [...new Set(started.map(([, entry = '']) => entry))]
          .filter((entry) => entry !== generating)
          .toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(entries.toSorted((a, b) => a.localeCompare(b)));
    });

    test('package.json and the README name the same', async () => {
      const { engines } = JSON.parse(await readFile(`${root}/package.json`, 'utf8')) as { engines: { node: string } };
      expect(`${engines.node.slice(2)}.0`).toBe(oldestNode);
      expect(await readFile(`${root}/README.md`, 'utf8')).toContain(`Node ${engines.node.slice(2)} or newer`);
    });
  });

  describe('by npm', () => {
    slow('a SIGTERM for npm drains the server and ends it', async () => {
      const service = await ServiceProcess.startByNpm(database, { CORS_ORIGIN: 'https://app.example' });
      const { port } = service;
      try {
        expect(await answers('127.0.0.1', port)).toBe(true);
        expect(await answers('localhost', port)).toBe(true);
        // Three calls that a proxy seems to have passed on are noticed once.
        for (let count = 0; count < 3; count += 1)
          await fetch(`${service.url}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.1' } });
        service.signal('SIGTERM');
        await service.untilLogged('stopped');
        expect([0, 143, null]).toContain((await service.ended).code);
        await until(
          () => answers('127.0.0.1', port),
          (isAnswered) => !isAnswered,
        );
        expect(service.log).toContain('"draining"');
      } finally {
        await service.end('SIGKILL');
      }
      expect(service.log.split('X-Forwarded-For was sent, and TRUST_PROXY is false')).toHaveLength(2);
      const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8')) as { version: string };
      expect(JSON.parse(service.log.split('\n')[0] ?? '')).toMatchObject({ msg: 'Leadwire starts', version });
      expect(service.log).toContain(
        'CORS_ORIGIN is not a variable of this service and has no effect. Did you mean CORS_ORIGINS?',
      );
    });
  });

  // The first process of a container ignores a signal that it does not listen to.
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends a process that is still starting, by its own exit',
    async (signal) => {
      const silent = createServer().listen(0, '127.0.0.1');
      try {
        await once(silent, 'listening');
        const { port } = silent.address() as AddressInfo;
        const starting = ServiceProcess.begin({ url: `postgresql://nobody@127.0.0.1:${port}/none` });
        await once(silent, 'connection');
        expect(await starting.end(signal)).toEqual({ code: 0, signal: null });
      } finally {
        silent.close();
      }
    },
  );

  describe('HOST', () => {
    const production = { NODE_ENV: 'production' };

    test.each<[string, TestEnvironment, boolean]>([
      ['unset outside production: this machine alone', {}, false],
      ['unset in production: every address', production, true],
      ['127.0.0.1 in production: this machine alone', { ...production, HOST: '127.0.0.1' }, false],
      ['0.0.0.0 outside production: every address', { HOST: '0.0.0.0' }, true],
    ])('%s', async (_, environment, fromOutside) => {
      const { app, stop } = await startApi(environment);
      try {
        expect(await answers('127.0.0.1', app.port)).toBe(true);
        // A machine without a network has no other address to connect to.
        if (outsideAddress !== undefined) expect(await answers(outsideAddress, app.port)).toBe(fromOutside);
      } finally {
        await stop();
      }
    });

    test('an address of another machine is named in the refusal', async () => {
      await expect(startApi({ HOST: '192.0.2.1' })).rejects.toThrow(
        /^HOST 192\.0\.2\.1 is not an address of this machine/,
      );
    });
  });

  describe('where it cannot start', () => {
    let folder: string;
    let file: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'leadwire-start-'));
      // PostgreSQL's own user would have its data elsewhere if it could not enter.
      await chmod(folder, 0o755);
      file = join(folder, 'file');
      await writeFile(file, '');
    });
    afterAll(() => rm(folder, { recursive: true }));

    const sentenceOf = (path: string) =>
      `DATA_DIR ${path} cannot be used: it is a file, or lies below one. Choose a folder that this user can write to.\n`;

    test('main says that DATA_DIR cannot be used, in one sentence', async () => {
      expect(await failureOf('main', { DATA_DIR: file, PORT: '0' })).toBe(sentenceOf(file));
    });

    test('a folder below a file, and one where the kernel makes none, cannot be DATA_DIR either', async () => {
      for (const path of [file, join(file, 'below')])
        await expect(requireDataFolder(path)).rejects.toThrow(sentenceOf(path).trimEnd());
      await expect(requireDataFolder('/proc/leadwire')).rejects.toThrow(
        /^DATA_DIR \/proc\/leadwire cannot be used: .*\. Choose a folder that this user can write to\.$/,
      );
    });

    test('a MEDIA_STORE where no folder can be made is named', async () => {
      await expect(new FileStore('/proc/leadwire').start()).rejects.toThrow(
        /^MEDIA_STORE: the folder \/proc\/leadwire cannot be written/,
      );
    });

    test('development says that PORT is taken before it starts anything', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const environment = { DATA_DIR: join(folder, 'data'), PORT: String(port) };
      try {
        expect(await failureOf('dev/dev', environment)).toBe(
          `PORT ${port} is in use. Stop the program that uses it, or choose another port.\n`,
        );
        expect(await readdir(join(folder, 'data'))).not.toContain('postgres');
      } finally {
        taken.close();
      }
    });
  });
}

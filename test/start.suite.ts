// The start of the built product: the version of Node, the address, and the sentences about its environment. Its end when npm gets a
// signal.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeProblem, oldestNode } from '../src/node-version.js';
import { ServiceProcess } from './faults/service-process.js';
import { until } from './features/messages/sending-harness.js';
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

  const answers = (host: string, port: number) =>
    fetch(`http://${host}:${port}/health/live`).then(
      ({ status }) => status === 200,
      () => false,
    );

  describe('on a Node that is too old', () => {
    test.each(['20.20.2', '22.14.0'])('%s is refused by a sentence', (version) => {
      expect(nodeProblem(version)).toMatch(
        new RegExp(`needs Node ${oldestNode} or newer, and this is Node ${version}`),
      );
    });

    test.each(['22.15.0', '22.20.1', '24.0.0', process.versions.node])('%s is good enough', (version) => {
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
      const generating = 'commands/emit-schema';
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
    test('a SIGTERM for npm drains the server and ends it', async () => {
      const service = await ServiceProcess.startByNpm(database, { CORS_ORIGIN: 'https://app.example' });
      const { port } = service;
      try {
        expect(await answers('127.0.0.1', port)).toBe(true);
        expect(await answers('localhost', port)).toBe(true);
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

  test('a proxy that is not configured is noticed once, by its X-Forwarded-For', async () => {
    const service = await ServiceProcess.start(database, { PROCESS_ROLE: 'api', TRUST_PROXY: 'false' });
    const trusting = await ServiceProcess.start(database, { PROCESS_ROLE: 'api', TRUST_PROXY: '1' });
    const ask = ({ url }: ServiceProcess) =>
      fetch(`${url}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.1' } });
    for (let count = 0; count < 3; count += 1) await Promise.all([ask(service), ask(trusting)]);
    await Promise.all([service, trusting].map((one) => one.end('SIGTERM')));
    expect(service.log.split('X-Forwarded-For was sent, and TRUST_PROXY is false')).toHaveLength(2);
    expect(trusting.log).not.toContain('X-Forwarded-For');
  });

  describe('HOST', () => {
    const production = { NODE_ENV: 'production', TRUST_PROXY: 'false', SHUTDOWN_DELAY_MS: '0', PROCESS_ROLE: 'api' };

    test.each([
      ['unset outside production: this machine alone', { PROCESS_ROLE: 'api' }, false],
      ['unset in production: every address', production, true],
      ['127.0.0.1 in production: this machine alone', { ...production, HOST: '127.0.0.1' }, false],
      ['0.0.0.0 outside production: every address', { PROCESS_ROLE: 'api', HOST: '0.0.0.0' }, true],
    ])('%s', async (_, environment, fromOutside) => {
      const service = await ServiceProcess.start(database, environment);
      try {
        expect(await answers('127.0.0.1', service.port)).toBe(true);
        // A machine without a network has no other address to connect to.
        if (outsideAddress !== undefined) expect(await answers(outsideAddress, service.port)).toBe(fromOutside);
      } finally {
        await service.end('SIGTERM');
      }
    });

    test('an address of another machine is named in the refusal', async () => {
      await expect(ServiceProcess.start(database, { HOST: '192.0.2.1' })).rejects.toThrow(
        /HOST 192\.0\.2\.1 is not an address of this machine/,
      );
    });
  });

  describe('where it cannot start', () => {
    let folder: string;
    let taken: Server;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'leadwire-start-'));
      await writeFile(join(folder, 'file'), '');
      taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
    });
    afterAll(async () => {
      taken.close();
      await rm(folder, { recursive: true });
    });

    const secrets = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: '0123456789abcdef'.repeat(4) };

    /** @returns the entry's output on stderr, after it has ended with 1 */
    async function failureOf(entry: string, environment: Record<string, string>): Promise<string> {
      const env = { PATH: process.env['PATH'], NODE_ENV: 'development', HOST: '127.0.0.1', ...secrets, ...environment };
      const started = promisify(execFile)(process.execPath, [`dist/${entry}.js`], { cwd: root, env, timeout: 100_000 });
      const { code, stderr } = await started.then(
        () => ({ code: 0, stderr: '' }),
        (error: { code: number; stderr: string }) => error,
      );
      expect(code).toBe(1);
      return stderr;
    }

    const folders: [string, string][] = [
      ['a file', 'file'],
      ['a folder below a file', 'file/below'],
    ];

    test.each(['main', 'dev/dev'])('%s says that DATA_DIR cannot be used, in one sentence', async (entry) => {
      for (const [, path] of folders) {
        const dataDir = join(folder, path);
        expect(await failureOf(entry, { DATA_DIR: dataDir, PORT: '0' })).toBe(
          `DATA_DIR ${dataDir} cannot be used: it is a file, or lies below one. Choose a folder that this user can write to.\n`,
        );
      }
      // The kernel creates no folder there for any user: `mkdir` says that it does not exist.
      expect(await failureOf(entry, { DATA_DIR: '/proc/leadwire', PORT: '0' })).toMatch(
        /^DATA_DIR \/proc\/leadwire cannot be used: .*\. Choose a folder that this user can write to\.\n$/,
      );
    });

    test('a MEDIA_STORE where no folder can be made is named', async () => {
      const environment = {
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        MEDIA_STORE: 'file:/proc/leadwire',
        PORT: '0',
      };
      expect(await failureOf('main', environment)).toMatch(
        /^MEDIA_STORE: the folder \/proc\/leadwire cannot be written/m,
      );
    });

    test.each(['PORT', 'METRICS_PORT'])(
      'development says that %s is taken before it starts anything',
      async (variable) => {
        const { port } = taken.address() as AddressInfo;
        const environment = {
          DATA_DIR: join(folder, 'data'),
          PORT: '0',
          METRICS_HOST: '127.0.0.1',
          [variable]: String(port),
        };
        expect(await failureOf('dev/dev', environment)).toBe(
          `${variable} ${port} is in use. Stop the program that uses it, or choose another port.\n`,
        );
        expect(await readdir(join(folder, 'data'))).not.toContain('postgres');
      },
    );
  });
}

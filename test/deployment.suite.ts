// The deployment names only existing things: the services, settings and files of docker-compose.yml, and those of the Dockerfile.
// faults/topology.suite.ts runs the same topology as processes.

import { execFile } from 'node:child_process';
import { access, readFile, readdir, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { configVariables } from '../src/config/variables.js';
import { loadConfig } from '../src/config/config.js';
import { filledIn, readComposition, secrets, type Service } from './support/composition.js';

const run = promisify(execFile);
const fileOf = (name: string) => new URL(`../${name}`, import.meta.url);

export function describeDeployment(): void {
  test('two processes for callers, two that send, a proxy, PostgreSQL and Redis', async () => {
    const { services } = await readComposition();
    const always = Object.keys(services).filter((name) => services[name]?.profiles === undefined);
    expect(always.toSorted()).toEqual(['api', 'postgres', 'proxy', 'redis', 'worker']);
    for (const role of ['api', 'worker']) {
      const { environment, deploy, build } = services[role]!;
      expect({ role: environment?.['PROCESS_ROLE'], deploy, build }).toEqual({
        role,
        deploy: { replicas: 2, resources: { limits: { memory: '${LEADWIRE_MEMORY:-1g}' } } },
        build: '.',
      });
    }
    expect(always.filter((name) => services[name]?.ports !== undefined)).toEqual(['proxy']);
  });

  test('profiles add a proxy with TLS, and Prometheus with Grafana', async () => {
    const { services } = await readComposition();
    const profileOf = Object.fromEntries(
      Object.entries(services).flatMap(([name, { profiles = [] }]) => profiles.map((profile) => [name, profile])),
    );
    expect(profileOf).toEqual({ 'proxy-tls': 'tls', prometheus: 'monitoring', grafana: 'monitoring' });
    expect(services['proxy-tls']).toMatchObject({
      image: services['proxy']!.image,
      configs: services['proxy']!.configs,
    });
    // The monitoring services listen on this machine only.
    for (const name of ['prometheus', 'grafana'])
      expect(services[name]!.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  test('every image has its version, every log its bound, and every service comes back', async () => {
    const { services } = await readComposition();
    for (const [name, { build, image, restart, logging }] of Object.entries(services)) {
      if (build === undefined) expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+/)]);
      expect([name, restart, logging?.options]).toEqual([
        name,
        'unless-stopped',
        { 'max-size': '20m', 'max-file': '5' },
      ]);
    }
  });

  test('.env names another database, another Redis and more proxies', async () => {
    const { services } = await readComposition();
    const env = {
      ...secrets,
      DATABASE_URL: 'postgresql://u:p@db.example/x',
      REDIS_URL: 'rediss://r.example',
      TRUST_PROXY: '2',
    };
    expect(loadConfig(filledIn(services['api']!.environment, env))).toMatchObject({
      databaseUrl: env.DATABASE_URL,
      redisUrl: env.REDIS_URL,
      trustProxy: 2,
    });
    expect(loadConfig(filledIn(services['api']!.environment))).toMatchObject({
      databaseUrl: 'postgresql://leadwire:password@postgres:5432/leadwire',
      redisUrl: 'redis://redis:6379',
      trustProxy: 1,
    });
  });

  test.each(['api', 'worker'])('the settings of %s are known, enough to start, and hold no secret', async (role) => {
    const { services } = await readComposition();
    const environment = services[role]!.environment ?? {};
    expect(Object.keys(environment).filter((name) => !(name in configVariables))).toEqual([]);
    expect(loadConfig(filledIn(environment))).toMatchObject({ environment: 'production', processRole: role });
    for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) expect(environment[name]).toMatch(/^\$\{\w+:\?/);
  });

  test.each(['api', 'worker'])('%s is given the time that it may take to end', async (role) => {
    const { services } = await readComposition();
    const { environment, stop_grace_period: period = '' } = services[role]!;
    const { delayMs, timeoutMs } = loadConfig(filledIn(environment)).shutdown;
    expect(period).toMatch(/^\d+s$/);
    expect(Number.parseInt(period, 10) * 1_000).toBeGreaterThan(delayMs + timeoutMs);
  });

  test('what services refer to is there', async () => {
    const { services, volumes, configs } = await readComposition();
    for (const [name, service] of Object.entries(services)) {
      const missing = [
        ...Object.keys(service.depends_on ?? {}).filter((other) => services[other]?.healthcheck === undefined),
        ...(await missingVolumes(service, volumes)),
        ...(service.configs ?? []).map(({ source }) => source).filter((source) => !(source in configs)),
      ];
      expect({ name, missing }).toEqual({ name, missing: [] });
    }
    expect(configs['caddyfile']?.content).toContain('dynamic a api 4000');
    expect(services['proxy']?.ports).toEqual(['127.0.0.1:4000:4000']);
  });

  async function missingVolumes(
    { volumes: wanted = [] }: Service,
    volumes: Record<string, unknown>,
  ): Promise<string[]> {
    const sources = wanted.map((volume) => volume.split(':')[0]!);
    const isFile = async (source: string) =>
      source.startsWith('./') &&
      access(fileOf(source)).then(
        () => true,
        () => false,
      );
    const files = await Promise.all(sources.map(isFile));
    return sources.filter((source, index) => files[index] === false && !(source in volumes));
  }

  test('the Dockerfile copies what is there, and runs as nobody special', async () => {
    const lines = (await readFile(fileOf('Dockerfile'), 'utf8')).split('\n');
    const copied = lines.flatMap((line) =>
      (/^COPY (?!--from)(.*) \S+$/.exec(line)?.[1] ?? '').split(' ').filter(Boolean),
    );
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'prisma', 'src']));
    for (const name of copied) await expect(access(fileOf(name))).resolves.toBeUndefined();
    expect(lines).toContain('USER node');
    expect(lines.filter((line) => line.startsWith('FROM node:')).every((line) => line.startsWith('FROM node:24'))).toBe(
      true,
    );
  });

  describe('garbage of JavaScript is bounded', () => {
    const starts: [string, RegExp][] = [
      ['package.json', /"start": "exec node (.*) dist/],
      ['Dockerfile', /^CMD \["node", "(.*)", "dist/m],
      ['src/docs/operate.md', /^ExecStart=\S+ (.*) dist/m],
    ];

    /** Returns the arguments that each start passes to Node.js before the entry, in the order of `starts`. */
    async function argumentsOfStarts(): Promise<string[][]> {
      const texts = await Promise.all(starts.map(([name]) => readFile(fileOf(name), 'utf8')));
      return starts.map(([, line], index) => line.exec(texts[index] ?? '')?.[1]?.split(/", "| /) ?? []);
    }

    test('npm start, the image and the service of systemd start Node.js alike', async () => {
      const [npm = [], image, service] = await argumentsOfStarts();
      expect(npm).toEqual(expect.arrayContaining(['--max-semi-space-size=16', '--heap-growing-percent=75']));
      expect([image, service]).toEqual([npm, npm]);
    });

    test('Node.js knows them, and keeps young memory to its bound', async () => {
      const [npm = []] = await argumentsOfStarts();
      // The script keeps enough objects alive to make the space grow.
      const script = `
        const kept = [];
        for (let round = 0; round < 1_500; round += 1)
          kept[round % 400] = Array.from({ length: 2_000 }, (_, index) => ({ index }));
        const spaces = process.getBuiltinModule('node:v8').getHeapSpaceStatistics();
        console.log(spaces.find(({ space_name: name }) => name === 'new_space').space_size);`;
      const { stdout } = await run(process.execPath, [...npm, '--eval', script]);
      // The space has two halves: one is filled, the other receives the surviving objects.
      expect(Number(stdout)).toBeGreaterThan(0);
      expect(Number(stdout)).toBeLessThanOrEqual(2 * 16 * 1_024 * 1_024);
    });
  });

  describe('the image holds what production runs, and nothing else', () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const entries = ['dist/main.js', 'dist/commands/tenant.js', 'dist/commands/encrypt-anew.js'];
    const maxMegabytes = 188;

    interface LockedPackage {
      dev?: boolean;
      optional?: boolean;
      devOptional?: boolean;
    }

    /** Lists the folders of the packages that `npm ci --omit=dev --omit=optional` installs. */
    async function listInstalled(): Promise<string[]> {
      const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, LockedPackage>;
      };
      const wanted = ({ dev, optional, devOptional }: LockedPackage) => !dev && !optional && !devOptional;
      return Object.entries(lock.packages).flatMap(([path, locked]) => (path !== '' && wanted(locked) ? [path] : []));
    }

    /** Lists the paths that the build removes from `dist`, as the Dockerfile names them. */
    async function listRemoved(): Promise<RegExp[]> {
      const [, names = ''] = /^RUN rm -r (.*)$/m.exec(await readFile(fileOf('Dockerfile'), 'utf8')) ?? [];
      return names
        .split(' ')
        .map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(?:/|$)`));
    }

    /** Returns a module's imports: those that it always loads, and those that it loads only at need. */
    async function importsOf(path: string): Promise<{ always: string[]; atNeed: string[] }> {
      const text = await readFile(join(root, path), 'utf8');
      const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, from = '']) => from);
      return {
        always: all(/^(?:import|export)(?:[^'"`;]* from)? ?['"]([^'"]+)['"]/gm),
        atNeed: all(/\bimport\(['"]([^'"]+)['"]\)/g),
      };
    }

    /** Returns every package and every own file that the entries load. `atNeed` holds the files that are loaded under a condition. */
    async function reach(): Promise<{ files: Set<string>; packages: Set<string>; atNeed: Set<string> }> {
      const [files, packages, atNeed] = [new Set<string>(), new Set<string>(), new Set<string>()];
      const pending = [...entries];
      for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
        if (files.has(path)) continue;
        files.add(path);
        const imports = await importsOf(path);
        // The entry imports all its modules in this way, after the check of Node's version.
        const always = path === 'dist/main.js' ? [...imports.always, ...imports.atNeed] : imports.always;
        for (const from of always) {
          if (from.startsWith('.')) pending.push(join(path, '..', from));
          else if (!isBuiltin(from)) packages.add(packageOf(from));
        }
        if (path === 'dist/main.js') continue;
        for (const from of imports.atNeed) {
          if (from.startsWith('.')) atNeed.add(join(path, '..', from));
          else if (!isBuiltin(from)) packages.add(packageOf(from));
        }
      }
      return { files, packages, atNeed };
    }

    const packageOf = (from: string) => from.split('/', from.startsWith('@') ? 2 : 1).join('/');

    test('what it leaves out of dist is not loaded, and is all of development', async () => {
      const removed = await listRemoved();
      const isRemoved = (path: string) => removed.some((pattern) => pattern.test(path));
      const { files, atNeed } = await reach();
      expect(files.size).toBeGreaterThan(200);
      expect([...files].filter(isRemoved)).toEqual([]);
      // This file is loaded where DATABASE_URL is unset, which production refuses.
      expect([...atNeed].filter(isRemoved)).toEqual(['dist/dev/embedded-postgres/embedded-postgres.js']);
      for (const path of ['dist/dev/dev.js', 'dist/dev/demo/fill-demo.js', 'dist/simulator/gateway-simulator.js'])
        expect([path, isRemoved(path)]).toEqual([path, true]);
    });

    test('every package that is loaded is installed without the development’s and the optional ones', async () => {
      const installed = await listInstalled();
      const { packages } = await reach();
      expect(packages.size).toBeGreaterThan(20);
      expect([...packages].filter((name) => !installed.includes(`node_modules/${name}`))).toEqual([]);
      const dockerfile = await readFile(fileOf('Dockerfile'), 'utf8');
      expect(dockerfile).toMatch(/ AS packages\n[^#]*RUN npm ci --omit=dev --omit=optional\n/);
      expect(dockerfile).toContain('COPY --from=packages /app/node_modules node_modules');
      expect(dockerfile).not.toContain('--from=build /app/node_modules');
    });

    test(`what is installed takes ${maxMegabytes} MB at most`, async () => {
      const sizes = await Promise.all((await listInstalled()).map((path) => sizeOf(join(root, path))));
      const megabytes = sizes.reduce((sum, size) => sum + size, 0) / (1_024 * 1_024);
      expect(megabytes).toBeGreaterThan(50);
      expect(megabytes).toBeLessThanOrEqual(maxMegabytes);
    });

    /** Returns the size on disk without nested packages, which stand in the list themselves. */
    async function sizeOf(folder: string): Promise<number> {
      let bytes = 0;
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : await sizeOf(path);
        else if (entry.isFile()) bytes += (await stat(path)).blocks * 512;
      }
      return bytes;
    }
  });
}

// The deployment names only existing things: the services, settings and files of docker-compose.yml, and those of the Dockerfile.
// faults/topology.suite.ts runs the same topology as processes.

import { execFile } from 'node:child_process';
import { access, readFile, readdir, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { configVariables } from '../src/config/variables.js';
import { loadConfig } from '../src/config/config.js';
import { parse } from 'yaml';
import { readExample } from './faults/cluster-settings.js';
import { filledIn, readComposition, secrets, type Composition, type Service } from './support/composition.js';
import { copyImageFolder } from './support/image-folder.js';

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

  test('the guide of clusters has images with versions, bounded logs, and the files that it mounts', async () => {
    const lines = ['  postgres:', '  etcd:', '  haproxy:'];
    const examples = await Promise.all(lines.map((line) => readExample('yaml', line)));
    const services = examples.map((text) => Object.values((parse(text) as Composition).services)[0]!);
    expect(services.map(({ build, image }) => build ?? image)).toEqual([
      '.',
      expect.stringMatching(/^quay\.io\/coreos\/etcd:v3\.5\.\d+$/),
      expect.stringMatching(/^haproxy:\d+\.\d+\.\d+$/),
    ]);
    for (const { restart, logging } of services)
      expect([restart, logging?.options]).toEqual(['unless-stopped', { 'max-size': '20m', 'max-file': '5' }]);
    expect(services.flatMap(({ volumes = [] }) => volumes)).toEqual([
      './config.yml:/etc/patroni/config.yml:ro',
      './pgbackrest.conf:/etc/pgbackrest.conf:ro',
      // The parent of Patroni's data_dir.
      'postgres:/var/lib/postgresql',
      'etcd:/etcd',
      './haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro',
    ]);
    const { postgresql } = parse(await readExample('yaml', 'scope: leadwire')) as { postgresql: { data_dir: string } };
    expect(postgresql.data_dir).toMatch(/^\/var\/lib\/postgresql\//);
    const image = await readExample('dockerfile', 'USER postgres');
    expect(image).toContain('CMD ["patroni", "/etc/patroni/config.yml"]');
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
    let folder: string;
    let files: string[];

    beforeAll(async () => {
      folder = await copyImageFolder();
      const entries = await readdir(join(folder, 'dist'), { recursive: true });
      files = entries.filter((path) => path.endsWith('.js') && !path.startsWith('console/'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** Returns what a file imports: a package's name, or a path that starts with a dot. The bundler writes double quotes. */
    async function importsOf(file: string): Promise<string[]> {
      const text = await readFile(join(folder, 'dist', file), 'utf8');
      const imports = text.matchAll(/(?:^(?:import|export)\b[^'"`;]*|\bimport\()"([^"]+)"/gm);
      return [...imports].map(([, from = '']) => from);
    }

    test('every entry and file that is loaded is there, but for the embedded database, which production refuses', async () => {
      expect(files).toEqual(
        expect.arrayContaining(['main.js', 'commands/tenant.js', 'commands/doctor.js', 'commands/encrypt-anew.js']),
      );
      const missing = new Set<string>();
      for (const file of files)
        for (const from of await importsOf(file))
          if (from.startsWith('.') && !files.includes(join(file, '..', from))) missing.add(join(file, '..', from));
      expect([...missing]).toEqual(['dev/embedded-postgres.js']);
    });

    test('no package is asked for, but for two that packages try and do without', async () => {
      const asked = (await Promise.all(files.map(importsOf))).flat();
      const packages = asked.filter((from) => !from.startsWith('.') && !isBuiltin(from));
      expect(new Set(packages)).toEqual(new Set(['class-validator', '@node-rs/xxhash']));
    });

    test('nothing of development is in it', async () => {
      const maps = await Promise.all(
        files.map((file) => readFile(join(folder, 'dist', `${file}.map`), 'utf8').catch(() => '{"sources":[]}')),
      );
      const sources = maps.flatMap((map) => (JSON.parse(map) as { sources: string[] }).sources);
      expect(sources.length).toBeGreaterThan(500);
      expect(sources.filter((path) => /\/(?:dev|simulator)\//.test(path))).toEqual([]);
      expect(await readdir(folder)).toEqual(expect.not.arrayContaining(['node_modules', 'src']));
    });
  });
}

// What is deployed names only what is there: docker-compose.yml's services, settings and files, and the Dockerfile's. The same topology runs
// as processes in faults/topology.test.ts.

import { access, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { configVariables } from '../src/config-variables.js';
import { loadConfig } from '../src/config.js';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  configs?: { source: string }[];
  stop_grace_period?: string;
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

interface Composition {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  configs: Record<string, { content: string }>;
}

const fileOf = (name: string) => new URL(`../${name}`, import.meta.url);

async function readComposition(): Promise<Composition> {
  return parse(await readFile(fileOf('docker-compose.yml'), 'utf8'), { merge: true }) as Composition;
}

const secrets: Record<string, string> = {
  POSTGRES_PASSWORD: 'password',
  JWT_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
};

/** As Compose fills it in from `.env`. */
function filledIn(environment: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => secrets[variable] ?? ''),
    ]),
  );
}

test('two processes for callers, two that send, a proxy, PostgreSQL and Redis', async () => {
  const { services } = await readComposition();
  expect(Object.keys(services).toSorted()).toEqual(['api', 'postgres', 'proxy', 'redis', 'worker']);
  for (const role of ['api', 'worker']) {
    const { environment, deploy, build } = services[role]!;
    expect({ role: environment?.['PROCESS_ROLE'], deploy, build }).toEqual({
      role,
      deploy: { replicas: 2 },
      build: '.',
    });
  }
  expect(Object.entries(services).flatMap(([name, { ports }]) => (ports === undefined ? [] : [name]))).toEqual([
    'proxy',
  ]);
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
      ...(service.volumes ?? []).map((volume) => volume.split(':')[0]!).filter((volume) => !(volume in volumes)),
      ...(service.configs ?? []).map(({ source }) => source).filter((source) => !(source in configs)),
    ];
    expect({ name, missing }).toEqual({ name, missing: [] });
  }
  expect(configs['caddyfile']?.content).toContain('dynamic a api 4000');
  expect(services['proxy']?.ports).toEqual(['127.0.0.1:4000:4000']);
});

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

// The processes of docker-compose.yml, with its settings and its proxy, behind TLS: from a fresh database to a lead in the console's inbox.
// They run from the file system of the image, where LEADWIRE_IMAGE_ROOT names it (as root, by chroot), and elsewhere from a copy of its
// files, where no package is installed.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ServiceProcess } from '../faults/service-process.js';
import { until } from '../features/messages/sending-harness.js';
import { filledIn, readComposition, secrets, type Composition } from '../support/composition.js';
import { caddyInstalled, startCaddy } from '../support/caddy.js';
import { copyImageFolder } from '../support/image-folder.js';
import { RedisServer, freePort, redisServerInstalled, steadyPort } from '../support/redis-server.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const run = promisify(execFile);
const imageRoot = process.env['LEADWIRE_IMAGE_ROOT'];
const canRun = redisServerInstalled() && caddyInstalled();
const whenInstalled = canRun ? describe : describe.skip;
/** The time for which an ending process takes calls: calls that are made at once arrive within it, on a slow machine too. */
const SHUTDOWN_DELAY_MS = '5000';
/** The ids of the image's `USER node`. */
const imageUser = '1000:1000';

/** The copy of the image's files. */
let imageFolder = '';

/** Returns a command of the image: Node's options, then a script below the image's folder, and its arguments. */
function commandOf(...args: string[]): string[] {
  if (imageRoot === undefined)
    return [process.execPath, ...args.map((part) => (part.startsWith('dist/') ? join(imageFolder, part) : part))];
  const inFolder = 'cd /app && exec node "$@"';
  return ['chroot', `--userspec=${imageUser}`, imageRoot, 'sh', '-c', inFolder, 'node', ...args];
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** The site as callers reach it: with TLS, and the certificate checked against the proxy's own authority. */
class Site {
  private constructor(
    readonly port: number,
    private readonly agent: Agent,
  ) {}

  static async at(port: number, authority: string): Promise<Site> {
    await until(
      () => Promise.resolve(existsSync(authority)),
      (isThere) => isThere,
    );
    const ca = await readFile(authority);
    return new Site(port, new Agent({ ca, keepAlive: true, maxSockets: 20 }));
  }

  async call(method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<Answer> {
    const sent = request({
      agent: this.agent,
      host: 'localhost',
      port: this.port,
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  close(): void {
    this.agent.destroy();
  }
}

whenInstalled(`docker-compose.yml, from ${imageRoot ?? 'the files of the image'}`, () => {
  const resources = new AsyncDisposableStack();
  let composition: Composition;
  let database: TestDatabase;
  let apis: ServiceProcess[];
  let workers: ServiceProcess[];
  let site: Site;
  let apiKey: string;
  let commandSettings: Record<string, string>;
  let authority: string;

  /** Returns a service's settings as Compose sets them; ports are free ones, because all processes run on one machine. */
  function settingsOf(service: 'api' | 'worker', redis: RedisServer): Record<string, string> {
    const env = { ...secrets, DATABASE_URL: database.url, REDIS_URL: redis.url, SHUTDOWN_DELAY_MS };
    const given = filledIn(composition.services[service]!.environment, env);
    const data: Record<string, string> =
      imageRoot === undefined
        ? {}
        : { DATA_DIR: '.data', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
    return { ...env, ...given, ...data, PORT: '0', HOST: '127.0.0.1', METRICS_PORT: '0', METRICS_HOST: '127.0.0.1' };
  }

  async function startProxy(): Promise<Site> {
    const port = await freePort();
    const ports = apis.map(({ port: own }) => own);
    const { folder } = await startCaddy({
      composition,
      service: 'proxy-tls',
      address: `https://localhost:${port}`,
      ports,
      resources,
    });
    authority = join(folder, 'caddy/pki/authorities/local/root.crt');
    const started = await Site.at(port, authority);
    await until(
      () => started.call('GET', '/health/ready').catch(() => undefined),
      (answer) => answer?.status === 200,
    );
    return started;
  }

  beforeAll(async () => {
    composition = await readComposition();
    imageFolder = await copyImageFolder();
    resources.defer(() => rm(imageFolder, { recursive: true, force: true }));
    const redis = new RedisServer(await steadyPort());
    await redis.start();
    resources.defer(() => redis.stop());
    database = await createTestDatabase('template1');
    const start = (role: 'api' | 'worker') =>
      ServiceProcess.startBy(commandOf('--enable-source-maps', 'dist/main.js'), database, settingsOf(role, redis));
    const replicas = (role: 'api' | 'worker') =>
      Promise.all(Array.from({ length: composition.services[role]!.deploy!.replicas }, () => start(role)));
    [apis, workers] = await Promise.all([replicas('api'), replicas('worker')]);
    resources.defer(async () => {
      await Promise.all([...apis, ...workers].map((service) => service.end('SIGKILL')));
    });
    const create = ['create', '--name', 'Acme Ltda', '--admin-email', 'ana@acme.example', '--admin-idp-sub', 'ana'];
    const [file = '', ...args] = commandOf('dist/commands/tenant.js', ...create);
    commandSettings = settingsOf('api', redis);
    const { stdout } = await run(file, args, { env: commandSettings });
    apiKey = /^api key: (\S+)$/m.exec(stdout)?.[1] ?? '';
    site = await startProxy();
    resources.defer(() => site.close());
  }, 120_000);

  afterAll(() => resources.disposeAsync());

  const leadOf = (number: number) => ({ name: `Lead ${number}`, chat: `55119870000${10 + number}`, source: 'site' });
  const postLead = (number: number) => site.call('POST', '/webhooks/leads', { 'x-tenant-key': apiKey }, leadOf(number));

  test('every process is of the kind that its service is, and has found Redis', async () => {
    expect([apis.length, workers.length]).toEqual([2, 2]);
    const { status, body } = await site.call('GET', '/health/ready');
    expect([status, JSON.parse(body)]).toEqual([200, expect.not.objectContaining({ degraded: expect.anything() })]);
  });

  test('a lead comes in through the proxy, once, and browsers are told to stay with TLS', async () => {
    const [first, again] = [await postLead(1), await postLead(1)];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(JSON.parse(again.body)).toMatchObject({ id: JSON.parse(first.body).id });
    expect(first.headers['strict-transport-security']).toContain('max-age=');
  });

  test('the doctor tells what to do about a certificate of an authority that Node does not know', async () => {
    const [file = '', ...args] = commandOf('dist/commands/doctor.js', '--json');
    const findings = async (more: Record<string, string>) => {
      const env = { ...commandSettings, PUBLIC_URL: `https://localhost:${site.port}`, ...more };
      const { stdout } = await run(file, args, { env }).catch((error: { stdout: string }) => error);
      return stdout;
    };
    expect(await findings({})).toMatch(/"public-url".*"failed".*NODE_EXTRA_CA_CERTS/s);
    // The image's own file system does not have the file.
    if (imageRoot !== undefined) return;
    expect(await findings({ NODE_EXTRA_CA_CERTS: authority })).toMatch(/Leadwire answers there\./);
  });

  test('the console is served, by the name that callers use', async () => {
    const { status, headers, body } = await site.call('GET', '/');
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(body) ?? [];
    expect((await site.call('GET', script)).status).toBe(200);
  });

  test('a forged X-Forwarded-For does not change whom the limit counts', async () => {
    const remaining = async (forged: string) => {
      const { headers } = await site.call('GET', '/auth/config', { 'x-forwarded-for': forged });
      return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    };
    const counts = [await remaining('203.0.113.1'), await remaining('203.0.113.2'), await remaining('203.0.113.3')];
    expect(counts.every(Number.isInteger)).toBe(true);
    expect(counts.toSorted((one, other) => other - one)).toEqual(counts);
    expect(new Set(counts).size).toBe(3);
  });

  test('a process may go: callers notice nothing, and it ends in order', async () => {
    const leaving = apis[0]!.end('SIGTERM');
    const answers = await Promise.all(Array.from({ length: 30 }, (_, number) => postLead(20 + number)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await leaving).toEqual({ code: 0, signal: null });
    // Old versions of Caddy close a body with their first try, and answer 502: senders repeat such a call.
    const repeated = await until(
      () => postLead(90),
      ({ status }) => status < 500,
    );
    expect(repeated.status).toBe(201);
  });

  test('all end in order, and none has met a fault', async () => {
    const ends = await Promise.all([apis[1]!, ...workers].map((service) => service.end('SIGTERM')));
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null })));
    expect([...apis, ...workers].flatMap(({ faults, crash }) => [...faults, crash].filter(Boolean))).toEqual([]);
  });
});

// Two installations, each with a database of its own, behind one proxy that places tenants by host name: the Caddyfile of
// operate-databases.md. One database may go away, and a tenant moves from one to the other while it is written to.

import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { print } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { hasCode } from '../../src/platform/observability/fault.js';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { ServiceProcess } from '../faults/service-process.js';
import { gatewayToken, until } from '../features/messages/sending-harness.js';
import { caddyInstalled } from '../support/caddy.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { Subscription, query } from '../support/graphql-client.js';
import { MessageReceivedDocument, SendMessageDocument, UpdateTenantDocument } from '../support/operations.js';
import { freePort } from '../support/redis-server.js';
import { TestApp, jwtSecret, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { runEnvironment } from '../support/run-environment.js';

const run = promisify(execFile);
const whenCaddy = caddyInstalled() ? describe : describe.skip;
const guide = new URL('../../src/docs/operate-databases.md', import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));
const contact = '4915100000001';

interface Answer {
  status: number;
  body: Record<string, any>;
}

/** Turns an ended connection into a missing answer; any other error is thrown again. */
function connectionEnded(error: unknown): undefined {
  if (!hasCode(error, 'ECONNRESET') && !hasCode(error, 'EPIPE')) throw error;
}

/** Processes for callers and for sending, on one database. */
interface Installation {
  database: TestDatabase;
  /** Creates tenants, and reads the database without the processes. */
  setUp: TestApp;
  platform: TestTenant;
  processes: ServiceProcess[];
}

whenCaddy('two installations with a database each, behind one proxy', () => {
  const resources = new AsyncDisposableStack();
  let gateway: ScriptedGateway;
  let link: DatabaseProxy;
  let first: Installation;
  let second: Installation;
  let folder: string;
  let port: number;
  let [anna, bruno, carla]: TestTenant[] = [];
  const places = new Map<string, string>();

  async function install(database: TestDatabase): Promise<Installation> {
    const settings = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken, HOST: '127.0.0.1' };
    const start = (role: 'api' | 'worker') => ServiceProcess.start(database, { ...settings, PROCESS_ROLE: role });
    const processes = await Promise.all([start('api'), start('worker')]);
    resources.defer(async () => void (await Promise.all(processes.map((service) => service.end('SIGKILL')))));
    const setUp = await TestApp.start({ PROCESS_ROLE: 'api' }, database);
    resources.defer(() => setUp.stop());
    return { database, setUp, processes, platform: await setUp.createTenant() };
  }

  /** Writes the Caddyfile of the guide, with the addresses of this machine. */
  async function writeCaddyfile(): Promise<void> {
    const [, content = ''] = /```caddyfile\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8')) ?? [];
    const addressed = content
      .replaceAll(/10\.0\.1\.\d+:4000(?: 10\.0\.1\.\d+:4000)*/g, `127.0.0.1:${first.processes[0]!.port}`)
      .replaceAll(/10\.0\.2\.\d+:4000(?: 10\.0\.2\.\d+:4000)*/g, `127.0.0.1:${second.processes[0]!.port}`);
    expect(addressed).not.toContain('10.0.');
    await writeFile(join(folder, 'Caddyfile'), `{\n  admin unix/${join(folder, 'admin.sock')}\n}\n${addressed}`);
  }

  const environment = () => ({ ...runEnvironment, HOME: folder, SITE_ADDRESS: `http://:${port}` });

  async function writeMap(): Promise<void> {
    const lines = [...places].map(([host, where]) => `${host} ${where}\n`);
    await writeFile(join(folder, 'tenants.map'), lines.join(''));
  }

  async function place(tenant: TestTenant, where: string): Promise<void> {
    places.set(hostOf(tenant), where);
    await writeMap();
    const socket = ['--address', `unix/${join(folder, 'admin.sock')}`];
    await run('caddy', ['reload', '--config', 'Caddyfile', ...socket], { cwd: folder, env: environment() });
  }

  const hostOf = ({ slug }: TestTenant) => `${slug}.leads.example`;

  async function call(host: string, path: string, body: object, headers: Record<string, string>): Promise<Answer> {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { host, 'content-type': 'application/json', ...headers },
    });
    sent.end(JSON.stringify(body));
    const [response] = await once(sent, 'response');
    const answer = await text(response);
    return { status: response.statusCode, body: answer.startsWith('{') ? JSON.parse(answer) : {} };
  }

  const writeIn = (tenant: TestTenant, messageId: string, host = hostOf(tenant)) =>
    call(host, '/webhooks/chat/gateway/inbound', { messageId, from: contact, text: messageId }, withKey(tenant));

  const ask = (tenant: TestTenant, document: string, variables: object, host = hostOf(tenant)) =>
    call(host, '/graphql', { query: document, variables }, withToken(tenant.operator));

  async function sendOut(tenant: TestTenant, leadId: string): Promise<string> {
    const { body } = await ask(tenant, print(SendMessageDocument), { input: { leadId, body: 'Oi' } });
    if (body['errors'] !== undefined) throw new Error(JSON.stringify(body));
    return body['data'].sendMessage.id as string;
  }

  const sentKeys = () => gateway.requests.map(({ headers }) => String(headers['idempotency-key']));

  const messagesIn = async ({ setUp }: Installation, tenant: TestTenant): Promise<string[]> => {
    const rows = await setUp.sql<{ id: string }>(
      `SELECT external_id AS id FROM messages WHERE tenant_id = $1 AND direction = 'INBOUND' ORDER BY 1`,
      [tenant.id],
    );
    return rows.map(({ id }) => id);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-test-databases-'));
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    let count = 0;
    gateway = await ScriptedGateway.start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messageId: `provider-${(count += 1)}` }));
    });
    resources.defer(() => gateway.close());
    link = await DatabaseProxy.to(await createTestDatabase('template1'));
    resources.defer(() => link.close());
    [first, second] = await Promise.all([install(await createTestDatabase('template1')), install(link.database)]);
    [anna, bruno, carla] = [
      await first.setUp.createTenant(),
      await second.setUp.createTenant(),
      await first.setUp.createTenant(),
    ];
    port = await freePort();
    await writeCaddyfile();
    places.set(hostOf(bruno), 'second');
    await writeMap();
    const options = { cwd: folder, env: environment(), stdio: 'ignore' } as const;
    const proxy = spawn('caddy', ['run', '--config', 'Caddyfile'], options);
    resources.defer(async () => {
      proxy.kill();
      if (proxy.exitCode === null) await once(proxy, 'exit');
    });
    await until(
      () => writeIn(anna!, 'ready').catch(() => undefined),
      (answer) => answer?.status === 200,
    );
  });

  afterAll(() => resources.disposeAsync());

  function listen(tenant: TestTenant): Subscription<{ messageReceived: { externalId: string | null } }> {
    class AtHost extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { headers: { host: hostOf(tenant) } });
      }
    }
    const client = createClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: AtHost,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${tenant.operator.token}` },
    });
    resources.defer(() => client.dispose());
    return new Subscription(client, MessageReceivedDocument);
  }

  /** Checks that a message comes in, is heard, read and answered. */
  async function expectToWork(tenant: TestTenant): Promise<void> {
    const subscription = listen(tenant);
    let leadId = '';
    const written: string[] = [];
    await until(
      async () => {
        const messageId = randomUUID();
        const { status, body } = await writeIn(tenant, messageId);
        expect(status).toBe(200);
        leadId = body['results'][0].leadId;
        written.push(messageId);
        return subscription.received.map(({ messageReceived }) => messageReceived.externalId);
      },
      (heard) => heard.some((externalId) => written.includes(externalId ?? '')),
    );
    const { body } = await ask(tenant, 'query ($id: ID!) { lead(id: $id) { id } }', { id: leadId });
    expect(body).toEqual({ data: { lead: { id: leadId } } });
    const sent = await sendOut(tenant, leadId);
    await until(sentKeys, (keys) => keys.includes(sent));
  }

  test('each tenant is served from its own database, and nothing of it is in the other', async () => {
    await expectToWork(anna!);
    await expectToWork(bruno!);
    expect((await messagesIn(first, anna!)).length).toBeGreaterThan(0);
    expect((await messagesIn(second, bruno!)).length).toBeGreaterThan(0);
    expect([await messagesIn(second, anna!), await messagesIn(first, bruno!)]).toEqual([[], []]);
  });

  test("a tenant's key and token open nothing at the other's name", async () => {
    const statuses = await Promise.all([
      writeIn(anna!, 'stray', hostOf(bruno!)),
      writeIn(bruno!, 'stray', hostOf(anna!)),
      ask(anna!, '{ leads(first: 1) { totalCount } }', {}, hostOf(bruno!)),
      ask(bruno!, '{ leads(first: 1) { totalCount } }', {}, hostOf(anna!)),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test('while one database is away, tenants of the other notice nothing; then all go on', async () => {
    link.cut();
    const refused = await until(
      () => writeIn(bruno!, 'away'),
      ({ status }) => status !== 200,
    );
    expect(refused.status).toBe(503);
    for (let number = 0; number < 20; number += 1) expect((await writeIn(anna!, randomUUID())).status).toBe(200);
    await expectToWork(anna!);
    link.restore();
    await until(
      () => writeIn(bruno!, 'away'),
      ({ status }) => status === 200,
    );
    await expectToWork(bruno!);
  });

  async function tenantCommand(to: Installation, ...args: string[]): Promise<string> {
    const env = {
      ...runEnvironment,
      DATABASE_URL: to.database.url,
      JWT_SECRET: jwtSecret,
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      TRUST_PROXY: 'false',
    };
    const { stdout } = await run(process.execPath, ['dist/commands/tenant.js', ...args], { cwd: root, env });
    return stdout;
  }

  const turn = ({ setUp, platform }: Installation, { id }: TestTenant, isActive: boolean) =>
    query(setUp, platform.admin, UpdateTenantDocument, { id, input: { isActive } });

  test('a tenant moves while it is written to: nothing is lost, and nothing is sent twice', async () => {
    await expectToWork(carla!);
    const written: string[] = [];
    const refusals = new Set<number>();
    const writing = new AbortController();
    // The writer repeats the same call until it is accepted, as a gateway does. The proxy closes connections when its addresses change.
    const writer = async () => {
      while (!writing.signal.aborted) {
        const messageId = randomUUID();
        await until(
          () => writeIn(carla!, messageId).catch(connectionEnded),
          (answer) => {
            if (answer !== undefined && answer.status !== 200) refusals.add(answer.status);
            return answer?.status === 200;
          },
        );
        written.push(messageId);
      }
    };
    const writers = Array.from({ length: 4 }, writer);
    await until(
      () => written.length,
      (count) => count > 40,
    );
    const { body } = await writeIn(carla!, randomUUID());
    const sent = await Promise.all(
      Array.from({ length: 30 }, () => sendOut(carla!, body['results'][0].leadId as string)),
    );
    const file = join(folder, 'carla.tenant');
    await place(carla!, 'moving');
    await turn(first, carla!, false);
    const out = await tenantCommand(first, 'move-out', '--tenant', carla!.slug, '--file', file);
    expect(await tenantCommand(second, 'move-in', '--file', file)).toBe(out);
    await turn(second, carla!, true);
    await place(carla!, 'second');
    const before = written.length;
    await until(
      () => written.length,
      (count) => count > before + 40,
    );
    writing.abort();
    await Promise.all(writers);

    expect([...refusals]).toEqual([503]);
    const stored = await messagesIn(second, carla!);
    expect(new Set(stored).size).toBe(stored.length);
    expect(written.filter((id) => !stored.includes(id))).toEqual([]);
    expect(await messagesIn(first, carla!)).toEqual([]);
    await until(sentKeys, (keys) => sent.every((id) => keys.includes(id)));
    await expectToWork(carla!);
    expect(sentKeys().filter((key) => sent.includes(key))).toHaveLength(sent.length);
    await expectToWork(anna!);
  });

  test('no process of the first has met a fault, and none has crashed', () => {
    expect(first.processes.flatMap(({ faults }) => faults)).toEqual([]);
    expect([...first.processes, ...second.processes].map(({ crash }) => crash).filter(Boolean)).toEqual([]);
  });
});

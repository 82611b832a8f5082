// The servers of the documents, unchanged, in front of a real application. Faults of visitors, of networks and of Leadwire end none of them
// and lose no lead.

import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPages } from './pages.js';
import { createEndpoint } from '../features/outgoing-webhooks/endpoint-harness.js';
import { until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { PingWebhookEndpointDocument } from '../support/operations.js';
import { freePort } from '../support/redis-server.js';
import { slow } from '../support/slow.js';
import { TestApp, type TestTenant } from '../support/test-app.js';
import { runEnvironment } from '../support/run-environment.js';

export function describeSnippets(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let folder: string;

  beforeAll(async () => {
    app = await TestApp.start({ WEBHOOK_ENDPOINT_ALLOWED_HOSTS: '127.0.0.1' });
    folder = await mkdtemp(join(tmpdir(), 'leadwire-snippets-'));
    const pages = (await readPages()).map(({ text }) => text).join('\n');
    for (const [, text = '', name = ''] of pages.matchAll(/```js\n(\/\/ ([\w-]+\.mjs).*?)```/gs))
      await writeFile(join(folder, name), text);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  /** A server of the documents, on a port of its own. */
  class Snippet {
    output = '';

    private constructor(
      private readonly child: ChildProcess,
      readonly port: number,
    ) {
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (this.output += text));
    }

    static async start(name: string, environment: Record<string, string>, port?: number): Promise<Snippet> {
      const own = port ?? (await freePort());
      const env = { ...runEnvironment, PORT: String(own), RETRY_MS: '50', ...environment };
      const child = spawn(process.execPath, [join(folder, name)], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const snippet = new Snippet(child, own);
      await until(
        async () => snippet.isRunning && (await fetch(snippet.url).catch(() => undefined))?.status,
        (status) => status === 405 || status === false,
      );
      expect(snippet.isRunning).toBe(true);
      return snippet;
    }

    get url(): string {
      return `http://127.0.0.1:${this.port}`;
    }

    get isRunning(): boolean {
      return this.child.exitCode === null && this.child.signalCode === null;
    }

    /** Kills the server like a loss of power. */
    async kill(): Promise<void> {
      if (!this.isRunning) return;
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }

    /** Announces more than it sends, and resets the connection. */
    async abortUpload(): Promise<void> {
      const socket = connect(this.port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\nphone=');
      // The server is reading the request when it asks for the rest.
      await once(socket, 'data');
      socket.resetAndDestroy();
      const isSeen = () => this.output.includes('aborted') || !this.isRunning;
      await until(isSeen, (seen) => seen);
      expect(this.isRunning).toBe(true);
    }

    /** @returns the status, or undefined if the connection was cut before the status could be read */
    async postTooMuch(): Promise<number | undefined> {
      const body = Buffer.alloc(4 * 1024 * 1024, 'x');
      return (await fetch(this.url, { method: 'POST', body }).catch(() => undefined))?.status;
    }
  }

  describe('form.mjs', () => {
    let form: Snippet;
    let unsent: string;

    beforeEach(async () => {
      unsent = await mkdtemp(join(folder, 'unsent-'));
    });
    afterEach(() => form.kill());

    const startForm = async (environment: Record<string, string> = {}) => {
      const own = { LEADWIRE_URL: app.url, LEADWIRE_KEY: tenant.apiKey, UNSENT_FOLDER: unsent };
      form = await Snippet.start('form.mjs', { ...own, ...environment });
    };

    /** Returns the status that the visitor receives. */
    async function submit(fields: Record<string, string>): Promise<number> {
      const body = new URLSearchParams(fields);
      return (await fetch(form.url, { method: 'POST', body, redirect: 'manual' })).status;
    }

    const newNumbers = (count: number) =>
      Array.from({ length: count }, (_, index) => `4915${randomInt(1_000, 9_999)}${1_000 + index}`);
    const submitAll = (numbers: string[]) =>
      Promise.all(numbers.map((phone) => submit({ phone, name: 'Ana', plan: 'x' })));
    const storedNumbers = async () => {
      const rows = await app.sql<{ chat: string }>('SELECT chat FROM leads WHERE tenant_id = $1', [tenant.id]);
      return rows.map(({ chat }) => chat).toSorted();
    };
    const kept = async (end = '.json') => (await readdir(unsent)).filter((name) => name.endsWith(end));

    async function expectAllStored(numbers: string[]): Promise<void> {
      await until(storedNumbers, (stored) => stored.length >= numbers.length);
      expect(await storedNumbers()).toEqual(numbers.toSorted());
      await until(kept, (files) => files.length === 0);
    }

    test('posts what visitors send, with fields of their own', async () => {
      await startForm();
      expect(await submit({ phone: '+55 11 98888-7777', name: 'Ana', plan: 'gold', chat: '1' })).toBe(303);
      const rows = await app.sql('SELECT name, chat, metadata FROM leads WHERE tenant_id = $1', [tenant.id]);
      expect(rows).toEqual([{ name: 'Ana', chat: '5511988887777', metadata: { plan: 'gold' } }]);
    });

    test('blames the visitor for a wrong number alone, and keeps nothing of it', async () => {
      await startForm();
      expect(await submit({ phone: 'none' })).toBe(422);
      expect(await readdir(unsent)).toEqual([]);
    });

    test('outlives aborted and oversized uploads', async () => {
      await startForm();
      await form.abortUpload();
      expect([413, undefined]).toContain(await form.postTooMuch());
      const numbers = newNumbers(1);
      expect(await submitAll(numbers)).toEqual([303]);
      await expectAllStored(numbers);
    });

    test('keeps leads while the key is wrong, also when it is killed, and posts them with the right one', async () => {
      await startForm({ LEADWIRE_KEY: 'wrong' });
      const numbers = newNumbers(3);
      expect(await submitAll(numbers)).toEqual([303, 303, 303]);
      expect(await storedNumbers()).toEqual([]);
      await form.kill();
      await startForm();
      await expectAllStored(numbers);
    });

    slow('posts again what was refused by the rate limit', async () => {
      const environment = { PROCESS_ROLE: 'api', THROTTLE_LIMIT: '4', THROTTLE_TTL_MS: '4000' };
      const limited = await TestApp.start(environment, app.database);
      try {
        await startForm({ LEADWIRE_URL: limited.url });
        const numbers = newNumbers(8);
        expect(await submitAll(numbers)).toEqual(numbers.map(() => 303));
        await expectAllStored(numbers);
        expect(form.output).toContain('429');
      } finally {
        await limited.stop({ keepDatabase: true });
      }
    });

    test.each(['503', 'nobody'])(
      'keeps leads while %s answers; one that is wrong holds no other up',
      async (answer) => {
        const away = createServer((request, response) => {
          request.resume();
          response.writeHead(503).end('<html>Bad gateway</html>');
        }).listen(0, '127.0.0.1');
        await once(away, 'listening');
        const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
        if (answer === 'nobody') away.close();
        await startForm({ LEADWIRE_URL: url });
        const numbers = newNumbers(3);
        expect(await submit({ phone: 'none' })).toBe(303);
        expect(await submitAll(numbers)).toEqual([303, 303, 303]);
        await form.kill();
        if (answer === '503') away.close();
        await startForm();
        await expectAllStored(numbers);
        expect(await kept('.refused')).toHaveLength(1);
      },
    );
  });

  describe('hooks.mjs', () => {
    test('keeps what is signed, refuses what is not, and outlives what breaks off', async () => {
      const port = await freePort();
      const { id, secret } = await createEndpoint(app, tenant, `http://127.0.0.1:${port}`);
      const file = join(folder, 'events.jsonl');
      const hooks = await Snippet.start('hooks.mjs', { WEBHOOK_SECRET: secret, EVENTS_FILE: file }, port);
      try {
        await hooks.abortUpload();
        expect([413, undefined]).toContain(await hooks.postTooMuch());
        const post = async (headers: Record<string, string>, body: string) =>
          (await fetch(hooks.url, { method: 'POST', headers, body })).status;
        const [key, other] = [Buffer.from(secret.replace('whsec_', ''), 'base64'), randomBytes(32)];
        for (const headers of [{}, signed(other, '{}'), { ...signed(key, '{}'), 'webhook-timestamp': 'x' }])
          expect(await post(headers, '{}')).toBe(401);
        expect(await post(signed(key, '{}'), '{ }')).toBe(401);
        expect(await post(signed(key, 'no JSON'), 'no JSON')).toBe(500);
        expect(await post(signed(key, '{}'), '{}')).toBe(204);
        const { pingWebhookEndpoint } = await query(app, tenant.admin, PingWebhookEndpointDocument, { id });
        const events = await until(
          async () =>
            (await readFile(file, 'utf8'))
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line) as object),
          (kept) => kept.length > 1,
        );
        expect(events[1]).toMatchObject({
          id: pingWebhookEndpoint.id,
          type: expect.any(String),
          data: expect.anything(),
        });
      } finally {
        await hooks.kill();
      }
    });

    function signed(key: Buffer, body: string): Record<string, string> {
      const id = 'made-up';
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    }
  });
}

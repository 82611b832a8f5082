// Posting to addresses that tenants have entered: the addresses that may be called, also behind redirects and changed DNS, and the outcome
// of each answer.

import type { LookupAddress } from 'node:dns';
import { OutboundAddressPolicy, type OutboundAddressOptions } from '../../src/clients/outbound-address-policy.js';
import { WebhookSender, type WebhookAnswer } from '../../src/clients/webhook-sender.js';
import { ScriptedGateway, answering, type Script } from '../providers/scripted-gateway.js';

const production: OutboundAddressOptions = {
  allowedHosts: [],
  allowLoopback: false,
  setting: 'WEBHOOK_ENDPOINT_ALLOWED_HOSTS',
};

const senderOf = (options: Partial<OutboundAddressOptions> = {}, timeoutMs = 20_000) =>
  new WebhookSender({ addresses: new OutboundAddressPolicy({ ...production, ...options }), timeoutMs });

const never = new AbortController().signal;
const post = (sender: WebhookSender, url: string, signal = never): Promise<WebhookAnswer> =>
  sender.post({ url, headers: { 'webhook-id': 'x' }, body: '{"a":1}' }, signal);

/** DNS that gives one of these answers to each query, and repeats the last one. */
function resolving(...answers: string[]): { options: Partial<OutboundAddressOptions>; asked: string[] } {
  const asked: string[] = [];
  const resolve: OutboundAddressOptions['resolve'] = (hostname, _options, callback) => {
    asked.push(hostname);
    const address = answers.length > 1 ? answers.shift() : answers[0];
    const found: LookupAddress[] = address === undefined ? [] : [{ address, family: address.includes(':') ? 6 : 4 }];
    setImmediate(() => callback(null, found));
  };
  return { options: { resolve }, asked };
}

export function describeWebhookSender(): void {
  let endpoint: ScriptedGateway;
  let script: Script;
  let port: string;

  beforeAll(async () => {
    endpoint = await ScriptedGateway.start((request, response) => script(request, response));
    ({ port } = new URL(endpoint.url));
  });
  beforeEach(() => {
    endpoint.requests.length = 0;
    script = answering(204, '');
  });
  afterAll(() => endpoint.close());

  describe('an address', () => {
    test.each([
      ['https://hooks.example/a?key=1', {}],
      ['https://8.8.8.8:8443', {}],
      ['https://[2606:4700:4700::1111]/', {}],
      ['http://hooks.internal:8080', { allowedHosts: ['hooks.internal'] }],
      ['https://10.1.2.3', { allowedHosts: ['10.1.0.0/16'] }],
      ['http://10.1.2.3', { allowedHosts: ['10.1.0.0/16'] }],
      ['http://127.0.0.1:9', { allowLoopback: true }],
      ['http://localhost:9', { allowLoopback: true }],
    ])('%s may be posted to with %j', (url, options) => {
      expect(senderOf(options).checkUrl(url)).toBeUndefined();
    });

    test.each([
      ['http://hooks.example', {}, /https/],
      ['http://8.8.8.8', { allowedHosts: ['hooks.internal'], allowLoopback: true }, /https/],
      ['https://ana:secret@hooks.example', {}, /credentials/],
      ['https://ana@hooks.example', {}, /credentials/],
      ['ftp://hooks.example', {}, /http/],
      ['hooks.example', {}, /http/],
    ])('%s is refused with %j', (url, options, problem) => {
      expect(senderOf(options).checkUrl(url)).toMatch(problem);
    });

    test.each([
      'https://127.0.0.1',
      'https://localhost',
      'https://127.1',
      'https://0x7f000001',
      'https://[::1]',
      'https://[::ffff:127.0.0.1]',
      'https://[::ffff:a9fe:a9fe]',
      'https://10.0.0.1',
      'https://172.16.0.1',
      'https://192.168.0.1',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1',
      'https://0.0.0.0',
      'https://0.1.2.3',
      'https://[fc00::1]',
      'https://[fe80::1]',
      'https://[64:ff9b::a9fe:a9fe]',
      'https://metadata.google.internal',
      'https://database',
    ])('%s is refused, in words that name the setting', async (url) => {
      expect(senderOf().checkUrl(url)).toMatch(/WEBHOOK_ENDPOINT_ALLOWED_HOSTS/);
      expect(await post(senderOf(), url)).toMatchObject({ outcome: 'failed', status: null });
    });
  });

  describe('a name', () => {
    test.each([
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '100.100.100.200',
      '::1',
      '::ffff:10.0.0.1',
      'fe80::1',
      '0.0.0.0',
    ])('that leads to %s when it is called is refused, and nobody learns what it leads to', async (address) => {
      const { options, asked } = resolving(address);
      const answer = await post(senderOf(options), `https://hooks.example:${port}/`);
      expect(answer).toEqual({ outcome: 'failed', status: null, detail: expect.stringMatching(/not public/) });
      expect(asked).toEqual(['hooks.example']);
    });

    test('that leads outwards when it is entered and inwards when it is called is refused', async () => {
      // The connection uses the address that was judged, so no other answer can slip in between.
      const { options, asked } = resolving('8.8.8.8', '127.0.0.1');
      const policy = new OutboundAddressPolicy({ ...production, ...options });
      const first = await new Promise((resolve) =>
        policy.lookup('hooks.example', { all: false }, (_error, address) => resolve(address)),
      );
      expect(first).toBe('8.8.8.8');
      const answer = await post(
        new WebhookSender({ addresses: policy, timeoutMs: 20_000 }),
        `https://hooks.example:${port}/`,
      );
      expect(answer).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(/not public/) });
      expect(asked).toHaveLength(2);
      expect(endpoint.requests).toEqual([]);
    });

    test("on the operator's list may lead inwards, and is called by plain http", async () => {
      const { options } = resolving('127.0.0.1');
      const sender = senderOf({ ...options, allowedHosts: ['hooks.internal'] });
      expect(await post(sender, `http://hooks.internal:${port}/a`)).toEqual({ outcome: 'delivered', status: 204 });
      expect(endpoint.requests).toMatchObject([
        { method: 'POST', path: '/a', headers: { host: `hooks.internal:${port}`, 'content-type': 'application/json' } },
      ]);
    });
  });

  describe('a redirect', () => {
    const redirecting =
      (status: number, locations: Record<string, string>): Script =>
      (request, response) => {
        const location = locations[request.path];
        if (location === undefined) answering(204, '')(request, response);
        else answering(status, '', { location })(request, response);
      };
    const local = () => senderOf({ allowLoopback: true });

    test.each([307, 308])('%d is followed with method, headers and body, three times', async (status) => {
      script = redirecting(status, { '/1': '/2', '/2': `${endpoint.url}/3`, '/3': '/4' });
      expect(await post(local(), `${endpoint.url}/1`)).toEqual({ outcome: 'delivered', status: 204 });
      expect(endpoint.requests.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4']);
      for (const { method, headers, body } of endpoint.requests)
        expect({ method, id: headers['webhook-id'], body }).toEqual({ method: 'POST', id: 'x', body: { a: 1 } });
    });

    test('a fourth time is a failure', async () => {
      script = redirecting(307, { '/1': '/2', '/2': '/3', '/3': '/4', '/4': '/5' });
      const answer = await post(local(), `${endpoint.url}/1`);
      expect(answer).toEqual({
        outcome: 'failed',
        status: 307,
        detail: expect.stringMatching(/more than 3 redirects/),
      });
      expect(endpoint.requests).toHaveLength(4);
    });

    test.each([300, 301, 302, 303])('%d, which makes a GET of it, is a failure', async (status) => {
      script = redirecting(status, { '/1': '/2' });
      const answer = await post(local(), `${endpoint.url}/1`);
      expect(answer).toEqual({ outcome: 'failed', status, detail: expect.stringMatching(/not followed/) });
      expect(endpoint.requests).toHaveLength(1);
    });

    test.each([
      ['nowhere', undefined],
      ['rubbish', 'http://['],
    ])('that leads %s is a failure', async (_, location) => {
      script = answering(307, '', location === undefined ? {} : { location });
      expect(await post(local(), endpoint.url)).toMatchObject({ outcome: 'failed', status: 307 });
    });

    test.each([
      'https://10.0.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:10.0.0.1]/',
      'https://metadata.google.internal/',
      'http://hooks.example/',
      'https://ana:secret@hooks.example/',
      'file:///etc/passwd',
    ])('to %s is not followed', async (location) => {
      script = answering(307, '', { location });
      const answer = await post(local(), endpoint.url);
      expect(answer).toMatchObject({
        outcome: 'failed',
        status: null,
        detail: expect.stringMatching(/of a redirect has to/),
      });
      expect(endpoint.requests).toHaveLength(1);
    });

    test('to a name that leads inwards by then is not followed', async () => {
      const { options, asked } = resolving('127.0.0.1', '10.0.0.1');
      script = answering(308, '', { location: `https://elsewhere.example:${port}/` });
      const sender = senderOf({ ...options, allowedHosts: ['hooks.internal'] });
      const answer = await post(sender, `http://hooks.internal:${port}/`);
      expect(answer).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(/not public/) });
      expect(asked).toEqual(['hooks.internal', 'elsewhere.example']);
    });
  });

  describe('an answer', () => {
    const local = (timeoutMs?: number) => senderOf({ allowLoopback: true }, timeoutMs);

    test.each([200, 201, 202, 204, 299])('%d is a delivery', async (status) => {
      script = answering(status, '');
      expect(await post(local(), endpoint.url)).toEqual({ outcome: 'delivered', status });
    });

    test.each([400, 401, 404, 422, 500, 503])('%d is a failure', async (status) => {
      script = answering(status, 'the words of the endpoint');
      const answer = await post(local(), endpoint.url);
      expect(answer).toEqual({ outcome: 'failed', status, detail: `The endpoint answered ${status}.` });
    });

    test('410 is an endpoint that is gone', async () => {
      script = answering(410, '');
      expect(await post(local(), endpoint.url)).toMatchObject({ outcome: 'gone', status: 410 });
    });

    test('tells when to come again', async () => {
      script = answering(429, '', { 'retry-after': '120' });
      expect(await post(local(), endpoint.url)).toMatchObject({
        outcome: 'failed',
        status: 429,
        retryAfterSeconds: 120,
      });
    });

    test('of any size is what its status says, and is not read to its end', async () => {
      const written = { bytes: 0, isClosed: false };
      script = (_request, response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(64 * 1024);
        const write = () => {
          while (!response.destroyed && response.write(chunk)) written.bytes += chunk.length;
        };
        response.on('drain', write).on('close', () => (written.isClosed = true));
        write();
      };
      expect(await post(local(), endpoint.url)).toEqual({ outcome: 'delivered', status: 200 });
      while (!written.isClosed) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(written.bytes).toBeLessThan(64 * 1024 * 1024);
    });

    test('that does not come is a failure, and so is a connection that is closed', async () => {
      script = () => undefined;
      const answer = await post(local(200), endpoint.url);
      expect(answer).toEqual({ outcome: 'failed', status: null, detail: 'There was no answer within 0.2 s.' });
      script = (_request, response) => void response.destroy();
      expect(await post(local(), endpoint.url)).toMatchObject({
        outcome: 'failed',
        detail: expect.stringMatching(/closed/),
      });
    });

    test('whose body breaks off is what its status says', async () => {
      script = (_request, response) => void response.writeHead(200).write('a', () => response.destroy());
      expect(await post(local(), endpoint.url)).toEqual({ outcome: 'delivered', status: 200 });
    });

    test('that is not waited for any more is none', async () => {
      const aborter = new AbortController();
      script = () => aborter.abort();
      expect(await post(local(), endpoint.url, aborter.signal)).toEqual({ outcome: 'stopped' });
    });

    test('is had again where the connection that was kept has been closed meanwhile', async () => {
      const sender = local();
      const used = new WeakSet<object>();
      script = (request, response) => {
        if (response.socket !== null) used.add(response.socket);
        answering(204, '')(request, response);
      };
      expect(await post(sender, endpoint.url)).toEqual({ outcome: 'delivered', status: 204 });
      let resets = 0;
      script = (request, response) => {
        const isKept = response.socket !== null && used.has(response.socket);
        if (!isKept) return answering(204, '')(request, response);
        resets += 1;
        response.socket?.resetAndDestroy();
      };
      expect(await post(sender, endpoint.url)).toEqual({ outcome: 'delivered', status: 204 });
      expect(resets).toBe(1);
    });
  });
}

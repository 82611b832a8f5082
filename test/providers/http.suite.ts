// The outcome of a call to a gateway: answered, certainly not sent, or perhaps sent. The drivers' tests say what follows.

import { getEventListeners } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GatewayEndpoint } from '../../src/providers/chat-gateway.js';
import { OutboundAddressPolicy, type OutboundAddressOptions } from '../../src/clients/outbound-address-policy.js';
import { GatewayHttp, type GatewayCall, type GatewayHttpOptions } from '../../src/providers/http.js';
import { lostAnswers, pourForEver } from '../support/provider-fault.js';
import { ScriptedGateway, answering, type Script } from './scripted-gateway.js';

const patient = 10_000;
// A time limit in ms that still lets a busy machine connect.
const impatient = 500;

export function describeGatewayHttp(): void {
  let gateway: ScriptedGateway;
  let script: Script;
  const ports: unknown[] = [];

  beforeEach(async () => {
    ports.length = 0;
    script = answering(200, { ok: true });
    gateway = await ScriptedGateway.start((request, response) => {
      ports.push(response.socket?.remotePort);
      script(request, response);
    });
  });
  afterEach(() => gateway.close());

  function call(
    change: Partial<GatewayCall> = {},
    options: Partial<GatewayHttpOptions> = {},
    endpoint: Partial<GatewayEndpoint> = {},
  ) {
    const http = new GatewayHttp({ timeoutMs: patient, ...options });
    return callThrough(http, change, endpoint);
  }

  function callThrough(http: GatewayHttp, change: Partial<GatewayCall>, endpoint: Partial<GatewayEndpoint> = {}) {
    const whole = { baseUrl: gateway.url, token: 'the token', instanceName: 'acme', ...endpoint };
    return http.call(whole, { method: 'POST', path: ['messages'], body: {}, isRepeatable: false, ...change });
  }

  function policyResolving(resolve: NonNullable<OutboundAddressOptions['resolve']>): OutboundAddressPolicy {
    return new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: true, resolve });
  }

  const notSent = { outcome: 'notSent', code: 'GATEWAY_UNREACHABLE' };
  const unknown = { outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' };
  const tooLarge = { outcome: 'unknown', code: 'GATEWAY_ANSWER_TOO_LARGE' };
  const named = () => gateway.url.replace('127.0.0.1', 'gateway.example');

  describe.each([true, false])('nothing was sent (repeatable: %s)', (isRepeatable) => {
    test('when DNS does not know the name', async () => {
      const error = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      const addresses = policyResolving((_name, _options, callback) => callback(error, []));
      const result = await call({ isRepeatable }, { addresses }, { baseUrl: named() });
      expect(result).toMatchObject({ ...notSent, detail: expect.stringMatching(/ENOTFOUND/) });
    });

    test('when no connection comes about in time', async () => {
      const addresses = policyResolving(() => undefined);
      const result = await call({ isRepeatable }, { addresses, timeoutMs: impatient }, { baseUrl: named() });
      expect(result).toMatchObject({
        ...notSent,
        detail: expect.stringMatching(
          /^The gateway of the instance "acme" \(gateway\.example:\d+\) could not be reached within 0\.5 s$/,
        ),
      });
      expect(gateway.requests).toEqual([]);
    });

    test('when the connection is refused', async () => {
      await gateway.close();
      expect(await call({ isRepeatable })).toMatchObject({ ...notSent, detail: expect.stringMatching(/ECONNREFUSED/) });
      gateway = await ScriptedGateway.start(() => undefined);
    });

    test('when the other side cannot agree on TLS', async () => {
      const result = await call({ isRepeatable }, {}, { baseUrl: gateway.url.replace('http:', 'https:') });
      expect(result).toMatchObject(notSent);
      expect(gateway.requests).toEqual([]);
    });

    test('when the other side does not answer to TLS', async () => {
      const silent = await listen();
      const result = await call(
        { isRepeatable },
        { timeoutMs: impatient },
        { baseUrl: `https://127.0.0.1:${silent.port}` },
      );
      expect(result).toMatchObject(notSent);
      silent.close();
    });

    test('when the call was ended before', async () => {
      expect(await call({ isRepeatable, signal: AbortSignal.abort() })).toMatchObject(notSent);
      expect(gateway.requests).toEqual([]);
    });

    test('when the token cannot stand in a header', async () => {
      expect(await call({ isRepeatable, headers: { apikey: 'a\nb' } })).toMatchObject(notSent);
    });

    test.each(['http:', 'https:'])('when the name leads inwards: %s', async (scheme) => {
      const addresses = policyResolving((_name, _options, callback) =>
        callback(null, [{ address: '10.0.0.1', family: 4 }]),
      );
      const result = await call({ isRepeatable }, { addresses }, { baseUrl: named().replace('http:', scheme) });
      expect(result).toMatchObject({ outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' });
      expect(JSON.stringify(result)).not.toContain('10.0.0.1');
    });

    test.each(['', '.', '..'])('when a name of the path is "%s"', async (name) => {
      const result = await call({ isRepeatable, path: ['instances', name, 'connect'] });
      expect(result).toMatchObject({ outcome: 'permanent', code: 'INSTANCE_NAME_INVALID' });
      expect(gateway.requests).toEqual([]);
    });
  });

  describe.each([true, false])('it may have been sent (repeatable: %s)', (isRepeatable) => {
    test.each(lostAnswers)('when %s', async (_name, fault) => {
      script = fault;
      expect(await call({ isRepeatable })).toMatchObject(fault === pourForEver ? tooLarge : unknown);
      expect(gateway.requests).toHaveLength(1);
    });

    test('when the call is ended after it arrived', async () => {
      const aborter = new AbortController();
      script = () => aborter.abort();
      expect(await call({ isRepeatable, signal: aborter.signal })).toMatchObject(unknown);
    });

    test('when the answer is larger than allowed', async () => {
      script = answering(200, { words: 'x'.repeat(2_000) });
      expect(await call({ isRepeatable, maxAnswerBytes: 1_000 })).toMatchObject(tooLarge);
      expect(await call({ isRepeatable, maxAnswerBytes: 3_000 })).toMatchObject({ outcome: 'answered', status: 200 });
    });
  });

  describe('a connection', () => {
    const callTwice = async (isRepeatable: boolean, addresses?: OutboundAddressPolicy) => {
      const http = new GatewayHttp({ timeoutMs: patient, addresses });
      for (const _time of [1, 2]) await callThrough(http, { isRepeatable });
      return ports;
    };
    const policy = () => new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: true });

    test('is used again for what may be repeated', async () => {
      const [first, second] = await callTwice(true, policy());
      expect(first).toBe(second);
    });

    test.each([true, false])('is new for what may not (with a policy: %s)', async (hasPolicy) => {
      const [first, second] = await callTwice(false, hasPolicy ? policy() : undefined);
      expect(first).not.toBe(second);
    });

    test('that was kept and is closed under a call leaves it unknown', async () => {
      const http = new GatewayHttp({ timeoutMs: patient, addresses: policy() });
      await callThrough(http, { isRepeatable: true });
      script = (_request, response) => response.socket?.resetAndDestroy();
      expect(await callThrough(http, { isRepeatable: true })).toMatchObject(unknown);
      expect(ports[0]).toBe(ports[1]);
    });

    test('through the policy’s look-up reaches a name, for both', async () => {
      const addresses = policyResolving((_name, _options, callback) =>
        callback(null, [{ address: '127.0.0.1', family: 4 }]),
      );
      for (const isRepeatable of [true, false])
        expect(await call({ isRepeatable }, { addresses }, { baseUrl: named() })).toMatchObject({ status: 200 });
    });
  });

  describe('what is said of a gateway', () => {
    const detailOf = async (endpoint: Partial<GatewayEndpoint>, options: Partial<GatewayHttpOptions> = {}) => {
      const result = await call({}, options, endpoint);
      return 'detail' in result ? result.detail : result.gateway;
    };

    test('names the instance and the host; never the path, which may hold a secret', async () => {
      const baseUrl = `${gateway.url}/secret-path`;
      const host = gateway.url.replace('http://', '');
      const name = `The gateway of the instance "sales" (${host})`;
      expect(await detailOf({ baseUrl, instanceName: 'sales' })).toBe(name);
      script = () => undefined;
      const late = await detailOf({ baseUrl, instanceName: 'sales' }, { timeoutMs: impatient });
      expect(late).toBe(`${name} did not answer within 0.5 s`);
      const policy = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: false });
      const refused = await detailOf({ baseUrl, instanceName: 'sales' }, { addresses: policy });
      expect(refused).toContain(`${name} has an address that this service does not call.`);
    });

    test('does not show tenants where the configured gateway is', async () => {
      const name = 'The gateway of the instance "acme" (the service\'s own)';
      expect(await detailOf({ isConfigured: true })).toBe(name);
    });
  });

  describe('a call ends', () => {
    test('when its time is over while the answer comes', async () => {
      script = (_request, response) => void response.writeHead(200).write('{');
      const result = await call({}, { timeoutMs: impatient });
      expect(result).toMatchObject({ ...unknown, detail: expect.stringMatching(/did not answer within 0\.5 s$/) });
    });

    test.each(['before its answer', 'within its answer'])('when its caller ends it, %s', async (when) => {
      const caller = new AbortController();
      script = (_request, response) => {
        if (when === 'within its answer') response.writeHead(200).write('{');
        caller.abort();
      };
      expect(await call({ signal: caller.signal })).toMatchObject(unknown);
    });

    test('when its caller has ended it already: nothing is sent', async () => {
      const result = await call({ signal: AbortSignal.abort() });
      expect(result).toMatchObject({ ...notSent, detail: expect.stringMatching(/AbortError$/) });
      expect(gateway.requests).toHaveLength(0);
    });

    test.each([true, false])('and its caller’s signal forgets it (repeatable: %s)', async (isRepeatable) => {
      const { signal } = new AbortController();
      expect(await call({ isRepeatable, signal })).toMatchObject({ status: 200 });
      const listeners = () => getEventListeners(signal, 'abort');
      for (let turn = 0; turn < 1_000 && listeners().length > 0; turn += 1) await nextTurn();
      expect(listeners()).toHaveLength(0);
    });
  });

  describe('an answer', () => {
    test('without a body, with a method of its own and without one of ours', async () => {
      await call({ method: 'DELETE', body: undefined as never, path: ['a b', 'c/d'] });
      expect(gateway.requests).toMatchObject([{ method: 'DELETE', path: '/a%20b/c%2Fd', body: null }]);
      expect(gateway.requests[0]?.headers).not.toHaveProperty('content-type');
    });

    test('is quoted cut and without the token, whole or not', async () => {
      const answer = await call();
      if (answer.outcome !== 'answered') throw new Error(`unexpected ${answer.outcome}`);
      expect(answer.quote('a the token b\u0000')).toBe('a (token) b\uFFFD');
      expect(answer.quote('12345 the token', 10)).toBe('12345 (tok');
      expect(answer.quote('x'.repeat(5_000))).toHaveLength(1_000);
    });
  });

  /** Starts a server that accepts connections and never answers. */
  async function listen(): Promise<{ port: number; close: () => void }> {
    const sockets: { destroy: () => void }[] = [];
    const server: Server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    return { port: (server.address() as AddressInfo).port, close };
  }
}

// The protocol of the default provider, against a gateway that answers whatever a test says.

import type { InstanceResult, OutgoingMessage, SendResult } from '../../../src/providers/chat-gateway.js';
import { OutboundAddressPolicy } from '../../../src/clients/outbound-address-policy.js';
import { NeutralGateway } from '../../../src/providers/neutral/gateway.js';
import { startGatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { html, lostAnswers, slowAnswers } from '../../support/provider-fault.js';
import { ScriptedGateway, answering, outgoingText, saying, type Script } from '../scripted-gateway.js';

const patient = 10_000;
// A time limit in ms that still lets a busy machine connect.
const impatient = 500;

export function describeNeutralGateway(): void {
  let gateway: ScriptedGateway | undefined;

  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });

  async function sendTo(
    script: Script,
    change: Partial<OutgoingMessage> = {},
    timeoutMs = patient,
  ): Promise<SendResult> {
    gateway = await ScriptedGateway.start(script);
    return sendThrough(gateway.url, { ...outgoingText, ...change }, timeoutMs);
  }

  function sendThrough(baseUrl: string, outgoing: OutgoingMessage, timeoutMs: number): Promise<SendResult> {
    const endpoint = { baseUrl, token: 'the token', instanceName: 'acme' };
    return new NeutralGateway({ timeoutMs }).send(endpoint, outgoing, new AbortController().signal);
  }

  const accepted = answering(200, { messageId: '3EB0' });

  describe('the request', () => {
    test('a text goes to /messages with the token and our id as the idempotency key', async () => {
      expect(await sendTo(accepted)).toEqual({ outcome: 'accepted', externalId: '3EB0' });
      expect(gateway?.requests).toMatchObject([
        {
          method: 'POST',
          path: '/messages',
          headers: {
            authorization: 'Bearer the token',
            'idempotency-key': outgoingText.idempotencyKey,
            'content-type': 'application/json',
          },
        },
      ]);
      expect(gateway?.requests[0]?.body).toEqual({
        instance: 'acme',
        to: '5511988887777',
        type: 'text',
        text: 'Olá 👋',
      });
    });

    test('media and the message replied to go along, and a missing text is left out', async () => {
      const media = { url: 'https://files.example/a.png', mimeType: 'image/png', caption: 'A' };
      await sendTo(accepted, { type: 'image', text: null, media, replyTo: '3A54' });
      expect(gateway?.requests[0]?.body).toEqual({
        instance: 'acme',
        to: '5511988887777',
        type: 'image',
        media,
        replyTo: '3A54',
      });
    });

    test('a text of the greatest length arrives whole', async () => {
      const text = 'ü'.repeat(65_536);
      await sendTo(accepted, { text });
      expect(gateway?.requests[0]?.body).toMatchObject({ text });
    });

    test.each(['', '/', '/v1', '/v1/'])('a base URL that ends in "%s" keeps its path', async (suffix) => {
      gateway = await ScriptedGateway.start(accepted);
      await sendThrough(`${gateway.url}${suffix}`, outgoingText, patient);
      expect(gateway.requests[0]?.path).toBe(`${suffix.replace(/\/$/, '')}/messages`);
    });

    test('without a token no Authorization header is sent', async () => {
      gateway = await ScriptedGateway.start(accepted);
      const endpoint = { baseUrl: gateway.url, token: null, instanceName: 'acme' };
      await new NeutralGateway({ timeoutMs: patient }).send(endpoint, outgoingText, new AbortController().signal);
      expect(gateway.requests[0]?.headers).not.toHaveProperty('authorization');
    });
  });

  const refusal = { error: { code: '131026', message: 'Not on the network' } };

  describe('the answer', () => {
    test.each([201, 202])('%d with a messageId is accepted', async (status) => {
      expect(await sendTo(answering(status, { messageId: 'a' }))).toEqual({ outcome: 'accepted', externalId: 'a' });
    });

    test.each([408, 425, 429, 500, 502, 503, 504, 599])('%d is temporary', async (status) => {
      const result = await sendTo(answering(status, refusal));
      expect(result).toMatchObject({ outcome: 'temporary', code: '131026', detail: saying('Not on the network') });
    });

    test.each([400, 401, 403, 404, 409, 410, 413, 415, 422, 451])('%d is permanent', async (status) => {
      const result = await sendTo(answering(status, refusal));
      expect(result).toMatchObject({ outcome: 'permanent', code: '131026' });
      expect(result).toHaveProperty('detail', saying('Not on the network', '\\. [A-Z].+\\.'));
    });

    test.each([
      ['a number as code', { error: { code: 131026, message: 'No' } }, '131026'],
      ['no JSON', '<html>Bad request</html>', 'HTTP_400'],
      ['an error of another shape', { error: 'No' }, 'HTTP_400'],
      ['nothing', '', 'HTTP_400'],
    ])('an error body with %s still gives a code', async (_name, body, code) => {
      expect(await sendTo(answering(400, body))).toMatchObject({ outcome: 'permanent', code });
    });

    test.each([
      ['an object without it', { id: 'a' }],
      ['an empty one', { messageId: '' }],
      ['a number', { messageId: 7 }],
      ['one of 256 characters', { messageId: 'a'.repeat(256) }],
      ['no JSON', 'OK'],
      ['nothing', ''],
      ['null', 'null'],
    ])('2xx with %s for a messageId may have been sent', async (_name, body) => {
      expect(await sendTo(answering(200, body))).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_ANSWER_INVALID' });
    });

    test.each([
      ['whole seconds', '7', 7],
      ['a day', '86400', 86_400],
      ['zero', '0', undefined],
      ['a past date', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined],
      ['nonsense', 'soon', undefined],
    ])('Retry-After as %s', async (_name, header, seconds) => {
      const result = await sendTo(answering(429, refusal, { 'retry-after': header }));
      expect(result).toMatchObject({ outcome: 'temporary' });
      expect(result).toHaveProperty('retryAfterSeconds', seconds);
    });

    test('Retry-After as a date to come counts the seconds until then', async () => {
      const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
      const result = await sendTo(answering(503, refusal, { 'retry-after': inTenMinutes }));
      if (result.outcome !== 'temporary') throw new Error(`unexpected ${result.outcome}`);
      expect(result.retryAfterSeconds).toBeGreaterThan(500);
      expect(result.retryAfterSeconds).toBeLessThanOrEqual(600);
    });

    test.each([200, 500])('a body without end is not read to its end (%d)', async (status) => {
      let cut: () => void;
      const wasCut = new Promise<void>((resolve) => (cut = resolve));
      const result = await sendTo((_request, response) => {
        response.on('close', () => cut());
        response.writeHead(status, { 'content-type': 'application/json' });
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(16_384)));
        };
        response.on('drain', pour);
        pour();
      });
      expect(result).toMatchObject({ outcome: 'unknown' });
      await wasCut;
    });

    test.each([301, 302, 303, 307, 308])('a %d redirect is not followed, so the token stays here', async (status) => {
      const elsewhere = await ScriptedGateway.start(accepted);
      try {
        const result = await sendTo(answering(status, '', { location: `${elsewhere.url}/messages` }));
        expect(result.outcome).not.toBe('accepted');
        expect(elsewhere.requests).toEqual([]);
      } finally {
        await elsewhere.close();
      }
    });
  });

  describe('no answer', () => {
    test.each(lostAnswers)('%s: it may have been sent', async (_name, script) => {
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: expect.stringMatching(/^GATEWAY_/) });
    });

    test.each(slowAnswers)('%s within the time allowed: it may have been sent', async (_name, script) => {
      const result = await sendTo(script, {}, impatient);
      expect(result).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' });
    });

    test('nobody listens: temporary', async () => {
      const gone = await ScriptedGateway.start(accepted);
      await gone.close();
      expect(await sendThrough(gone.url, outgoingText, patient)).toMatchObject({ outcome: 'temporary' });
    });

    test('a send that the shutdown cuts off may have been sent', async () => {
      const aborter = new AbortController();
      gateway = await ScriptedGateway.start(() => aborter.abort());
      const endpoint = { baseUrl: gateway.url, token: null, instanceName: 'acme' };
      const result = await new NeutralGateway({ timeoutMs: patient }).send(endpoint, outgoingText, aborter.signal);
      expect(result).toMatchObject({ outcome: 'unknown' });
    });

    test('the keys are honoured, so all of it may be sent again', () => {
      expect(new NeutralGateway({ timeoutMs: patient }).honoursKeys).toBe(true);
    });
  });

  test('a template of the network is refused for good', async () => {
    const result = await sendTo(accepted, { template: { name: 'hello', language: 'en' } });
    expect(result).toMatchObject({ outcome: 'permanent', code: 'TEMPLATE_NOT_OFFERED' });
    expect(gateway?.requests).toEqual([]);
  });

  test.each([400, 401, 429, 500])('the token is never quoted (%d)', async (status) => {
    const answer = { error: { code: 'the token', message: 'Bearer the token is "the token"' } };
    expect(JSON.stringify(await sendTo(answering(status, answer)))).not.toContain('the token');
  });

  const instanceCalls = ['connect', 'readState', 'disconnect'] as const;

  async function callInstance(
    call: (typeof instanceCalls)[number],
    script: Script,
    instanceName = 'acme',
  ): Promise<InstanceResult> {
    await gateway?.close();
    gateway = await ScriptedGateway.start(script);
    const endpoint = { baseUrl: gateway.url, token: 'the token', instanceName };
    return new NeutralGateway({ timeoutMs: patient })[call](endpoint);
  }

  describe('an instance', () => {
    test.each([
      ['connect', 'POST', '/instances/acme/connect'],
      ['readState', 'GET', '/instances/acme'],
      ['disconnect', 'POST', '/instances/acme/disconnect'],
    ] as const)('%s is %s %s with the token', async (call, method, path) => {
      const result = await callInstance(call, answering(200, { status: 'CONNECTING' }));
      expect(result).toEqual({ outcome: 'answered', status: 'CONNECTING' });
      expect(gateway?.requests).toMatchObject([{ method, path, headers: { authorization: 'Bearer the token' } }]);
    });

    test('gives what is scanned and typed', async () => {
      const codes = { qr: 'data:image/png;base64,iVBORw0=', pairingCode: 'AB12-CD34' };
      const result = await callInstance('connect', answering(200, { status: 'CONNECTING', ...codes }));
      expect(result).toEqual({ outcome: 'answered', status: 'CONNECTING', ...codes });
    });

    test('gives its last error, without the token', async () => {
      const result = await callInstance(
        'readState',
        answering(200, { status: 'ERROR', lastError: 'the token is void' }),
      );
      expect(result).toEqual({ outcome: 'answered', status: 'ERROR', lastError: '(token) is void' });
    });

    test('is as well without what the gateway has not or writes wrongly', async () => {
      const answer = answering(200, { status: 'CONNECTED', qr: null, pairingCode: 7, lastError: null });
      for (const call of instanceCalls)
        expect(await callInstance(call, answer)).toEqual({ outcome: 'answered', status: 'CONNECTED' });
    });

    test.each<[string, Script]>([
      ['a state that nobody knows', answering(200, { status: 'ASLEEP' })],
      ['no state', answering(200, {})],
      ['rubbish', answering(200, 'OK')],
      ['HTML', html(502)],
      ['an error', answering(500, refusal)],
      ...lostAnswers,
    ])('answered with %s can be called again', async (_name, script) => {
      for (const call of instanceCalls)
        expect(await callInstance(call, script)).toMatchObject({ outcome: 'temporary' });
    });

    test('answered with Retry-After says when', async () => {
      const result = await callInstance('connect', answering(429, refusal, { 'retry-after': '7' }));
      expect(result).toEqual({
        outcome: 'temporary',
        code: '131026',
        detail: saying('Not on the network'),
        retryAfterSeconds: 7,
      });
    });

    test.each([301, 400, 401, 404])('refused with %d is refused for good, and says what to do', async (status) => {
      const result = await callInstance('connect', answering(status, refusal));
      expect(result).toMatchObject({
        outcome: 'permanent',
        code: '131026',
        detail: expect.stringMatching(/\. [A-Z].+\.$/),
      });
    });

    test.each(['.', '..'])('named "%s" is not called', async (name) => {
      for (const call of instanceCalls) {
        const result = await callInstance(call, accepted, name);
        expect(result).toMatchObject({ outcome: 'permanent', code: 'INSTANCE_NAME_INVALID' });
        expect(gateway?.requests).toEqual([]);
      }
    });

    test('named with slashes stays one name', async () => {
      await callInstance('connect', accepted, '../other');
      expect(gateway?.requests[0]?.path).toBe('/instances/..%2Fother/connect');
    });

    test('at a private address is not called', async () => {
      gateway = await ScriptedGateway.start(accepted);
      const addresses = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: false });
      const driver = new NeutralGateway({ timeoutMs: patient, addresses });
      const endpoint = { baseUrl: gateway.url, token: 'the token', instanceName: 'acme' };
      for (const call of instanceCalls)
        expect(await driver[call](endpoint)).toMatchObject({ outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' });
      expect(gateway.requests).toEqual([]);
    });

    test('of the simulator connects and disconnects', async () => {
      const simulator = await startGatewaySimulator({
        token: 'the token',
        seed: 1,
        defaults: { connectDelayMs: 3_600_000 },
      });
      try {
        const driver = new NeutralGateway({ timeoutMs: patient });
        const endpoint = { baseUrl: simulator.url, token: 'the token', instanceName: 'shop 1' };
        const connecting = await driver.connect(endpoint);
        expect(connecting).toMatchObject({
          status: 'CONNECTING',
          qr: expect.stringMatching(/^data:image/),
          pairingCode: expect.stringMatching(/\w/),
        });
        expect(await driver.readState(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING' });
        expect(await driver.disconnect(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
        expect(await driver.readState(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
        expect(await driver.readState({ ...endpoint, token: 'wrong' })).toMatchObject({ outcome: 'permanent' });
      } finally {
        await simulator.close();
      }
    });
  });
}

// The gateway protocol as a caller meets it: authentication, refusals, idempotency, and the life of an instance.

import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { startGatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { ManualClock, startHarness, until, type Harness } from './simulator-harness.js';

const NUMBER = '5511988887777';
const error = (code: string) => ({ error: { code, message: expect.any(String) } });

export function describeGatewayRoutes(): void {
  let harness: Harness;
  async function start(options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
    harness = await startHarness(options);
    return harness;
  }
  afterEach(() => harness.close());

  describe('POST /messages', () => {
    test('200 with a messageId, and the attempt is on record', async () => {
      const { send, simulator } = await start();
      const { status, body } = await send(NUMBER, { replyTo: '3EB0FF' }, 'key-a');
      expect(status).toBe(200);
      expect(body).toEqual({ messageId: expect.stringMatching(/^3EB0[0-9A-F]{20}$/) });
      expect(simulator.attempts()).toEqual([
        {
          at: expect.any(Number),
          idempotencyKey: 'key-a',
          instance: 'acme',
          to: NUMBER,
          type: 'text',
          text: 'Hello',
          media: null,
          replyTo: '3EB0FF',
          reaction: null,
          outcome: 'accepted',
          status: 200,
          messageId: body.messageId,
        },
      ]);
    });

    test('200 for media without text', async () => {
      const { send, simulator } = await start();
      const media = { url: 'https://files.example/a.png', mimeType: 'image/png' };
      expect((await send(NUMBER, { text: undefined, type: 'image', media })).status).toBe(200);
      expect(simulator.attempts()[0]).toMatchObject({ type: 'image', text: null, media });
    });

    test('the file of a message is fetched: an address that gives none is refused, and tried again under the same key', async () => {
      const answers: Record<string, [status: number, body: string]> = {
        '/photo': [200, 'bytes'],
        '/gone': [404, 'no'],
        '/empty': [200, ''],
      };
      const files = createServer((request, response) => {
        const [status, body] = answers[request.url ?? ''] ?? [500, ''];
        response.writeHead(status).end(body);
      });
      files.listen(0, '127.0.0.1');
      await once(files, 'listening');
      const at = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      const { send, simulator } = await start({ behaviour: { fetchMedia: true } });
      const sendFile = (path: string, key?: string) => send(NUMBER, { media: { url: `${at}${path}` } }, key);
      expect(await sendFile('/photo')).toMatchObject({ status: 200 });
      const unreachable = { status: 400, body: error('media_unreachable') };
      expect(await sendFile('/gone', 'key-gone')).toMatchObject(unreachable);
      expect(await sendFile('/empty')).toMatchObject(unreachable);
      answers['/gone'] = [200, 'back'];
      expect(await sendFile('/gone', 'key-gone')).toMatchObject({ status: 200 });
      files.close();
      files.closeAllConnections();
      await once(files, 'close');
      expect(await sendFile('/photo', 'key-down')).toMatchObject(unreachable);
      const outcomes = simulator.attempts().map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['accepted', 'refused', 'refused', 'accepted', 'refused']);
    });

    test('the same key gives the same messageId and reports nothing twice', async () => {
      const { send, simulator, receiver } = await start();
      const first = await send(NUMBER, {}, 'key-a');
      const second = await send(NUMBER, {}, 'key-a');
      await simulator.idle();
      expect(second).toMatchObject({ status: 200, body: first.body });
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED', 'READ']);
      expect(simulator.attempts().map(({ outcome }) => outcome)).toEqual(['accepted', 'repeated']);
    });

    test('the same key many times at once is one message', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { latencyJitterMs: 5 } });
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(NUMBER, {}, 'key-a')));
      await simulator.idle();
      expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED', 'READ']);
    });

    test('different keys give different messageIds', async () => {
      const { send } = await start();
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(NUMBER)));
      expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(50);
    });

    test('422 for the same key with another message', async () => {
      const { send, simulator, receiver } = await start();
      await send(NUMBER, {}, 'key-a');
      expect(await send(NUMBER, { text: 'Other' }, 'key-a')).toMatchObject({
        status: 422,
        body: error('idempotency_key_reused'),
      });
      await simulator.idle();
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED', 'READ']);
    });

    test.each(['', 'x'.repeat(256)])('400 for an Idempotency-Key of wrong length (%#)', async (key) => {
      const { send } = await start();
      expect(await send(NUMBER, {}, key)).toMatchObject({ status: 400, body: error('idempotency_key_missing') });
    });

    test.each([
      ['no instance', { instance: undefined }],
      ['a control character in the instance', { instance: 'a\u0000' }],
      ['no number', { to: undefined }],
      ['a number with spaces', { to: '55 11 98888' }],
      ['neither text nor media', { text: undefined }],
      ['an empty text', { text: '' }],
      ['a text that is not one', { text: 5 }],
      ['a media without url', { media: { fileName: 'a.png' } }],
    ])('400 for %s', async (_, changes) => {
      const { send, simulator } = await start();
      expect(await send(NUMBER, changes)).toMatchObject({ status: 400, body: error('validation_failed') });
      expect(simulator.attempts()).toMatchObject([{ outcome: 'refused', status: 400, messageId: null }]);
    });

    test.each(['{"instance":', '"text"', '5'])('400 for a body that is not a JSON object: %s', async (body) => {
      const { call } = await start();
      const answer = await call('POST', '/messages', body, { 'idempotency-key': 'a' });
      expect(answer).toMatchObject({ status: 400, body: error('bad_request') });
    });

    test('400 for no body at all', async () => {
      const { call } = await start();
      const answer = await call('POST', '/messages', undefined, { 'idempotency-key': 'a' });
      expect(answer).toMatchObject({ status: 400, body: error('validation_failed') });
    });

    test('413 over 256 KiB', async () => {
      const { send } = await start();
      expect(await send(NUMBER, { text: 'x'.repeat(256 * 1024) })).toMatchObject({
        status: 413,
        body: error('payload_too_large'),
      });
    });

    test.each(['text/plain', 'application/x-www-form-urlencoded'])('415 for %s', async (type) => {
      const { call } = await start();
      const answer = await call('POST', '/messages', '{}', { 'content-type': type, 'idempotency-key': 'a' });
      expect(answer).toMatchObject({ status: 415, body: error('unsupported_media_type') });
    });

    test('what a refused request asked for is on record', async () => {
      const { call, simulator } = await start();
      await call('POST', '/messages', {}, { authorization: 'Bearer wrong', 'idempotency-key': 'a' });
      expect(simulator.attempts()).toMatchObject([{ idempotencyKey: 'a', outcome: 'refused', status: 401, to: null }]);
    });
  });

  describe('every path', () => {
    test.each(['Bearer wrong', 'Basic gateway-token', 'gateway-token', ''])('401 for "%s"', async (authorization) => {
      const { call } = await start();
      for (const path of ['/instances/acme', '/simulator/messages', '/nowhere']) {
        expect(await call('GET', path, undefined, { authorization })).toMatchObject({
          status: 401,
          body: error('unauthenticated'),
        });
      }
    });

    test.each([
      ['GET', '/messages'],
      ['GET', '/nowhere'],
      ['POST', '/simulator/nowhere'],
      ['DELETE', '/instances/acme'],
    ])('404 for %s %s', async (method, path) => {
      const { call } = await start();
      expect(await call(method, path)).toMatchObject({ status: 404, body: error('not_found') });
    });

    test('400 for a path that cannot be decoded', async () => {
      const { call } = await start();
      expect(await call('GET', '/instances/%E0%A4%A')).toMatchObject({ status: 400, body: error('bad_request') });
    });
  });

  describe('instances', () => {
    test('an instance nobody connected is CONNECTED from its first use', async () => {
      const { call, send } = await start();
      expect((await call('GET', '/instances/fresh')).body).toEqual({ status: 'CONNECTED' });
      expect((await send(NUMBER, { instance: 'other' })).status).toBe(200);
    });

    test('a connect shows a qr and a pairing code, and is CONNECTED when its time is over', async () => {
      const clock = new ManualClock();
      const { call } = await start({ clock, behaviour: { connectDelayMs: 1_500 } });
      const first = await call('POST', '/instances/shop/connect');
      expect(first.body).toEqual({
        status: 'CONNECTING',
        qr: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
        pairingCode: expect.stringMatching(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/),
      });
      clock.advance(1_499);
      expect((await call('POST', '/instances/shop/connect')).body).toEqual(first.body);
      clock.advance(1);
      expect((await call('GET', '/instances/shop')).body).toEqual({ status: 'CONNECTED' });
      expect((await call('POST', '/instances/shop/connect')).body).toEqual({ status: 'CONNECTED' });
    });

    test('a connect may fail, and says why', async () => {
      const clock = new ManualClock();
      const { call } = await start({ clock, behaviour: { connectFailRate: 1 } });
      await call('POST', '/instances/shop/connect');
      clock.advance(0);
      expect((await call('GET', '/instances/shop')).body).toEqual({
        status: 'ERROR',
        lastError: expect.stringContaining('shop'),
      });
      expect((await call('POST', '/instances/shop/connect')).body).toMatchObject({ status: 'CONNECTING' });
    });

    test('a disconnect calls a connect off', async () => {
      const clock = new ManualClock();
      const { call } = await start({ clock });
      await call('POST', '/instances/shop/connect');
      expect((await call('POST', '/instances/shop/disconnect')).body).toEqual({ status: 'DISCONNECTED' });
      expect(clock.pendingTimers).toBe(0);
      clock.advance(60_000);
      expect((await call('GET', '/instances/shop')).body).toEqual({ status: 'DISCONNECTED' });
    });

    test('sending on an instance that is not connected is temporary: 503, and accepted under the same key later', async () => {
      const clock = new ManualClock();
      const { call, send } = await start({ clock });
      await call('POST', '/instances/acme/disconnect');
      const refusal = { status: 503, body: error('instance_not_connected') };
      expect(await send(NUMBER, {}, 'key-a')).toMatchObject(refusal);
      await call('POST', '/instances/acme/connect');
      expect(await send(NUMBER, {}, 'key-a')).toMatchObject(refusal);
      clock.advance(0);
      expect((await send(NUMBER, {}, 'key-a')).status).toBe(200);
    });
  });

  describe('answers that fail', () => {
    test.each([400, 408, 425, 500, 503])('failStatus %i', async (failStatus) => {
      const { send, simulator, receiver } = await start({ behaviour: { failRate: 1, failStatus, failCode: 'told' } });
      const { status, body, headers } = await send(NUMBER);
      expect({ status, body }).toEqual({ status: failStatus, body: error('told') });
      expect(headers.get('retry-after')).toBeNull();
      await simulator.idle();
      expect(receiver.calls).toEqual([]);
    });

    test.each([
      [30, '30'],
      [0, null],
    ])('429 with Retry-After for retryAfterSeconds %i', async (retryAfterSeconds, header) => {
      const { send } = await start({ behaviour: { failRate: 1, failStatus: 429, retryAfterSeconds } });
      const { status, headers } = await send(NUMBER);
      expect([status, headers.get('retry-after')]).toEqual([429, header]);
    });

    test('failFirstAttempts counts by key', async () => {
      const { send } = await start({ behaviour: { failFirstAttempts: 2 } });
      const statuses = [];
      for (const key of ['a', 'a', 'b', 'a', 'b', 'b']) statuses.push((await send(NUMBER, {}, key)).status);
      expect(statuses).toEqual([503, 503, 503, 200, 503, 200]);
    });

    test('a dropped answer was accepted: the connection is cut, the key is answered later, nothing is reported twice', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { dropAnswerRate: 1 } });
      await expect(send(NUMBER, {}, 'key-a')).rejects.toThrow('fetch failed');
      const [dropped] = simulator.attempts();
      expect(dropped).toMatchObject({ outcome: 'dropped', status: null, messageId: expect.any(String) });
      expect(await send(NUMBER, {}, 'key-a')).toMatchObject({ status: 200, body: { messageId: dropped?.messageId } });
      await simulator.idle();
      expect(receiver.statuses()).toEqual(['SENT', 'DELIVERED', 'READ']);
    });

    test('a hung request is not accepted, and closing ends it', async () => {
      const { send, simulator, receiver } = await start({ behaviour: { hangRate: 1 } });
      const hung = expect(send(NUMBER)).rejects.toThrow('fetch failed');
      await until(() => simulator.attempts()[0]?.outcome === 'hung');
      await simulator.close();
      await hung;
      expect(simulator.attempts()[0]).toMatchObject({ status: null, messageId: null });
      expect(receiver.calls).toEqual([]);
    });

    test('latency: nothing is judged before its time, and a caller that gave up is accepted all the same', async () => {
      const clock = new ManualClock();
      const { simulator, receiver, token } = await start({ clock, behaviour: { latencyMs: 500, readRate: 0 } });
      const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1');
      const body = JSON.stringify({ instance: 'acme', to: NUMBER, text: 'Hello' });
      const head = `POST /messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nidempotency-key: a\r\n`;
      socket.write(
        `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      await until(() => clock.pendingTimers === 1);
      socket.destroy();
      await once(socket, 'close');
      clock.advance(499);
      expect(simulator.attempts()).toMatchObject([{ outcome: 'pending', messageId: null }]);
      clock.advance(1);
      await receiver.arrived(2);
      expect(simulator.attempts()).toMatchObject([{ outcome: 'accepted' }]);
    });

    test('jitter adds to the latency and never exceeds its bound', async () => {
      const clock = new ManualClock();
      const { send } = await start({ clock, behaviour: { latencyMs: 100, latencyJitterMs: 50 } });
      const answers = Promise.all(Array.from({ length: 40 }, () => send(NUMBER)));
      await until(() => clock.pendingTimers === 40);
      clock.advance(99);
      expect(clock.pendingTimers).toBe(40);
      clock.advance(25);
      expect(clock.pendingTimers).toBeGreaterThan(0);
      expect(clock.pendingTimers).toBeLessThan(40);
      clock.advance(26);
      expect((await answers).every(({ status }) => status === 200)).toBe(true);
    });
  });

  describe('start and close', () => {
    test('options out of bounds are refused', async () => {
      await start();
      for (const wrong of [{ token: '' }, { port: 70_000 }, { historySize: 0 }, { defaults: { failRate: 2 } }]) {
        await expect(startGatewaySimulator({ token: 'x', ...wrong })).rejects.toThrow();
      }
      await expect(startGatewaySimulator({ token: 'x', webhookBaseUrl: 'ftp://x' })).rejects.toThrow();
    });

    test('a taken port rejects with the reason', async () => {
      const { simulator } = await start();
      const port = Number(new URL(simulator.url).port);
      await expect(startGatewaySimulator({ token: 'x', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });

    test('closing drops every timer, frees the port and may be repeated', async () => {
      const clock = new ManualClock();
      const { simulator, send, call } = await start({ clock, behaviour: { sentDelayMs: 1_000, connectDelayMs: 5 } });
      await send(NUMBER);
      await call('POST', '/instances/shop/connect');
      expect(clock.pendingTimers).toBeGreaterThan(0);
      const idle = simulator.idle();
      await Promise.all([simulator.close(), simulator.close()]);
      await idle;
      expect(clock.pendingTimers).toBe(0);

      const next = createServer().listen(Number(new URL(simulator.url).port), '127.0.0.1');
      await once(next, 'listening');
      expect((next.address() as AddressInfo).port).toBeGreaterThan(0);
      next.close();
      await once(next, 'close');
    });
  });
}

// The control interface: it turns the knobs of a running simulator, plays the lead, and shows the history.

import { DEFAULT_BEHAVIOUR } from '../../src/simulator/behaviour.schema.js';
import { SPECIAL_CASES } from '../../src/simulator/special-cases.js';
import { PLAIN, startHarness, startReceiver, type Harness } from './simulator-harness.js';

const NUMBER = '5511988887777';

export function describeControlRoutes(): void {
  let harness: Harness;
  async function start(options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
    harness = await startHarness(options);
    return harness;
  }
  afterEach(() => harness.close());

  describe('/simulator/behaviour', () => {
    const initial = { ...DEFAULT_BEHAVIOUR, ...PLAIN };

    test('GET shows what is in force', async () => {
      const { call } = await start();
      expect(await call('GET', '/simulator/behaviour')).toMatchObject({ status: 200, body: initial });
    });

    test('PATCH changes the knobs named, for all or for one instance', async () => {
      const { call, send } = await start();
      await call('PATCH', '/simulator/behaviour', { readRate: 0.1 });
      const changed = await call('PATCH', '/simulator/behaviour?instance=acme', { failRate: 1, failStatus: 418 });
      expect(changed.body).toEqual({ ...initial, readRate: 0.1, failRate: 1, failStatus: 418 });
      expect((await call('GET', '/simulator/behaviour')).body).toEqual({ ...initial, readRate: 0.1 });
      expect((await send(NUMBER)).status).toBe(418);
      expect((await send(NUMBER, { instance: 'other' })).status).toBe(200);
    });

    test('PUT takes back what is not named', async () => {
      const { call } = await start();
      await call('PATCH', '/simulator/behaviour', { readRate: 0.1, failRate: 0.2 });
      await call('PATCH', '/simulator/behaviour?instance=acme', { latencyMs: 7 });
      expect((await call('PUT', '/simulator/behaviour', { failRate: 0.3 })).body).toEqual({
        ...initial,
        failRate: 0.3,
      });
      expect((await call('GET', '/simulator/behaviour?instance=acme')).body).toMatchObject({
        latencyMs: 7,
        failRate: 0.3,
      });
      expect((await call('PUT', '/simulator/behaviour?instance=acme', {})).body).toMatchObject({ latencyMs: 0 });
    });

    test.each([
      ['an unknown knob', { failrate: 1 }, 'failrate'],
      ['a rate above 1', { failRate: 1.1 }, 'failRate'],
      ['a negative delay', { sentDelayMs: -1 }, 'sentDelayMs'],
      ['a broken delay', { sentDelayMs: 0.5 }, 'sentDelayMs'],
      ['a status that is no error', { failStatus: 200 }, 'failStatus'],
      ['no reply texts', { replyTexts: [] }, 'replyTexts'],
      ['a list', [], 'body'],
    ])('400 for %s, and nothing changes', async (_, change, named) => {
      const { call } = await start();
      for (const method of ['PUT', 'PATCH']) {
        const { status, body } = await call(method, '/simulator/behaviour', change);
        expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'validation_failed' });
        expect(body.error.message).toContain(named);
      }
      expect((await call('GET', '/simulator/behaviour')).body).toEqual(initial);
    });

    test('400 for an instance name that is none', async () => {
      const { call } = await start();
      expect((await call('GET', '/simulator/behaviour?instance=')).status).toBe(400);
    });

    test('behave does the same from code', async () => {
      const { simulator } = await start();
      expect(simulator.behave({ failRate: 0.5 }, 'acme').failRate).toBe(0.5);
      expect(simulator.behave({}).failRate).toBe(0);
      expect(() => simulator.behave({ failRate: 5 })).toThrow('failRate');
    });
  });

  test('GET /simulator/special-numbers lists them', async () => {
    const { call } = await start();
    const { body } = await call('GET', '/simulator/special-numbers');
    expect(body.specialNumbers).toEqual(SPECIAL_CASES);
  });

  describe('/simulator/webhook-target', () => {
    test('several tenants share one simulator, and no key is shown', async () => {
      const { call, send, simulator, receiver } = await start({ behaviour: { deliveredRate: 0 } });
      const other = await startReceiver(() => ({ status: 200 }));
      const target = { webhookBaseUrl: `${other.url}/`, tenantKey: 'other-key', webhookSecret: 'secret' };
      const { body } = await call('PATCH', '/simulator/webhook-target?instance=shop', target);
      expect(body).toEqual({
        dress: 'gateway',
        webhookBaseUrl: `${other.url}/`,
        webhookUrl: null,
        googleFormUrl: null,
        metaFormUrl: null,
        hasTenantKey: true,
        hasWebhookSecret: true,
        cloudInstanceId: null,
      });
      await send(NUMBER, { instance: 'shop' });
      await send(NUMBER);
      await simulator.idle();
      expect(other.calls.map(({ path, headers }) => [path, headers['x-tenant-key']])).toEqual([
        ['/webhooks/chat/gateway/status', 'other-key'],
      ]);
      expect(other.calls[0]?.headers['x-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(receiver.calls.map(({ headers }) => headers['x-tenant-key'])).toEqual(['tenant-key']);
      expect((await call('GET', '/simulator/webhook-target')).body).toEqual({
        dress: 'gateway',
        webhookBaseUrl: receiver.url,
        webhookUrl: null,
        googleFormUrl: null,
        metaFormUrl: null,
        hasTenantKey: true,
        hasWebhookSecret: false,
        cloudInstanceId: null,
      });
      await other.close();
    });

    test.each([{ webhookBaseUrl: 'file:///etc/passwd' }, { tenantKey: 'a\nb' }, { key: 'x' }])(
      '400 for %j',
      async (target) => {
        const { call } = await start();
        expect((await call('PATCH', '/simulator/webhook-target', target)).status).toBe(400);
      },
    );

    test('reportTo does the same from code, one field at a time', async () => {
      const { simulator, receiver } = await start();
      simulator.reportTo({ tenantKey: 'rotated' });
      await simulator.receiveFromLead({ instance: 'acme', from: NUMBER, text: 'Oi' });
      expect(receiver.calls[0]?.headers['x-tenant-key']).toBe('rotated');
    });
  });

  describe('/simulator/inbound', () => {
    test('the lead writes, and the answer shows what the webhook said', async () => {
      const answerTo = () => ({ status: 200, body: '{"accepted":1}' });
      const { call, receiver } = await start({ answerTo });
      const message = { instance: 'acme', from: NUMBER, name: 'Ana', text: 'Oi', replyTo: '3EB0AA' };
      const { status, body } = await call('POST', '/simulator/inbound', message);
      expect(status).toBe(200);
      expect(body.webhook).toMatchObject({ kind: 'inbound', status: 200, answer: '{"accepted":1}' });
      expect(receiver.replies()).toEqual([
        { ...message, messageId: body.messageId, type: 'text', timestamp: expect.any(Number) },
      ]);
    });

    test.each([
      ['image/png', 'image'],
      ['audio/ogg', 'audio'],
      ['application/pdf', 'document'],
    ])('media of %s is a message of type %s', async (mimeType, type) => {
      const { call, receiver } = await start();
      const media = { url: 'https://files.example/a', mimeType, caption: 'Look' };
      await call('POST', '/simulator/inbound', { instance: 'acme', from: NUMBER, media });
      expect(receiver.replies()).toMatchObject([{ type, media, from: NUMBER, name: expect.any(String) }]);
    });

    test.each([
      {},
      { from: NUMBER, text: 'Oi' },
      { instance: 'acme', from: NUMBER },
      { instance: 'acme', from: NUMBER, txt: 'Oi' },
    ])('400 for %j', async (message) => {
      const { call, receiver } = await start();
      expect((await call('POST', '/simulator/inbound', message)).status).toBe(400);
      expect(receiver.calls).toEqual([]);
    });

    test('409 without a webhook address', async () => {
      const { call } = await start({ webhookBaseUrl: undefined });
      const answer = await call('POST', '/simulator/inbound', { instance: 'acme', from: NUMBER, text: 'Oi' });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'webhook_not_set' } } });
    });

    test('receiveFromLead does the same from code, each time with an id of its own', async () => {
      const { simulator, receiver } = await start();
      const first = await simulator.receiveFromLead({ instance: 'acme', from: NUMBER, text: 'Oi' });
      const second = await simulator.receiveFromLead({ instance: 'acme', from: NUMBER, text: 'Oi' });
      expect(first.call.status).toBe(200);
      expect(receiver.replies().map(({ messageId }) => messageId)).toEqual([first.messageId, second.messageId]);
      expect(first.messageId).not.toBe(second.messageId);
    });
  });

  describe('what happened', () => {
    test('messages and webhooks are listed by instance, newest last, and can be cleared', async () => {
      const { call, send, simulator } = await start({ behaviour: { deliveredRate: 0 } });
      for (const [index, instance] of ['acme', 'shop', 'acme', 'acme'].entries())
        await send(NUMBER, { instance }, `k${index}`);
      await simulator.idle();
      const { body } = await call('GET', '/simulator/messages?instance=acme&limit=2');
      expect(body.total).toBe(4);
      expect(body.messages.map((message: { idempotencyKey: string }) => message.idempotencyKey)).toEqual(['k2', 'k3']);
      const webhooks = (await call('GET', '/simulator/webhooks?instance=shop')).body;
      expect(webhooks).toMatchObject({
        total: 4,
        webhooks: [{ instance: 'shop', status: 200, body: { status: 'SENT' } }],
      });

      expect((await call('DELETE', '/simulator/messages')).status).toBe(204);
      expect((await call('DELETE', '/simulator/webhooks')).status).toBe(204);
      expect((await call('GET', '/simulator/messages')).body).toEqual({ messages: [], total: 0 });
      expect((await call('GET', '/simulator/webhooks')).body).toEqual({ webhooks: [], total: 0 });
      expect((await send(NUMBER, { instance: 'acme' }, 'k0')).status).toBe(200);
      expect(simulator.attempts()).toMatchObject([{ outcome: 'repeated' }]);
    });

    test.each(['0', '1001', 'many'])('400 for limit=%s', async (limit) => {
      const { call } = await start();
      expect((await call('GET', `/simulator/messages?limit=${limit}`)).status).toBe(400);
    });

    test('both records are bounded by historySize, and long texts are cut', async () => {
      const { send, simulator } = await start({ historySize: 3, behaviour: { deliveredRate: 0 } });
      for (let sent = 0; sent < 10; sent += 1) await send(NUMBER, { text: 'x'.repeat(5_000) }, `k${sent}`);
      await simulator.idle();
      expect(simulator.attempts().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['k7', 'k8', 'k9']);
      expect(simulator.attempts()[0]?.text).toHaveLength(4_096);
      expect(simulator.webhookCalls()).toHaveLength(3);
      simulator.clearHistory();
      expect([...simulator.attempts(), ...simulator.webhookCalls()]).toEqual([]);
    });
  });
}

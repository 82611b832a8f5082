// The simulator dressed as WAHA: its answers, reserved ids, its lists of messages, and the signed webhook calls that it makes.

import { createHmac } from 'node:crypto';
import { makeWahaHeaders } from '../../src/simulator/waha-call.js';
import { startHarness, type Harness } from './simulator-harness.js';

const to = '5511988887777';
const chatId = `${to}@c.us`;
const secret = 'my-secret-key';

export function describeWahaRoutes(): void {
  let harness: Harness;

  beforeEach(async () => {
    harness = await startHarness({ webhookSecret: secret });
  });
  afterEach(() => harness.close());

  const call = (method: string, path: string, body?: unknown, key = harness.token) =>
    harness.call(method, `/api${path}`, body, { 'x-api-key': key, authorization: '' });
  /** A working session that needed no call. */
  const working = () => harness.simulator.reportTo({ dress: 'waha' }, 'shop');
  const sendText = (text: string, more: object = {}) =>
    call('POST', '/sendText', { session: 'shop', chatId, text, ...more });
  const list = async (query = '', chat = 'all') => (await call('GET', `/shop/chats/${chat}/messages?${query}`)).body;
  const says = (content: object) => harness.simulator.receiveFromLead({ instance: 'shop', from: to, ...content });
  const events = (event: string) =>
    harness.receiver.calls.map(({ body }) => body).filter((body) => body['event'] === event);

  test('signs as the vector says', () => {
    const raw = '{"event":"message","session":"default","engine":"WEBJS"}';
    expect(makeWahaHeaders(raw, secret, 0)['x-webhook-hmac']).toBe(
      '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89',
    );
  });

  describe('a session', () => {
    test('needs the key, and has to be created', async () => {
      expect(await call('GET', '/sessions/shop', undefined, 'wrong')).toMatchObject({
        status: 401,
        body: { statusCode: 401 },
      });
      expect(await call('GET', '/sessions/shop')).toMatchObject({ status: 404 });
      expect(await sendText('Oi')).toMatchObject({ status: 404 });
      expect(await call('POST', '/sessions', { name: 'shop', start: false })).toMatchObject({
        status: 201,
        body: { name: 'shop', status: 'STOPPED', me: null },
      });
      expect(await call('POST', '/sessions', { name: 'shop' })).toMatchObject({ status: 422 });
      expect(await sendText('Oi')).toMatchObject({ status: 422, body: { status: 'STOPPED', expected: ['WORKING'] } });
      expect(await call('GET', '/nothing')).toMatchObject({
        status: 404,
        body: { message: 'Cannot GET /api/nothing' },
      });
    });

    test('starts, shows its codes, works and stops, and tells of each', async () => {
      harness.simulator.behave({ needsScan: true });
      await call('POST', '/sessions', { name: 'shop', start: false });
      expect(await call('GET', '/shop/auth/qr?format=raw')).toMatchObject({ status: 422 });
      expect((await call('POST', '/sessions/shop/start')).body).toMatchObject({ status: 'SCAN_QR_CODE' });
      const { body: code } = await call('POST', '/shop/auth/request-code', { phoneNumber: '4930111111' });
      expect((await call('GET', '/shop/auth/qr?format=raw')).body).toEqual({ value: `simulator:${code.code}` });
      const image = await harness.call('GET', '/api/shop/auth/qr', undefined, {
        'x-api-key': harness.token,
        accept: 'application/json',
      });
      expect(image.body).toMatchObject({ mimetype: 'image/svg+xml', data: expect.any(String) });
      await harness.call('POST', '/simulator/instances/shop/scan');
      expect((await call('GET', '/sessions/shop')).body).toMatchObject({
        status: 'WORKING',
        me: { id: expect.stringMatching(/^\d+@c\.us$/) },
      });
      for (const action of ['logout', 'stop'])
        expect((await call('POST', `/sessions/shop/${action}`)).body).toMatchObject({ status: 'STOPPED' });
      await harness.simulator.idle();
      expect(events('session.status').map(({ payload }) => payload.status)).toEqual([
        'SCAN_QR_CODE',
        'WORKING',
        'STOPPED',
      ]);
      expect((await call('DELETE', '/sessions/shop')).status).toBe(200);
      expect((await call('GET', '/sessions/shop')).status).toBe(404);
    });

    test('its webhook can be set as at a real one', async () => {
      const webhook = {
        url: `${harness.receiver.url}/hooks`,
        events: ['message.any'],
        hmac: { key: 'another' },
        customHeaders: [{ name: 'X-Tenant-Key', value: 'their-key' }],
      };
      await call('POST', '/sessions', { name: 'shop', config: { webhooks: [webhook] } });
      await harness.receiver.arrived(1);
      const [first] = harness.receiver.calls;
      expect(first).toMatchObject({ path: '/hooks', headers: { 'x-tenant-key': 'their-key' } });
      const digest = createHmac('sha512', 'another').update(first?.raw ?? '');
      expect(first?.headers['x-webhook-hmac']).toBe(digest.digest('hex'));
    });
  });

  describe('a send', () => {
    beforeEach(() => working());

    test('under a reserved id is one message, however often it comes', async () => {
      const { id } = (await call('GET', '/shop/new-message-id')).body;
      expect(id).toMatch(/^3EB0[0-9A-F]{20}$/);
      expect(await call('GET', `/shop/chats/all/messages/${id}`)).toMatchObject({ status: 404 });
      for (const text of ['Oi', 'Oi', 'outra coisa'])
        expect(await sendText(text, { id })).toMatchObject({ status: 201, body: { id: `true_${chatId}_${id}` } });
      expect((await call('GET', `/shop/chats/all/messages/${id}`)).body).toMatchObject({ fromMe: true, body: 'Oi' });
      expect(await list()).toHaveLength(1);
      expect(harness.simulator.attempts().map(({ outcome }) => outcome)).toEqual(['accepted', 'repeated', 'repeated']);
      await harness.simulator.idle();
      expect(events('message.any')).toHaveLength(1);
    });

    test('whose answer is lost is found by its id, and the id sent again is answered', async () => {
      const id = '3EB00123456789ABCDEF';
      const lost = { id, chatId: '5511988880006@c.us' };
      await expect(sendText('Perdida', lost)).rejects.toThrow();
      expect((await call('GET', `/shop/chats/all/messages/${id}`)).body).toMatchObject({ body: 'Perdida' });
      expect(await list()).toHaveLength(1);
    });

    test('without an id is a message each time', async () => {
      const [first, second] = [await sendText('Oi'), await sendText('Oi')];
      expect(first.body.id).not.toBe(second.body.id);
    });

    test('is echoed and followed by its receipts, signed', async () => {
      const { messageId } = await says({ text: 'Oi' });
      const { body } = await sendText('Olá', { reply_to: `false_${chatId}_${messageId}` });
      await harness.simulator.idle();
      const [echo] = events('message.any').filter(({ payload }) => payload.fromMe);
      expect(echo).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        session: 'shop',
        engine: 'GOWS',
        payload: { id: body.id, source: 'api', body: 'Olá', ack: 0, replyTo: { id: messageId, body: 'Oi' } },
      });
      expect(events('message.ack').map(({ payload }) => [payload.id, payload.ackName])).toEqual(
        ['SERVER', 'DEVICE', 'READ'].map((name) => [body.id, name]),
      );
      for (const { headers, raw } of harness.receiver.calls) {
        expect(headers['x-webhook-hmac']).toBe(createHmac('sha512', secret).update(raw).digest('hex'));
        expect(headers).toMatchObject({ 'x-webhook-hmac-algorithm': 'sha512', 'x-tenant-key': 'tenant-key' });
        expect(headers['x-webhook-timestamp']).toMatch(/^\d{13}$/);
        expect(headers['x-webhook-request-id']).toEqual(expect.any(String));
      }
    });

    test.each([
      ['sendImage', 'image'],
      ['sendFile', 'document'],
      ['sendVideo', 'video'],
      ['sendVoice', 'audio'],
    ])('%s sends a file of type %s', async (path, type) => {
      const file = { mimetype: 'image/png', filename: 'a.png', url: 'https://files.example/a.png' };
      const sent = await call('POST', `/${path}`, { session: 'shop', chatId, file, caption: 'A' });
      expect(sent.status).toBe(201);
      const data = { mimetype: 'image/png', data: 'aGk=' };
      expect((await call('POST', `/${path}`, { session: 'shop', chatId, file: data })).status).toBe(201);
      expect((await call('POST', `/${path}`, { session: 'shop', chatId, file: {} })).status).toBe(400);
      expect(harness.simulator.attempts()[0]).toMatchObject({ type, to, media: { url: file.url, caption: 'A' } });
    });

    test('to a number that the network does not know', async () => {
      const phone = '5511988880001';
      expect(await sendText('Oi', { chatId: `${phone}@c.us` })).toMatchObject({
        status: 500,
        body: { exception: { message: expect.stringContaining('no LID found') } },
      });
      const exists = async (number: string) =>
        (await call('GET', `/contacts/check-exists?phone=${number}&session=shop`)).body;
      expect(await exists(phone)).toEqual({ numberExists: false });
      expect(await exists(to)).toEqual({ numberExists: true, chatId });
    });

    test('reactions, receipts and typing are on record', async () => {
      const { messageId } = await says({ text: 'Oi' });
      const reaction = { session: 'shop', messageId: `false_${chatId}_${messageId}`, reaction: '👍' };
      expect((await call('PUT', '/reaction', reaction)).status).toBe(200);
      const seen = { session: 'shop', chatId, messageIds: [`false_${chatId}_${messageId}`] };
      expect((await call('POST', '/sendSeen', seen)).status).toBe(201);
      for (const path of ['startTyping', 'stopTyping'])
        expect((await call('POST', `/${path}`, { session: 'shop', chatId })).status).toBe(201);
      await harness.simulator.idle();
      expect(events('message.reaction')).toMatchObject([
        { payload: { fromMe: true, reaction: { text: '👍', messageId: `false_${chatId}_${messageId}` } } },
      ]);
      expect(harness.simulator.attempts().map((one) => [one.type, one.to, one.outcome])).toEqual(
        ['reaction', 'read', 'composing', 'paused'].map((type) => [type, to, 'accepted']),
      );
      expect(harness.simulator.attempts()[1]).toMatchObject({ messageId });
    });
  });

  describe('what a lead does', () => {
    beforeEach(() => working());

    test('is an event of its own kind', async () => {
      const { messageId } = await says({ name: 'Ana', text: 'Oi' });
      await says({ reaction: { messageId, emoji: null } });
      await says({ edit: { messageId, text: 'Olá' } });
      await says({ deletion: { messageId } });
      await says({ text: 'Do celular', fromPhone: true });
      expect(harness.receiver.calls.map(({ path, body: { event, payload } }) => [path, event, payload])).toMatchObject(
        [
          ['message.any', { id: `false_${chatId}_${messageId}`, from: chatId, fromMe: false, body: 'Oi' }],
          ['message.reaction', { reaction: { text: '', messageId: `false_${chatId}_${messageId}` } }],
          ['message.edited', { body: 'Olá', editedMessageId: messageId }],
          ['message.revoked', { revokedMessageId: messageId }],
          ['message.any', { fromMe: true, source: 'app', body: 'Do celular' }],
        ].map((expected) => ['/webhooks/chat/gateway/inbound', ...expected]),
      );
    });

    test('under a hidden number, the session knows the number', async () => {
      await says({ text: 'Oi', lid: '1020304050' });
      expect(events('message.any')).toMatchObject([{ payload: { from: '1020304050@lid' } }]);
      expect((await call('GET', '/shop/lids/1020304050@lid')).body).toEqual({ lid: '1020304050@lid', pn: chatId });
      expect((await call('GET', '/shop/lids/99')).body).toEqual({ lid: '99@lid', pn: null });
    });

    test('a file is at the gateway, for those who have its key', async () => {
      const url = `${harness.simulator.url}/files/a.png`;
      await says({ media: { url, mimeType: 'image/png', fileName: 'a.png', caption: 'Look' } });
      const [{ payload }] = events('message.any') as [Record<string, any>];
      expect(payload).toMatchObject({
        hasMedia: true,
        body: 'Look',
        media: { mimetype: 'image/png', filename: 'a.png' },
      });
      const refused = await fetch(payload.media.url);
      expect(refused.status).toBe(401);
      const given = await fetch(payload.media.url, { headers: { 'x-api-key': harness.token } });
      const bytes = Buffer.from(await given.arrayBuffer());
      expect(bytes.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true);
      expect(await list('downloadMedia=false')).toMatchObject([{ hasMedia: true, media: null }]);
      expect(await list('downloadMedia=true')).toMatchObject([{ media: { url: payload.media.url } }]);
    });
  });

  describe('the list of messages', () => {
    beforeEach(() => working());

    const words = (messages: { body: string }[]) => messages.map(({ body }) => body);

    test('is newest first, ten at a time, and of a chat or of all', async () => {
      for (let count = 1; count <= 12; count += 1) await says({ text: String(count) });
      await harness.simulator.receiveFromLead({ instance: 'shop', from: '447700900123', text: 'Hi' });
      expect(words(await list())).toEqual(['Hi', '12', '11', '10', '9', '8', '7', '6', '5', '4']);
      expect(words(await list('limit=3&offset=2'))).toEqual(['11', '10', '9']);
      expect(words(await list('limit=2', chatId))).toEqual(['12', '11']);
      expect(words(await list('limit=2&sortOrder=asc', chatId))).toEqual(['1', '2']);
      expect((await call('GET', '/shop/chats/all/messages?limit=0')).status).toBe(400);
    });

    test('filters by time in seconds and by who wrote', async () => {
      const before = Math.floor(Date.now() / 1_000);
      await says({ text: 'in' });
      await sendText('out');
      expect(words(await list('filter.fromMe=false'))).toEqual(['in']);
      expect(words(await list('filter.fromMe=true'))).toEqual(['out']);
      expect(await list(`filter.timestamp.gte=${before}`)).toHaveLength(2);
      expect(await list(`filter.timestamp.gte=${before + 3_600}`)).toEqual([]);
      expect(await list(`filter.timestamp.lte=${before - 1}`)).toEqual([]);
    });

    test('a page with reactions in it has fewer messages, and is not the last', async () => {
      const { messageId } = await says({ text: 'first' });
      for (const emoji of ['👍', '❤️', '😂']) await says({ reaction: { messageId, emoji } });
      expect(await list('limit=2')).toEqual([]);
      expect(words(await list('limit=2&offset=2'))).toEqual(['first']);
    });

    test('what was edited has its new words, what was deleted is gone, and what no webhook reported is there', async () => {
      const edited = await says({ text: 'Oj' });
      await says({ edit: { messageId: edited.messageId, text: 'Oi' } });
      const deleted = await says({ text: 'Nada' });
      await says({ deletion: { messageId: deleted.messageId } });
      harness.simulator.behave({ withholdRate: 1 }, 'shop');
      const calls = harness.receiver.calls.length;
      await says({ text: 'Calada' });
      expect(harness.receiver.calls).toHaveLength(calls);
      expect(words(await list())).toEqual(['Calada', 'Oi']);
    });
  });
}

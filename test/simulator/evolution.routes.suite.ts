// The simulator dressed as Evolution API: its answers, the traps of its list of messages, and the webhook calls that it makes.

import { startHarness, type Harness } from './simulator-harness.js';

const to = '5511988887777';
const jid = `${to}@s.whatsapp.net`;

export function describeEvolutionRoutes(): void {
  let harness: Harness;

  beforeEach(async () => {
    harness = await startHarness({ behaviour: { needsScan: false } });
  });
  afterEach(() => harness.close());

  const call = (method: string, path: string, body?: unknown, apikey = harness.token) =>
    harness.call(method, path, body, { apikey, authorization: '' });
  const create = (instanceName = 'shop') => call('POST', '/instance/create', { instanceName });
  /** A connected instance that needed no call. */
  const connected = (name = 'shop') => harness.simulator.reportTo({ dress: 'evolution' }, name);
  const sendText = (text: string, more: object = {}) =>
    call('POST', '/message/sendText/shop', { number: to, text, ...more });
  const find = async (body: object = {}) => (await call('POST', '/chat/findMessages/shop', body)).body.messages;
  const says = (content: object) => harness.simulator.receiveFromLead({ instance: 'shop', from: to, ...content });
  /** The webhook calls of this event that the receiver got. */
  const events = (event: string) =>
    harness.receiver.calls.map(({ body }) => body).filter((body) => body['event'] === event);

  describe('an instance', () => {
    test('needs the key, and has to be created', async () => {
      expect(await call('GET', '/instance/connectionState/shop', undefined, 'wrong')).toMatchObject({
        status: 401,
        body: { status: 401, error: 'Unauthorized', response: { message: ['Unauthorized'] } },
      });
      expect(await call('GET', '/instance/connectionState/shop')).toMatchObject({
        status: 404,
        body: { response: { message: ['The "shop" instance does not exist'] } },
      });
      expect(await create()).toMatchObject({
        status: 201,
        body: { instance: { instanceName: 'shop', status: 'close' } },
      });
      expect(await create()).toMatchObject({
        status: 403,
        body: { response: { message: [expect.stringContaining('already in use')] } },
      });
      const state = await call('GET', '/instance/connectionState/shop');
      expect(state.body).toEqual({ instance: { instanceName: 'shop', state: 'close' } });
    });

    test('shows codes, connects, logs out, and tells of each', async () => {
      await create();
      const shown = await call('GET', '/instance/connect/shop');
      expect(shown.body).toMatchObject({
        pairingCode: expect.any(String),
        base64: expect.stringMatching(/^data:image/),
      });
      await harness.receiver.arrived(3);
      expect((await call('GET', '/instance/connect/shop')).body).toEqual({
        instance: { instanceName: 'shop', state: 'open' },
      });
      expect((await call('DELETE', '/instance/logout/shop')).body).toMatchObject({ status: 'SUCCESS' });
      expect(await call('DELETE', '/instance/logout/shop')).toMatchObject({ status: 400 });
      await harness.simulator.idle();
      expect(events('connection.update').map(({ data }) => data.state)).toEqual(['connecting', 'open', 'close']);
      expect(events('qrcode.updated')).toMatchObject([{ data: { qrcode: { instance: 'shop' } } }]);
      expect((await call('DELETE', '/instance/delete/shop')).status).toBe(200);
      expect((await call('GET', '/instance/connectionState/shop')).status).toBe(404);
    });

    test('an unknown path is told in its words', async () => {
      connected();
      expect(await call('POST', '/chat/unknown/shop', {})).toMatchObject({
        status: 404,
        body: { response: { message: ['Cannot POST /chat/unknown/shop'] } },
      });
    });

    test('its webhook can be set as at a real one', async () => {
      connected();
      const url = `${harness.receiver.url}/hooks`;
      const webhook = { enabled: true, url, headers: { 'x-tenant-key': 'another' }, byEvents: false, events: [] };
      expect((await call('POST', '/webhook/set/shop', { webhook })).status).toBe(201);
      await says({ text: 'Oi' });
      expect(harness.receiver.calls).toMatchObject([{ path: '/hooks', headers: { 'x-tenant-key': 'another' } }]);
      expect(harness.receiver.calls[0]?.headers).not.toHaveProperty('x-signature');
    });
  });

  describe('a send', () => {
    beforeEach(() => connected());

    test('is answered with its record, echoed, and followed by its statuses', async () => {
      const { messageId } = await says({ text: 'Oi' });
      const { status, body } = await sendText('Olá', { quoted: { key: { id: messageId } } });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        key: { remoteJid: jid, fromMe: true, id: expect.stringMatching(/^3EB0/) },
        status: 'PENDING',
        message: { conversation: 'Olá' },
        messageType: 'conversation',
        contextInfo: { stanzaId: messageId, quotedMessage: { conversation: 'Oi' } },
      });
      await harness.simulator.idle();
      expect(events('send.message')).toMatchObject([{ instance: 'shop', data: { key: body.key, status: 'PENDING' } }]);
      const keyId = body.key.id;
      expect(events('messages.update').map(({ data }) => [data.keyId, data.status])).toEqual([
        [keyId, 'SERVER_ACK'],
        [keyId, 'DELIVERY_ACK'],
        [keyId, 'READ'],
      ]);
      expect(harness.simulator.attempts()).toMatchObject([{ instance: 'shop', to, text: 'Olá', replyTo: messageId }]);
    });

    test('of the same words twice is two messages', async () => {
      const [first, second] = [await sendText('Oi'), await sendText('Oi')];
      expect(first.body.key.id).not.toBe(second.body.key.id);
    });

    test('that is refused once is accepted at the next attempt', async () => {
      const number = '5511988880002';
      expect(await sendText('Oi', { number })).toMatchObject({ status: 503 });
      expect(await sendText('Oi', { number })).toMatchObject({ status: 201 });
      expect(await sendText('Oi', { number })).toMatchObject({ status: 503 });
    });

    test('to an unknown number, and on a closed connection', async () => {
      const number = '5511988880001';
      expect(await sendText('Oi', { number })).toMatchObject({
        status: 400,
        body: { response: { message: [{ jid: `${number}@s.whatsapp.net`, exists: false, number }] } },
      });
      const numbers = await call('POST', '/chat/whatsappNumbers/shop', { numbers: [number, to] });
      expect(numbers.body).toEqual([
        { jid: `${number}@s.whatsapp.net`, exists: false, number },
        { jid, exists: true, number: to },
      ]);
      await call('DELETE', '/instance/logout/shop');
      expect(await sendText('Oi')).toMatchObject({
        status: 400,
        body: { response: { message: ['Error: Connection Closed'] } },
      });
    });

    test('whose answer is lost is in the list', async () => {
      await expect(sendText('Perdida', { number: '5511988880006' })).rejects.toThrow();
      expect(await find({ where: { key: { fromMe: true } } })).toMatchObject({
        total: 1,
        records: [{ message: { conversation: 'Perdida' } }],
      });
    });

    test.each([
      [
        'sendMedia',
        { mediatype: 'image', media: 'https://files.example/a.png', mimetype: 'image/png', caption: 'A' },
        'imageMessage',
      ],
      ['sendMedia', { mediatype: 'document', media: 'JVBERi0xLjQ=', fileName: 'a.pdf' }, 'documentMessage'],
      ['sendWhatsAppAudio', { audio: 'https://files.example/a.ogg' }, 'audioMessage'],
    ])('%s of %j is an %s', async (path, file, messageType) => {
      const { status, body } = await call('POST', `/message/${path}/shop`, { number: to, ...file });
      expect([status, body.messageType]).toEqual([201, messageType]);
    });

    test.each([
      ['sendText', { number: to }],
      ['sendMedia', { number: to, mediatype: 'image', media: 'no file' }],
      ['sendReaction', { key: { id: 'x' }, reaction: '👍' }],
    ])('%s of %j is refused with 400', async (path, body) => {
      expect((await call('POST', `/message/${path}/shop`, body)).status).toBe(400);
    });

    test('a reaction is echoed; receipts and typing are on record', async () => {
      const { messageId: id } = await says({ text: 'Oi' });
      const key = { remoteJid: jid, fromMe: false, id };
      expect(await call('POST', '/message/sendReaction/shop', { key, reaction: '👍' })).toMatchObject({
        status: 201,
        body: { message: { reactionMessage: { key: { id }, text: '👍' } } },
      });
      expect(await call('POST', '/chat/markMessageAsRead/shop', { readMessages: [key] })).toMatchObject({
        status: 201,
      });
      const presence = { number: to, presence: 'composing', delay: 0 };
      expect(await call('POST', '/chat/sendPresence/shop', presence)).toMatchObject({ status: 201 });
      await harness.simulator.idle();
      expect(events('send.message')).toMatchObject([{ data: { messageType: 'reactionMessage' } }]);
      expect(harness.simulator.attempts()).toMatchObject([
        { type: 'reaction', to, reaction: { messageId: id, emoji: '👍' }, outcome: 'accepted' },
        { type: 'read', to, messageId: id, outcome: 'accepted' },
        { type: 'composing', to, outcome: 'accepted' },
      ]);
    });
  });

  describe('what a lead does', () => {
    beforeEach(() => connected());

    test('is an event of its own kind, with a key that is no secret of ours', async () => {
      const { messageId } = await says({ name: 'Ana', text: 'Oi' });
      await says({ reaction: { messageId, emoji: null } });
      await says({ edit: { messageId, text: 'Olá' } });
      await says({ deletion: { messageId } });
      await says({ text: 'Do celular', fromPhone: true });
      const key = { remoteJid: jid, fromMe: false, id: messageId };
      expect(harness.receiver.calls.map(({ path, body: { event, data } }) => [path, event, data])).toMatchObject(
        [
          ['messages.upsert', { key, pushName: 'Ana', message: { conversation: 'Oi' } }],
          ['messages.upsert', { message: { reactionMessage: { key: { id: messageId }, text: '' } } }],
          ['messages.edited', { key: { id: messageId }, editedMessage: { conversation: 'Olá' } }],
          ['messages.edited', { key: { id: messageId }, type: 'REVOKE' }],
          ['messages.delete', { id: messageId, fromMe: false }],
          ['messages.upsert', { key: { remoteJid: jid, fromMe: true } }],
        ].map((expected) => ['/webhooks/chat/gateway/inbound', ...expected]),
      );
      expect(JSON.stringify(harness.receiver.calls)).not.toContain(harness.token);
    });

    test('under a hidden number, the number stands beside it', async () => {
      await says({ text: 'Oi', lid: '1020304050' });
      await says({ text: 'De novo' });
      const key = { remoteJid: '1020304050@lid', remoteJidAlt: jid, addressingMode: 'lid' };
      expect(events('messages.upsert')).toMatchObject([{ data: { key } }, { data: { key } }]);
      const { body } = await sendText('Olá', { number: '1020304050@lid' });
      expect(body.key).toMatchObject(key);
      expect(harness.simulator.attempts()).toMatchObject([{ to }]);
    });

    test('of a file only the gateway can give the bytes', async () => {
      const url = `${harness.simulator.url}/files/a.png`;
      const { messageId: id } = await says({ media: { url, mimeType: 'image/png', caption: 'Look' } });
      expect(events('messages.upsert')).toMatchObject([
        {
          data: { messageType: 'imageMessage', message: { imageMessage: { caption: 'Look', mimetype: 'image/png' } } },
        },
      ]);
      expect(JSON.stringify(events('messages.upsert'))).not.toContain(url);
      const asked = await call('POST', '/chat/getBase64FromMediaMessage/shop', { message: { key: { id } } });
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(asked).toMatchObject({ status: 201, body: { mediaType: 'imageMessage', mimetype: 'image/png' } });
      expect(asked.body.base64).toBe(bytes.toString('base64'));
      const { messageId: text } = await says({ text: 'Oi' });
      for (const wrong of [text, 'unknown'])
        expect(
          (await call('POST', '/chat/getBase64FromMediaMessage/shop', { message: { key: { id: wrong } } })).status,
        ).toBe(400);
    });
  });

  describe('findMessages', () => {
    beforeEach(() => connected());

    const words = (page: { records: { message: { conversation: string } }[] }) =>
      page.records.map(({ message }) => message.conversation);

    test('is newest first, and `offset` is the size of a page', async () => {
      for (const text of ['1', '2', '3', '4', '5']) await says({ text });
      expect(words(await find())).toEqual(['5', '4', '3', '2', '1']);
      const second = await find({ page: 2, offset: 2 });
      expect(second).toMatchObject({ total: 5, pages: 3, currentPage: 2 });
      expect(words(second)).toEqual(['3', '2']);
    });

    test('ignores `fromMe: false`, and a time without the other end', async () => {
      await says({ text: 'in' });
      await sendText('out');
      expect((await find({ where: { key: { fromMe: false } } })).total).toBe(2);
      expect(words(await find({ where: { key: { fromMe: true } } }))).toEqual(['out']);
      const [past, future] = ['2001-01-01T00:00:00.000Z', '2101-01-01T00:00:00.000Z'];
      expect((await find({ where: { messageTimestamp: { gte: future } } })).total).toBe(2);
      expect((await find({ where: { messageTimestamp: { gte: future, lte: future } } })).total).toBe(0);
      expect((await find({ where: { messageTimestamp: { gte: past, lte: future } } })).total).toBe(2);
    });

    test('has one by its id or its conversation, of its own instance only', async () => {
      const { messageId: id } = await says({ text: 'Oi' });
      connected('other');
      await harness.simulator.receiveFromLead({ instance: 'other', from: to, text: 'elsewhere' });
      expect(words(await find({ where: { key: { id } } }))).toEqual(['Oi']);
      expect(words(await find({ where: { key: { remoteJid: jid } } }))).toEqual(['Oi']);
      expect((await find({ where: { key: { remoteJid: '1@s.whatsapp.net' } } })).total).toBe(0);
    });

    test('has statuses, new words of what was edited, and the words of what was deleted', async () => {
      const edited = await says({ text: 'Oj' });
      await says({ edit: { messageId: edited.messageId, text: 'Oi' } });
      const deleted = await says({ text: 'Nada' });
      await says({ deletion: { messageId: deleted.messageId } });
      await sendText('Olá');
      await harness.simulator.idle();
      const { records } = await find();
      const shown = records.map(({ message, MessageUpdate }: Record<string, any>) => [
        message['conversation'],
        MessageUpdate,
      ]);
      expect(shown).toEqual(
        expect.arrayContaining([
          ['Oi', [{ status: 'EDITED' }]],
          ['Nada', [{ status: 'DELETED' }]],
          ['Olá', [{ status: 'READ' }]],
        ]),
      );
    });

    test('what no webhook reported is there', async () => {
      harness.simulator.behave({ withholdRate: 1 }, 'shop');
      expect((await says({ text: 'Calada' })).call).toMatchObject({ isWithheld: true });
      expect(harness.receiver.calls).toEqual([]);
      expect(words(await find())).toEqual(['Calada']);
    });
  });
}

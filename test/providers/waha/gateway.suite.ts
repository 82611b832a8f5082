// Sending through WAHA and looking after its sessions, against a server that answers as it does.

import type { GatewayEndpoint, OutgoingMessage, ReservedId, SendResult } from '../../../src/providers/chat-gateway.js';
import { OutboundAddressPolicy } from '../../../src/clients/outbound-address-policy.js';
import { WahaGateway } from '../../../src/providers/waha/gateway.js';
import { html, late, lostAnswers, slowAnswers } from '../../support/provider-fault.js';
import {
  engineError,
  wahaError,
  WahaServer,
  type WahaEngine,
  type WahaSend,
  type WahaStatus,
} from '../../support/waha-server.js';
import { answering, outgoingText, saying, type Script } from '../scripted-gateway.js';

const patient = 10_000;
// A time limit in ms that still lets a busy machine connect.
const impatient = 500;

export function describeWahaGateway(): void {
  const token = WahaServer.apiKey;
  const reservedId = '3EB0C0FFEE0123456789';
  const chatId = '5511988887777@c.us';
  const image = { url: 'https://files.example/a.png', mimeType: 'image/png', fileName: 'a.png', caption: 'A' };

  let server: WahaServer;
  let driver: WahaGateway;
  let endpoint: GatewayEndpoint;

  beforeEach(async () => {
    server = await WahaServer.start();
    driver = new WahaGateway({ timeoutMs: patient });
    endpoint = { baseUrl: server.url, token, instanceName: 'acme' };
  });
  afterEach(() => server.close());

  const never = () => new AbortController().signal;
  const send = (change: Partial<OutgoingMessage> = {}): Promise<SendResult> =>
    driver.send(endpoint, { ...outgoingText, reservedId, ...change }, never());
  const reserve = (): Promise<ReservedId> => driver.reserveId(endpoint, never());
  const lost = { since: new Date(), listOthers: async () => new Set<string>() };
  const find = () => driver.findSent(endpoint, { ...outgoingText, reservedId }, lost, never());

  function sendTo(script: Script, change: Partial<OutgoingMessage> = {}): Promise<SendResult> {
    server.always(script);
    return send(change);
  }

  const bodies = () => server.requests.map(({ body }) => body);
  const routes = () => server.requests.map(({ method, path }) => `${method} ${path}`);
  const notWorking = (status: string) =>
    answering(422, { error: 'Session status is not as expected', session: 'acme', status, expected: ['WORKING'] });

  describe('an id', () => {
    test.each<WahaEngine>(['GOWS', 'NOWEB'])('is reserved by %s', async (engine) => {
      server.engine = engine;
      expect(await reserve()).toEqual({ outcome: 'reserved', id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/) });
      expect(server.requests).toMatchObject([
        { method: 'GET', path: '/api/acme/new-message-id', headers: { 'x-api-key': token } },
      ]);
    });

    test.each<[string, Script]>([
      ['an engine without reserved ids', wahaError(422, 'The method is not implemented by the engine.')],
      ['the same, as 501', wahaError(501, 'The method is not implemented by the engine')],
      ['a version without the call', wahaError(404, 'Cannot GET /api/session/new-message-id')],
      ['a refusal', wahaError(400, 'no')],
    ])('is not offered by %s', async (_name, script) => {
      server.always(script);
      expect(await reserve()).toEqual({ outcome: 'notOffered' });
    });

    test.each<[string, Script, object]>([
      ['a session that waits for its code', notWorking('SCAN_QR_CODE'), { outcome: 'paused' }],
      ['a session that is gone', wahaError(404, "We didn't find a session with name 'acme'."), { outcome: 'paused' }],
      ['a wrong key', wahaError(401, 'Unauthorized'), { outcome: 'paused', code: 'HTTP_401' }],
      ['503', wahaError(503, 'later'), { outcome: 'temporary', code: 'HTTP_503' }],
      ['500', engineError('it broke'), { outcome: 'temporary', code: 'HTTP_500' }],
      ['HTML', html(502), { outcome: 'temporary', code: 'HTTP_502' }],
      ['429', wahaError(429, 'slow'), { outcome: 'temporary', isInstanceBusy: true }],
      ['a redirect', answering(302, ''), { outcome: 'permanent', code: 'HTTP_302' }],
      ['no id', answering(200, {}), { outcome: 'temporary', code: 'GATEWAY_ANSWER_INVALID' }],
      ['a path as its id', answering(200, { id: '../../x' }), { outcome: 'temporary', code: 'GATEWAY_ANSWER_INVALID' }],
      ['a reset', (_request, response) => response.socket?.resetAndDestroy(), { outcome: 'temporary' }],
    ])('cannot be reserved now with %s', async (_name, script, result) => {
      server.always(script);
      expect(await reserve()).toMatchObject(result);
    });
  });

  describe('a send', () => {
    test.each<WahaEngine>(['GOWS', 'NOWEB'])('of a text goes to sendText under its id (%s)', async (engine) => {
      server.engine = engine;
      expect(await send()).toEqual({ outcome: 'accepted', externalId: reservedId });
      expect(server.requests).toMatchObject([
        { method: 'POST', path: '/api/sendText', headers: { 'x-api-key': token, 'content-type': 'application/json' } },
      ]);
      expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
      expect(bodies()).toEqual([{ session: 'acme', chatId, id: reservedId, text: 'Olá 👋' }]);
    });

    test('without an id gets the one that the engine gives', async () => {
      server.engine = 'WEBJS';
      const result = await send({ reservedId: undefined });
      expect(result).toEqual({ outcome: 'accepted', externalId: [...server.messages.keys()][0] });
      expect(bodies()).toEqual([{ session: 'acme', chatId, text: 'Olá 👋' }]);
    });

    test('twice under its id is one message', async () => {
      for (const _time of [1, 2]) expect(await send()).toEqual({ outcome: 'accepted', externalId: reservedId });
      expect(server.texts).toEqual(['Olá 👋']);
    });

    test('of a picture goes to sendImage, with its caption and what it answers', async () => {
      await send({ type: 'image', text: null, media: image, replyTo: '3A54' });
      expect(routes()).toEqual(['POST /api/sendImage']);
      expect(bodies()).toEqual([
        {
          session: 'acme',
          chatId,
          id: reservedId,
          file: { url: image.url, mimetype: 'image/png', filename: 'a.png' },
          caption: 'A',
          reply_to: `false_${chatId}_3A54`,
        },
      ]);
    });

    test.each([
      ['image', 'image/jpeg', 'sendImage'],
      ['image', undefined, 'sendImage'],
      ['image', 'image/webp', 'sendFile'],
      ['sticker', 'image/webp', 'sendFile'],
      ['video', 'video/mp4', 'sendVideo'],
      ['video', 'video/quicktime', 'sendFile'],
      ['audio', 'audio/ogg; codecs=opus', 'sendVoice'],
      ['audio', 'audio/mpeg', 'sendFile'],
      ['audio', undefined, 'sendFile'],
      ['document', 'audio/ogg', 'sendFile'],
      ['document', 'application/pdf', 'sendFile'],
      ['file', undefined, 'sendFile'],
    ])('of type %s (%s) goes to %s', async (type, mimeType, route) => {
      const media = { url: 'https://files.example/a', mimeType };
      expect(await send({ type, text: null, media })).toMatchObject({ outcome: 'accepted' });
      expect(routes()).toEqual([`POST /api/${route}`]);
    });

    test.each([
      ['the text where there is no caption', null, 'Oi', 'Oi'],
      ['both where they differ', 'A', 'Oi', 'A\n\nOi'],
    ])('of a file carries %s', async (_name, caption, words, expected) => {
      await send({ type: 'image', text: words, media: { ...image, caption } });
      expect(bodies()).toMatchObject([{ caption: expected }]);
    });

    test.each([
      [{ id: 'true_551188887777@c.us_3EB0' }, '551188887777'],
      [{ id: 'true_12036302@lid_3EB0' }, undefined],
      [{ id: '3EB0' }, undefined],
      [{ key: { id: '3EB0', remoteJid: '551188887777@s.whatsapp.net' } }, '551188887777'],
      [{ id: { id: '3EB0', _serialized: 'true_5511988887777@c.us_3EB0' } }, undefined],
    ])('that is answered with %j tells the number %s', async (body, chat) => {
      const result = await sendTo(answering(201, body));
      expect(result).toEqual({ outcome: 'accepted', externalId: '3EB0', ...(chat === undefined ? {} : { chat }) });
    });

    test.each([
      [
        'a text beside an audio file',
        { type: 'audio', media: { url: 'https://files.example/a' } },
        'CAPTION_NOT_OFFERED',
      ],
      ['nothing', { text: null }, 'CONTENT_MISSING'],
      ['a template of the network', { template: { name: 'a', language: 'en' } }, 'TEMPLATE_NOT_OFFERED'],
    ])('of %s is refused for good before it is sent', async (_name, change, code) => {
      expect(await send(change)).toMatchObject({
        outcome: 'permanent',
        code,
        detail: expect.stringMatching(/\. Send/),
      });
      expect(server.requests).toEqual([]);
    });

    test('without an id takes a connection of its own', async () => {
      await send({ reservedId: undefined });
      expect(server.requests[0]?.headers.connection).toBe('close');
    });
  });

  describe('a number', () => {
    test('that the network writes otherwise gets the message there, under the same id', async () => {
      server.chats.set('5511988887777', '551188887777');
      expect(await send()).toEqual({ outcome: 'accepted', externalId: reservedId, chat: '551188887777' });
      expect(routes()).toEqual([
        'POST /api/sendText',
        'GET /api/contacts/check-exists?phone=5511988887777&session=acme',
        'POST /api/sendText',
      ]);
      expect((bodies()[2] as WahaSend).chatId).toBe('551188887777@c.us');
    });

    test('that is not on the network is refused for good', async () => {
      server.chats.set('5511988887777', null);
      const result = await send();
      expect(result).toMatchObject({ outcome: 'permanent', code: 'NUMBER_NOT_ON_NETWORK' });
      expect(result).toHaveProperty('detail', expect.stringMatching(/Correct the lead's number/));
    });

    test('that the network has and does not take is tried again', async () => {
      server.script = ({ path }) => (path.startsWith('/api/send') ? engineError('no LID found for it') : undefined);
      expect(await send()).toMatchObject({ outcome: 'temporary', code: 'HTTP_500' });
    });

    test('that cannot be looked up now is tried again', async () => {
      server.script = ({ path }) =>
        path.startsWith('/api/send') ? engineError('No LID for user') : wahaError(503, 'later');
      expect(await send()).toMatchObject({ outcome: 'temporary', detail: saying('No LID for user') });
    });
  });

  describe('a refused send', () => {
    test.each<[string, Script]>([
      ['a session that waits for its code', notWorking('SCAN_QR_CODE')],
      ['a session that has failed', notWorking('FAILED')],
      ['a session that is not there', wahaError(404, "We didn't find a session with name 'acme'.")],
      ['a lost connection to the network', engineError('Connection Closed')],
      ['the same of GOWS', engineError('2 UNKNOWN: websocket not connected')],
    ])('%s pauses the instance', async (_name, script) => {
      expect(await sendTo(script)).toMatchObject({
        outcome: 'paused',
        code: 'SESSION_NOT_WORKING',
        detail: expect.stringMatching(/Connect the chat instance/),
      });
    });

    test.each(['a wrong key', null])('%s pauses the instance', async (wrong) => {
      endpoint.token = wrong;
      const result = await send();
      expect(result).toMatchObject({ outcome: 'paused', code: 'HTTP_401' });
      expect(result).toHaveProperty('detail', saying('Unauthorized', "\\. Check the chat instance's token\\."));
    });

    test.each([408, 425, 429, 503])('%d is temporary', async (status) => {
      const result = await sendTo(wahaError(status, 'later'));
      const pace = status === 429 ? { isInstanceBusy: true } : {};
      expect(result).toEqual({ outcome: 'temporary', code: `HTTP_${status}`, detail: saying('later'), ...pace });
    });

    test.each([500, 502, 504, 599])('%d may have been sent', async (status) => {
      expect(await sendTo(wahaError(status, 'it broke'))).toEqual({
        outcome: 'unknown',
        code: `HTTP_${status}`,
        detail: saying('it broke'),
      });
      expect(await sendTo(html(status))).toMatchObject({ outcome: 'unknown', code: `HTTP_${status}` });
    });

    test.each<[number, object, string]>([
      [400, { message: ['chatId must be a string', 'text is empty'] }, 'chatId must be a string; text is empty.'],
      [403, { message: 'Forbidden' }, 'Forbidden.'],
      [422, { message: 'The feature is available only in Plus version.' }, 'only in Plus version.'],
      [422, { error: { message: 'no such file' } }, 'no such file.'],
      [404, { message: 'Cannot POST /api/sendText' }, 'Cannot POST /api/sendText.'],
      [413, {}, ' answered 413.'],
    ])('%d with %j is permanent and says what to do', async (status, body, words) => {
      const result = await sendTo(answering(status, body));
      expect(result).toMatchObject({ outcome: 'permanent', code: `HTTP_${status}` });
      expect(result).toHaveProperty('detail', expect.stringMatching(/^.+\. [A-Z].+\.$/));
      expect(result).toHaveProperty('detail', expect.stringContaining(words));
    });

    test('Retry-After is honoured', async () => {
      const result = await sendTo(answering(429, {}, { 'retry-after': '7' }));
      expect(result).toHaveProperty('retryAfterSeconds', 7);
    });

    test.each([200, 400, 401, 429, 500])('the key is never quoted (%d)', async (status) => {
      const result = await sendTo(wahaError(status, `Error: ${token}`));
      expect(JSON.stringify(result)).not.toContain(token);
    });
  });

  describe('an answer that is lost', () => {
    test.each(lostAnswers)('%s: it may have been sent', async (_name, script) => {
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: expect.stringMatching(/^GATEWAY_/) });
      expect(server.requests).toHaveLength(1);
    });

    test.each(slowAnswers)('%s in time: it may have been sent', async (_name, script) => {
      driver = new WahaGateway({ timeoutMs: impatient });
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' });
    });

    test('an answer that comes late changes nothing', async () => {
      driver = new WahaGateway({ timeoutMs: impatient });
      const { script, release } = late(server.sent(reservedId, chatId));
      const result = await sendTo(script);
      release();
      expect(result).toMatchObject({ outcome: 'unknown' });
    });

    test.each<[string, unknown]>([
      ['no JSON', 'OK'],
      ['no id', { _data: null }],
      ['an empty id', { id: '' }],
      ['nothing', ''],
    ])('2xx with %s may have been sent', async (_name, body) => {
      expect(await sendTo(answering(201, body))).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_ANSWER_INVALID' });
    });
  });

  describe('a look-up by the reserved id', () => {
    test('finds what was sent', async () => {
      server.take({ chatId, text: 'Olá 👋', id: reservedId });
      expect(await find()).toEqual({ outcome: 'sent', externalId: reservedId });
      expect(routes()).toEqual([`GET /api/acme/chats/all/messages/${reservedId}?downloadMedia=false`]);
    });

    test('finds it also in a chat that is written otherwise', async () => {
      server.take({ chatId: '120363@lid', text: 'Olá 👋', id: reservedId });
      expect(await find()).toEqual({ outcome: 'sent', externalId: reservedId });
    });

    test('does not find what was not sent', async () => {
      expect(await find()).toEqual({ outcome: 'absent' });
    });

    test('takes what the network refused for not sent', async () => {
      server.take({ chatId, id: reservedId });
      const message = server.messages.get(reservedId);
      if (message !== undefined) message.ack = -1;
      expect(await find()).toEqual({ outcome: 'absent' });
    });

    test.each<[string, string, Script]>([
      ['another message', 'unknown', answering(200, { id: `true_${chatId}_3EB0`, fromMe: true })],
      ['one of the lead', 'unknown', answering(200, { id: `false_${chatId}_${reservedId}`, fromMe: false })],
      ['rubbish', 'unknown', answering(200, '"?"')],
      ['an engine without a store', 'unknown', wahaError(400, 'Enable NOWEB store')],
      ['an error of the engine', 'unknown', engineError('sql: no rows in result set')],
      ['503', 'unavailable', wahaError(503, 'later')],
      ['a session that is out', 'paused', notWorking('STARTING')],
      ['a session that is gone', 'paused', wahaError(404, "We didn't find a session with name 'acme'.")],
      ['a reset', 'unavailable', (_request, response) => response.socket?.resetAndDestroy()],
    ])('with %s is %s', async (_name, outcome, script) => {
      server.always(script);
      expect(await find()).toMatchObject({ outcome, detail: expect.stringMatching(/\w/) });
    });
  });

  describe('nothing was sent', () => {
    test('when nobody listens', async () => {
      const gone = await WahaServer.start();
      await gone.close();
      endpoint.baseUrl = gone.url;
      for (const result of [await send(), await reserve()])
        expect(result).toMatchObject({ outcome: 'temporary', code: 'GATEWAY_UNREACHABLE' });
      expect(await find()).toMatchObject({ outcome: 'unavailable' });
    });

    test('to a private address', async () => {
      const addresses = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: false });
      driver = new WahaGateway({ timeoutMs: patient, addresses });
      for (const result of [await send(), await reserve(), await driver.readState(endpoint)])
        expect(result).toMatchObject({ outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' });
      expect(server.requests).toEqual([]);
    });

    test.each(['../sessions/other', 'a/b', '%2e%2e', 'a?b#c', 'ação 1'])(
      'the name "%s" stays one name',
      async (name) => {
        endpoint.instanceName = name;
        server.sessions.set(name, 'STOPPED');
        expect(await driver.readState(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
        expect(server.requests[0]?.path.split('/')).toHaveLength(4);
      },
    );
  });

  describe('a session', () => {
    test.each<[string, string]>([
      ['WORKING', 'CONNECTED'],
      ['STARTING', 'CONNECTING'],
      ['SCAN_QR_CODE', 'CONNECTING'],
      ['PASSKEY_REQUIRED', 'CONNECTING'],
      ['STOPPED', 'DISCONNECTED'],
      ['FAILED', 'ERROR'],
    ])('that is %s reads %s', async (state, status) => {
      server.sessions.set('acme', state as WahaStatus);
      expect(await driver.readState(endpoint)).toMatchObject({ outcome: 'answered', status });
      expect(routes()).toEqual(['GET /api/sessions/acme']);
    });

    test('that WAHA does not have reads DISCONNECTED and says why', async () => {
      endpoint.instanceName = 'new';
      expect(await driver.readState(endpoint)).toMatchObject({
        status: 'DISCONNECTED',
        lastError: expect.stringMatching(/connecting creates it/),
      });
    });

    const { qr, pairingCode } = WahaServer;

    test('is started, and gives its code to scan', async () => {
      server.sessions.set('acme', 'STOPPED');
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING', qr });
      expect(routes()).toEqual([
        'GET /api/sessions/acme',
        'POST /api/sessions/acme/start',
        'GET /api/acme/auth/qr?format=raw',
      ]);
    });

    test('is created by the first connect', async () => {
      endpoint.instanceName = 'new';
      expect(await driver.connect(endpoint)).toMatchObject({ status: 'CONNECTING', qr });
      expect(routes()[1]).toBe('POST /api/sessions');
      expect(bodies()[1]).toEqual({ name: 'new', start: false });
    });

    test('that has failed is started again', async () => {
      server.sessions.set('acme', 'FAILED');
      expect(await driver.connect(endpoint)).toMatchObject({ status: 'CONNECTING', qr });
      expect(routes()[1]).toBe('POST /api/sessions/acme/restart');
    });

    test('that waits for its code is left as it is', async () => {
      server.sessions.set('acme', 'SCAN_QR_CODE');
      expect(await driver.connect(endpoint)).toMatchObject({ status: 'CONNECTING', qr });
      expect(routes()).toEqual(['GET /api/sessions/acme', 'GET /api/acme/auth/qr?format=raw']);
    });

    test('that starts has no code yet', async () => {
      server.sessions.set('acme', 'STARTING');
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING' });
    });

    test('that works is connected already', async () => {
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTED' });
      expect(server.requests).toHaveLength(1);
    });

    test('of a known number gives a code to type, and the same one for a while', async () => {
      server.sessions.set('acme', 'SCAN_QR_CODE');
      endpoint.phoneNumber = '5511988887777';
      for (const _time of [1, 2])
        expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING', qr, pairingCode });
      const asked = server.requests.filter(({ path }) => path === '/api/acme/auth/request-code');
      expect(asked.map(({ body }) => body)).toEqual([{ phoneNumber: '5511988887777' }]);
    });

    test('whose code to type is refused still gives the one to scan', async () => {
      server.sessions.set('acme', 'SCAN_QR_CODE');
      endpoint.phoneNumber = '5511988887777';
      server.script = ({ path }) => (path.endsWith('request-code') ? engineError('rate-overlimit') : undefined);
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING', qr });
    });

    test('is created twice without harm', async () => {
      endpoint.instanceName = 'new';
      for (const _time of [1, 2])
        expect(await driver.create(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
    });

    test('is signed out and stopped, twice without harm, also one that there is not', async () => {
      for (const _time of [1, 2])
        expect(await driver.disconnect(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
      expect(server.sessions.get('acme')).toBe('STOPPED');
      expect(routes().slice(0, 2)).toEqual(['POST /api/sessions/acme/logout', 'POST /api/sessions/acme/stop']);
      expect(await driver.disconnect({ ...endpoint, instanceName: 'none' })).toMatchObject({ status: 'DISCONNECTED' });
    });

    test.each([401, 403])('is not reached without its key (%d)', async (status) => {
      server.always(wahaError(status, `no ${token}`));
      const { connect, readState, disconnect, create } = driver;
      for (const call of [connect, readState, disconnect, create]) {
        const result = await call.call(driver, endpoint);
        expect(result).toMatchObject({ outcome: 'permanent', code: `HTTP_${status}` });
        expect(JSON.stringify(result)).not.toContain(token);
      }
    });

    test.each<[string, Script]>([
      ['an error', engineError('it broke')],
      ['HTML', html(502)],
      ['rubbish', answering(200, '"?"')],
      ['a state that nobody knows', answering(200, { status: 'ASLEEP' })],
      ['a reset', (_request, response) => response.socket?.resetAndDestroy()],
    ])('whose gateway answers with %s can be asked again', async (_name, script) => {
      server.always(script);
      for (const result of [await driver.readState(endpoint), await driver.connect(endpoint)])
        expect(result).toMatchObject({ outcome: 'temporary', detail: expect.stringMatching(/\w/) });
    });
  });
}

// Sending through Evolution API and looking after its instances, against a server that answers as it does. The look-up of sent messages is
// in sent-list.suite.ts.

import type { GatewayEndpoint, OutgoingMessage, SendResult } from '../../../src/providers/chat-gateway.js';
import { EvolutionGateway } from '../../../src/providers/evolution/gateway.js';
import { OutboundAddressPolicy } from '../../../src/clients/outbound-address-policy.js';
import { EvolutionServer, evolutionError } from '../../support/evolution-server.js';
import { html, late, lostAnswers, slowAnswers } from '../../support/provider-fault.js';
import { answering, outgoingText, saying, type Script } from '../scripted-gateway.js';
import { matchKeyOfNumber } from '../../../src/platform/phone-numbers/match-key.js';

const patient = 10_000;
// A time limit in ms that still lets a busy machine connect.
const impatient = 500;

export function describeEvolutionGateway(): void {
  const token = EvolutionServer.globalKey;
  const image = { url: 'https://files.example/a.png', mimeType: 'image/png', fileName: 'a.png', caption: 'A' };

  let server: EvolutionServer;
  let driver: EvolutionGateway;
  let endpoint: GatewayEndpoint;

  beforeEach(async () => {
    server = await EvolutionServer.start();
    driver = new EvolutionGateway({ timeoutMs: patient, matchKeyOf: matchKeyOfNumber });
    endpoint = { baseUrl: server.url, token, instanceName: 'acme' };
  });
  afterEach(() => server.close());

  const never = () => new AbortController().signal;
  const send = (change: Partial<OutgoingMessage> = {}): Promise<SendResult> =>
    driver.send(endpoint, { ...outgoingText, ...change }, never());

  function sendTo(script: Script, change: Partial<OutgoingMessage> = {}): Promise<SendResult> {
    server.always(script);
    return send(change);
  }

  const bodies = () => server.requests.map(({ body }) => body);
  const routes = () => server.requests.map(({ method, path }) => `${method} ${path}`);

  describe('a send', () => {
    test('of a text goes to sendText with the key', async () => {
      expect(await send()).toEqual({ outcome: 'accepted', externalId: server.records[0]?.key.id });
      expect(server.requests).toMatchObject([
        {
          method: 'POST',
          path: '/message/sendText/acme',
          headers: { apikey: token, 'content-type': 'application/json' },
        },
      ]);
      expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
      expect(bodies()).toEqual([{ number: '5511988887777', text: 'Olá 👋' }]);
    });

    test('of a file goes to sendMedia', async () => {
      expect(await send({ type: 'image', text: null, media: image })).toMatchObject({ outcome: 'accepted' });
      expect(routes()).toEqual(['POST /message/sendMedia/acme']);
      expect(bodies()).toEqual([
        {
          number: '5511988887777',
          mediatype: 'image',
          media: 'https://files.example/a.png',
          mimetype: 'image/png',
          fileName: 'a.png',
          caption: 'A',
        },
      ]);
    });

    test.each([
      ['video', 'video/mp4', 'video'],
      ['audio', 'audio/mpeg', 'audio'],
      ['document', 'audio/ogg', 'document'],
      ['document', 'application/pdf', 'document'],
      ['sticker', 'image/webp', 'image'],
      ['file', undefined, 'document'],
    ])('of type %s (%s) is a %s', async (type, mimeType, mediatype) => {
      await send({ type, text: null, media: { url: 'https://files.example/a', mimeType } });
      expect(bodies()).toMatchObject([{ mediatype }]);
    });

    test('of recorded sound goes to sendWhatsAppAudio', async () => {
      const media = { url: 'https://files.example/a.ogg', mimeType: 'audio/ogg; codecs=opus' };
      expect(await send({ type: 'audio', text: null, media, replyTo: '3A54' })).toMatchObject({ outcome: 'accepted' });
      expect(routes()).toEqual(['POST /message/sendWhatsAppAudio/acme']);
      expect(bodies()).toEqual([
        { number: '5511988887777', audio: 'https://files.example/a.ogg', quoted: { key: { id: '3A54' } } },
      ]);
    });

    test.each([
      ['the text where there is no caption', null, 'Oi', 'Oi'],
      ['once where both are the same', 'Oi', 'Oi', 'Oi'],
      ['both where they differ', 'A', 'Oi', 'A\n\nOi'],
    ])('of a file carries %s', async (_name, caption, words, expected) => {
      await send({ type: 'image', text: words, media: { ...image, caption } });
      expect(bodies()).toMatchObject([{ caption: expected }]);
    });

    test('that answers a message quotes it', async () => {
      await send({ replyTo: '3A54' });
      expect(bodies()).toMatchObject([{ quoted: { key: { id: '3A54' } } }]);
    });

    test.each([
      ['5511988887777@s.whatsapp.net', undefined],
      ['551188887777@s.whatsapp.net', '551188887777'],
      ['551188887777:12@s.whatsapp.net', '551188887777'],
      ['12036302@lid', undefined],
    ])('that is answered under %s tells the number %s', async (remoteJid, chat) => {
      const result = await sendTo(answering(201, { key: { remoteJid, fromMe: true, id: '3EB0' }, status: 'PENDING' }));
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

    test('takes a connection of its own', async () => {
      await send();
      expect(server.requests[0]?.headers.connection).toBe('close');
    });
  });

  const unknownNumber = [{ jid: '5511988887777@s.whatsapp.net', exists: false, number: '5511988887777' }];

  describe('a refused send', () => {
    test('a number that is not on the network is permanent', async () => {
      const result = await sendTo(evolutionError(400, unknownNumber));
      expect(result).toMatchObject({ outcome: 'permanent', code: 'NUMBER_NOT_ON_NETWORK' });
      expect(result).toHaveProperty('detail', expect.stringMatching(/Correct the lead's number/));
    });

    test.each<[number, unknown]>([
      [400, ['Error: Connection Closed']],
      [500, ['Error: Connection Closed']],
      [500, 'Connection Closed'],
    ])('%d with %j pauses the instance', async (status, message) => {
      expect(await sendTo(evolutionError(status, message))).toMatchObject({
        outcome: 'paused',
        code: 'CONNECTION_CLOSED',
        detail: expect.stringMatching(/Connect the chat instance again\.$/),
      });
    });

    test('an instance that the gateway does not have is paused', async () => {
      server.instances.clear();
      const result = await send();
      expect(result).toMatchObject({ outcome: 'paused', code: 'HTTP_404' });
      expect(result).toHaveProperty('detail', saying('The "acme" instance does not exist', '\\. Connect.*'));
    });

    test.each(['a wrong key', null])('%s pauses the instance', async (wrong) => {
      endpoint.token = wrong;
      const result = await send();
      expect(result).toMatchObject({ outcome: 'paused', code: 'HTTP_401' });
      expect(result).toHaveProperty('detail', saying('Unauthorized', "\\. Check the chat instance's token\\."));
    });

    test.each([408, 425, 429, 503])('%d is temporary', async (status) => {
      const result = await sendTo(evolutionError(status, 'later'));
      const pace = status === 429 ? { isInstanceBusy: true } : {};
      expect(result).toEqual({ outcome: 'temporary', code: `HTTP_${status}`, detail: saying('later'), ...pace });
      expect(await sendTo(html(status))).toMatchObject({ outcome: 'temporary', code: `HTTP_${status}` });
    });

    test.each([500, 502, 504, 599])('%d may have been sent', async (status) => {
      const failed = await sendTo(evolutionError(status, ['it broke']));
      expect(failed).toEqual({ outcome: 'unknown', code: `HTTP_${status}`, detail: saying('it broke') });
      expect(await sendTo(html(status))).toMatchObject({ outcome: 'unknown', code: `HTTP_${status}` });
    });

    test('a 400 after a time-out of the network may have been sent', async () => {
      expect(await sendTo(evolutionError(400, ['Error: Timed Out']))).toMatchObject({ outcome: 'unknown' });
    });

    test.each<[number, unknown, string]>([
      [400, [['instance requires property "number"']], 'instance requires property "number".'],
      [403, 'Forbidden', 'Forbidden.'],
      [413, ['too large'], 'too large.'],
      [422, 7, ' answered 422.'],
    ])('%d with %j is permanent and says what to do', async (status, message, words) => {
      const result = await sendTo(evolutionError(status, message));
      expect(result).toMatchObject({ outcome: 'permanent', code: `HTTP_${status}` });
      expect(result).toHaveProperty('detail', expect.stringMatching(/^.+\. [A-Z].+\.$/));
      expect(result).toHaveProperty('detail', expect.stringContaining(words));
    });

    test('Retry-After is honoured in both forms', async () => {
      const seconds = await sendTo(answering(429, {}, { 'retry-after': '7' }));
      expect(seconds).toHaveProperty('retryAfterSeconds', 7);
      const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
      const date = await sendTo(answering(503, {}, { 'retry-after': inTenMinutes }));
      if (date.outcome !== 'temporary') throw new Error(`unexpected ${date.outcome}`);
      expect(date.retryAfterSeconds).toBeGreaterThan(500);
      expect(date.retryAfterSeconds).toBeLessThanOrEqual(600);
    });

    test('a redirect is not followed', async () => {
      const elsewhere = await EvolutionServer.start();
      try {
        const result = await sendTo(answering(307, '', { location: `${elsewhere.url}/message/sendText/acme` }));
        expect(result).toMatchObject({
          outcome: 'permanent',
          code: 'HTTP_307',
          detail: expect.stringMatching(/baseUrl/),
        });
        expect(elsewhere.requests).toEqual([]);
      } finally {
        await elsewhere.close();
      }
    });

    test.each([200, 400, 401, 429, 500])('the key is never quoted (%d)', async (status) => {
      const result = await sendTo(evolutionError(status, [`Error: ${token} and "${token}"`, token]));
      expect(JSON.stringify(result)).not.toContain(token);
    });
  });

  describe('an answer that is lost', () => {
    test.each(lostAnswers)('%s: it may have been sent', async (_name, script) => {
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: expect.stringMatching(/^GATEWAY_/) });
      expect(server.requests).toHaveLength(1);
    });

    test.each(slowAnswers)('%s in time: it may have been sent', async (_name, script) => {
      driver = new EvolutionGateway({ timeoutMs: impatient, matchKeyOf: matchKeyOfNumber });
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' });
    });

    test('an answer that comes late changes nothing', async () => {
      driver = new EvolutionGateway({ timeoutMs: impatient, matchKeyOf: matchKeyOfNumber });
      const { script, release } = late(answering(201, { key: { id: '3EB0' } }));
      const result = await sendTo(script);
      release();
      expect(result).toMatchObject({ outcome: 'unknown' });
    });

    test.each<[string, unknown]>([
      ['no JSON', 'OK'],
      ['no key', { status: 'PENDING' }],
      ['an empty id', { key: { id: '' } }],
      ['nothing', ''],
    ])('2xx with %s may have been sent', async (_name, body) => {
      expect(await sendTo(answering(201, body))).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_ANSWER_INVALID' });
    });

    test('a shutdown after the request went out leaves it unknown', async () => {
      const aborter = new AbortController();
      server.always(() => aborter.abort());
      expect(await driver.send(endpoint, outgoingText, aborter.signal)).toMatchObject({ outcome: 'unknown' });
    });
  });

  describe('nothing was sent', () => {
    test('when nobody listens', async () => {
      const gone = await EvolutionServer.start();
      await gone.close();
      endpoint.baseUrl = gone.url;
      const result = await send();
      expect(result).toMatchObject({ outcome: 'temporary', code: 'GATEWAY_UNREACHABLE' });
    });

    test('when the shutdown came first', async () => {
      expect(await driver.send(endpoint, outgoingText, AbortSignal.abort())).toMatchObject({ outcome: 'temporary' });
      expect(server.requests).toEqual([]);
    });

    test('to a private address', async () => {
      const addresses = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: false });
      driver = new EvolutionGateway({ timeoutMs: patient, matchKeyOf: matchKeyOfNumber, addresses });
      expect(await send()).toMatchObject({ outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' });
      const instance = await driver.readState(endpoint);
      expect(instance).toMatchObject({ outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' });
      expect(server.requests).toEqual([]);
    });

    test.each(['.', '..'])('under the name "%s", which would change the path', async (instanceName) => {
      endpoint.instanceName = instanceName;
      expect(await send()).toMatchObject({ outcome: 'permanent', code: 'INSTANCE_NAME_INVALID' });
      for (const instance of [await driver.disconnect(endpoint), await driver.connect(endpoint)])
        expect(instance).toMatchObject({ outcome: 'permanent', code: 'INSTANCE_NAME_INVALID' });
      expect(server.requests).toEqual([]);
    });

    test.each(['../delete/other', 'a/b', '%2e%2e', 'a?b#c', 'ação 1'])('the name "%s" stays one name', async (name) => {
      endpoint.instanceName = name;
      server.instances.set(name, 'close');
      expect(await driver.readState(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
      expect(server.requests[0]?.path.split('/')).toHaveLength(4);
    });
  });

  describe('an instance', () => {
    test.each([
      ['open', 'CONNECTED'],
      ['connecting', 'CONNECTING'],
      ['close', 'DISCONNECTED'],
      ['refused', 'ERROR'],
    ] as const)('that is %s reads %s', async (state, status) => {
      server.instances.set('acme', state);
      expect(await driver.readState(endpoint)).toMatchObject({ outcome: 'answered', status });
      expect(routes()).toEqual(['GET /instance/connectionState/acme']);
    });

    test('that the gateway does not have reads DISCONNECTED and says why', async () => {
      endpoint.instanceName = 'new';
      const state = await driver.readState(endpoint);
      expect(state).toMatchObject({
        status: 'DISCONNECTED',
        lastError: expect.stringMatching(/connecting creates it/),
      });
    });

    test('is connected with a code to scan', async () => {
      server.instances.set('acme', 'close');
      const { base64: qr, pairingCode } = EvolutionServer.qr;
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING', qr, pairingCode });
      expect(routes()).toEqual(['GET /instance/connect/acme']);
    });

    test('is created by the first connect, with no key of ours', async () => {
      endpoint.instanceName = 'new';
      expect(await driver.connect(endpoint)).toMatchObject({ status: 'CONNECTING', qr: EvolutionServer.qr.base64 });
      expect(routes()).toEqual(['GET /instance/connect/new', 'POST /instance/create', 'GET /instance/connect/new']);
      expect(bodies()[1]).toEqual({ instanceName: 'new', integration: 'WHATSAPP-BAILEYS', qrcode: false });
    });

    test('that is open is connected already', async () => {
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTED' });
    });

    test.each<[string, object, object]>([
      ['without a code yet', { count: 0 }, {}],
      ['with a text to draw only', { code: '2@abc', pairingCode: null }, { qr: '2@abc' }],
    ])('that connects %s says so', async (_name, answer, codes) => {
      server.always(answering(200, answer));
      expect(await driver.connect(endpoint)).toEqual({ outcome: 'answered', status: 'CONNECTING', ...codes });
    });

    test('whose connect fails with 200 is a failure', async () => {
      server.always(answering(200, { error: true, message: `Error: ${token}` }));
      const result = await driver.connect(endpoint);
      expect(result).toMatchObject({
        outcome: 'temporary',
        code: 'CONNECT_FAILED',
        detail: saying('Error: \\(token\\)'),
      });
    });

    test('is created twice without harm', async () => {
      endpoint.instanceName = 'new';
      for (const _time of [1, 2])
        expect(await driver.create(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
    });

    test('is disconnected twice without harm, also one that there is not', async () => {
      for (const _time of [1, 2])
        expect(await driver.disconnect(endpoint)).toEqual({ outcome: 'answered', status: 'DISCONNECTED' });
      expect(server.instances.get('acme')).toBe('close');
      expect(await driver.disconnect({ ...endpoint, instanceName: 'none' })).toMatchObject({ status: 'DISCONNECTED' });
    });

    test.each([401, 403])('is not reached without its key (%d)', async (status) => {
      server.always(evolutionError(status, `no ${token}`));
      const { connect, readState, disconnect, create } = driver;
      for (const call of [connect, readState, disconnect, create]) {
        const result = await call.call(driver, endpoint);
        expect(result).toMatchObject({ outcome: 'permanent', code: `HTTP_${status}` });
        expect(JSON.stringify(result)).not.toContain(token);
      }
    });

    test.each<[string, Script]>([
      ['an error', evolutionError(500, 'it broke')],
      ['HTML', html(502)],
      ['a lost connection to the network', evolutionError(400, ['Error: Connection Closed'])],
      ['rubbish', answering(200, '"?"')],
      ['a state that nobody knows', answering(200, { instance: { state: 'asleep' } })],
      ['a reset', (_request, response) => response.socket?.resetAndDestroy()],
    ])('whose gateway answers with %s can be asked again', async (_name, script) => {
      server.always(script);
      for (const result of [await driver.readState(endpoint), await driver.connect(endpoint)])
        expect(result).toMatchObject({ outcome: 'temporary', detail: expect.stringMatching(/\w/) });
    });
  });
}

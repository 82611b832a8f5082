// Sending through Meta's Cloud API and looking at its instances, against a server that answers as it does: every class of error
// with its advice, and whatever may happen to an answer.

import type { GatewayEndpoint, OutgoingMessage, SendResult } from '../../../src/providers/chat-gateway.js';
import { MetaGateway } from '../../../src/providers/meta/gateway.js';
import { OutboundAddressPolicy } from '../../../src/clients/outbound-address-policy.js';
import { CloudServer, cloudError } from '../../support/cloud-server.js';
import { html, late, lostAnswers, slowAnswers } from '../../support/provider-fault.js';
import { answering, namePattern, outgoingText, saying, type Script } from '../scripted-gateway.js';

const patient = 10_000;
// A time limit in ms that still lets a busy machine connect.
const impatient = 500;

export function describeMetaGateway(): void {
  const path = `/v24.0/${CloudServer.phoneNumberId}`;

  let server: CloudServer;
  let driver: MetaGateway;
  let endpoint: GatewayEndpoint;

  beforeEach(async () => {
    server = await CloudServer.start();
    driver = new MetaGateway({ timeoutMs: patient });
    const { phoneNumberId } = CloudServer;
    endpoint = { baseUrl: server.url, token: server.token, instanceName: 'acme', phoneNumberId };
  });
  afterEach(() => server.close());

  const send = (change: Partial<OutgoingMessage> = {}): Promise<SendResult> =>
    driver.send(endpoint, { ...outgoingText, ...change }, new AbortController().signal);

  function sendTo(script: Script): Promise<SendResult> {
    server.always(script);
    return send();
  }

  const bodies = () => server.requests.map(({ body }) => body);

  describe('a send', () => {
    test('of a text goes to the instance’s messages with the token', async () => {
      const result = await send();
      expect(result).toEqual({ outcome: 'accepted', externalId: expect.stringMatching(/^wamid\./) });
      expect(server.requests).toMatchObject([
        { method: 'POST', path: `${path}/messages`, headers: { authorization: `Bearer ${server.token}` } },
      ]);
      expect(bodies()).toEqual([
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '5511988887777',
          type: 'text',
          text: { body: 'Olá 👋' },
        },
      ]);
    });

    test('goes to Meta where the instance names no address, and to another version where it names one', async () => {
      expect(driver.defaultBaseUrl).toBe('https://graph.facebook.com');
      endpoint.apiVersion = 'v99.1';
      await send();
      expect(server.requests[0]?.path).toBe(`/v99.1/${CloudServer.phoneNumberId}/messages`);
    });

    test.each<[string, Partial<OutgoingMessage>, object]>([
      [
        'an image with words',
        { type: 'image', media: { url: 'https://files.example/a.png', fileName: 'a.png' }, text: 'A' },
        { type: 'image', image: { link: 'https://files.example/a.png', caption: 'A' } },
      ],
      [
        'a video',
        { type: 'video', media: { url: 'https://files.example/a.mp4', caption: 'V' }, text: null },
        { type: 'video', video: { link: 'https://files.example/a.mp4', caption: 'V' } },
      ],
      [
        'an audio file',
        { type: 'audio', media: { url: 'https://files.example/a.ogg' }, text: null },
        { type: 'audio', audio: { link: 'https://files.example/a.ogg' } },
      ],
      [
        'a voice note',
        {
          type: 'audio',
          media: { url: 'https://files.example/a.ogg', mimeType: 'audio/ogg; codecs=opus' },
          text: null,
        },
        { type: 'audio', audio: { link: 'https://files.example/a.ogg', voice: true } },
      ],
      [
        'a document',
        { type: 'document', media: { url: 'https://files.example/a', fileName: 'a.pdf', caption: 'D' }, text: null },
        { type: 'document', document: { link: 'https://files.example/a', filename: 'a.pdf', caption: 'D' } },
      ],
      ['a reply', { replyTo: 'wamid.A' }, { type: 'text', context: { message_id: 'wamid.A' } }],
      [
        'a template',
        { text: null, template: { name: 'hello', language: 'pt_BR', components: [{ type: 'body', parameters: [] }] } },
        {
          type: 'template',
          template: { name: 'hello', language: { code: 'pt_BR' }, components: [{ type: 'body', parameters: [] }] },
        },
      ],
      [
        'a template without values',
        { text: null, template: { name: 'hello', language: 'en' } },
        { type: 'template', template: { name: 'hello', language: { code: 'en' } } },
      ],
    ])('of %s is written as the network wants it', async (_name, change, expected) => {
      expect(await send(change)).toMatchObject({ outcome: 'accepted' });
      expect(bodies()).toMatchObject([expected]);
      expect(bodies()[0]).not.toHaveProperty('text.caption');
    });

    test('tells the number under which the network took it', async () => {
      const contacts = [{ input: '5511988887777', wa_id: '551188887777' }];
      const result = await sendTo(answering(200, { contacts, messages: [{ id: 'wamid.A' }] }));
      expect(result).toEqual({ outcome: 'accepted', externalId: 'wamid.A', chat: '551188887777' });
    });

    test.each<[string, Partial<GatewayEndpoint>, string]>([
      ['a phoneNumberId', { phoneNumberId: null }, 'PHONE_NUMBER_ID_MISSING'],
      ['a phoneNumberId that is one', { phoneNumberId: '../me' }, 'PHONE_NUMBER_ID_MISSING'],
      ['an apiVersion that is one', { apiVersion: '..' }, 'API_VERSION_INVALID'],
      ['a token', { token: null }, 'CREDENTIAL_MISSING'],
    ])('without %s is refused for good before it is sent', async (_name, change, code) => {
      Object.assign(endpoint, change);
      for (const result of [await send(), await driver.readState(endpoint), await driver.connect(endpoint)])
        expect(result).toMatchObject({ outcome: 'permanent', code, detail: expect.stringMatching(/\. [A-Z].+\.$/) });
      expect(server.requests).toEqual([]);
    });

    test.each<[Partial<OutgoingMessage>, string]>([
      [{ type: 'audio', media: { url: 'https://files.example/a' } }, 'CAPTION_NOT_OFFERED'],
      [{ text: null }, 'CONTENT_MISSING'],
    ])('of what the network cannot carry is refused for good: %j', async (change, code) => {
      expect(await send(change)).toMatchObject({ outcome: 'permanent', code });
      expect(server.requests).toEqual([]);
    });

    test('takes a connection of its own', async () => {
      await send();
      expect(server.requests[0]?.headers.connection).toBe('close');
    });
  });

  describe('a code of the network', () => {
    test.each([
      [400, 130429, undefined],
      [400, 131056, 6],
      [400, 131057, undefined],
      [400, 4, undefined],
      [400, 80007, undefined],
      [500, 1, undefined],
      [503, 2, undefined],
      [400, 131048, 3_600],
    ])('%d with %d is temporary, and waits %s s at the least', async (status, code, seconds) => {
      const result = await sendTo(cloudError(status, code));
      expect(result).toMatchObject({ outcome: 'temporary', code: String(code), detail: saying('It went wrong') });
      expect(result).toHaveProperty('retryAfterSeconds', seconds);
      const longer = await sendTo(cloudError(status, code, 'Wait', { 'retry-after': '7200' }));
      expect(longer).toHaveProperty('retryAfterSeconds', 7_200);
    });

    const advices = new Map<number, string>();
    test.each([131026, 131047, 131049, 132000, 132001, 132012])(
      '%d is permanent, with a sentence of its own on what to do',
      async (code) => {
        const result = await sendTo(cloudError(400, code));
        if (result.outcome !== 'permanent') throw new Error(`unexpected ${result.outcome}`);
        expect(result.code).toBe(String(code));
        expect(result.detail).toEqual(saying('It went wrong', '\\. [A-Z].+\\.'));
        expect([...advices.values()]).not.toContain(result.detail);
        advices.set(code, result.detail);
      },
    );

    test.each([190, 368, 131031, 131042])('%d pauses the instance and says what to do', async (code) => {
      const result = await sendTo(cloudError(403, code));
      expect(result).toMatchObject({ outcome: 'paused', code: String(code) });
      expect(result).toHaveProperty('detail', saying('It went wrong', '\\. [A-Z].+\\.'));
    });

    test.each([
      [400, 999_999, 'permanent'],
      [403, 130_497, 'permanent'],
      [404, 133_010, 'permanent'],
      [401, 0, 'paused'],
      [429, 999_999, 'temporary'],
      [503, 131_016, 'temporary'],
      [500, 131_000, 'temporary'],
    ])('that is unknown counts by the status: %d with %d is %s', async (status, code, outcome) => {
      expect(await sendTo(cloudError(status, code))).toMatchObject({ outcome, code: String(code) });
    });

    test('is read without details too', async () => {
      const plain = await sendTo(answering(400, { error: { message: 'Recipient not found', code: 131026 } }));
      expect(plain).toHaveProperty('detail', saying('Recipient not found', '\\. Check.*'));
      const bare = await sendTo(answering(400, { error: { code: 131026 } }));
      expect(bare).toHaveProperty('detail', expect.stringMatching(new RegExp(`^${namePattern} answered 400\\. Check`)));
    });
  });

  describe('an answer that is not the network’s', () => {
    test.each([
      [400, 'permanent'],
      [403, 'permanent'],
      [404, 'permanent'],
      [401, 'paused'],
      [408, 'temporary'],
      [425, 'temporary'],
      [429, 'temporary'],
      [503, 'temporary'],
      [500, 'unknown'],
      [502, 'unknown'],
      [504, 'unknown'],
    ])('%d in HTML is %s', async (status, outcome) => {
      expect(await sendTo(html(status))).toMatchObject({ outcome, code: `HTTP_${status}` });
    });

    test('Retry-After is honoured as a date', async () => {
      const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
      const result = await sendTo(answering(429, '', { 'retry-after': inTenMinutes }));
      if (result.outcome !== 'temporary') throw new Error(`unexpected ${result.outcome}`);
      expect(result.retryAfterSeconds).toBeGreaterThan(500);
      expect(result.retryAfterSeconds).toBeLessThanOrEqual(600);
    });

    test.each([301, 302, 307, 308])('a %d redirect is not followed', async (status) => {
      const elsewhere = await CloudServer.start();
      try {
        const result = await sendTo(answering(status, '', { location: elsewhere.url }));
        expect(result).toMatchObject({ outcome: 'permanent', code: `HTTP_${status}` });
        expect(elsewhere.requests).toEqual([]);
      } finally {
        await elsewhere.close();
      }
    });

    test.each<[string, unknown]>([
      ['no JSON', 'OK'],
      ['no messages', { messages: [] }],
      ['no id', { messages: [{}] }],
      ['nothing', ''],
    ])('2xx with %s may have been sent', async (_name, body) => {
      expect(await sendTo(answering(200, body))).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_ANSWER_INVALID' });
    });

    test.each([...lostAnswers])('%s: it may have been sent', async (_name, script) => {
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: expect.stringMatching(/^GATEWAY_/) });
      expect(server.requests).toHaveLength(1);
    });

    test.each([...slowAnswers])('%s in time: it may have been sent', async (_name, script) => {
      driver = new MetaGateway({ timeoutMs: impatient });
      expect(await sendTo(script)).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' });
    });

    test('one that comes late changes nothing', async () => {
      driver = new MetaGateway({ timeoutMs: impatient });
      const { script, release } = late(answering(200, { messages: [{ id: 'wamid.A' }] }));
      const result = await sendTo(script);
      release();
      expect(result).toMatchObject({ outcome: 'unknown' });
    });
  });

  describe('nothing was sent', () => {
    test('when nobody listens', async () => {
      const gone = await CloudServer.start();
      await gone.close();
      endpoint.baseUrl = gone.url;
      expect(await send()).toMatchObject({ outcome: 'temporary', code: 'GATEWAY_UNREACHABLE' });
    });

    test('to a private address', async () => {
      const addresses = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: false });
      driver = new MetaGateway({ timeoutMs: patient, addresses });
      for (const result of [await send(), await driver.readState(endpoint)])
        expect(result).toMatchObject({ outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' });
      expect(server.requests).toEqual([]);
    });
  });

  describe('the token', () => {
    test.each([
      [400, 100],
      [400, 131026],
      [401, 190],
      [429, 130429],
      [500, 131000],
    ])('is in no result, though the answer quotes it (%d, %d)', async (status, code) => {
      server.always(cloudError(status, code, `Malformed access token ${server.token}`));
      for (const result of [await send(), await driver.readState(endpoint)]) {
        expect(JSON.stringify(result)).not.toContain(server.token);
        expect(JSON.stringify(result)).toContain('(token)');
      }
    });

    test.each(['a"b\\c-0123456789', 'a/b+c=0123456789'])(
      'is not quoted in another writing either: %s',
      async (token) => {
        await server.close();
        server = await CloudServer.start(token);
        Object.assign(endpoint, { baseUrl: server.url, token });
        expect(await send()).toMatchObject({ outcome: 'accepted' });
        const { detail } = (await sendTo(cloudError(400, 100, `${token} ${encodeURIComponent(token)}`))) as {
          detail: string;
        };
        expect(detail).toEqual(saying('\\(token\\) \\(token\\)', '\\..*'));
      },
    );
  });

  describe('an instance', () => {
    test('that the token reaches is connected', async () => {
      for (const result of [await driver.readState(endpoint), await driver.connect(endpoint)])
        expect(result).toEqual({ outcome: 'answered', status: 'CONNECTED', number: '551155550000' });
      expect(server.requests).toMatchObject([
        { method: 'GET', path, headers: { authorization: `Bearer ${server.token}` } },
        { method: 'GET', path },
      ]);
    });

    test.each([190, 368, 131031, 131042])('that is out (%d) reads ERROR and says what to do', async (code) => {
      server.always(cloudError(400, code));
      const result = await driver.readState(endpoint);
      expect(result).toMatchObject({ outcome: 'answered', status: 'ERROR' });
      expect(result).toHaveProperty(
        'lastError',
        expect.stringMatching(new RegExp(`^${code}: ${namePattern} says: It went wrong\\. .+\\.$`)),
      );
    });

    test('that does not exist is a failure for good', async () => {
      endpoint.phoneNumberId = '1';
      expect(await driver.readState(endpoint)).toMatchObject({ outcome: 'permanent', code: '100' });
    });

    test.each<[string, Script]>([
      ['too often', cloudError(400, 4)],
      ['while the network is down', cloudError(500, 2)],
      ['through a proxy that fails', html(502)],
      ['and another instance answers', answering(200, { id: '1' })],
      ['and the connection is reset', (_request, response) => response.socket?.resetAndDestroy()],
    ])('that is asked for %s can be asked for again', async (_name, script) => {
      server.always(script);
      expect(await driver.readState(endpoint)).toMatchObject({ outcome: 'temporary' });
    });

    test('is not disconnected from here, and the answer says so', async () => {
      const result = await driver.disconnect();
      expect(result).toMatchObject({
        outcome: 'permanent',
        code: 'NOT_OFFERED',
        detail: expect.stringMatching(/Meta/),
      });
    });
  });
}

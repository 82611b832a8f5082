// Read receipts, typing and number look-ups through each driver, and the meaning of the gateways' answers.

import type { ChatGateway, LeadChat } from '../../src/providers/chat-gateway.js';
import { EvolutionGateway } from '../../src/providers/evolution/gateway.js';
import { GatewayHttp } from '../../src/providers/http.js';
import { MetaGateway } from '../../src/providers/meta/gateway.js';
import { NeutralGateway } from '../../src/providers/neutral/gateway.js';
import { WahaCourtesies } from '../../src/providers/waha/courtesy.js';
import { WahaGateway } from '../../src/providers/waha/gateway.js';
import { ScriptedGateway, answering, type Script } from './scripted-gateway.js';

const timeoutMs = 10_000;
const number = '5511988887777';
const chat: LeadChat = { chat: number, externalId: '3EB0' };
const hidden: LeadChat = { chat: null, externalId: '3EB0' };
const read = { messaging_product: 'whatsapp', status: 'read', message_id: '3EB0' };
const typing = { ...read, typing_indicator: { type: 'text' } };

const drivers = {
  evolution: new EvolutionGateway({ timeoutMs, matchKeyOf: (digits) => digits }),
  cloud: new MetaGateway({ timeoutMs }),
  waha: new WahaGateway({ timeoutMs }),
} satisfies Record<string, ChatGateway>;

type Driver = keyof typeof drivers;

export function describeCourtesies(): void {
  let gateway: ScriptedGateway | undefined;

  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });

  async function endpointAt(script: Script) {
    gateway = await ScriptedGateway.start(script);
    return { baseUrl: gateway.url, token: 'the token', instanceName: 'acme', phoneNumberId: '100' };
  }
  const { signal } = new AbortController();

  test.each<[Driver, LeadChat, string, object]>([
    [
      'evolution',
      chat,
      '/chat/markMessageAsRead/acme',
      { readMessages: [{ remoteJid: `${number}@s.whatsapp.net`, fromMe: false, id: '3EB0' }] },
    ],
    ['cloud', chat, '/v24.0/100/messages', read],
    ['cloud', hidden, '/v24.0/100/messages', read],
    [
      'waha',
      chat,
      '/api/sendSeen',
      { session: 'acme', chatId: `${number}@c.us`, messageIds: [`false_${number}@c.us_3EB0`] },
    ],
  ])('%s, %j: that it was read', async (driver, about, path, body) => {
    const endpoint = await endpointAt(answering(200, {}));
    expect(await drivers[driver].courtesies.markRead(endpoint, about, signal)).toEqual({ outcome: 'accepted' });
    expect(gateway?.requests).toMatchObject([{ method: 'POST', path, body }]);
  });

  test.each<[Driver, LeadChat, boolean, string, object]>([
    ['evolution', chat, true, '/chat/sendPresence/acme', { number, presence: 'composing', delay: 4_800 }],
    ['evolution', chat, false, '/chat/sendPresence/acme', { number, presence: 'paused', delay: 0 }],
    ['cloud', chat, true, '/v24.0/100/messages', typing],
    ['cloud', hidden, true, '/v24.0/100/messages', typing],
    ['waha', chat, false, '/api/stopTyping', { session: 'acme', chatId: `${number}@c.us` }],
  ])('%s, %j: typing %s', async (driver, about, isTyping, path, body) => {
    const endpoint = await endpointAt(answering(200, {}));
    expect(await drivers[driver].courtesies.showTyping(endpoint, about, isTyping, signal)).toEqual({
      outcome: 'accepted',
    });
    expect(gateway?.requests).toMatchObject([{ method: 'POST', path, body }]);
  });

  test('WAHA hides by itself that somebody types', async () => {
    const endpoint = await endpointAt(answering(201, {}));
    const http = new GatewayHttp({ timeoutMs });
    const courtesies = new WahaCourtesies((to, call) => http.call(to, call), 10);
    expect(await courtesies.showTyping(endpoint, chat, true, signal)).toEqual({ outcome: 'accepted' });
    const body = { session: 'acme', chatId: `${number}@c.us` };
    expect(gateway?.requests).toMatchObject([
      { method: 'POST', path: '/api/startTyping', body },
      { method: 'POST', path: '/api/stopTyping', body },
    ]);
  });

  test('what cannot be told is not asked: Meta takes no typing back, the others need the number', async () => {
    const endpoint = await endpointAt(answering(200, {}));
    expect(await drivers.cloud.courtesies.showTyping(endpoint, chat, false, signal)).toEqual({ outcome: 'accepted' });
    for (const result of [
      await drivers.evolution.courtesies.markRead(endpoint, hidden, signal),
      await drivers.evolution.courtesies.showTyping(endpoint, hidden, true, signal),
      await drivers.waha.courtesies.markRead(endpoint, hidden, signal),
      await drivers.waha.courtesies.showTyping(endpoint, hidden, true, signal),
    ])
      expect(result).toMatchObject({ outcome: 'permanent', code: 'NUMBER_HIDDEN' });
    expect(gateway?.requests).toEqual([]);
  });

  test.each<[Driver, number, object | string, object]>([
    ['evolution', 500, { response: { message: 'Connection Closed' } }, { outcome: 'paused' }],
    ['evolution', 400, { response: { message: ['x'] } }, { outcome: 'permanent' }],
    ['evolution', 429, '', { outcome: 'temporary', isInstanceBusy: true }],
    ['waha', 422, { status: 'SCAN_QR_CODE', expected: ['WORKING'] }, { outcome: 'paused' }],
    ['waha', 501, '', { outcome: 'permanent', code: 'NOT_OFFERED' }],
    ['waha', 404, { message: 'Cannot POST /api/sendSeen' }, { outcome: 'permanent' }],
    ['cloud', 400, { error: { code: 100, message: 'no such message' } }, { outcome: 'permanent' }],
    ['cloud', 400, { error: { code: 130_429, message: 'slow' } }, { outcome: 'temporary', code: '130429' }],
  ])('%s answers %i %j', async (driver, status, body, result) => {
    const endpoint = await endpointAt(answering(status, body));
    expect(await drivers[driver].courtesies.markRead(endpoint, chat, signal)).toMatchObject(result);
    expect(await drivers[driver].courtesies.showTyping(endpoint, chat, true, signal)).toMatchObject(result);
  });

  test.each<[string, number, unknown, object]>([
    [
      'a number in another writing',
      200,
      [{ jid: '551188887777@s.whatsapp.net', exists: true, number }],
      { outcome: 'found', number: '551188887777' },
    ],
    [
      'a hidden number',
      200,
      [{ jid: '1234567890@lid', exists: true, number }],
      { outcome: 'found', number: undefined },
    ],
    ['no name of the chat', 200, [{ exists: true }], { outcome: 'found', number: undefined }],
    ['an unknown number', 200, [{ jid: `${number}@s.whatsapp.net`, exists: false, number }], { outcome: 'absent' }],
    ['no answer for the number', 200, [], { outcome: 'unknown' }],
    ['more than was asked for', 200, [{ exists: false }, { exists: false }], { outcome: 'unknown' }],
    ['text', 200, 'yes', { outcome: 'unknown' }],
    ['a lost connection', 400, { response: { message: ['Connection Closed'] } }, { outcome: 'unknown' }],
    ['a fault', 500, '', { outcome: 'unknown' }],
  ])('evolution answers with %s', async (_, status, body, result) => {
    const endpoint = await endpointAt(answering(status, body));
    expect(await drivers.evolution.courtesies.lookUpNumber(endpoint, number, signal)).toMatchObject(result);
    expect(gateway?.requests).toMatchObject([
      { method: 'POST', path: '/chat/whatsappNumbers/acme', body: { numbers: [number] } },
    ]);
  });

  test.each<[string, number, unknown, object]>([
    [
      'a number in another writing',
      200,
      { numberExists: true, chatId: '551188887777@c.us' },
      { number: '551188887777' },
    ],
    ['a hidden number', 200, { numberExists: true, chatId: '1234567890@lid' }, { outcome: 'found', number: undefined }],
    ['no name of the chat', 200, { numberExists: true }, { outcome: 'found', number: undefined }],
    ['an unknown number', 200, { numberExists: false }, { outcome: 'absent' }],
    ['something else', 200, [], { outcome: 'unknown' }],
    ['a session that is out', 422, { status: 'STOPPED', expected: ['WORKING'] }, { outcome: 'unknown' }],
  ])('waha answers with %s', async (_, status, body, result) => {
    const endpoint = await endpointAt(answering(status, body));
    expect(await drivers.waha.courtesies.lookUpNumber(endpoint, number, signal)).toMatchObject(result);
    expect(gateway?.requests).toMatchObject([
      { method: 'GET', path: `/api/contacts/check-exists?phone=${number}&session=acme` },
    ]);
  });

  test('a signal ends what is asked', async () => {
    const endpoint = await endpointAt(() => undefined);
    const ended = AbortSignal.abort();
    expect(await drivers.evolution.courtesies.lookUpNumber(endpoint, number, ended)).toMatchObject({
      outcome: 'unknown',
    });
    for (const driver of Object.values(drivers))
      expect(await driver.courtesies.showTyping(endpoint, chat, true, ended)).toMatchObject({ outcome: 'temporary' });
  });

  test('the neutral gateway offers none of it, and Meta looks no numbers up', () => {
    const neutral: ChatGateway = new NeutralGateway({ timeoutMs });
    const cloud: ChatGateway = drivers.cloud;
    expect(neutral.courtesies).toBeUndefined();
    expect(cloud.courtesies?.lookUpNumber).toBeUndefined();
  });
}

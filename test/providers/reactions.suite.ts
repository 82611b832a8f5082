// Reactions through each driver: the request to the gateway, and the meaning of its answers.

import type { ChatGateway, OutgoingReaction, ReactionResult } from '../../src/providers/chat-gateway.js';
import { EvolutionGateway } from '../../src/providers/evolution/gateway.js';
import { MetaGateway } from '../../src/providers/meta/gateway.js';
import { NeutralGateway } from '../../src/providers/neutral/gateway.js';
import { WahaGateway } from '../../src/providers/waha/gateway.js';
import { ScriptedGateway, answering, type Script } from './scripted-gateway.js';

const timeoutMs = 10_000;
const reaction: OutgoingReaction = { to: '5511988887777', externalId: '3EB0', fromMe: false, emoji: '👍' };

const drivers: Record<'neutral' | 'evolution' | 'waha' | 'cloud', ChatGateway> = {
  neutral: new NeutralGateway({ timeoutMs }),
  evolution: new EvolutionGateway({ timeoutMs, matchKeyOf: (digits) => digits }),
  waha: new WahaGateway({ timeoutMs }),
  cloud: new MetaGateway({ timeoutMs }),
};

type Driver = keyof typeof drivers;

export function describeReactions(): void {
  let gateway: ScriptedGateway | undefined;

  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });

  async function react(
    driver: Driver,
    script: Script,
    change: Partial<OutgoingReaction> = {},
  ): Promise<ReactionResult> {
    gateway = await ScriptedGateway.start(script);
    const endpoint = { baseUrl: gateway.url, token: 'the token', instanceName: 'acme', phoneNumberId: '100' };
    const result = await drivers[driver].react?.(endpoint, { ...reaction, ...change });
    if (result === undefined) throw new Error('the driver has no reactions');
    return result;
  }

  test.each<[Driver, Partial<OutgoingReaction>, string, object]>([
    [
      'neutral',
      {},
      '/reactions',
      { instance: 'acme', to: '5511988887777', messageId: '3EB0', fromMe: false, emoji: '👍' },
    ],
    [
      'neutral',
      { emoji: null, fromMe: true },
      '/reactions',
      { instance: 'acme', to: '5511988887777', messageId: '3EB0', fromMe: true, emoji: null },
    ],
    [
      'evolution',
      {},
      '/message/sendReaction/acme',
      { key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe: false, id: '3EB0' }, reaction: '👍' },
    ],
    [
      'evolution',
      { emoji: null, fromMe: true },
      '/message/sendReaction/acme',
      { key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe: true, id: '3EB0' }, reaction: '' },
    ],
    ['waha', {}, '/api/reaction', { session: 'acme', messageId: 'false_5511988887777@c.us_3EB0', reaction: '👍' }],
    [
      'waha',
      { emoji: null, fromMe: true },
      '/api/reaction',
      { session: 'acme', messageId: 'true_5511988887777@c.us_3EB0', reaction: '' },
    ],
    [
      'cloud',
      {},
      '/v24.0/100/messages',
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '5511988887777',
        type: 'reaction',
        reaction: { message_id: '3EB0', emoji: '👍' },
      },
    ],
    [
      'cloud',
      { emoji: null },
      '/v24.0/100/messages',
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '5511988887777',
        type: 'reaction',
        reaction: { message_id: '3EB0', emoji: '' },
      },
    ],
  ])('%s, %j: what is asked', async (driver, change, path, body) => {
    expect(await react(driver, answering(200, {}), change)).toEqual({ outcome: 'accepted' });
    expect(gateway?.requests).toMatchObject([{ method: driver === 'waha' ? 'PUT' : 'POST', path }]);
    expect(gateway?.requests[0]?.body).toEqual(body);
  });

  test.each<[Driver, number, object | string, object]>([
    ['neutral', 404, '', { outcome: 'permanent', code: 'NOT_OFFERED' }],
    ['neutral', 405, '', { outcome: 'permanent', code: 'NOT_OFFERED' }],
    ['neutral', 501, { error: { code: 'x', message: 'y' } }, { outcome: 'permanent', code: 'NOT_OFFERED' }],
    ['neutral', 404, { error: { code: 'no_message', message: 'y' } }, { outcome: 'permanent', code: 'no_message' }],
    ['neutral', 503, '', { outcome: 'temporary', code: 'HTTP_503' }],
    ['evolution', 500, { response: { message: 'Connection Closed' } }, { outcome: 'paused' }],
    ['evolution', 400, { response: { message: ['x'] } }, { outcome: 'permanent' }],
    ['waha', 501, { message: 'The method is not implemented' }, { outcome: 'permanent', code: 'NOT_OFFERED' }],
    ['waha', 404, { message: "We didn't find a session with name 'acme'" }, { outcome: 'paused' }],
    ['waha', 404, { message: 'Message not found' }, { outcome: 'permanent', code: 'HTTP_404' }],
    ['waha', 503, '', { outcome: 'temporary', code: 'HTTP_503' }],
    ['cloud', 400, { error: { code: 131_047, message: 'closed' } }, { outcome: 'permanent', code: '131047' }],
    ['cloud', 400, { error: { code: 130_429, message: 'slow' } }, { outcome: 'temporary', code: '130429' }],
  ])('%s answers %i %j', async (driver, status, body, result) => {
    expect(await react(driver, answering(status, body))).toMatchObject(result);
  });
}

// Foreign servers that answer with far too much: gateways, identity providers and webhook receivers. The product bounds an answer before it
// parses, inflates or walks through it.

import { gzipSync } from 'node:zlib';
import type { FoundSend } from '../../src/providers/chat-gateway.js';
import { EvolutionGateway } from '../../src/providers/evolution/gateway.js';
import { OutboundAddressPolicy } from '../../src/clients/outbound-address-policy.js';
import { IdentityProvider } from '../../src/clients/identity-provider/identity-provider.js';
import { NeutralGateway } from '../../src/providers/neutral/gateway.js';
import { WebhookSender } from '../../src/clients/webhook-sender.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import { ScriptedGateway, outgoingText, type Script } from '../providers/scripted-gateway.js';
import { discoveryPath, jwksPath, newPair, OidcServer, tokenPath, userInfoPath } from '../support/oidc-server.js';
import { matchKeyOfNumber } from '../../src/platform/phone-numbers/match-key.js';

const timeoutMs = 30_000;
const emptyObjects = (count: number) => `${'{},'.repeat(count - 1)}{}`;
const page = (records: string, pages = 1) => `{"messages":{"pages":${pages},"records":[${records}]}}`;
const inflated = Buffer.alloc(50 * 1024 * 1024, ' ');

export function describeHostileAnswers(): void {
  let gateway: ScriptedGateway | undefined;
  /** Bytes of the bodies that went out, by request. */
  let written: number[];

  afterEach(() => gateway?.close());

  /** Starts a server that answers with this body until its caller stops reading. */
  async function pouring(body: string | Buffer, headers: Record<string, string> = {}): Promise<ScriptedGateway> {
    written = [];
    const script: Script = (_request, response) => {
      const place = written.push(0) - 1;
      response.on('close', () => (written[place] = response.socket?.bytesWritten ?? 0));
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(body);
    };
    gateway = await ScriptedGateway.start(script);
    return gateway;
  }

  async function findSent(): Promise<FoundSend> {
    const driver = new EvolutionGateway({ timeoutMs, matchKeyOf: matchKeyOfNumber });
    const endpoint = { baseUrl: gateway?.url ?? '', token: 'the token', instanceName: 'acme' };
    const lost = { since: new Date(Date.now() - 10_000), listOthers: async () => new Set<string>() };
    return driver.findSent(endpoint, { ...outgoingText, text: 'Oi' }, lost, AbortSignal.timeout(timeoutMs));
  }

  describe('a gateway’s list of sent messages', () => {
    test.each([
      ['2.7 million records', page(emptyObjects(2_700_000))],
      ['few bytes, and more values than are parsed', page(`{"message":[${emptyObjects(100_000)}]}`)],
      ['brackets in brackets', page('['.repeat(300_000) + ']'.repeat(300_000))],
    ])('with %s is not read; smaller pages are asked for once', async (_name, body) => {
      await pouring(body);
      const found = await findSent();
      expect(found).toMatchObject({ outcome: 'unavailable', detail: expect.stringMatching(/list .* is too large$/) });
      expect(gateway?.requests.map((request) => (request.body as { offset: number }).offset)).toEqual([100, 10]);
    });

    test('with more records than anybody asked for is no list', async () => {
      const record = { key: { id: '3EB0', fromMe: true, remoteJid: '5511977776666@s.whatsapp.net' }, message: {} };
      const entry = JSON.stringify({ ...record, messageTimestamp: Math.floor(Date.now() / 1_000) });
      await pouring(page(Array.from({ length: 201 }, () => entry).join()));
      expect(await findSent()).toMatchObject({
        outcome: 'unknown',
        detail: expect.stringMatching(/no list of messages$/),
      });
      await gateway?.close();
      await pouring(page(Array.from({ length: 200 }, () => entry).join()));
      expect(await findSent()).toEqual({ outcome: 'absent' });
    });

    test('with pictures, too large for a page, is read in smaller ones', async () => {
      const records = Array.from({ length: 60 }, (_, index) => ({
        key: { id: `3EB0${index}`, fromMe: true, remoteJid: '5511988887777@s.whatsapp.net' },
        messageTimestamp: Math.floor(Date.now() / 1_000),
        message: index === 55 ? { conversation: 'Oi' } : { imageMessage: { jpegThumbnail: 'A'.repeat(30_000) } },
      }));
      gateway = await ScriptedGateway.start(({ body }, response) => {
        const { page: number, offset } = body as { page: number; offset: number };
        const listed = records.slice((number - 1) * offset, number * offset);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ messages: { pages: Math.ceil(records.length / offset), records: listed } }));
      });
      expect(await findSent()).toEqual({ outcome: 'sent', externalId: '3EB055' });
      expect(gateway.requests).toHaveLength(7);
    });
  });

  describe('any answer of a gateway', () => {
    const send = (driver = new NeutralGateway({ timeoutMs })) =>
      driver.send(
        { baseUrl: gateway?.url ?? '', token: null, instanceName: 'acme' },
        { ...outgoingText, text: 'Oi' },
        new AbortController().signal,
      );
    const whole = 64 * 1024 * 1024;

    test('is left where it is too long', async () => {
      await pouring(Buffer.alloc(whole, '1'));
      expect(await send()).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_ANSWER_TOO_LARGE' });
      await gateway?.close();
      // Only the content of both sides' buffers went out.
      expect(written[0]).toBeLessThan(whole / 2);
    });

    test('is not inflated: nobody asked for a compressed one', async () => {
      await pouring(gzipSync(JSON.stringify({ messageId: 'a' })), { 'content-encoding': 'gzip' });
      expect(await send()).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_ANSWER_INVALID' });
      expect(gateway?.requests[0]?.headers).not.toHaveProperty('accept-encoding');
    });

    test('is refused with headers of 100 KB', async () => {
      await pouring('{}', { 'x-long': 'a'.repeat(100_000) });
      expect(await send()).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' });
    });

    test('that comes by the drop ends with the time allowed', async () => {
      gateway = await ScriptedGateway.start((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      });
      expect(await send(new NeutralGateway({ timeoutMs: 500 }))).toMatchObject({
        outcome: 'unknown',
        detail: expect.stringMatching(/did not answer within 0\.5 s$/),
      });
    });
  });

  describe('an identity provider', () => {
    let server: OidcServer;
    let client: IdentityProvider;

    beforeEach(async () => {
      server = await OidcServer.start();
      client = createClient();
    });
    afterEach(() => server.close());

    function createClient(): IdentityProvider {
      const { issuer, clientId, clientSecret, audience } = server;
      const log = createLogger('silent');
      const scopes = ['openid'];
      return new IdentityProvider({ issuer, clientId, clientSecret, audience, scopes, timeoutMs, log });
    }

    const answerAt = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
      server.faults.set(path, (response) => response.writeHead(200, headers).end(body));
    const unavailable = { code: 'UNAVAILABLE' };

    test.each([discoveryPath, jwksPath, tokenPath])(
      '%s with a gzip bomb, or with too many bytes or values',
      async (path) => {
        const grant = await server.authorize('ana');
        const readings: [string | Buffer, Record<string, string>][] = [
          [gzipSync(inflated), { 'content-encoding': 'gzip' }],
          [inflated, {}],
          [`{"keys":[${emptyObjects(60_000)}]}`, {}],
        ];
        for (const [body, headers] of readings) {
          answerAt(path, body, headers);
          await expect(createClient().exchangeCode(grant)).rejects.toMatchObject(unavailable);
        }
      },
    );

    test('the userinfo endpoint with a gzip bomb', async () => {
      const session = await client.exchangeCode(await server.authorize('ana'));
      answerAt(userInfoPath, gzipSync(inflated), { 'content-encoding': 'gzip' });
      await expect(session.findVerifiedEmail()).rejects.toMatchObject(unavailable);
    });

    test('more keys than a provider has', async () => {
      const { publicKey } = newPair();
      const jwk = publicKey.export({ format: 'jwk' });
      const keys = Array.from({ length: 101 }, (_, index) => ({ ...jwk, kid: `k${index}`, alg: 'RS256', use: 'sig' }));
      answerAt(jwksPath, JSON.stringify({ keys }));
      const token = server.sign({ sub: 'ana', aud: server.audience }, { typ: 'at+jwt' });
      await expect(client.verifyAccessToken(token)).rejects.toMatchObject(unavailable);
    });
  });

  test('a webhook receiver’s answer is neither inflated nor read to its end', async () => {
    const addresses = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: true });
    const sender = new WebhookSender({ addresses, timeoutMs });
    const post = () => sender.post({ url: gateway?.url ?? '', headers: {}, body: '{}' }, new AbortController().signal);
    await pouring(gzipSync(inflated), { 'content-encoding': 'gzip' });
    expect(await post()).toEqual({ outcome: 'delivered', status: 200 });
    await gateway?.close();
    await pouring(inflated);
    expect(await post()).toEqual({ outcome: 'delivered', status: 200 });
    await gateway?.close();
    expect(written[0]).toBeLessThan(inflated.byteLength / 2);
  });
}

// The check of `x-signature`, which both chat webhooks share. The test file of each endpoint runs this suite.

import { createHmac } from 'node:crypto';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const secret = 'a shared secret';

export interface SignedEndpoint {
  path: string;
  /** The body of a call that has an effect whenever it is accepted, with this text somewhere in it. */
  bodyWith(tenant: TestTenant, text: string): object;
  /** The number of calls that had an effect in this tenant. */
  effectCount(app: TestApp, tenant: TestTenant): Promise<number>;
}

function signed(body: string, key = secret): string {
  return `sha256=${createHmac('sha256', key).update(body, 'utf8').digest('hex')}`;
}

/** Writings of the same JSON value. */
const writings: [string, (value: object) => string][] = [
  ['compact', (value) => JSON.stringify(value)],
  ['indented', (value) => JSON.stringify(value, null, 3)],
  ['with blanks around it', (value) => ` \r\n\t${JSON.stringify(value)}\n `],
  ['with odd spacing', (value) => JSON.stringify(value, null, 1).replaceAll('\n', '\r\n \t').replaceAll(': ', '  :')],
  ['with \\u escapes for all that is not ASCII', (value) => escaped(JSON.stringify(value), /[^\x20-\x7E]/g)],
  ['with \\u escapes for letters', (value) => escaped(JSON.stringify(value), /(?<=[A-Za-z ])[a-z](?=[a-z])/g)],
  ['with escaped slashes', (value) => JSON.stringify(value).replaceAll('/', '\\/')],
];

function escaped(json: string, characters: RegExp): string {
  return json.replace(characters, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const wrongSignatures: [string, (right: string, body: string) => string | undefined][] = [
  ['missing', () => undefined],
  ['empty', () => ''],
  ['made with another secret', (_, body) => signed(body, 'another secret')],
  ['made with an empty secret', (_, body) => signed(body, '')],
  ['of another body', (_, body) => signed(`${body} `)],
  ['one digit short', (right) => right.slice(0, -1)],
  ['one digit long', (right) => `${right}0`],
  ['only the prefix', () => 'sha256='],
  ['without the prefix', (right) => right.slice('sha256='.length)],
  ['under the prefix sha1=', (right) => right.replace('sha256=', 'sha1=')],
  ['under the prefix sha512=', (right) => right.replace('sha256=', 'sha512=')],
  ['under the prefix SHA256=', (right) => right.replace('sha256=', 'SHA256=')],
  ['in upper-case digits', (right) => `sha256=${right.slice('sha256='.length).toUpperCase()}`],
  ['in Base64', (_, body) => `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`],
  ['behind another one', (right) => `sha256=${'0'.repeat(64)}, ${right}`],
  ['one bit off at its begin', (right) => flipLastBit(right, 'sha256='.length)],
  ['one bit off at its end', (right) => flipLastBit(right, right.length - 1)],
];

function flipLastBit(signature: string, position: number): string {
  const digit = Number.parseInt(signature.charAt(position), 16) ^ 1;
  return signature.slice(0, position) + digit.toString(16) + signature.slice(position + 1);
}

const text = 'Oi 😀, tudo/bem? "Zé" \\ João\u2028';

export function describeSignature({ path, bodyWith, effectCount }: SignedEndpoint): void {
  describe('with CHAT_WEBHOOK_SECRET set', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await TestApp.start({ CHAT_WEBHOOK_SECRET: secret });
    });
    afterAll(() => app.stop());

    const post = (tenant: TestTenant, body: string, signature: string | undefined) =>
      app.post(path, body, { ...withKey(tenant), ...(signature === undefined ? {} : { 'x-signature': signature }) });
    const journal = (tenant: TestTenant) =>
      app.sql<{ outcome: string; code: string | null; body: Buffer }>(
        `SELECT outcome, split_part(reason, ':', 1) AS code, body FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id`,
        [tenant.id],
      );

    describe('200', () => {
      test.each(writings)('a body written %s, signed over its bytes', async (_, write) => {
        const tenant = await app.createTenant();
        const body = write(bodyWith(tenant, text));
        expect((await post(tenant, body, signed(body))).status).toBe(200);
        expect(await effectCount(app, tenant)).toBe(1);
      });

      test.each(writings)('a body written %s, signed over JSON.stringify of its value', async (_, write) => {
        const tenant = await app.createTenant();
        const value = bodyWith(tenant, text);
        expect((await post(tenant, write(value), signed(JSON.stringify(value)))).status).toBe(200);
        expect(await effectCount(app, tenant)).toBe(1);
      });
    });

    describe('400', () => {
      test('what is signed over its bytes and is not JSON', async () => {
        const tenant = await app.createTenant();
        await expectProblem(await post(tenant, '{"messageId":', signed('{"messageId":')), 'BAD_REQUEST');
      });
    });

    describe('401', () => {
      test.each(wrongSignatures)(
        'a signature that is %s: nothing is applied, and the call is journalled',
        async (_, spoil) => {
          const tenant = await app.createTenant();
          const body = JSON.stringify(bodyWith(tenant, text));
          await expectProblem(await post(tenant, body, spoil(signed(body), body)), 'SIGNATURE_INVALID');
          expect(await effectCount(app, tenant)).toBe(0);
          expect(await journal(tenant)).toEqual([
            { outcome: 'refused', code: 'SIGNATURE_INVALID', body: Buffer.from(body) },
          ]);
        },
      );

      test('one bit of the body flipped under a right signature', async () => {
        const tenant = await app.createTenant();
        const body = JSON.stringify(bodyWith(tenant, 'pay 100'));
        const forged = body.replace('pay 100', 'pay 101');
        expect(forged).not.toBe(body);
        await expectProblem(await post(tenant, forged, signed(body)), 'SIGNATURE_INVALID');
        expect(await effectCount(app, tenant)).toBe(0);
      });

      test('a wrong signature over what is not JSON either', async () => {
        const tenant = await app.createTenant();
        await expectProblem(await post(tenant, '{"messageId":', signed('{}')), 'SIGNATURE_INVALID');
      });

      test('a right signature without a key is UNAUTHENTICATED', async () => {
        const tenant = await app.createTenant();
        const body = JSON.stringify(bodyWith(tenant, text));
        await expectProblem(await app.post(path, body, { 'x-signature': signed(body) }), 'UNAUTHENTICATED');
        expect(await effectCount(app, tenant)).toBe(0);
      });
    });

    test('the secret appears neither in a refusal nor in the journal', async () => {
      const tenant = await app.createTenant();
      const body = JSON.stringify(bodyWith(tenant, text));
      const problem = await expectProblem(await post(tenant, body, signed(body, 'wrong')), 'SIGNATURE_INVALID');
      const rows = await app.sql('SELECT headers, reason, result FROM webhook_deliveries WHERE tenant_id = $1', [
        tenant.id,
      ]);
      for (const kept of [JSON.stringify(problem), JSON.stringify(rows)]) {
        expect(kept).not.toContain(secret);
        expect(kept).not.toContain(signed(body));
        expect(kept).not.toContain(tenant.apiKey);
      }
    });
  });

  describe('without CHAT_WEBHOOK_SECRET', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await TestApp.start();
    });
    afterAll(() => app.stop());

    test.each([
      ['no signature', undefined],
      ['a signature that nobody checks', `sha256=${'0'.repeat(64)}`],
    ])('a call with %s is accepted', async (_, signature) => {
      const tenant = await app.createTenant();
      const headers = { ...withKey(tenant), ...(signature === undefined ? {} : { 'x-signature': signature }) };
      expect((await app.post(path, bodyWith(tenant, text), headers)).status).toBe(200);
      expect(await effectCount(app, tenant)).toBe(1);
    });
  });
}

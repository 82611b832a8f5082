// The difference between a given signature and the expected one.

import { createHash, createHmac } from 'node:crypto';
import {
  metaRuleOf,
  spelledRuleOf,
  diagnoseSignature,
  ownRuleOf,
  type SignatureRule,
} from '../../../src/features/intake/signature-diagnosis.js';
import { waha as wahaProvider } from '../../../src/providers/waha/provider.js';
import { sign, signatureMatches } from '../../../src/platform/http/hmac-signature.js';

export function describeSignatureDiagnosis(): void {
  const secret = 'a webhook secret';
  const body = '{ "text": "Olá/ 👋",\n  "a": [1, {"b": null}] }';
  const json = JSON.stringify(JSON.parse(body));
  const expected = sign(secret, body);

  const neutral = spelledRuleOf([secret, 'the former']);
  const meta = metaRuleOf(secret);
  const waha = ownRuleOf(wahaProvider.webhooks.signature, secret);
  const compared = (given: string | undefined, rule: SignatureRule = meta, sent = body) =>
    diagnoseSignature(rule, given, Buffer.from(sent));

  test.each([
    ['the bytes, as they came', expected],
    ['JSON.stringify of the value', sign(secret, json)],
    ['the former secret', sign('the former', body)],
    ['white space around the header', ` ${expected} `],
  ])('accepts %s', async (_, given) => {
    expect(await compared(given, neutral)).toEqual({
      header: 'x-signature',
      expected,
      given: given.trim(),
      differs: null,
      detail: null,
    });
  });

  test.each([undefined, '', ' '])('a header that is missing: %p', async (given) => {
    const comparison = await compared(given, neutral);
    expect(comparison).toMatchObject({ expected, differs: 'missing', detail: expect.stringContaining('x-signature') });
  });

  const digits = expected.slice('sha256='.length);
  test.each([
    ['without its prefix', digits],
    ['in capital letters', `sha256=${digits.toUpperCase()}`],
    ['with another prefix', `sha1=${digits}`],
    ['with SHA256=', `SHA256=${digits}`],
    ['in Base64', Buffer.from(digits, 'hex').toString('base64')],
    ['in Base64 of addresses, behind its prefix', `sha256=${Buffer.from(digits, 'hex').toString('base64url')}`],
    ['in quotes', `"${expected}"`],
  ])('the right value, %s, is a matter of form', async (_, given) => {
    expect(signatureMatches(secret, given, Buffer.from(body))).toBe(false);
    const comparison = await compared(given);
    expect(comparison).toMatchObject({ expected, given, differs: 'form', detail: expect.stringContaining('is right') });
  });

  test.each(['sha256=', 'secret', 'sha256=xyz', `${expected}, ${expected}`, `${expected}0`])(
    'what is no signature at all: %s',
    async (given) => {
      const { differs, detail } = await compared(given);
      expect({ differs, detail }).toEqual({ differs: 'form', detail: expect.not.stringContaining('is right') });
    },
  );

  test.each([
    ['SHA-1', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['SHA-512', createHmac('sha512', secret).update(body).digest('base64')],
    ['no secret', `sha256=${createHash('sha256').update(body).digest('hex')}`],
    ['the secret before the body', `sha256=${createHash('sha256').update(secret).update(body).digest('hex')}`],
  ])('another algorithm: %s', async (_, given) => {
    expect(await compared(given)).toMatchObject({ expected, differs: 'algorithm', detail: expect.any(String) });
  });

  test('WAHA signs by HMAC-SHA512, without a prefix', async () => {
    const right = createHmac('sha512', secret).update(body).digest('hex');
    const other = createHmac('sha512', secret).update(json).digest('hex');
    expect(await compared(right, waha)).toMatchObject({ header: 'x-webhook-hmac', expected: right, differs: null });
    expect(await compared(`sha512=${right}`, waha)).toMatchObject({ expected: right, differs: 'form' });
    expect(await compared(expected, waha)).toMatchObject({ differs: 'algorithm' });
    expect(await compared(other, waha)).toMatchObject({ differs: 'body' });
    expect(await compared('0'.repeat(128), waha)).toMatchObject({ differs: 'secret' });
  });

  const value = JSON.parse(body) as object;
  const escaped = (text: string) =>
    text.replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  test.each([
    ['minified', json],
    ['minified, with a line feed at its end', `${json}\n`],
    ['with a line feed at its end', `${body}\n`],
    ['with CR LF', body.replaceAll('\n', '\r\n')],
    ['indented by two', JSON.stringify(value, null, 2)],
    ['indented by four', JSON.stringify(value, null, 4)],
    ['PHP', escaped(json).replaceAll('/', '\\/')],
    ['Python', escaped('{"text": "Olá/ 👋", "a": [1, {"b": null}]}')],
    ['alphabetical order', '{"a":[1,{"b":null}],"text":"Olá/ 👋"}'],
    ['empty', ''],
  ])('another writing of the body: %s', async (what, signed) => {
    const { differs, detail } = await compared(sign(secret, signed));
    expect(differs).toBe('body');
    expect(detail).toContain(what);
  });

  test('another secret, or another body, fits nothing', async () => {
    for (const given of [sign('another', body), sign(secret, `${body}x`), `sha256=${'0'.repeat(64)}`])
      expect(await compared(given, neutral)).toMatchObject({ expected, given, differs: 'secret' });
  });

  test('a body that is no JSON, nests deeply or is large is compared all the same', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const large = JSON.stringify({ text: 'á"/\\'.repeat(30_000) }, null, 2);
    for (const sent of ['no JSON', deep, large, '\u0000']) {
      expect(await compared(sign(secret, sent), meta, sent)).toMatchObject({ differs: null });
      expect(await compared(sign(secret, `${sent}\n`), meta, sent)).toMatchObject({ differs: 'body' });
      expect(await compared(sign('another', sent), meta, sent)).toMatchObject({ differs: 'secret' });
    }
  });

  test('shows no more than 500 characters of the header, and never the secret', async () => {
    const comparison = await compared('x'.repeat(5_000), neutral);
    expect(comparison.given).toHaveLength(500);
    expect(JSON.stringify(comparison)).not.toContain(secret);
  });
}

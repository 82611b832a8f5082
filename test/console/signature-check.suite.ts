// The browser computes the same signature that the server checks.

import { bytesOf, checkSignature, sign } from '../../src/console/pages/calls/signature.js';
import { sign as signOnServer, signatureMatches } from '../../src/platform/http/hmac-signature.js';

export function describeSignatureCheck(): void {
  const secret = 'a webhook secret';
  const body = Buffer.from('{ "text": "Olá 👋" }');
  const bytes = bytesOf(body.toString('base64'));

  test('is the same as the server makes', async () => {
    expect(await sign(secret, bytes)).toBe(signOnServer(secret, body));
    expect(await sign(secret, body.toString())).toBe(signOnServer(secret, body));
  });

  test('says whether the bytes or their JSON were signed', async () => {
    const json = signOnServer(secret, JSON.stringify(JSON.parse(body.toString())));
    expect(signatureMatches(secret, json, body, () => JSON.parse(body.toString()) as unknown)).toBe(true);
    expect(await checkSignature(secret, signOnServer(secret, body), bytes, true)).toMatchObject({ verdict: 'bytes' });
    expect(await checkSignature(secret, json, bytes, true)).toMatchObject({ verdict: 'json' });
    expect(await checkSignature(secret, json, bytes, false)).toMatchObject({ verdict: 'different' });
  });

  test('says what is wrong with the header, and what it had to be', async () => {
    const expected = signOnServer(secret, body);
    const other = signOnServer('another', body);
    expect(await checkSignature(secret, undefined, bytes, true)).toEqual({ verdict: 'missing', expected });
    expect(await checkSignature(secret, expected.toUpperCase(), bytes, true)).toEqual({
      verdict: 'malformed',
      expected,
    });
    expect(await checkSignature(secret, other, bytes, true)).toEqual({ verdict: 'different', expected });
    const noJson = bytesOf(Buffer.from([0xff, 0xfe]).toString('base64'));
    expect(await checkSignature(secret, other, noJson, true)).toMatchObject({ verdict: 'different' });
  });
}

// Signed calls of any JSON in any spelling, through the endpoint: both forms of the signature are accepted. A call with a single changed
// bit is refused and has no effect, in thousands of generated cases.

import fc from 'fast-check';
import { sign } from '../../src/platform/http/hmac-signature.js';
import { withTenantEach } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';

const secret = 'a shared secret';
const path = '/webhooks/chat/gateway/inbound';
const callCount = 300;
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

export function describeForgedCalls(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made), {
    CHAT_WEBHOOK_SECRET: secret,
    WEBHOOK_REFUSED_PER_MINUTE: '1000000',
  });

  /** Text that PostgreSQL can keep. */
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.constantFrom('Oi 😀', '👩‍👩‍👧', 'a/b\\"c"', '\u2028\u2029\u007f', 'é e\u0301', '\ud83d\ude00'),
  );
  const unknownFields = fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 8 }).map((name) => `x${name}`),
    fc.jsonValue({ maxDepth: 3 }),
    {
      maxKeys: 4,
    },
  );

  /** Spellings of a JSON value: indented, with blanks, with escapes where none are needed. */
  const writing = fc.record({
    indent: fc.constantFrom('', ' ', '\t', '  \n'),
    escapes: fc.boolean(),
    around: fc.constantFrom('', ' ', '\r\n'),
  });

  function write(
    value: object,
    { indent, escapes, around }: { indent: string; escapes: boolean; around: string },
  ): string {
    const json = around + JSON.stringify(value, null, indent) + around;
    return escapes
      ? json.replace(/[^\x20-\x7E\s]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : json;
  }

  const calls = () =>
    fc
      .sample(fc.tuple(text, unknownFields, writing, fc.nat()), { numRuns: callCount, seed })
      .map(([said, unknown, how, at], index) => {
        const value = { ...unknown, messageId: `call-${index}`, from: '5511988887777', text: said };
        return { value, body: Buffer.from(write(value, how)), at };
      });

  async function post(body: Buffer, signature: string): Promise<number> {
    const headers = { 'content-type': 'application/json', ...withKey(tenant), 'x-signature': signature };
    const response = await fetch(`${app.url}${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
    await response.arrayBuffer();
    return response.status;
  }

  const messageCount = async () => {
    const rows = await app.sql('SELECT id FROM messages WHERE tenant_id = $1', [tenant.id]);
    return rows.length;
  };

  function jsonOf(body: Buffer): string | undefined {
    try {
      return JSON.stringify(JSON.parse(body.toString()));
    } catch {
      return undefined;
    }
  }

  test.each([
    ['the bytes', ({ body }: { body: Buffer; value: object }) => sign(secret, body)],
    ['JSON.stringify of the value', ({ body }: { body: Buffer }) => sign(secret, jsonOf(body) ?? '')],
  ])('signed over %s, every call is accepted', async (_, signatureOf) => {
    const statuses = await Promise.all(calls().map((call) => post(call.body, signatureOf(call))));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await messageCount()).toBe(callCount);
  });

  test('with one bit flipped, every call is refused, and nothing is applied', async () => {
    const forged = calls().flatMap(({ body, at }) => {
      const flipped = Buffer.from(body);
      const bit = at % (body.length * 8);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      // A different blank, or a capital in an escape, spells the same value, and the second form of the signature covers the value.
      return jsonOf(flipped) === jsonOf(body) ? [] : [{ flipped, body }];
    });
    expect(forged.length).toBeGreaterThan(callCount / 2);
    const signatures = (body: Buffer) => [sign(secret, body), sign(secret, jsonOf(body) ?? '')];
    const statuses = await Promise.all(
      forged.flatMap(({ flipped, body }) => signatures(body).map((signature) => post(flipped, signature))),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await messageCount()).toBe(0);
  });

  test('a signature of one call opens no other', async () => {
    const [first, second] = calls();
    expect(await post(first!.body, sign(secret, second!.body))).toBe(401);
    expect(await messageCount()).toBe(0);
  });
}

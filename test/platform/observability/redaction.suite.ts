// The log's redaction: removed values, and values that stay readable.

import { Redaction } from '../../../src/platform/observability/redaction.js';

const all = new Redaction({ numbers: true });
const withNumbers = new Redaction({ numbers: false });

export function describeRedaction(): void {
  test.each([
    ['5511988887777', '[number]'],
    ['+55 (11) 98888-7777 is out', '[number] is out'],
    ['00551188887777@s.whatsapp.net', '[number]@s.whatsapp.net'],
    ['tel:+5511988887777;ext', 'tel:[number];ext'],
    ['{\\"from\\":5511988887777}', '{\\"from\\":[number]}'],
    ['lead5511988887777x', 'lead[number]x'],
    ['1234567', '[number]'],
    ['/leads/%2B49%20152%2038601-5555', '/leads/%2B[number]'],
  ])('the number in %j', (text, expected) => {
    expect(all.text(text)).toBe(expected);
    expect(withNumbers.text(text)).toBe(text);
  });

  test.each([
    '019a9f3c-1234-7123-8123-123456789012',
    '2026-11-21T23:36:17.123Z',
    '2026-11-21',
    'connect ECONNREFUSED 127.0.0.1:54321',
    'Applied 20261128190000_init in 12 ms.',
    'at run (file:///app/dist/outbound.js:1234:56)',
    '123456',
    '1234567890123456',
  ])('%j stays', (text) => {
    expect(all.text(text)).toBe(text);
  });

  test.each([
    [`key lw_${'a1-_'.repeat(10)} was wrong`, 'key [redacted] was wrong'],
    ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'Bearer [redacted]'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln.', 'token [redacted].'],
    ['Basic YW5hOnNlY3JldA==', 'Basic [redacted]'],
  ])('the credential in %j, whatever becomes of numbers', (text, expected) => {
    expect(all.text(text)).toBe(expected);
    expect(withNumbers.text(text)).toBe(expected);
  });

  test('fields by their name, at any depth; ids by which lines are found stay', () => {
    const fields = {
      requestId: '5511988887777',
      subject: 'auth0|5511988887777',
      authorization: 'x',
      deep: [
        { accessToken: 'x', api_key: 'x', 'x-tenant-key': 'x', text: 'Oi', body: ['Oi'], count: 5_511_988_887_777 },
      ],
      path: '/leads/5511988887777',
      nothing: null,
    };
    expect(all.fields(fields)).toEqual({
      requestId: '5511988887777',
      subject: 'auth0|5511988887777',
      authorization: '[redacted]',
      deep: [
        {
          accessToken: '[redacted]',
          api_key: '[redacted]',
          'x-tenant-key': '[redacted]',
          text: '[redacted]',
          body: '[redacted]',
          count: 5_511_988_887_777,
        },
      ],
      path: '/leads/[number]',
      nothing: null,
    });
  });

  test('what holds itself ends', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(JSON.stringify(all.fields(circle))).toContain('[redacted]');
  });
}

// The form for a dry run of a webhook call: its header lines, and the routes to which it may be sent. Also when a message leaves.

import { canBeSent } from '../../src/console/pages/calls/call-routes.js';
import { readHeaders, withHeader, writeHeaders } from '../../src/console/pages/calls/header-lines.js';
import { leavingOf } from '../../src/console/pages/conversation/preview-leaving.js';

export function describeHeaderLines(): void {
  test('are read one in each line, with whatever stands behind the first colon', () => {
    expect(readHeaders('x-signature: sha256=00\n\n  Content-Type :text/plain \nreferer: https://a.example/b')).toEqual({
      headers: { 'x-signature': 'sha256=00', 'Content-Type': 'text/plain', referer: 'https://a.example/b' },
    });
    expect(readHeaders('')).toEqual({ headers: {} });
    expect(readHeaders('empty:')).toEqual({ headers: { empty: '' } });
  });

  test.each([
    ['no colon', 1],
    ['a: b\n: c', 2],
    ['a: b\n\na b: c', 3],
  ])('%j is no header in line %i', (text, wrongLine) => {
    expect(readHeaders(text)).toEqual({ wrongLine });
  });

  test('are written as they are read; one takes the place of another of its name', () => {
    const headers = { 'content-type': 'application/json', 'x-signature': 'sha256=00' };
    expect(readHeaders(writeHeaders({ ...headers, kept: null }))).toEqual({ headers });
    const changed = withHeader('X-Signature: old\n\na: b', 'x-signature', 'new');
    expect(readHeaders(changed)).toEqual({ headers: { a: 'b', 'x-signature': 'new' } });
    expect(withHeader('', 'x-signature', 'new')).toBe('x-signature: new');
  });

  test.each([
    ['/public/leads', true],
    ['/webhooks/chat/gateway/messages-upsert', true],
    ['/webhooks/chat/cloud/0198b0a2-0000-7000-8000-000000000000', true],
    ['//evil.example/webhooks/leads', false],
    ['https://evil.example/public/leads', false],
    ['/webhooks/../graphql?a=b', false],
    ['/webhooks', false],
    ['/graphql', false],
    ['', false],
  ])('the key goes to webhooks of this server alone: %s', (route, expected) => {
    expect(canBeSent(route)).toBe(expected);
  });

  test('a message leaves now, later, or nobody can tell', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    const at = (estimatedSendAt: string | null) => leavingOf({ estimatedSendAt }, now);
    expect(at('2026-11-23T11:59:00Z')).toBe('now');
    expect(at('2026-11-23T12:00:05Z')).toBe('now');
    expect(at('2026-11-23T12:01:00Z')).toBe('later');
    expect(at(null)).toBe('unknown');
  });
}

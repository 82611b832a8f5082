// The heads of intake's answers, byte for byte except for what differs in each. Callers read them, and a shortcut must not change them.

import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp } from '../support/test-app.js';

interface Head {
  status: number;
  /** The header lines as they were sent, `name: value`. */
  lines: string[];
  length: number;
}

const securityLines = [
  'x-content-type-options: nosniff',
  'referrer-policy: no-referrer',
  "content-security-policy: default-src 'none'; frame-ancestors 'none'",
  'x-frame-options: DENY',
  'cross-origin-resource-policy: same-origin',
  'cache-control: no-store',
];

export function describeAnswerHeads(): void {
  let app: TestApp;

  beforeAll(async () => {
    app = await sharedApp();
  });

  function post(path: string, body: string, headers: Record<string, string>): Promise<Head> {
    const lengthOf = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const options = { method: 'POST', headers: { ...headers, ...lengthOf }, agent: false };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${app.url}${path}`, options, (incoming) => {
        let length = 0;
        incoming.on('data', (chunk: Buffer) => (length += chunk.length));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, lines: linesOf(incoming.rawHeaders), length }),
        );
      });
      outgoing.on('error', reject).end(body);
    });
  }

  function linesOf(rawHeaders: readonly string[]): string[] {
    const lines: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2)
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
    return lines.map((line) =>
      line
        .replace(/^Date: .*/, 'Date: now')
        .replace(/; r=\d+; t=\d+$/, '; r=n; t=n')
        .replace(/; q=\d+; w=\d+; pk=:[\w+/]+=*:$/, '; q=n; w=n; pk'),
    );
  }

  const limitLines = ['RateLimit: "global"; r=n; t=n', 'RateLimit-Policy: "global"; q=n; w=n; pk'];
  const endLines = ['Date: now', 'Connection: close'];
  const message = () => ({ messageId: randomUUID(), from: '5511988887777', text: 'Olá' });

  test.each([
    ['/webhooks/chat/gateway/inbound', 200, message],
    ['/webhooks/chat/gateway/inbound', 200, () => ({ messages: Array.from({ length: 40 }, message) })],
    ['/webhooks/chat/gateway/inbound/', 200, message],
    ['/Webhooks/chat/gateway/inbound?a=b', 200, message],
    ['/webhooks/chat/gateway/status', 200, () => ({ messageId: randomUUID(), status: 'READ' })],
    ['/webhooks/leads', 201, () => ({ chat: '+5511988887777', name: 'João' })],
    ['/public/leads', 201, () => ({ chat: '+5511988887777' })],
  ])('%s: %i', async (path, status, bodyOf) => {
    const tenant = await app.createTenant();
    // The first call comes before the process remembers the key, the second one after.
    for (const expected of [status, 200]) {
      const head = await post(path, JSON.stringify(bodyOf()), { ...withKey(tenant), 'x-request-id': 'a-request' });
      expect(head).toEqual({
        status: expected,
        lines: [
          'x-request-id: a-request',
          ...securityLines,
          ...limitLines,
          'Content-Type: application/json; charset=utf-8',
          `Content-Length: ${head.length}`,
          ...endLines,
        ],
        length: head.length,
      });
    }
  });
}

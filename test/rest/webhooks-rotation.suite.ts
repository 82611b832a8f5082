// The webhook secret while it is being replaced: the old signature and the new one are both accepted.

import { sign } from '../../src/platform/http/hmac-signature.js';
import { withTenant } from '../support/shared-app.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const [old, current] = ['the old webhook secret', 'the new webhook secret'];
const path = '/webhooks/chat/gateway/inbound';

export function describeWebhooksRotation(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { CHAT_WEBHOOK_SECRET: current, CHAT_WEBHOOK_SECRET_PREVIOUS: old });

  const body = '{ "messageId": "rotated", "from": "5511988887777", "text": "Ol\\u00e1" }';
  const post = (signature: string) => app.post(path, body, { ...withKey(tenant), 'x-signature': signature });

  test.each([
    ['the new secret, over the bytes', () => sign(current, body)],
    ['the old secret, over the bytes', () => sign(old, body)],
    ['the new secret, over JSON.stringify', () => sign(current, JSON.stringify(JSON.parse(body)))],
    ['the old secret, over JSON.stringify', () => sign(old, JSON.stringify(JSON.parse(body)))],
  ])('%s', async (_, signature) => {
    expect((await post(signature())).status).toBe(200);
  });

  test('any other secret is refused', async () => {
    await expectProblem(await post(sign('neither of the two', body)), 'SIGNATURE_INVALID');
  });

  test('the old one ends with its variable', async () => {
    const later = await TestApp.start({ CHAT_WEBHOOK_SECRET: current }, app.database);
    try {
      const headers = { ...withKey(tenant), 'x-signature': sign(old, body) };
      await expectProblem(await later.post(path, body, headers), 'SIGNATURE_INVALID');
    } finally {
      await later.stop({ keepDatabase: true });
    }
  });
}

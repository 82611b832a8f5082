// The limits of lead sources: leads by source, wrong keys and signatures by address and source, unknown sources by address.

import { randomUUID } from 'node:crypto';
import { expectProblem } from '../../rest/problem.js';
import { query } from '../../support/graphql-client.js';
import { WebhookDeliveriesDocument } from '../../support/operations.js';
import { withKey, type TestTenant } from '../../support/test-app.js';
import { googleLead, newChat, SourceStage } from './source-harness.js';

const limit = 5;

export function describeSourceLimits(): void {
  let stage: SourceStage;
  let tenant: TestTenant;

  beforeAll(async () => {
    const limits = { THROTTLE_LIMIT: String(limit), FAILED_AUTH_LIMIT: String(limit), THROTTLE_TTL_MS: '600000' };
    stage = await SourceStage.start(limits);
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    tenant = await stage.app.createTenant();
  });

  /** Creates a source past the API, whose calls are counted as well. */
  async function createGoogle(): Promise<{ id: string; path: string }> {
    const { leadSources } = stage.app.app.services;
    const principal = { kind: 'user', tenantId: tenant.id, userId: tenant.admin.id, role: 'ADMIN' } as never;
    const input = { kind: 'GOOGLE', name: 'ads', key: 'a-key-that-only-google-has' } as const;
    const { id } = await leadSources.create(principal, input);
    return { id, path: `/webhooks/leads/google/${id}` };
  }

  const post = (path: string, further = {}) =>
    stage.app.post(path, { google_key: 'a-key-that-only-google-has', ...googleLead(newChat()), ...further });

  test('leads beyond the limit are refused, those of other sources and of the API key are not', async () => {
    const [source, other] = [await createGoogle(), await createGoogle()];
    for (let count = 0; count < limit; count += 1) expect((await post(source.path)).status).toBe(200);
    const refused = await post(source.path);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectProblem(refused, 'RATE_LIMITED');
    expect((await post(other.path)).status).toBe(200);
    const ofKey = await stage.app.post('/webhooks/leads', { chat: newChat() }, withKey(tenant));
    expect(ofKey.status).toBe(201);
    const { webhookDeliveries } = await query(stage.app, tenant.admin, WebhookDeliveriesDocument, {});
    const [first] = webhookDeliveries.edges.map(({ node }) => node).filter(({ outcome }) => outcome === 'REFUSED');
    expect(first!.reason).toMatch(/^RATE_LIMITED/);
    expect(first!.body).not.toMatch(/google_key|only-google/);
  });

  test('wrong keys are refused unseen after a while, at this source only', async () => {
    const [source, other] = [await createGoogle(), await createGoogle()];
    for (let count = 0; count < limit; count += 1)
      await expectProblem(await post(source.path, { google_key: 'a-wrong-key' }), 'UNAUTHENTICATED');
    for (const key of ['a-wrong-key', 'a-key-that-only-google-has'])
      await expectProblem(await post(source.path, { google_key: key }), 'RATE_LIMITED');
    expect((await post(other.path)).status).toBe(200);
  });

  test('an address that tries sources which there are not is refused', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < limit + 2; count += 1)
      statuses.push((await post(`/webhooks/leads/google/${randomUUID()}`)).status);
    expect(statuses.slice(0, limit)).toEqual(Array.from({ length: limit }, () => 404));
    expect(statuses.at(-1)).toBe(429);
  });
}

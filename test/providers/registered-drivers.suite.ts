// The drivers as the service has them: chosen by an instance's provider, with its own encrypted credential. A driver never says that a
// message may be sent again when it may have been sent.

import { randomUUID } from 'node:crypto';
import { execute, query } from '../support/graphql-client.js';
import { CreateChatInstanceDocument, type CreateChatInstanceInput } from '../support/operations.js';
import { EvolutionServer } from '../support/evolution-server.js';
import { TestApp, type TestTenant } from '../support/test-app.js';
import {
  createLead,
  openReplyWindow,
  send,
  until,
  stateOf,
  waitForStatus,
} from '../features/messages/sending-harness.js';

const instanceName = 'acme';

export function describeRegisteredDrivers(): void {
  const token = EvolutionServer.globalKey;

  let app: TestApp;
  let tenant: TestTenant;
  let server: EvolutionServer;

  beforeAll(async () => {
    app = await TestApp.start({ GATEWAY_URL: 'http://127.0.0.1:9', GATEWAY_TOKEN: 'configured token' });
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    server = await EvolutionServer.start();
  });
  afterEach(() => server.close());
  afterAll(() => app.stop());

  async function createInstance(input: Partial<CreateChatInstanceInput>): Promise<string> {
    const variables = { input: { accountId: tenant.admin.accountId, instanceName, ...input } };
    return (await query(app, tenant.admin, CreateChatInstanceDocument, variables)).createChatInstance.id;
  }

  async function sendThrough(instanceId: string): Promise<string> {
    return send(app, tenant, { leadId: await createLead(app, tenant), instanceId, body: 'Oi' });
  }

  test('a message goes through Evolution API under the instance’s own key, which is stored encrypted', async () => {
    const instanceId = await createInstance({ provider: 'evolution', baseUrl: server.url, token });
    const { externalId } = await waitForStatus(app, await sendThrough(instanceId), 'SENT');
    expect(externalId).toBe(server.records[0]?.key.id);
    expect(server.requests).toMatchObject([{ path: '/message/sendText/acme', headers: { apikey: token } }]);
    const [row] = await app.sql<{ row: string }>('SELECT i::text AS row FROM chat_instances i WHERE id = $1', [
      instanceId,
    ]);
    expect(row?.row).toContain('evolution');
    for (const form of [token, Buffer.from(token).toString('hex')]) expect(row?.row).not.toContain(form);
  });

  test('what Evolution API may have sent is not sent again', async () => {
    const instanceId = await createInstance({ provider: 'evolution', baseUrl: server.url, token });
    server.always((_request, response) => response.socket?.resetAndDestroy());
    const id = await sendThrough(instanceId);
    const isJudged = () => app.sql("SELECT 1 FROM send_attempts WHERE message_id = $1 AND outcome = 'unknown'", [id]);
    await until(isJudged, (rows) => rows.length === 1);
    // The dispatcher has handled a later message of the same instance, so no attempt of the first one is on its way.
    server.script = undefined;
    await waitForStatus(app, await sendThrough(instanceId), 'SENT');
    expect(server.requests.filter(({ path }) => path.startsWith('/message/'))).toHaveLength(2);
    expect((await stateOf(app, id)).status).not.toBe('SENT');
  });

  test('the configured token does not go to Meta, nor an instance without an address to the configured gateway', async () => {
    const instanceId = await createInstance({ provider: 'cloud' });
    const leadId = await createLead(app, tenant);
    await openReplyWindow(app, tenant.id, leadId, instanceId);
    const id = await send(app, tenant, { leadId, instanceId, body: 'Oi' });
    const state = await until(
      () => stateOf(app, id),
      ({ status }) => status === 'FAILED',
    );
    expect(state.errorCode).toMatch(/^(?:PHONE_NUMBER_ID_MISSING|CREDENTIAL_MISSING)$/);
  });

  test('a provider without a driver is refused when the instance is created', async () => {
    const input = { accountId: tenant.admin.accountId, instanceName: randomUUID(), provider: 'pigeon' };
    const { errors } = await execute(app, tenant.admin, CreateChatInstanceDocument, { input });
    expect(errors).toMatchObject([{ message: expect.stringContaining('gateway, evolution, waha, cloud') }]);
  });
}

// The product against the simulator's number of Meta's Cloud API: templates, their sends and statuses, and preferences.

import { startGatewaySimulator, type GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import type { TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, readMessage, until } from '../messages/sending-harness.js';
import { appSecret, MetaStage } from './meta-harness.js';

const numberId = '555000111';

export function describeSimulatedMeta(): void {
  let stage: MetaStage;
  let simulator: GatewaySimulator;
  let tenant: TestTenant;
  let lineId: string;

  beforeAll(async () => {
    stage = await MetaStage.start();
    const delays = { latencyMs: 0, latencyJitterMs: 0, sentDelayMs: 0, deliveredDelayMs: 0, readDelayMs: 0 };
    const rates = { deliveredRate: 1, readRate: 1, replyRate: 0 };
    simulator = await startGatewaySimulator({ token: 'simulated', defaults: { ...delays, ...rates } });
    tenant = await stage.app.createTenant();
    const metadata = { phoneNumberId: numberId, wabaId: '555000222' };
    lineId = await stage.createLine(tenant, { baseUrl: simulator.url, token: 'simulated', metadata });
    simulator.reportTo({ webhookBaseUrl: stage.app.url, cloud: { instanceId: lineId, appSecret } }, numberId);
  });
  afterAll(async () => {
    await simulator.close();
    await stage.stop();
  });

  test('a template is listed, sent with its variables, and reported as read', async () => {
    const { data } = await stage.sync(tenant, lineId);
    const listed = data['syncChannelTemplates'] as { id: string; name: string; status: string }[];
    expect(listed.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
      'hello APPROVED',
      'offer APPROVED',
    ]);
    const to = plainNumber();
    const leadId = await createLead(stage.app, tenant, to);
    const id = listed.find(({ name }) => name === 'hello')?.id;
    const channelTemplate = { id, variables: { body: { 1: 'Ana', 2: '42' } } };
    const input = { leadId, instanceId: lineId, channelTemplate };
    const sent = await stage.ask(tenant, 'sendMessage(input: $input) { id }', { input }, 'SendMessageInput!');
    expect(sent.failure).toBeUndefined();
    const messageId = sent.data['sendMessage'].id as string;
    const read = await until(
      () => readMessage(stage.app, tenant, messageId),
      ({ status }) => status === 'READ',
    );
    expect(read.externalId).toMatch(/^3EB0/);
    const text = 'Oi Ana, seu pedido 42 chegou.';
    expect(simulator.attempts()).toMatchObject([
      { instance: numberId, to, type: 'template', text, outcome: 'accepted' },
    ]);
  });

  test('a person stops marketing messages and resumes them, and writes', async () => {
    const from = plainNumber();
    const leadId = await createLead(stage.app, tenant, from);
    const optOut = async () =>
      (await stage.ask(tenant, `lead(id: "${leadId}") { optOut { source } unreadCount }`)).data['lead'] as object;
    const says = async (said: object) => {
      const { call } = await simulator.receiveFromLead({ instance: numberId, from, ...said });
      expect(call.status).toBe(200);
    };
    await says({ preference: 'stop' });
    expect(await optOut()).toEqual({ optOut: { source: 'PREFERENCE' }, unreadCount: 0 });
    // Times at Meta are whole seconds and the later one counts, so the test waits for the next second.
    await new Promise((passed) => setTimeout(passed, 1_100));
    await says({ preference: 'resume' });
    await says({ text: 'Oi' });
    expect(await optOut()).toEqual({ optOut: null, unreadCount: 1 });
  });
}

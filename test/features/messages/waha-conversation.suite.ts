// A conversation through WAHA in both directions: the sends to it, and its reports of them by webhook.

import { randomUUID } from 'node:crypto';
import type { Script } from '../../providers/scripted-gateway.js';
import { withTenantEach } from '../../support/shared-app.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { WahaServer, type WahaEngine, type WahaSend } from '../../support/waha-server.js';
import { createLead, plainNumber, send, stateOf, until, waitForStatus } from './sending-harness.js';

interface Result {
  messageId?: string;
  leadId?: string;
  duplicate?: boolean;
  outcome?: string;
}

export function describeWahaConversation(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: WahaServer;
  let instanceId: string;
  let number: string;
  let leadId: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    server = await WahaServer.start();
    const gateway = { provider: 'waha', baseUrl: server.url, token: WahaServer.apiKey };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const input = { accountId: tenant.admin.accountId, instanceName: 'acme', ...gateway };
    instanceId = (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
    number = plainNumber();
    leadId = await createLead(app, tenant, number);
  });
  afterEach(() => server.close());

  const sends = () => server.requests.flatMap(({ path, body }) => (path === '/api/sendText' ? [body as WahaSend] : []));

  async function report(event: string, payload: object): Promise<Result | undefined> {
    const call = { event, session: 'acme', timestamp: Date.now(), payload };
    const answer = await app.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { results: Result[] }).results[0];
  }

  /** WAHA's report of a message that the service sent. */
  const echo = (id: string, body: string) =>
    report('message.any', {
      id: `true_${number}@c.us_${id}`,
      from: `${number}@c.us`,
      fromMe: true,
      source: 'api',
      body,
    });

  test.each<WahaEngine>(['GOWS', 'NOWEB', 'WEBJS'])(
    '%s: a reply, its echo and its acks are one message',
    async (engine) => {
      server.engine = engine;
      const asked = `3EB0${randomUUID().replaceAll('-', '').toUpperCase()}`;
      const chat = { id: `false_${number}@c.us_${asked}`, from: `${number}@c.us`, fromMe: false };
      expect(await report('message.any', { ...chat, body: 'Ist sie frei?' })).toMatchObject({
        leadId,
        duplicate: false,
      });
      const id = await send(app, tenant, { leadId, instanceId, body: 'Ja' });
      const { externalId } = await waitForStatus(app, id, 'SENT');
      expect(await echo(externalId ?? '', 'Ja')).toEqual({ messageId: id, leadId, duplicate: true });
      for (const [ack, status] of [
        [2, 'DELIVERED'],
        [3, 'READ'],
      ]) {
        await report('message.ack', { id: `true_${number}@c.us_${externalId}`, fromMe: true, ack });
        expect(await stateOf(app, id)).toMatchObject({ status });
      }
      expect(await app.sql('SELECT 1 FROM messages WHERE tenant_id = $1', [tenant.id])).toHaveLength(2);
      expect(sends()).toHaveLength(1);
    },
  );

  test.each<WahaEngine>(['GOWS', 'WEBJS'])(
    '%s: the echo that comes before the answer is that message',
    async (engine) => {
      server.engine = engine;
      let answer: (() => void) | undefined;
      let taken = '';
      server.script = ({ path, body }): Script | undefined => {
        if (path !== '/api/sendText') return undefined;
        const { chatId } = body as WahaSend;
        taken = server.take(body as WahaSend);
        return (request, response) => (answer = () => server.sent(taken, chatId)(request, response));
      };
      const id = await send(app, tenant, { leadId, instanceId, body: 'Ja' });
      await until(
        () => answer,
        (ready) => ready !== undefined,
      );
      expect(await echo(taken, 'Ja')).toEqual({ messageId: id, leadId, duplicate: true });
      answer?.();
      expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId: taken });
      expect(await app.sql('SELECT 1 FROM messages WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    },
  );
}

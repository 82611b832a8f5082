// The reply window of Meta's Cloud API: its state, the sends that it refuses, and the messages that it stops before they are sent.

import { randomUUID } from 'node:crypto';
import { execute, failureOf } from '../../support/graphql-client.js';
import { PreviewMessageDocument } from '../../support/operations.js';
import type { TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, stateOf, until, waitForStatus } from '../messages/sending-harness.js';
import { MetaStage } from './meta-harness.js';

const hourMs = 3_600_000;

export function describeReplyWindow(): void {
  let stage: MetaStage;
  let tenant: TestTenant;
  let lineId: string;

  beforeAll(async () => {
    stage = await MetaStage.start();
    tenant = await stage.app.createTenant();
    lineId = await stage.createLine(tenant);
  });
  beforeEach(() => {
    stage.meta.script = undefined;
    stage.meta.requests.length = 0;
  });
  afterAll(() => stage.stop());

  async function windowOf(leadId: string, instanceId: string | null = lineId) {
    const argument = instanceId === null ? '' : `(instanceId: "${instanceId}")`;
    const { data } = await stage.ask(tenant, `lead(id: "${leadId}") { replyWindow${argument} { isOpen closesAt } }`);
    return data['lead'].replyWindow as { isOpen: boolean; closesAt: string | null } | null;
  }
  const sendText = (leadId: string, more: object = {}) =>
    stage.send(tenant, { leadId, instanceId: lineId, body: 'Oi', ...more });

  /** Makes the lead's messages older. */
  const age = (leadId: string, hours: number) =>
    stage.app.sql(
      `UPDATE messages SET provider_timestamp = provider_timestamp - make_interval(hours => $2::int) WHERE lead_id = $1`,
      [leadId, hours],
    );

  describe('the field', () => {
    test('is open for a day after the lead’s last message, by its time at the network', async () => {
      const agoMs = 2 * hourMs;
      const leadId = await stage.writes(lineId, plainNumber(), agoMs);
      const expected = Math.floor((Date.now() - agoMs) / 1_000) * 1_000 + 24 * hourMs;
      const { isOpen, closesAt } = (await windowOf(leadId))!;
      expect(isOpen).toBe(true);
      expect(Math.abs(Date.parse(closesAt ?? '') - expected)).toBeLessThan(10_000);
      expect(await windowOf(leadId, null)).toEqual({ isOpen, closesAt });
    });

    test('is closed for who wrote earlier, never, or to another instance', async () => {
      const closed = { isOpen: false, closesAt: null };
      expect(await windowOf(await stage.writes(lineId, plainNumber(), 25 * hourMs))).toEqual(closed);
      expect(await windowOf(await createLead(stage.app, tenant))).toEqual(closed);
      const elsewhere = await stage.writes(await stage.createLine(tenant), plainNumber());
      expect(await windowOf(elsewhere)).toEqual(closed);
    });

    test('a clock ahead of ours opens it no longer than a day', async () => {
      const { closesAt } = (await windowOf(await stage.writes(lineId, plainNumber(), -5 * hourMs)))!;
      expect(Date.parse(closesAt ?? '')).toBeLessThanOrEqual(Date.now() + 24 * hourMs);
    });

    test('is always open where the network has none, and not found for what the tenant has not', async () => {
      const leadId = await createLead(stage.app, tenant);
      expect(await windowOf(leadId, tenant.instance.id)).toEqual({ isOpen: true, closesAt: null });
      const other = await stage.app.createTenant();
      for (const id of [randomUUID(), 'x', other.instance.id]) {
        const { failure } = await stage.ask(
          tenant,
          `lead(id: "${leadId}") { replyWindow(instanceId: "${id}") { isOpen } }`,
        );
        expect(failure).toMatchObject({ code: 'NOT_FOUND' });
      }
    });

    test('of many leads is one statement', async () => {
      const { data, failure } = await stage.ask(
        tenant,
        `leads { edges { node { replyWindow(instanceId: "${lineId}") { isOpen } } } }`,
      );
      expect(failure).toBeUndefined();
      expect(data['leads'].edges.length).toBeGreaterThan(2);
    });
  });

  describe('a free text', () => {
    test('within it is sent', async () => {
      const leadId = await stage.writes(lineId, plainNumber());
      const { data } = await sendText(leadId);
      await waitForStatus(stage.app, data['sendMessage'].id, 'SENT');
    });

    test('outside of it is refused with what to do, and nothing is written', async () => {
      const leadId = await stage.writes(lineId, plainNumber(), 25 * hourMs);
      const { failure } = await sendText(leadId);
      expect(failure).toMatchObject({
        code: 'WINDOW_CLOSED',
        message: expect.stringMatching(/Send a channel template\./),
      });
      expect(
        await stage.app.sql("SELECT FROM messages WHERE lead_id = $1 AND direction = 'OUTBOUND'", [leadId]),
      ).toEqual([]);
    });

    test('is previewed by the same rule, and nothing is sent', async () => {
      const preview = (leadId: string, more: object) =>
        execute(stage.app, tenant.operator, PreviewMessageDocument, {
          input: { leadId, instanceId: lineId, ...more },
        });
      const open = await stage.writes(lineId, plainNumber());
      const shown = await preview(open, { body: 'Oi' });
      const window = { isOpen: true, closesAt: expect.any(String) };
      expect(shown.data?.previewMessage).toMatchObject({ type: 'text', body: 'Oi', instance: { id: lineId }, window });
      const closed = await stage.writes(lineId, plainNumber(), 25 * hourMs);
      const [tried, sent] = [await preview(closed, { body: 'Oi' }), await sendText(closed)];
      expect(failureOf(tried).code).toBe('WINDOW_CLOSED');
      expect(tried.errors?.[0]?.message).toBe(sent.failure?.message);
      await stage.sync(tenant, lineId);
      const channelTemplate = {
        id: await stage.idOf(tenant, lineId, 'hello'),
        variables: { body: { 1: 'Ana', 2: '42' } },
      };
      const template = await preview(closed, { channelTemplate });
      expect(template.data?.previewMessage).toMatchObject({
        type: 'template',
        body: 'Olá Ana, seu pedido 42 saiu.',
        instance: { id: lineId },
        window: { isOpen: false, closesAt: null },
      });
      const written = "SELECT FROM messages WHERE lead_id = ANY($1) AND direction = 'OUTBOUND'";
      expect(await stage.app.sql(written, [[open, closed]])).toEqual([]);
    });

    test('to a lead that has opted out is OPTED_OUT, as a channel template would be refused as well', async () => {
      const leadId = await stage.writes(lineId, plainNumber());
      const { data } = await sendText(leadId);
      await waitForStatus(stage.app, data['sendMessage'].id, 'SENT');
      await stage.sync(tenant, lineId);
      await stage.ask(tenant, 'optOutLead(id: $input, reason: "asked") { id }', { input: leadId }, 'ID!');
      await age(leadId, 30);
      expect((await sendText(leadId)).failure?.code).toBe('OPTED_OUT');
      const channelTemplate = {
        id: await stage.idOf(tenant, lineId, 'hello'),
        variables: { body: { 1: 'Ana', 2: '42' } },
      };
      const template = await stage.send(tenant, { leadId, instanceId: lineId, channelTemplate });
      expect(template.failure?.code).toBe('OPTED_OUT');
    });

    test('through another gateway is taken at any time', async () => {
      const leadId = await createLead(stage.app, tenant);
      const { failure } = await stage.send(tenant, { leadId, instanceId: tenant.instance.id, body: 'Oi' });
      expect(failure).toBeUndefined();
    });

    test('that was accepted before stays the answer to its key', async () => {
      const leadId = await stage.writes(lineId, plainNumber());
      const idempotencyKey = randomUUID();
      const first = await sendText(leadId, { idempotencyKey });
      await age(leadId, 30);
      const again = await sendText(leadId, { idempotencyKey });
      expect(again.data['sendMessage'].id).toBe(first.data['sendMessage'].id);
    });

    test('that was scheduled fails when the window has closed meanwhile, and nothing is sent', async () => {
      const number = plainNumber();
      const leadId = await stage.writes(lineId, number);
      const sendAt = new Date(Date.now() + hourMs).toISOString();
      const { data } = await sendText(leadId, { sendAt });
      const { id } = data['sendMessage'] as { id: string };
      await age(leadId, 30);
      await stage.app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = $1', [id]);
      stage.app.app.services.dispatcher.wake(tenant.id);
      const state = await until(
        () => stateOf(stage.app, id),
        ({ status }) => status === 'FAILED',
      );
      expect(state).toMatchObject({
        errorCode: 'WINDOW_CLOSED',
        errorMessage: expect.stringMatching(/channel template/),
      });
      expect(stage.sent().filter(({ to }) => to === number)).toEqual([]);
      const { failure } = await stage.ask(tenant, 'retryMessage(id: $input) { id }', { input: id }, 'ID!');
      expect(failure?.code).toBe('WINDOW_CLOSED');
      const { data: read } = await stage.ask(tenant, `message(id: "${id}") { status error { code } }`);
      expect(read['message']).toEqual({ status: 'FAILED', error: { code: 'WINDOW_CLOSED' } });
    });

    test('can be sent again once the lead has written', async () => {
      const number = plainNumber();
      const leadId = await stage.writes(lineId, number);
      const { data } = await sendText(leadId, { sendAt: new Date(Date.now() + hourMs).toISOString() });
      const { id } = data['sendMessage'] as { id: string };
      await age(leadId, 30);
      await stage.app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = $1', [id]);
      stage.app.app.services.dispatcher.wake(tenant.id);
      await until(
        () => stateOf(stage.app, id),
        ({ status }) => status === 'FAILED',
      );
      await stage.writes(lineId, number);
      const { failure } = await stage.ask(tenant, 'retryMessage(id: $input) { id }', { input: id }, 'ID!');
      expect(failure).toBeUndefined();
      await waitForStatus(stage.app, id, 'SENT');
    });

    test('that Meta fails later (131047) is FAILED with what to do', async () => {
      const leadId = await stage.writes(lineId, plainNumber());
      const { data } = await sendText(leadId);
      const { externalId } = await waitForStatus(stage.app, data['sendMessage'].id, 'SENT');
      const details = 'Message failed to send because more than 24 hours have passed';
      await stage.statusOf(lineId, externalId ?? '', 'failed', [
        { code: 131047, title: 'Re-engagement message', error_data: { details } },
      ]);
      expect(await stateOf(stage.app, data['sendMessage'].id)).toMatchObject({
        status: 'FAILED',
        errorCode: '131047',
        errorMessage: expect.stringMatching(/^Message failed .* send a channel template\.$/),
      });
    });
  });

  describe('a template of ours to many', () => {
    async function createTemplate(): Promise<string> {
      const input = { name: `t-${randomUUID()}`, body: 'Oi' };
      const { data } = await stage.ask(
        tenant,
        'createTemplate(input: $input) { id }',
        { input },
        'CreateTemplateInput!',
      );
      return data['createTemplate'].id as string;
    }

    test('is refused as a whole, and names those whose window is closed', async () => {
      const [open, closed] = [await stage.writes(lineId, plainNumber()), await createLead(stage.app, tenant)];
      const templateId = await createTemplate();
      const send = (leadIds: string[], instanceId: string) =>
        stage.sendMany(tenant, { templateId, instanceId, recipients: leadIds.map((leadId) => ({ leadId })) });
      const { failure } = await send([open, closed], lineId);
      expect(failure).toMatchObject({ code: 'WINDOW_CLOSED', errors: [{ path: 'recipients.1.leadId' }] });
      expect((await send([open], lineId)).failure).toBeUndefined();
      expect((await send([open, closed], tenant.instance.id)).failure).toBeUndefined();
    });
  });
}

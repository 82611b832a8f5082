// Sending a template: rendered once, when it is accepted; the same key with the same inputs is the same message, whatever has become
// of the template.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { failureOf, query } from '../../support/graphql-client.js';
import { CreateTemplateDocument, DeleteTemplateDocument, UpdateTemplateDocument } from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  readMessage,
  send,
  trySend,
  waitForEmptyOutbox,
  waitForStatus,
  withSender,
} from './sending-harness.js';

export function describeTemplateSend(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSender((sender) => ({ simulator, app, tenant, other } = sender));

  async function createTemplate(body: string, owner = tenant): Promise<string> {
    const input = { name: `template-${randomUUID()}`, body };
    return (await query(app, owner.operator, CreateTemplateDocument, { input })).createTemplate.id;
  }

  const update = (id: string, body: string) =>
    query(app, tenant.operator, UpdateTemplateDocument, { id, input: { body } });
  const sentTexts = (id: string) =>
    simulator.attempts().flatMap(({ idempotencyKey, text }) => (idempotencyKey === id ? [text] : []));

  test('a template leaves as its text, and the message names it and its version', async () => {
    const leadId = await createLead(app, tenant, '4915112344321');
    const templateId = await createTemplate('first');
    await update(templateId, 'Oi {{lead.chat}}, {{when}}: {{count}} {{left | nada}} {{lead.chat}}');
    const variables = { when: '{{count}}', count: 2.5, more: true, left: null };
    const id = await send(app, tenant, { leadId, templateId: templateId.toUpperCase(), variables });
    const body = 'Oi 4915112344321, {{count}}: 2.5 nada 4915112344321';
    await waitForStatus(app, id, 'SENT');
    expect(sentTexts(id)).toEqual([body]);
    expect(await readMessage(app, tenant, id)).toMatchObject({
      type: 'text',
      body,
      media: null,
      templateVersion: 2,
      template: { id: templateId },
    });
  });

  test('what was accepted stays, though the template is changed and deleted before it leaves', async () => {
    const templateId = await createTemplate('Oi');
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await send(app, tenant, { leadId: await createLead(app, tenant), templateId, sendAt });
    await update(templateId, 'Olá');
    await query(app, tenant.operator, DeleteTemplateDocument, { id: templateId });
    await app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = $1', [id]);
    app.app.services.dispatcher.wake(tenant.id);
    await waitForStatus(app, id, 'SENT');
    expect(sentTexts(id)).toEqual(['Oi']);
    expect(await readMessage(app, tenant, id)).toMatchObject({
      body: 'Oi',
      templateVersion: 1,
      template: { id: templateId },
    });
  });

  describe('under an idempotency key', () => {
    test('the same template and values give the same message, also when the template was changed, and when it was deleted', async () => {
      const templateId = await createTemplate('Oi {{a}} {{b}}');
      const input = { leadId: await createLead(app, tenant), templateId, idempotencyKey: randomUUID() };
      const id = await send(app, tenant, { ...input, variables: { a: 1, b: 'x' } });
      expect(await send(app, tenant, { ...input, variables: { b: 'x', a: '1', c: null } })).toBe(id);
      await update(templateId, 'Olá {{d}}');
      expect(await send(app, tenant, { ...input, variables: { a: 1, b: 'x' } })).toBe(id);
      await query(app, tenant.operator, DeleteTemplateDocument, { id: templateId });
      expect(await send(app, tenant, { ...input, variables: { a: 1, b: 'x' } })).toBe(id);
      await waitForEmptyOutbox(app);
      expect(sentTexts(id)).toEqual(['Oi 1 x']);
    });

    test('another value, another template and the same text by hand are CONFLICT', async () => {
      const [templateId, twin] = [await createTemplate('Oi {{a}}'), await createTemplate('Oi {{a}}')];
      const input = { leadId: await createLead(app, tenant), templateId, idempotencyKey: randomUUID() };
      await send(app, tenant, { ...input, variables: { a: 'x' } });
      for (const change of [
        { variables: { a: 'y' } },
        { variables: { a: 'x', b: 'y' } },
        { templateId: twin, variables: { a: 'x' } },
        { templateId: null, body: 'Oi x' },
      ])
        expect(failureOf(await trySend(app, tenant, { ...input, ...change }))).toMatchObject({ code: 'CONFLICT' });
    });
  });

  describe('what cannot be rendered', () => {
    test.each<[string, string, Record<string, unknown> | null, string[]]>([
      ['a missing variable', 'Oi {{a}} {{b}}', { b: 1 }, ['variables.a']],
      ['several of them', 'Oi {{a}} {{b}}', null, ['variables.a', 'variables.b']],
      ['a field that the lead has not', 'Oi {{lead.firstName}}', null, ['variables.lead.firstName']],
      ['a value that is a list', 'Oi {{a}}', { a: ['x'] }, ['variables.a']],
      ['a value of 1,001 characters', 'Oi {{a}}', { a: 'x'.repeat(1_001) }, ['variables.a']],
      ['an empty text', '{{a}}', { a: '' }, ['variables']],
    ])('%s is VALIDATION_FAILED and named, and nothing is queued', async (_name, body, variables, paths) => {
      const leadId = await createLead(app, tenant);
      const answer = await trySend(app, tenant, { leadId, templateId: await createTemplate(body), variables });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths });
      expect(await app.sql('SELECT FROM messages WHERE lead_id = $1', [leadId])).toEqual([]);
    });

    test('an unknown template, another tenant’s and a deleted one are NOT_FOUND', async () => {
      const leadId = await createLead(app, tenant);
      const deleted = await createTemplate('Oi');
      await query(app, tenant.operator, DeleteTemplateDocument, { id: deleted });
      for (const templateId of [randomUUID(), await createTemplate('Oi', other), deleted])
        expect(failureOf(await trySend(app, tenant, { leadId, templateId }))).toMatchObject({ code: 'NOT_FOUND' });
    });
  });
}

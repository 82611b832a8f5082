// Sending a template with files: what goes with the text, what follows, and in which order.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { query } from '../../support/graphql-client.js';
import { CreateTemplateDocument, DeleteTemplateDocument, PreviewMessageDocument } from '../../support/operations.js';
import { changingNothing } from '../../support/table-checksums.js';
import { withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { oggOpus, png } from '../media/sample-files.js';
import { createLead, readMessage, send, waitForEmptyOutbox, withSender } from './sending-harness.js';

export function describeTemplateFiles(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSender((sender) => ({ simulator, app, tenant } = sender));

  async function upload(type = 'image/png', bytes = png()): Promise<string> {
    const headers = { ...withToken(tenant.operator), 'content-type': type };
    const url = `${app.url}/media?fileName=offer`;
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) });
    return ((await answer.json()) as { id: string }).id;
  }

  async function template(fileIds: string[], body = 'Oi {{lead.chat}}'): Promise<string> {
    const input = { name: `template-${randomUUID()}`, body, fileIds };
    return (await query(app, tenant.operator, CreateTemplateDocument, { input })).createTemplate.id;
  }

  const messagesOf = (leadId: string) =>
    app.sql(
      `SELECT m.type, m.body, m.template_id IS NOT NULL AS "isTemplate", f.sha256 IS NOT NULL AS "hasFile" FROM messages m
       LEFT JOIN media_files f ON f.tenant_id = m.tenant_id AND f.message_id = m.id WHERE m.lead_id = $1 ORDER BY m.position`,
      [leadId],
    );
  const alone = { body: null, isTemplate: false, hasFile: true };

  test('the first file has the text, the others follow; the call gives the message with the text', async () => {
    const leadId = await createLead(app, tenant, '4915112345555');
    const templateId = await template([await upload(), await upload('application/pdf', Buffer.from('%PDF-1.4\n'))]);
    const idempotencyKey = randomUUID();
    const id = await send(app, tenant, { leadId, templateId, idempotencyKey });
    expect(await readMessage(app, tenant, id)).toMatchObject({
      type: 'image',
      body: 'Oi 4915112345555',
      media: { state: 'STORED', fileName: 'offer' },
      template: { id: templateId },
    });
    await waitForEmptyOutbox(app);
    const own = simulator.attempts().filter(({ to }) => to === '4915112345555');
    expect(own.map(({ type, text }) => ({ type, text }))).toEqual([
      { type: 'image', text: 'Oi 4915112345555' },
      { type: 'document', text: null },
    ]);
    // The key is that of the whole.
    expect(await send(app, tenant, { leadId, templateId, idempotencyKey })).toBe(id);
    await query(app, tenant.operator, DeleteTemplateDocument, { id: templateId });
    expect(await send(app, tenant, { leadId, templateId, idempotencyKey })).toBe(id);
    expect(await messagesOf(leadId)).toEqual([
      { type: 'image', body: 'Oi 4915112345555', isTemplate: true, hasFile: true },
      { type: 'document', ...alone },
    ]);
  });

  test.each<[string, string, () => Promise<string>, string]>([
    ['an audio file', 'Oi', () => upload('audio/ogg', oggOpus()), 'audio'],
    ['a text of more than 1,024 characters', 'a'.repeat(1_025), () => upload(), 'image'],
  ])('with %s the text goes before all files', async (_, body, file, type) => {
    const leadId = await createLead(app, tenant);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    await send(app, tenant, { leadId, templateId: await template([await file()], body), sendAt });
    expect(await messagesOf(leadId)).toEqual([
      { type: 'text', body, isTemplate: true, hasFile: false },
      { type, ...alone },
    ]);
  });

  test('the preview shows them and keeps nothing', async () => {
    const [one, two] = [await upload(), await upload()];
    const input = { leadId: await createLead(app, tenant), templateId: await template([two, one], 'Oi') };
    const shown = await changingNothing(app, () => query(app, tenant.operator, PreviewMessageDocument, { input }));
    expect(shown.previewMessage).toMatchObject({ type: 'image', body: 'Oi', files: [{ id: two }, { id: one }] });
  });
}

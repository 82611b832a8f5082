// Signatures: which texts begin with one, that what is stored is what leaves, and who sets what.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  CreateTemplateDocument,
  PreviewMessageDocument,
  RetryMessageDocument,
  SendMessagesDocument,
  SetSignatureDocument,
  UpdateProfileDocument,
  UpdateUserDocument,
  type SendMessageInput,
  type UpdateTenantInput,
} from '../../support/operations.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { png } from '../media/sample-files.js';
import { createLead, plainNumber, readMessage, send, trySend, waitForStatus, withSender } from './sending-harness.js';

export function describeSignatures(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;

  withSender((sender) => ({ simulator, app } = sender));
  beforeEach(async () => {
    tenant = await app.createTenant();
    leadId = await createLead(app, tenant);
    await set({ signature: 'BEFORE' });
    await call('Ana');
  });

  const set = async (input: UpdateTenantInput) =>
    (await query(app, tenant.admin, SetSignatureDocument, { id: tenant.id, input })).updateTenant;
  const call = async (displayName: string | null, by = tenant.operator) =>
    (await query(app, by, UpdateProfileDocument, { input: { displayName } })).updateProfile;
  const preview = async (input: SendMessageInput) =>
    (await query(app, tenant.operator, PreviewMessageDocument, { input })).previewMessage;
  const sent = (id: string) => simulator.attempts().filter(({ idempotencyKey }) => idempotencyKey === id);
  const bodyOf = async (id: string) => (await readMessage(app, tenant, id)).body;

  async function template(body: string): Promise<string> {
    const input = { name: `template-${randomUUID()}`, body };
    return (await query(app, tenant.operator, CreateTemplateDocument, { input })).createTemplate.id;
  }

  async function upload(): Promise<string> {
    const headers = { ...withToken(tenant.operator), 'content-type': 'image/png' };
    const answer = await fetch(`${app.url}/media`, { method: 'POST', headers, body: new Uint8Array(png()) });
    return ((await answer.json()) as { id: string }).id;
  }

  describe('begin', () => {
    test('a text: what is stored is what leaves', async () => {
      const id = await send(app, tenant, { leadId, body: 'Oi!' });
      await waitForStatus(app, id, 'SENT');
      expect(sent(id).map(({ text }) => text)).toEqual(['*Ana:*\nOi!']);
      expect(await bodyOf(id)).toBe('*Ana:*\nOi!');
    });

    test('a rendered template and a scheduled text', async () => {
      const templateId = await template('Oi {{when}}');
      expect(await bodyOf(await send(app, tenant, { leadId, templateId, variables: { when: 'hoje' } }))).toBe(
        '*Ana:*\nOi hoje',
      );
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      expect(await bodyOf(await send(app, tenant, { leadId, body: 'Oi', sendAt }))).toBe('*Ana:*\nOi');
    });

    test('a caption; a file alone has none', async () => {
      const [media, alone] = [{ id: await upload(), caption: 'Look' }, { id: await upload() }];
      const id = await send(app, tenant, { leadId, media });
      expect(await readMessage(app, tenant, id)).toMatchObject({ body: null, media: { caption: '*Ana:*\nLook' } });
      const both = await send(app, tenant, { leadId, media, body: 'Oi' });
      expect(await readMessage(app, tenant, both)).toMatchObject({ body: 'Oi', media: { caption: '*Ana:*\nLook' } });
      const text = await send(app, tenant, { leadId, media: alone, body: 'Oi' });
      expect(await readMessage(app, tenant, text)).toMatchObject({ body: '*Ana:*\nOi', media: { caption: null } });
      const file = await send(app, tenant, { leadId, media: alone });
      expect(await readMessage(app, tenant, file)).toMatchObject({ body: null, media: { caption: null } });
    });

    test('the preview, as the send', async () => {
      expect(await preview({ leadId, body: 'Oi' })).toMatchObject({ body: '*Ana:*\nOi', caption: null });
      const media = { id: await upload(), caption: 'Look' };
      expect(await preview({ leadId, media })).toMatchObject({ body: null, caption: '*Ana:*\nLook' });
    });
  });

  describe('never begin', () => {
    test('a bulk send', async () => {
      const input = { templateId: await template('Oi'), recipients: [{ leadId }], idempotencyKey: randomUUID() };
      await query(app, tenant.operator, SendMessagesDocument, { input });
      expect(await app.sql('SELECT body FROM messages WHERE lead_id = $1', [leadId])).toEqual([{ body: 'Oi' }]);
    });

    test('the reply to an opt-out', async () => {
      const from = plainNumber();
      await set({ optOutReply: 'Done' });
      const message = { messageId: randomUUID(), from, type: 'text', text: 'STOP' };
      await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
      const replies = await app.sql(
        "SELECT body FROM messages WHERE tenant_id = $1 AND direction = 'OUTBOUND' AND is_automatic",
        [tenant.id],
      );
      expect(replies).toEqual([{ body: 'Done' }]);
    });

    test('a reply of an assistant', async () => {
      const { id: userId, accountId } = tenant.operator;
      const known = {
        tenantId: tenant.id,
        userId,
        accountId,
        email: 'x@test.example',
        isPlatformTenant: false,
      } as const;
      const assistant: UserPrincipal = { kind: 'user', role: 'OPERATOR', ...known, isAssistant: true };
      const { messageSend, sendPreviews } = app.app.services;
      expect(await sendPreviews.preview(assistant, { leadId, body: 'Oi' })).toMatchObject({ body: 'Oi' });
      expect(await messageSend.send(assistant, { leadId, body: 'Oi' })).toMatchObject({ body: 'Oi' });
    });

    test('anything while they are off, or while the user has no name', async () => {
      await call(null);
      expect(await bodyOf(await send(app, tenant, { leadId, body: 'Oi' }))).toBe('Oi');
      await call('Ana');
      await set({ signature: 'OFF' });
      expect(await bodyOf(await send(app, tenant, { leadId, body: 'Oi' }))).toBe('Oi');
    });
  });

  test('a repeated call is the same message, whatever has become of the signature; a retry leaves with the same text', async () => {
    const input = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
    simulator.behave({ failRate: 1, failStatus: 422, failCode: 'blocked' }, tenant.instance.name);
    const id = await send(app, tenant, input);
    await waitForStatus(app, id, 'FAILED');
    await call('Bia');
    await set({ signatureFormat: '{{operator.displayName}}' });
    expect(await send(app, tenant, input)).toBe(id);
    expect(await preview(input)).toMatchObject({ body: '*Ana:*\nOi', repeated: { id } });
    simulator.behave({ failRate: 0 }, tenant.instance.name);
    await query(app, tenant.operator, RetryMessageDocument, { id });
    await waitForStatus(app, id, 'SENT');
    expect(new Set(sent(id).map(({ text }) => text))).toEqual(new Set(['*Ana:*\nOi']));
    expect(await bodyOf(await send(app, tenant, { leadId, body: 'Oi' }))).toBe('Bia\nOi');
  });

  test('the limits of length count them', async () => {
    const line = '*Ana:*\n'.length;
    const refused = (paths: string[]) => ({ code: 'VALIDATION_FAILED', paths });
    await send(app, tenant, { leadId, body: 'a'.repeat(65_536 - line) });
    const long = { leadId, body: 'a'.repeat(65_537 - line) };
    expect(failureOf(await trySend(app, tenant, long))).toEqual(refused(['body']));
    expect(failureOf(await execute(app, tenant.operator, PreviewMessageDocument, { input: long }))).toEqual(
      refused(['body']),
    );
    const caption = { id: await upload(), caption: 'a'.repeat(4_097 - line) };
    expect(failureOf(await trySend(app, tenant, { leadId, media: caption }))).toEqual(refused(['media.caption']));
    const templateId = await template('a'.repeat(4_097 - line));
    expect(failureOf(await trySend(app, tenant, { leadId, templateId }))).toEqual(refused(['variables']));
  });

  describe('settings', () => {
    test('of the company: OFF at first; null brings the first format back; audited', async () => {
      const other = await app.createTenant();
      const change = (input: UpdateTenantInput) =>
        execute(app, other.admin, SetSignatureDocument, { id: other.id, input });
      const first = '*{{operator.displayName}}:*';
      const tenantOf = async (input: UpdateTenantInput) => (await change(input)).data?.updateTenant;
      expect(await tenantOf({})).toEqual({ signature: 'OFF', signatureFormat: first });
      const format = '_{{operator.displayName}}_\nSales';
      expect(await tenantOf({ signatureFormat: format })).toEqual({ signature: 'OFF', signatureFormat: format });
      expect(await tenantOf({ signature: 'BEFORE', signatureFormat: null })).toMatchObject({ signatureFormat: first });
      const answer = await change({ signatureFormat: '*{{operator.name}}*' });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['signatureFormat'] });
      expect(answer.errors?.[0]?.message).toContain('{{operator.displayName}}');
      expect(failureOf(await change({ signatureFormat: 'a'.repeat(201) })).paths).toEqual(['signatureFormat']);
      const input = { id: other.id, input: { signature: 'OFF' } } as const;
      expect(failureOf(await execute(app, other.operator, SetSignatureDocument, input)).code).toBe('FORBIDDEN');
      const filter = { targetId: other.id, action: 'TENANT_UPDATED' as const };
      const { auditLog } = await query(app, other.admin, AuditLogDocument, { first: 1, filter });
      expect(auditLog.edges[0]?.node).toMatchObject({ before: { signature: 'OFF' }, after: { signature: 'BEFORE' } });
    });

    test('the display name: changed by the user and by an ADMIN; the name stands in for it', async () => {
      const { admin, operator } = tenant;
      expect(await call(' Ana *L* \n')).toMatchObject({ displayName: 'Ana *L*', signature: '*Ana L:*' });
      const update = (input: object) => query(app, admin, UpdateUserDocument, { id: operator.id, input: { ...input } });
      expect((await update({ displayName: 'Bia', name: 'Beatriz' })).updateUser).toMatchObject({
        displayName: 'Bia',
        name: 'Beatriz',
      });
      expect((await update({ name: 'Beatriz Lima' })).updateUser).toMatchObject({ displayName: 'Bia' });
      expect(await call(null)).toMatchObject({ displayName: null, signature: '*Beatriz Lima:*' });
      const long = { input: { displayName: 'a'.repeat(101) } };
      expect(failureOf(await execute(app, operator, UpdateProfileDocument, long)).paths).toEqual(['displayName']);
      const { auditLog } = await query(app, admin, AuditLogDocument, { first: 1, filter: { targetId: operator.id } });
      expect(auditLog.edges[0]?.node).toMatchObject({ action: 'USER_UPDATED', actorId: operator.id });
    });
  });
}

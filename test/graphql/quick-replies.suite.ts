// Quick replies over GraphQL: shortcuts, files and visibility of templates, and who may do what with them.

import { randomUUID } from 'node:crypto';
import { png } from '../features/media/sample-files.js';
import { createLead } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  AuditLogDocument,
  CreateTemplateDocument,
  DeleteLeadDocument,
  DeleteTemplateDocument,
  MessageDocument,
  RenderTemplateDocument,
  SendMessageDocument,
  SendMessagesDocument,
  TemplateDocument,
  TemplateFileAddressesDocument,
  TemplatesDocument,
  UpdateTemplateDocument,
  type CreateTemplateInput,
  type TemplateFilter,
  type UpdateTemplateInput,
} from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant, type TestUser } from '../support/test-app.js';

export function describeQuickReplies(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, tenant, other } = made));

  const create = (input: Partial<CreateTemplateInput> = {}, by = tenant.operator) =>
    execute(app, by, CreateTemplateDocument, { input: { name: `template-${randomUUID()}`, body: 'Oi', ...input } });
  const update = (id: string, input: UpdateTemplateInput, by = tenant.operator) =>
    execute(app, by, UpdateTemplateDocument, { id, input });
  const read = async (id: string, by = tenant.operator) => (await query(app, by, TemplateDocument, { id })).template;
  const list = async (filter: TemplateFilter, by = tenant.operator) =>
    (await query(app, by, TemplatesDocument, { filter })).templates.edges.map(({ node }) => node.id);
  const newShortcut = () => `s${randomUUID().slice(0, 18)}`;

  async function created(input: Partial<CreateTemplateInput> = {}, by = tenant.operator) {
    const { data, errors } = await create(input, by);
    if (data == null) throw new Error(`the template was not created: ${JSON.stringify(errors)}`);
    return data.createTemplate;
  }

  async function upload(by: TestUser = tenant.operator, bytes = png()): Promise<string> {
    const headers = { ...withToken(by), 'content-type': 'image/png' };
    const body = new Uint8Array(bytes);
    const answer = await fetch(`${app.url}/media?fileName=offer.png`, { method: 'POST', headers, body });
    return ((await answer.json()) as { id: string }).id;
  }

  describe('a shortcut', () => {
    test('is kept in lower case without its slash, found, changed and taken away', async () => {
      const shortcut = newShortcut();
      const { id, ...template } = await created({ shortcut: ` /${shortcut.toUpperCase()} ` });
      expect(template).toMatchObject({ shortcut, visibility: 'SHARED', author: { id: tenant.operator.id }, files: [] });
      expect(await list({ shortcut: shortcut.toUpperCase() })).toEqual([id]);
      expect(await list({ search: shortcut.slice(1, -1) })).toEqual([id]);
      expect((await update(id, { shortcut: `preço-${shortcut}` })).data?.updateTemplate.shortcut).toBe(
        `preço-${shortcut}`,
      );
      expect((await update(id, { name: `template-${shortcut}` })).data?.updateTemplate.shortcut).toBe(
        `preço-${shortcut}`,
      );
      expect((await update(id, { shortcut: null })).data?.updateTemplate).toMatchObject({ shortcut: null, version: 1 });
    });

    test('is unique in the tenant, in any letter case, and names the field; a deleted template gives it free', async () => {
      const shortcut = newShortcut();
      const { id } = await created({ shortcut });
      const taken = [{ path: 'shortcut', message: 'is taken' }];
      expect((await create({ shortcut: shortcut.toUpperCase() })).errors).toMatchObject([
        { message: 'shortcut: is taken', extensions: { code: 'CONFLICT', errors: taken } },
      ]);
      const { id: second } = await created({ shortcut: newShortcut() });
      expect((await update(second, { shortcut })).errors).toMatchObject([
        { extensions: { code: 'CONFLICT', errors: taken } },
      ]);
      // A personal template of a colleague takes it too.
      expect(failureOf(await create({ shortcut, visibility: 'PERSONAL' }, tenant.admin)).code).toBe('CONFLICT');
      await created({ shortcut }, other.operator);
      await query(app, tenant.operator, DeleteTemplateDocument, { id });
      await created({ shortcut });
      const many = await Promise.all(Array.from({ length: 6 }, () => create({ shortcut: `${shortcut}x` })));
      expect(many.filter(({ data }) => data != null)).toHaveLength(1);
    });

    test.each([
      ['blanks', 'two words'],
      ['a sign', 'a.b'],
      ['a dash at the beginning', '-a'],
      ['nothing but the slash', '/'],
      ['33 characters', 'a'.repeat(33)],
      ['nothing', ''],
    ])('with %s is VALIDATION_FAILED', async (_, shortcut) => {
      const wanted = { code: 'VALIDATION_FAILED', paths: ['shortcut'] };
      expect(failureOf(await create({ shortcut }))).toEqual(wanted);
      expect(failureOf(await update((await created()).id, { shortcut }))).toEqual(wanted);
    });

    test('has 32 characters at most', async () => {
      const shortcut = `x${randomUUID().replaceAll('-', '').slice(0, 31)}`;
      expect((await created({ shortcut: `/${shortcut}` })).shortcut).toBe(shortcut);
    });
  });

  describe('a personal template', () => {
    test('is seen, changed and used by its author; for a colleague there is none', async () => {
      const colleague = await app.createColleague(tenant);
      const { id } = await created({ visibility: 'PERSONAL' });
      const leadId = await createLead(app, tenant);
      expect(await list({ visibility: 'PERSONAL' })).toContain(id);
      expect(await read(id)).toMatchObject({ visibility: 'PERSONAL', versions: [{ version: 1 }] });
      expect((await update(id, { body: 'Olá' })).data?.updateTemplate).toMatchObject({ body: 'Olá', version: 2 });

      expect(await list({}, colleague)).not.toContain(id);
      expect(await list({ authorId: tenant.operator.id }, colleague)).not.toContain(id);
      expect(await read(id, colleague)).toBeNull();
      const idempotencyKey = randomUUID();
      const asked = [
        update(id, { body: 'x' }, colleague),
        execute(app, colleague, DeleteTemplateDocument, { id }),
        execute(app, colleague, RenderTemplateDocument, { id }),
        execute(app, colleague, SendMessageDocument, { input: { leadId, templateId: id } }),
        execute(app, colleague, SendMessagesDocument, {
          input: { templateId: id, recipients: [{ leadId }], idempotencyKey },
        }),
      ];
      for (const answer of asked) expect(failureOf(await answer).code).toBe('NOT_FOUND');

      const { sendMessage } = await query(app, tenant.operator, SendMessageDocument, {
        input: { leadId, templateId: id },
      });
      expect(sendMessage).toMatchObject({ body: 'Olá', template: { id } });
      // The message is everybody's, the template is not.
      const message = async (by: TestUser) => (await query(app, by, MessageDocument, { id: sendMessage.id })).message;
      expect(await message(colleague)).toMatchObject({ body: 'Olá', template: null });
      expect(await message(tenant.operator)).toMatchObject({ template: { id } });
    });

    test('an ADMIN finds it under its author, changes, shares and deletes it, and does not send it', async () => {
      const [first, second] = [await created({ visibility: 'PERSONAL' }), await created({ visibility: 'PERSONAL' })];
      const leadId = await createLead(app, tenant);
      expect(await list({}, tenant.admin)).not.toContain(first.id);
      expect(await list({ authorId: tenant.operator.id }, tenant.admin)).toEqual(
        expect.arrayContaining([first.id, second.id]),
      );
      expect(await read(first.id, tenant.admin)).toMatchObject({ id: first.id });
      const input = { leadId, templateId: first.id };
      expect(failureOf(await execute(app, tenant.admin, SendMessageDocument, { input }))).toEqual({
        code: 'VALIDATION_FAILED',
        paths: ['templateId'],
      });
      expect((await update(first.id, { body: 'Olá', visibility: 'SHARED' }, tenant.admin)).errors).toBeUndefined();
      await query(app, tenant.admin, SendMessageDocument, { input });
      await query(app, tenant.admin, DeleteTemplateDocument, { id: second.id });
      expect(await read(second.id)).toBeNull();
    });

    test('only its author makes a template personal', async () => {
      const { id } = await created();
      for (const by of [tenant.admin, await app.createColleague(tenant)])
        expect(failureOf(await update(id, { visibility: 'PERSONAL' }, by))).toEqual({
          code: 'FORBIDDEN',
          paths: ['visibility'],
        });
      expect((await update(id, { visibility: 'PERSONAL' })).data?.updateTemplate.visibility).toBe('PERSONAL');
    });
  });

  describe('files', () => {
    test('are kept in their order, with addresses, and replaced as a whole', async () => {
      const [one, two, three] = [await upload(), await upload(tenant.operator, png(2_000)), await upload()];
      const { id, files } = await created({ fileIds: [two, one] });
      expect(files).toMatchObject([
        { id: two, mimeType: 'image/png', fileName: 'offer.png', size: png(2_000).length },
        { id: one },
      ]);
      const { template } = await query(app, tenant.operator, TemplateFileAddressesDocument, { id });
      const [shown] = template?.files ?? [];
      expect((await fetch(shown?.url ?? '')).status).toBe(200);
      const changed = await update(id, { fileIds: [one, three] });
      expect(changed.data?.updateTemplate).toMatchObject({ version: 1, files: [{ id: one }, { id: three }] });
      expect((await update(id, { name: `template-${id}` })).data?.updateTemplate.files).toHaveLength(2);
      expect((await update(id, { fileIds: [] })).data?.updateTemplate.files).toEqual([]);
    });

    test('what is no upload of the tenant is named', async () => {
      const own = await upload();
      const foreign = await upload(other.operator);
      const leadId = await createLead(app, tenant);
      const { sendMessage } = await query(app, tenant.operator, SendMessageDocument, {
        input: { leadId, media: { id: own } },
      });
      const answer = await create({ fileIds: [own, foreign, randomUUID(), sendMessage.id] });
      expect(failureOf(answer)).toEqual({
        code: 'VALIDATION_FAILED',
        paths: ['fileIds.1', 'fileIds.2', 'fileIds.3'],
      });
      expect(answer.errors?.[0]?.message).toContain('fileIds.3: is the file of a message');
      expect(failureOf(await create({ fileIds: [own, own] })).paths).toEqual(['fileIds.1']);
      expect(failureOf(await create({ fileIds: Array.from({ length: 11 }, () => randomUUID()) })).paths).toEqual([
        'fileIds',
      ]);
    });

    test('are not pruned while a template has them, and not erased with a lead that got them', async () => {
      const [kept, alone] = [await upload(), await upload()];
      const { id } = await created({ fileIds: [kept] });
      const leadId = await createLead(app, tenant);
      await query(app, tenant.operator, SendMessageDocument, { input: { leadId, templateId: id } });
      const age = () =>
        app.sql("UPDATE media_files SET created_at = now() - interval '3 days', used_at = NULL WHERE id = ANY($1)", [
          [kept, alone],
        ]);
      await age();
      const { pruning } = app.app.services;
      await pruning.prune();
      const left = () => app.sql('SELECT id FROM media_files WHERE id = ANY($1)', [[kept, alone]]);
      expect(await left()).toEqual([{ id: kept }]);
      await query(app, tenant.operator, DeleteLeadDocument, { id: leadId });
      expect(await left()).toEqual([{ id: kept }]);
      expect((await read(id))?.files).toMatchObject([{ id: kept }]);
      await query(app, tenant.operator, DeleteTemplateDocument, { id });
      await pruning.prune();
      expect(await left()).toEqual([]);
    });

    test('of a tenant are bounded, and do not count as unsent uploads', async () => {
      const own = await app.createTenant();
      const fileId = await upload(own.operator);
      await created({ fileIds: [fileId] }, own.operator);
      await app.sql('UPDATE media_files SET size = 1024 * 1048576::bigint * 3 WHERE id = $1', [fileId]);
      const next = await upload(own.operator);
      expect((await create({ fileIds: [next] }, own.operator)).errors).toMatchObject([
        { message: 'A tenant has at most 1024 MiB of files of templates', extensions: { code: 'CONFLICT' } },
      ]);
    });

    test('are not carried by bulk sends', async () => {
      const { id: templateId } = await created({ fileIds: [await upload()] });
      const recipients = [{ leadId: await createLead(app, tenant) }];
      const input = { templateId, recipients, idempotencyKey: randomUUID() };
      const answer = await execute(app, tenant.operator, SendMessagesDocument, { input });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['templateId'] });
    });
  });

  test('the audit log has what changed', async () => {
    const [shortcut, fileId] = [newShortcut(), await upload()];
    const { id } = await created({ shortcut });
    await update(id, { shortcut: null, visibility: 'PERSONAL', fileIds: [fileId] });
    await query(app, tenant.operator, DeleteTemplateDocument, { id });
    const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
    expect(auditLog.edges.map(({ node: { action, before, after } }) => ({ action, before, after }))).toMatchObject([
      { action: 'TEMPLATE_DELETED', before: { visibility: 'PERSONAL', fileIds: [fileId] } },
      {
        action: 'TEMPLATE_UPDATED',
        before: { shortcut, visibility: 'SHARED', fileIds: [] },
        after: { shortcut: null, visibility: 'PERSONAL', fileIds: [fileId] },
      },
      { action: 'TEMPLATE_CREATED', after: { shortcut, visibility: 'SHARED', fileIds: [] } },
    ]);
  });
}

// Templates over GraphQL: keeping, listing, previewing, and the audit of changes.

import { randomUUID } from 'node:crypto';
import { createLead } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  AuditLogDocument,
  CreateTemplateDocument,
  DeleteTemplateDocument,
  RenderTemplateDocument,
  TemplateDocument,
  TemplatesDocument,
  UpdateLeadDocument,
  UpdateTemplateDocument,
  type CreateTemplateInput,
  type TemplateFilter,
  type UpdateTemplateInput,
} from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeTemplates(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, tenant, other } = made));

  const newName = () => `template-${randomUUID()}`;
  const create = (input: Partial<CreateTemplateInput> = {}, by = tenant.operator) =>
    execute(app, by, CreateTemplateDocument, { input: { name: newName(), body: 'Oi', ...input } });
  const update = (id: string, input: UpdateTemplateInput, by = tenant.operator) =>
    execute(app, by, UpdateTemplateDocument, { id, input });
  const read = async (id: string, range: { first?: number; before?: number } = {}, by = tenant.operator) =>
    (await query(app, by, TemplateDocument, { id, ...range })).template;

  async function created(input: Partial<CreateTemplateInput> = {}, by = tenant.operator) {
    const { data, errors } = await create(input, by);
    if (data == null) throw new Error(`the template was not created: ${JSON.stringify(errors)}`);
    return data.createTemplate;
  }

  describe('creating', () => {
    test('a tenant has 1,000 templates at most; those that were deleted do not count', async () => {
      const full = await app.createTenant();
      const last = await created({}, full.operator);
      await app.sql(
        `INSERT INTO templates (tenant_id, id, name, body, updated_at)
       SELECT $1, gen_random_uuid(), 'many ' || n, 'Oi', now() FROM generate_series(1, 999) AS n`,
        [full.id],
      );
      expect((await create({}, full.operator)).errors).toMatchObject([
        { message: 'A tenant has at most 1000 templates', extensions: { code: 'CONFLICT' } },
      ]);
      await query(app, full.operator, DeleteTemplateDocument, { id: last.id });
      expect((await create({}, full.operator)).errors).toBeUndefined();
    });

    test('a template says what it asks for', async () => {
      const name = newName();
      const body = ' Oi {{lead.firstName | amigo}}, até {{when}}!\n';
      const template = await created({ name: ` ${name} `, body });
      expect(template).toMatchObject({
        name,
        body,
        version: 1,
        variables: [
          { name: 'lead.firstName', default: 'amigo', isLeadField: true },
          { name: 'when', default: null, isLeadField: false },
        ],
        deletedAt: null,
      });
      const author = { id: tenant.operator.id, email: `${tenant.operator.idpSub}@test.example` };
      const versions = [{ version: 1, body, createdAt: expect.any(String), author }];
      expect(await read(template.id)).toEqual({ ...template, versions });
    });

    test.each<[string, Partial<CreateTemplateInput>, string, RegExp]>([
      ['no name', { name: ' ' }, 'name', /empty/],
      ['a long name', { name: 'a'.repeat(101) }, 'name', /100/],
      ['no body', { body: '' }, 'body', /empty/],
      ['a body of blanks', { body: ' \n ' }, 'body', /empty/],
      ['a long body', { body: 'a'.repeat(4_097) }, 'body', /4096/],
      ['a NUL in the body', { body: 'a\u0000' }, 'body', /NUL/],
      ['a body that cannot be read', { body: 'Oi {{name' }, 'body', /^at position 4: "\{\{" is not closed/],
      ['a body of 10,000 braces', { body: '{'.repeat(10_000) }, 'body', /4096/],
      ['a body of 4,096 braces', { body: '{'.repeat(4_096) }, 'body', /^at position 1: /],
      ['a body within a body', { body: '{{a {{b}} }}' }, 'body', /^at position 1: /],
      ['an unknown field of leads', { body: '{{lead.secret}}' }, 'body', /lead\.firstName/],
      ['101 variables', { body: Array.from({ length: 101 }, (_, n) => `{{v${n}}}`).join('') }, 'body', /at most 100/],
    ])('%s is refused by name', async (_, input, path, message) => {
      const answer = await create(input);
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
      expect(answer.errors?.[0]?.extensions.errors).toEqual([{ path, message: expect.stringMatching(message) }]);
    });

    test('a body of the full length is taken', async () => {
      expect((await created({ body: 'a'.repeat(4_096) })).variables).toEqual([]);
      const body = '🙂'.repeat(4_096);
      const { id } = await created({ body });
      expect((await query(app, tenant.operator, RenderTemplateDocument, { id })).renderTemplate.body).toBe(body);
    });

    test('a name is one template of a tenant; of another tenant, or once it is deleted, it is free', async () => {
      const name = newName();
      const { id } = await created({ name });
      expect(failureOf(await create({ name }))).toEqual({ code: 'CONFLICT', paths: ['name'] });
      expect((await created({ name }, other.operator)).name).toBe(name);
      await query(app, tenant.operator, DeleteTemplateDocument, { id });
      const again = await created({ name });
      expect(again.id).not.toBe(id);
      await query(app, tenant.operator, DeleteTemplateDocument, { id: again.id });
      expect((await created({ name })).name).toBe(name);
    });
  });

  describe('changing', () => {
    test('another body is a version more; another name is not', async () => {
      const { id } = await created({ body: 'one' });
      const name = newName();
      expect((await update(id, { name })).data?.updateTemplate).toMatchObject({ name, body: 'one', version: 1 });
      const { data } = await update(id, { body: '{{two}}' }, tenant.admin);
      expect(data?.updateTemplate).toMatchObject({ name, version: 2, variables: [{ name: 'two' }] });
      const versions = [
        { version: 2, body: '{{two}}', author: { id: tenant.admin.id } },
        { version: 1, body: 'one', author: { id: tenant.operator.id } },
      ];
      expect((await read(id))?.versions).toMatchObject(versions);
    });

    test('what changes nothing leaves everything as it was', async () => {
      const template = await created();
      const { data } = await update(template.id, { name: template.name, body: template.body, expectedVersion: 1 });
      expect(data?.updateTemplate).toEqual(template);
      expect((await update(template.id, {})).data?.updateTemplate).toEqual(template);
    });

    test('a stale version is CONFLICT and changes nothing', async () => {
      const { id } = await created({ body: 'one' });
      await update(id, { body: 'two', expectedVersion: 1 });
      const stale = await update(id, { body: 'three', expectedVersion: 1 });
      expect(failureOf(stale)).toEqual({ code: 'CONFLICT', paths: ['expectedVersion'] });
      expect(stale.errors?.[0]?.message).toMatch(/has version 2/);
      expect(await read(id)).toMatchObject({ body: 'two', version: 2 });
    });

    test.each<[string, UpdateTemplateInput, string]>([
      ['a name of null', { name: null }, 'name'],
      ['a body of null', { body: null }, 'body'],
      ['a body that cannot be read', { body: '{{' }, 'body'],
      ['a version of 0', { expectedVersion: 0 }, 'expectedVersion'],
    ])('%s is refused by name', async (_, input, path) => {
      const { id } = await created();
      expect(failureOf(await update(id, input))).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });

    test('a taken name is CONFLICT; what is not there is not found', async () => {
      const [one, two] = [await created(), await created()];
      expect(failureOf(await update(one.id, { name: two.name }))).toEqual({ code: 'CONFLICT', paths: ['name'] });
      for (const id of [(await created({}, other.operator)).id, randomUUID(), 'x'])
        expect(failureOf(await update(id, { name: newName() })).code).toBe('NOT_FOUND');
    });
  });

  test('a deleted template is gone, once', async () => {
    const { id } = await created();
    expect(await query(app, tenant.operator, DeleteTemplateDocument, { id })).toEqual({ deleteTemplate: id });
    expect(await read(id)).toBeNull();
    expect(failureOf(await execute(app, tenant.operator, DeleteTemplateDocument, { id })).code).toBe('NOT_FOUND');
    expect(failureOf(await update(id, { body: 'x' })).code).toBe('NOT_FOUND');
    expect(failureOf(await execute(app, tenant.operator, RenderTemplateDocument, { id })).code).toBe('NOT_FOUND');
    expect(failureOf(await execute(app, tenant.operator, DeleteTemplateDocument, { id: 'x' })).code).toBe('NOT_FOUND');
  });

  describe('reading', () => {
    const list = async (filter?: TemplateFilter, by = tenant.operator) => {
      const { edges, totalCount } = (await query(app, by, TemplatesDocument, { filter })).templates;
      expect(totalCount).toBe(edges.length);
      return edges.map(({ node }) => node.id);
    };

    test('the newest first, by name or a part of it', async () => {
      const own = await app.createTenant();
      const add = async (name: string) => (await created({ name }, own.operator)).id;
      const [offer, reminder, odd] = [await add('Spring offer'), await add('Reminder'), await add('100% O_f')];
      const by = own.operator;
      expect(await list(undefined, by)).toEqual([odd, reminder, offer]);
      expect(await list({ name: 'Reminder' }, by)).toEqual([reminder]);
      expect(await list({ name: 'reminder' }, by)).toEqual([]);
      expect(await list({ search: 'R' }, by)).toEqual([reminder, offer]);
      expect(await list({ search: 'OFFER' }, by)).toEqual([offer]);
      expect(await list({ search: '0% o_' }, by)).toEqual([odd]);
      expect(await list({ search: 'Sp%offer' }, by)).toEqual([]);
      expect(await list({ name: 'Reminder', search: 'offer' }, by)).toEqual([]);
      expect(await list({ name: null, search: null }, by)).toHaveLength(3);
      await query(app, by, DeleteTemplateDocument, { id: reminder });
      expect(await list(undefined, by)).toEqual([odd, offer]);
      expect(await list({ name: 'Reminder' }, by)).toEqual([]);
    });

    test('a filter out of bounds is refused by name', async () => {
      const filter = { search: 'a'.repeat(101) };
      const answer = await execute(app, tenant.operator, TemplatesDocument, { filter });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['filter.search'] });
    });

    test('pages follow each other without gap or repetition', async () => {
      const own = await app.createTenant();
      for (let count = 0; count < 5; count += 1) await created({}, own.operator);
      const all = await list(undefined, own.operator);
      const paged: string[] = [];
      let after: string | null | undefined;
      do {
        const { templates } = await query(app, own.operator, TemplatesDocument, { first: 2, after });
        paged.push(...templates.edges.map(({ node }) => node.id));
        after = templates.pageInfo.hasNextPage ? templates.pageInfo.endCursor : undefined;
      } while (after != null);
      expect(all).toHaveLength(5);
      expect(paged).toEqual(all);
    });

    test('versions: the newest 10, as many as asked for, and the ones before', async () => {
      const { id } = await created({ body: 'body 1' });
      for (let version = 2; version <= 12; version += 1) await update(id, { body: `body ${version}` });
      const shown = async (range: { first?: number; before?: number }) =>
        (await read(id, range))?.versions.map(({ version, body }) => [version, body]);
      expect((await shown({}))?.map(([version]) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
      expect(await shown({ first: 2, before: 4 })).toEqual([
        [3, 'body 3'],
        [2, 'body 2'],
      ]);
      expect(await shown({ first: 50 })).toHaveLength(12);
      expect(await shown({ before: 1 })).toEqual([]);
      expect(await shown({ first: 0 })).toEqual([]);
      const refused = (range: object) => execute(app, tenant.operator, TemplateDocument, { id, ...range });
      expect(failureOf(await refused({ first: 51 }))).toEqual({ code: 'VALIDATION_FAILED', paths: ['first'] });
      expect(failureOf(await refused({ first: -1 }))).toEqual({ code: 'VALIDATION_FAILED', paths: ['first'] });
      expect(failureOf(await refused({ before: 0 }))).toEqual({ code: 'VALIDATION_FAILED', paths: ['before'] });
    });

    test('versions of many templates, asked for twice with other bounds, are each their own', async () => {
      const own = await app.createTenant();
      const ids = [await created({ body: 'a' }, own.operator), await created({ body: 'b' }, own.operator)];
      for (const { id, body } of ids) await update(id, { body: `${body}2` }, own.operator);
      const document =
        '{ templates { edges { node { newest: versions(first: 1) { body } oldest: versions(before: 2) { body } } } } }';
      const answer: unknown = await (await app.post('/graphql', { query: document }, withToken(own.operator))).json();
      const node = (body: string) => ({ node: { newest: [{ body: `${body}2` }], oldest: [{ body }] } });
      expect(answer).toEqual({ data: { templates: { edges: [node('b'), node('a')] } } });
    });

    test("another tenant's id, an unknown one and none are null", async () => {
      for (const id of [(await created({}, other.operator)).id, randomUUID(), 'x']) expect(await read(id)).toBeNull();
    });
  });

  describe('a preview', () => {
    const preview = (id: string, variables?: Record<string, unknown> | null, leadId?: string | null) =>
      execute(app, tenant.operator, RenderTemplateDocument, { id, leadId, variables });

    test('the text for a lead, with what came with it', async () => {
      const lead = { chat: '5511977776666', name: 'Ana Lima', source: 'fair', city: 'Recife', visits: 3 };
      const answer = await app.post('/public/leads', lead, withKey(tenant));
      const { id: leadId } = (await answer.json()) as { id: string };
      await query(app, tenant.operator, UpdateLeadDocument, { id: leadId, input: { customFields: { plan: 'gold' } } });
      const body =
        '{{lead.firstName}}|{{lead.name}}|{{lead.chat}}|{{lead.source}}|{{lead.metadata.city}}|{{lead.metadata.visits}}|{{lead.customFields.plan}}|{{when}}';
      const { id } = await created({ body });
      expect((await preview(id, { when: '{{lead.name}}' }, leadId)).data?.renderTemplate).toEqual({
        version: 1,
        body: 'Ana|Ana Lima|5511977776666|fair|Recife|3|gold|{{lead.name}}',
        missing: [],
      });
    });

    test('or what is missing, with and without a lead', async () => {
      const { id } = await created({ body: '{{lead.name}} {{a}} {{lead.chat | sem número}} {{b | x}} {{a}}' });
      const leadId = await createLead(app, tenant);
      for (const someone of [undefined, null, leadId])
        expect((await preview(id, null, someone)).data?.renderTemplate).toEqual({
          version: 1,
          body: null,
          missing: ['lead.name', 'a'],
        });
      const given = { 'lead.name': 'Ana', a: 1, b: null, ignored: true };
      expect((await preview(id, given)).data?.renderTemplate.body).toBe('Ana 1 sem número x 1');
    });

    test('values written into the document are read like others', async () => {
      const { id } = await created({ body: '{{a}}{{b}}{{__proto__}}' });
      const document = `{ renderTemplate(id: "${id}", variables: {a: "x", b: 2.5, __proto__: true}) { body missing } }`;
      const answer: unknown = await (
        await app.post('/graphql', { query: document }, withToken(tenant.operator))
      ).json();
      expect(answer).toEqual({ data: { renderTemplate: { body: 'x2.5true', missing: [] } } });
    });

    test('wrong values and a text that is too long or empty are refused by name', async () => {
      const { id } = await created({ body: '{{a}}'.repeat(5) });
      const refused = async (variables: Record<string, unknown>) => failureOf(await preview(id, variables));
      expect(await refused({ a: ['x'], b: {} })).toEqual({
        code: 'VALIDATION_FAILED',
        paths: ['variables.a', 'variables.b'],
      });
      for (const a of ['x'.repeat(1_000), ''])
        expect(await refused({ a })).toEqual({ code: 'VALIDATION_FAILED', paths: ['variables'] });
    });

    test('a template or a lead that is not there, or of another tenant', async () => {
      const { id } = await created();
      const theirs = await createLead(app, other);
      for (const leadId of [theirs, randomUUID(), 'x'])
        expect(failureOf(await preview(id, {}, leadId)).code).toBe('NOT_FOUND');
      for (const unknown of [(await created({}, other.operator)).id, randomUUID(), 'x'])
        expect(failureOf(await preview(unknown)).code).toBe('NOT_FOUND');
    });
  });

  test('each change stands in the audit log, with who, before and after', async () => {
    const name = newName();
    const { id } = await created({ name, body: 'one' });
    await update(id, { body: 'two' });
    await update(id, { name: `${name}-2` }, tenant.admin);
    await update(id, { body: 'two' });
    await query(app, tenant.operator, DeleteTemplateDocument, { id });
    const { auditLog } = await query(app, tenant.admin, AuditLogDocument, {
      filter: { targetId: id, targetKind: 'TEMPLATE' },
    });
    const by = (user: { id: string }, action: string) => ({ actorKind: 'USER', actorId: user.id, action });
    expect(auditLog.edges.map(({ node }) => node)).toMatchObject([
      {
        ...by(tenant.operator, 'TEMPLATE_DELETED'),
        before: { name: `${name}-2`, body: 'two', version: 2 },
        after: null,
      },
      { ...by(tenant.admin, 'TEMPLATE_UPDATED'), before: { name }, after: { name: `${name}-2` } },
      {
        ...by(tenant.operator, 'TEMPLATE_UPDATED'),
        before: { body: 'one', version: 1 },
        after: { body: 'two', version: 2 },
      },
      { ...by(tenant.operator, 'TEMPLATE_CREATED'), before: null, after: { name, body: 'one', version: 1 } },
    ]);
  });
}

// Templates behind the APIs: their use by senders, permissions, simultaneous changes, and templates from the time before versions.

import { randomUUID } from 'node:crypto';
import { parseTemplateVariables } from '../../../src/features/templates/template.schema.js';
import type { TemplateLead } from '../../../src/features/templates/template-text.js';
import type { TemplateService } from '../../../src/features/templates/template.service.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';

export function describeTemplateService(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let templates: TemplateService;
  let operator: UserPrincipal;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    other = await app.createTenant();
    templates = app.app.services.templates;
    operator = principalOf(tenant);
  });

  function principalOf({ id: tenantId, operator: user }: TestTenant): UserPrincipal {
    const { id: userId, accountId } = user;
    const email = 'operator@test.example';
    return { kind: 'user', tenantId, userId, accountId, role: 'OPERATOR', email, isPlatformTenant: false };
  }

  const newName = () => `template-${randomUUID()}`;
  const create = (body: string, name = newName()) => templates.create(operator, { name, body });
  const ana: TemplateLead = {
    name: 'Ana Lima',
    chat: '5511988887777',
    source: 'site',
    metadata: { city: 'Recife' },
    customFields: {},
  };

  describe('for a send', () => {
    test('the text, the template and the version it was made of', async () => {
      const { id: templateId } = await create('Oi {{lead.firstName}} de {{lead.metadata.city}}: {{when}}');
      await templates.update(operator, templateId, { body: 'Olá {{lead.firstName}}: {{when}}, {{count | 1}}' });
      const input = { templateId: templateId.toUpperCase(), variables: { when: 'hoje', count: 2, more: true } };
      expect(await templates.renderFor(operator, input, ana)).toEqual({
        body: 'Olá Ana: hoje, 2',
        templateId,
        version: 2,
        fileIds: [],
      });
      const system = { kind: 'system', tenantId: tenant.id } as const;
      expect(await templates.renderFor(system, input, ana)).toMatchObject({ body: 'Olá Ana: hoje, 2' });
    });

    test('each missing variable is named', async () => {
      const { id: templateId } = await create('{{a}} {{lead.metadata.street}} {{b}} {{c | x}} {{__proto__}}');
      const sending = templates.renderFor(operator, { templateId, variables: { b: null } }, ana);
      await expect(sending).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: ['a', 'lead.metadata.street', 'b', '__proto__'].map((name) => ({
          path: `variables.${name}`,
          message: expect.stringMatching(/^is required/),
        })),
      });
    });

    test.each<[string, unknown, string[]]>([
      ['a list', ['x'], ['variables']],
      ['text', 'x', ['variables']],
      ['values that are objects or lists', { a: {}, b: ['x'], c: 'x' }, ['variables.a', 'variables.b']],
      ['a long value', { a: 'x'.repeat(1_001), b: 'x'.repeat(1_000) }, ['variables.a']],
      ['a NUL', { a: 'x\u0000' }, ['variables.a']],
      ['a lone surrogate', { a: '\uD800' }, ['variables.a']],
      ['a number that is not exact', { a: 2 ** 60 }, ['variables.a']],
      ['more than 100', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, {}])), ['variables']],
      [
        'values nested without end',
        JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
        ['variables', 'variables.a'],
      ],
    ])('variables: %s', async (_, variables, paths) => {
      const { id: templateId } = await create('{{a | x}}');
      const refused = await templates
        .renderFor(operator, { templateId, variables }, ana)
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', errors: paths.map((path) => ({ path })) });
    });

    test('what cannot be a message is refused', async () => {
      const { id: templateId } = await create('{{a | }}');
      const errors = [{ path: 'variables', message: 'the text would be empty' }];
      await expect(templates.renderFor(operator, { templateId }, ana)).rejects.toMatchObject({ errors });
      const { id: longId } = await create('{{a}}'.repeat(5));
      const long = templates.renderFor(operator, { templateId: longId, variables: { a: 'x'.repeat(900) } }, ana);
      await expect(long).rejects.toMatchObject({
        errors: [{ path: 'variables', message: expect.stringMatching(/longer than 4096/) }],
      });
    });

    test('none of another tenant, none that is deleted, none that is no id', async () => {
      const { id } = await create('Oi');
      const prepared = await templates.prepare(operator, id);
      await expect(templates.prepare(principalOf(other), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await templates.delete(operator, id);
      for (const templateId of [id, randomUUID(), 'x'])
        await expect(templates.renderFor(operator, { templateId }, ana)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      // The template that was loaded before stays as it was.
      expect(prepared.render(ana, new Map())).toEqual({ text: 'Oi' });
    });

    test('for 10,000 leads it is read once, and each gets its own text or its own lack', async () => {
      const { id } = await create('{{lead.name}}: {{offer}}');
      const prepared = await templates.prepare(operator, id);
      expect(prepared).toMatchObject({
        templateId: id,
        version: 1,
        variables: [{ name: 'lead.name' }, { name: 'offer' }],
      });
      const values = parseTemplateVariables({ offer: '{{lead.chat}}' });
      for (let index = 0; index < 10_000; index += 1) {
        const chat = `4915${index}`;
        const lead = { ...ana, chat, name: index % 2 === 0 ? chat : `Lead ${index}` };
        const wanted = index % 2 === 0 ? { missing: ['lead.name'] } : { text: `Lead ${index}: {{lead.chat}}` };
        expect(prepared.render(lead, values)).toEqual(wanted);
      }
    });
  });

  describe('simultaneous changes', () => {
    test('of one name, one is created', async () => {
      const name = newName();
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => create('Oi', name)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ code: 'CONFLICT', errors: [{ path: 'name', message: 'is taken' }] });
    });

    test('of one body: each is a version, none is lost', async () => {
      const { id } = await create('0');
      const bodies = Array.from({ length: 8 }, (_, index) => `body ${index}`);
      await Promise.all(bodies.map((body) => templates.update(operator, id, { body })));
      const versions = await templates.listVersions(operator, [id]);
      expect(versions.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
      expect(new Set(versions.map(({ body }) => body))).toEqual(new Set(['0', ...bodies]));
      expect(await templates.find(operator, id)).toMatchObject({ version: 9, body: versions[0]?.body });
    });

    test('with an expected version, one of them counts', async () => {
      const { id } = await create('0');
      const change = (body: string) => templates.update(operator, id, { body, expectedVersion: 1 });
      const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map(change));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await templates.find(operator, id)).toMatchObject({ version: 2 });
    });

    test('a change and a deletion: the one that comes later finds nothing, or the change is deleted with it', async () => {
      const { id } = await create('0');
      const [changed, deleted] = await Promise.allSettled([
        templates.update(operator, id, { body: '1' }),
        templates.delete(operator, id),
      ]);
      expect(deleted.status).toBe('fulfilled');
      if (changed.status === 'rejected') expect(changed.reason).toMatchObject({ code: 'NOT_FOUND' });
      expect(await templates.find(operator, id)).toBeNull();
    });
  });

  test('deleted templates are still there for the messages that were made of them', async () => {
    const { id } = await create('Oi');
    await templates.delete(operator, id);
    expect(await templates.listByIds(operator, [id])).toMatchObject([{ id, body: 'Oi', deletedAt: expect.any(Date) }]);
    expect(await templates.listByIds(principalOf(other), [id])).toEqual([]);
    expect(await templates.listVersions(principalOf(other), [id])).toEqual([]);
  });

  test.each<
    [
      string,
      () => UserPrincipal | { kind: 'tenantKey'; tenantId: string; keyId: string; defaultCountry: null } | undefined,
      string,
    ]
  >([
    ['nobody', () => undefined, 'UNAUTHENTICATED'],
    [
      'a tenant key',
      () => ({ kind: 'tenantKey', tenantId: tenant.id, keyId: randomUUID(), defaultCountry: null }),
      'FORBIDDEN',
    ],
  ])('%s works with no template', async (_, makePrincipal, code) => {
    const principal = makePrincipal();
    const { id } = await create('Oi');
    await expect(templates.list(principal, {})).rejects.toMatchObject({ code });
    await expect(templates.find(principal, id)).rejects.toMatchObject({ code });
    await expect(templates.render(principal, id, {})).rejects.toMatchObject({ code });
    await expect(templates.create(principal, { name: newName(), body: 'Oi' })).rejects.toMatchObject({ code });
    await expect(templates.update(principal, id, { body: 'x' })).rejects.toMatchObject({ code });
    await expect(templates.delete(principal, id)).rejects.toMatchObject({ code });
    expect(await templates.find(operator, id)).toMatchObject({ body: 'Oi', version: 1 });
  });

  test('a change that fails leaves neither a version nor an entry in the log', async () => {
    const taken = newName();
    await create('Oi', taken);
    const { id } = await create('Oi');
    await expect(templates.update(operator, id, { name: taken, body: 'other' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await templates.listVersions(operator, [id])).toMatchObject([{ version: 1, body: 'Oi' }]);
    const entries = await app.sql('SELECT action FROM audit_entries WHERE target_id = $1', [id]);
    expect(entries).toEqual([{ action: 'TEMPLATE_CREATED' }]);
  });
}

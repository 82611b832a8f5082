// Lead sources as an ADMIN keeps them: the fields of each kind, secrets that are never given back, bounds, audit, and dry runs.

import { createHmac } from 'node:crypto';
import { digestTenant } from '../../access/tenant-rows.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  DeleteLeadSourceDocument,
  LeadSourceDocument,
  LeadSourcesDocument,
  TestLeadSourceNowDocument,
  type CreateLeadSourceInput,
  type UpdateLeadSourceInput,
} from '../../support/operations.js';
import type { TestTenant } from '../../support/test-app.js';
import { appSecret, googleKey, googleLead, newChat, newLeadgenId, noticeOf, SourceStage } from './source-harness.js';

export function describeLeadSources(): void {
  let stage: SourceStage;
  let tenant: TestTenant;

  beforeAll(async () => {
    stage = await SourceStage.start();
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    tenant = await stage.app.createTenant();
  });

  const list = async () => (await query(stage.app, tenant.admin, LeadSourcesDocument, {})).leadSources;
  const remove = (id: string) => execute(stage.app, tenant.admin, DeleteLeadSourceDocument, { id });

  describe('kinds', () => {
    test('each has its address, and says which secrets it has, and no secret', async () => {
      const meta = await stage.createMeta(tenant, { key: 'a-verify-token', formIds: ['1', '2'] });
      const google = await stage.createGoogle(tenant);
      const hmac = { header: 'X-Form-Signature', algorithm: 'SHA256', encoding: 'HEX', secret: 'a-secret-of-a-form' };
      const form = await stage.createForm(tenant, { hmac, mapping: { '/tel': 'chat' } });
      expect(meta).toMatchObject({
        kind: 'META',
        path: `/webhooks/leads/meta/${meta.id}`,
        hasKey: true,
        hasAppSecret: true,
        hasAccessToken: true,
        webhookVerifyToken: expect.stringMatching(/^[\da-f]{32}$/),
        forms: [{ id: '1' }, { id: '2' }],
        hmac: null,
      });
      expect(google).toMatchObject({
        kind: 'GOOGLE',
        path: `/webhooks/leads/google/${google.id}`,
        hasKey: true,
        hasAppSecret: false,
        webhookVerifyToken: null,
      });
      expect(form).toMatchObject({
        kind: 'FORM',
        path: `/webhooks/leads/form/${form.id}`,
        hasKey: false,
        mapping: { '/tel': 'chat' },
        hmac: { header: 'x-form-signature', algorithm: 'sha256', encoding: 'hex' },
      });
      // The source's forms are read in the background, so they are not compared.
      const { forms: _forms, ...unread } = meta;
      expect(await list()).toMatchObject([unread, google, form]);
      const shown = JSON.stringify(await list());
      for (const secret of [appSecret, googleKey, stage.graph.token, 'a-verify-token', 'a-secret-of-a-form'])
        expect(shown).not.toContain(secret);
    });

    test.each<[string, CreateLeadSourceInput, string[]]>([
      ['META without its secrets', { kind: 'META', name: 'x' }, ['appSecret', 'accessToken']],
      ['GOOGLE without its key', { kind: 'GOOGLE', name: 'x' }, ['key']],
      ['GOOGLE with fields of others', { kind: 'GOOGLE', name: 'x', key: googleKey, formIds: ['1'] }, ['formIds']],
      ['FORM with a key', { kind: 'FORM', name: 'x', key: googleKey }, ['key']],
      ['no name', { kind: 'FORM', name: ' ' }, ['name']],
      ['a key that is too short', { kind: 'GOOGLE', name: 'x', key: 'short' }, ['key']],
      [
        'a private address',
        { kind: 'META', name: 'x', appSecret, accessToken: 'token', baseUrl: 'http://10.1.2.3' },
        ['baseUrl'],
      ],
      [
        'a form that is none of Meta’s',
        { kind: 'META', name: 'x', appSecret, accessToken: 'token', formIds: ['a'] },
        ['formIds.0'],
      ],
      [
        'an unknown algorithm',
        { kind: 'FORM', name: 'x', hmac: { header: 'x-s', algorithm: 'md5', encoding: 'hex', secret: '12345678' } },
        ['hmac.algorithm'],
      ],
      [
        'a header that is none',
        { kind: 'FORM', name: 'x', hmac: { header: 'x s', algorithm: 'sha256', encoding: 'hex', secret: '12345678' } },
        ['hmac.header'],
      ],
      ['a mapping to nothing', { kind: 'FORM', name: 'x', mapping: { '/tel': 7 } }, ['mapping./tel']],
      ['a pointer that is none', { kind: 'FORM', name: 'x', mapping: { '/~2': 'chat' } }, ['mapping./~2']],
    ])('%s is refused by its field', async (_, input, paths) => {
      expect(failureOf(await stage.tryCreate(tenant, input))).toEqual({ code: 'VALIDATION_FAILED', paths });
    });

    test('a tenant has 50 at most', async () => {
      for (let count = 0; count < 50; count += 1) await stage.createForm(tenant);
      expect(failureOf(await stage.tryCreate(tenant, { kind: 'FORM', name: 'x' })).code).toBe('CONFLICT');
      await remove((await list())[0]!.id);
      await stage.createForm(tenant);
    });
  });

  describe('changes', () => {
    test('a name, a mapping and a secret; what is left out stays', async () => {
      const { id, version } = await stage.createGoogle(tenant);
      const changed = await stage.update(tenant, id, { name: 'Other', mapping: { CITY: 'city' }, key: 'another-key' });
      expect(changed).toMatchObject({ name: 'Other', mapping: { CITY: 'city' }, hasKey: true, version: version + 1 });
      expect(await stage.update(tenant, id, { name: 'Other' })).toMatchObject({ version: version + 1 });
      expect(await stage.update(tenant, id, { mapping: null })).toMatchObject({ mapping: null, version: version + 2 });
    });

    test.each<[string, 'META' | 'GOOGLE', UpdateLeadSourceInput, string[]]>([
      ['a required secret cannot be taken away', 'GOOGLE', { key: null }, ['key']],
      ['nor can the token', 'META', { accessToken: null }, ['accessToken']],
      ['another address needs the token again', 'META', { baseUrl: 'https://graph.example' }, ['accessToken']],
      ['forms are for META', 'GOOGLE', { readSince: new Date().toISOString() }, ['readSince']],
      ['nothing is older than Meta keeps', 'META', { readSince: '2020-01-01T00:00:00Z' }, ['readSince']],
    ])('%s', async (_, kind, input, paths) => {
      const { id } = await (kind === 'META' ? stage.createMeta(tenant) : stage.createGoogle(tenant));
      expect(failureOf(await stage.tryUpdate(tenant, id, input))).toEqual({ code: 'VALIDATION_FAILED', paths });
    });

    test('one that was made for another version is refused', async () => {
      const { id } = await stage.createForm(tenant);
      await stage.update(tenant, id, { name: 'Second', expectedVersion: 1 });
      const late = await stage.tryUpdate(tenant, id, { name: 'Third', expectedVersion: 1 });
      expect(failureOf(late)).toEqual({ code: 'CONFLICT', paths: ['expectedVersion'] });
    });

    test('a deleted source is gone, with its secrets', async () => {
      const { id } = await stage.createMeta(tenant);
      expect((await remove(id)).data?.deleteLeadSource).toBe(id);
      expect((await query(stage.app, tenant.admin, LeadSourceDocument, { id })).leadSource).toBeNull();
      expect(failureOf(await remove(id)).code).toBe('NOT_FOUND');
      expect(failureOf(await stage.tryUpdate(tenant, id, { name: 'x' })).code).toBe('NOT_FOUND');
      const [row] = await stage.app.sql(
        'SELECT num_nonnulls(key_ciphertext, app_secret_ciphertext, access_token_ciphertext) AS secrets FROM lead_sources WHERE id = $1',
        [id],
      );
      expect(row).toEqual({ secrets: 0 });
    });

    test('are audited, without secrets', async () => {
      const { id } = await stage.createGoogle(tenant);
      await stage.update(tenant, id, { name: 'Other', key: 'another-key-of-google' });
      await remove(id);
      const { auditLog } = await query(stage.app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
      const entries = auditLog.edges.map(({ node }) => node);
      expect(entries).toMatchObject([
        { action: 'LEAD_SOURCE_DELETED', before: { name: 'Other', kind: 'GOOGLE' } },
        {
          action: 'LEAD_SOURCE_UPDATED',
          before: { name: 'Search ads' },
          after: { name: 'Other', replaced: ['key'] },
        },
        { action: 'LEAD_SOURCE_CREATED', after: { name: 'Search ads', kind: 'GOOGLE' } },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/another-key|only-google/);
    });
  });

  test('another list of forms, and a new reading of them, are audited and raise the version', async () => {
    const { id, version } = await stage.createMeta(tenant, { formIds: ['2', '1'] });
    const changed = await stage.update(tenant, id, { formIds: ['3', '1'] });
    expect(changed).toMatchObject({ version: version + 1, forms: [{ id: '1' }, { id: '3' }] });
    expect((await stage.update(tenant, id, { formIds: ['1', '3'] })).version).toBe(version + 1);
    const readSince = new Date(Date.now() - 3_600_000).toISOString();
    expect((await stage.update(tenant, id, { readSince })).version).toBe(version + 2);
    const late = await stage.tryUpdate(tenant, id, { formIds: [], expectedVersion: version });
    expect(failureOf(late)).toEqual({ code: 'CONFLICT', paths: ['expectedVersion'] });
    await remove(id);
    const { auditLog } = await query(stage.app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
    expect(auditLog.edges.map(({ node: { action, before, after } }) => ({ action, before, after }))).toMatchObject([
      { action: 'LEAD_SOURCE_DELETED', before: { formIds: ['1', '3'] } },
      { action: 'LEAD_SOURCE_UPDATED', before: {}, after: { readSince } },
      { action: 'LEAD_SOURCE_UPDATED', before: { formIds: ['1', '2'] }, after: { formIds: ['1', '3'] } },
      { action: 'LEAD_SOURCE_CREATED', after: { formIds: ['1', '2'] } },
    ]);
  });

  describe('a dry run', () => {
    test('shows the lead, and changes no row', async () => {
      const chat = newChat();
      const google = await stage.createGoogle(tenant);
      const form = await stage.createForm(tenant, { mapping: { '/person/tel': 'chat', '/gdpr': 'consent.gdpr' } });
      const meta = await stage.createMeta(tenant);
      const leadgenId = newLeadgenId();
      const disclaimers = [{ checkbox_key: 'privacy', is_checked: '1' }];
      const graphLead = stage.graph.add(
        leadgenId,
        { full_name: 'Bia', phone_number: `+${chat}`, city: 'Recife' },
        { custom_disclaimer_responses: disclaimers },
      );
      const before = await digestTenant(stage.app, tenant.id);
      expect(await stage.tryOut(tenant, google.id, googleLead(chat))).toMatchObject({
        lead: { id: null, name: 'Ana Lima', chat, numberValidity: 'VALID', source: 'Search ads' },
        created: true,
        duplicate: false,
        errors: [],
      });
      const payload = { person: { tel: `+${chat}`, age: 30 }, name: 'Caio', gdpr: 'on' };
      expect(await stage.tryOut(tenant, form.id, payload)).toMatchObject({
        lead: { name: 'Caio', chat, source: 'Landing page', metadata: { person: { age: 30 }, gdpr: 'on' } },
        disclaimers: [{ key: 'gdpr', isChecked: true }],
      });
      const fetched = { lead: { name: 'Bia', metadata: { answers: { city: 'Recife' } } }, externalId: leadgenId };
      for (const given of [noticeOf(leadgenId), graphLead])
        expect(await stage.tryOut(tenant, meta.id, given as unknown as Record<string, unknown>)).toMatchObject({
          ...fetched,
          disclaimers: [{ key: 'privacy', isChecked: true }],
        });
      expect(await digestTenant(stage.app, tenant.id)).toEqual(before);
    });

    test('names what is wrong by its field', async () => {
      const form = await stage.createForm(tenant);
      const { lead, errors } = await stage.tryOut(tenant, form.id, { phone: 'none', country: 'XX' });
      expect(lead).toBeNull();
      expect(errors.map(({ path }) => path).sort()).toEqual(['chat', 'country']);
      expect((await stage.tryOut(tenant, form.id, { name: 'x' })).errors).toEqual([
        { path: 'chat', message: 'is required (/chat, /phone)' },
      ]);
      const meta = await stage.createMeta(tenant);
      expect((await stage.tryOut(tenant, meta.id, noticeOf('404') as Record<string, unknown>)).errors).toMatchObject([
        { path: 'leadgen_id', message: expect.stringContaining('does not exist') },
      ]);
    });

    test('tells of a lead that is there, of what was sent before, and of a test', async () => {
      const chat = newChat();
      const google = await stage.createGoogle(tenant);
      const lead = googleLead(chat);
      expect((await stage.postGoogle(google, lead)).status).toBe(200);
      const [known] = await stage.leads(tenant);
      const again = { lead: { id: known!.id }, created: false, duplicate: true };
      expect(await stage.tryOut(tenant, google.id, lead)).toMatchObject(again);
      const other = { lead: { id: known!.id }, created: false, duplicate: false };
      expect(await stage.tryOut(tenant, google.id, googleLead(chat))).toMatchObject(other);
      const test = googleLead(newChat(), { is_test: true });
      expect(await stage.tryOut(tenant, google.id, test)).toMatchObject({ created: false, isTest: true });
    });

    test('is a mutation as well', async () => {
      const { id } = await stage.createForm(tenant);
      const variables = { id, payload: { phone: `+${newChat()}` } };
      const { testLeadSource } = await query(stage.app, tenant.admin, TestLeadSourceNowDocument, variables);
      expect(testLeadSource).toMatchObject({ created: true, errors: [] });
    });
  });

  test('the verify token of another source opens nothing', async () => {
    const [one, other] = [await stage.createMeta(tenant, { key: 'a-token-of-ours' }), await stage.createMeta(tenant)];
    const handshake = (id: string, token: string | null | undefined) =>
      stage.app.get(
        `/webhooks/leads/meta/${id}?hub.mode=subscribe&hub.verify_token=${token ?? ''}&hub.challenge=1158201444`,
      );
    for (const token of [one.webhookVerifyToken, 'a-token-of-ours']) {
      const answer = await handshake(one.id, token);
      expect([answer.status, await answer.text()]).toEqual([200, '1158201444']);
    }
    expect((await handshake(one.id, other.webhookVerifyToken)).status).toBe(403);
    expect((await handshake(other.id, 'a-token-of-ours')).status).toBe(403);
    const google = await stage.createGoogle(tenant);
    expect((await handshake(google.id, createHmac('sha256', 'x').digest('hex'))).status).toBe(404);
  });
}

// Calls of Google's lead forms and of any other form: their content, their proof, the kept parts, and that each lead is taken in once.

import { createHmac, randomUUID } from 'node:crypto';
import { execute, query } from '../../support/graphql-client.js';
import {
  DeleteLeadDocument,
  DeleteLeadSourceDocument,
  MergeLeadsDocument,
  ReplayWebhookDeliveryDocument,
  WebhookDeliveriesDocument,
} from '../../support/operations.js';
import type { TestTenant } from '../../support/test-app.js';
import { expectProblem } from '../../rest/problem.js';
import { googleKey, googleLead, newChat, SourceStage, type SourceFields } from './source-harness.js';

export function describeSourceCalls(): void {
  let stage: SourceStage;
  let tenant: TestTenant;

  beforeAll(async () => {
    stage = await SourceStage.start();
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    tenant = await stage.app.createTenant();
  });

  const calls = async () => {
    const { webhookDeliveries } = await query(stage.app, tenant.admin, WebhookDeliveriesDocument, { first: 50 });
    return webhookDeliveries.edges.map(({ node }) => node);
  };
  const postForm = (source: SourceFields, fields: Record<string, string>, type = 'application/x-www-form-urlencoded') =>
    stage.app.post(source.path, new URLSearchParams(fields).toString(), { 'content-type': type });

  describe('Google', () => {
    test('a lead, with everything that came along', async () => {
      const chat = newChat();
      const source = await stage.createGoogle(tenant);
      const answer = await stage.postGoogle(source, googleLead(chat, { campaign_id: 67_890 }));
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
      expect(await stage.leads(tenant)).toMatchObject([
        {
          chat,
          name: 'Ana Lima',
          source: 'Search ads',
          metadata: { form_id: '12345', campaign_id: '67890', answers: { EMAIL: 'ana@example.com' } },
        },
      ]);
    });

    test('ids of 64 bits stay as they were written', async () => {
      const source = await stage.createGoogle(tenant);
      const lead = JSON.stringify({ google_key: googleKey, ...googleLead(newChat()) });
      const body = lead.replace('"form_id":12345', '"form_id":9223372036854775807,"asset":9007199254740993');
      expect((await stage.app.post(source.path, body)).status).toBe(200);
      const [lead64] = await stage.leads(tenant);
      expect(lead64!.metadata).toMatchObject({ form_id: '9223372036854775807', asset: '9007199254740993' });
      const [call] = await calls();
      expect(call?.body).toContain('"form_id":9223372036854775807');
    });

    test('without the key, or with a wrong one, it is 401 and nothing is kept', async () => {
      const source = await stage.createGoogle(tenant);
      const lead = googleLead(newChat());
      for (const body of [
        lead,
        { ...lead, google_key: 'another-key' },
        { ...lead, google_key: [googleKey] },
        'no JSON',
      ])
        await expectProblem(await stage.app.post(source.path, body), 'UNAUTHENTICATED');
      expect(await stage.leads(tenant)).toEqual([]);
      expect(await calls()).toEqual([]);
    });

    test('the key is nowhere in the journal', async () => {
      const source = await stage.createGoogle(tenant);
      await stage.postGoogle(source, googleLead(newChat()));
      await stage.postGoogle(source, {
        user_column_data: [{ google_key: googleKey }],
        deep: { google_key: googleKey },
      });
      const kept = await calls();
      expect(kept.map(({ outcome }) => outcome)).toEqual(['REFUSED', 'PROCESSED']);
      expect(kept[1]).toMatchObject({ dialect: 'GOOGLE_LEADS', route: source.path });
      expect(JSON.stringify(kept)).not.toContain(googleKey);
      const rows = await stage.app.sql<{ body: Buffer }>('SELECT body FROM webhook_deliveries WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect(rows.map(({ body }) => body.toString()).join()).not.toMatch(/google_key|only-google/);
    });

    test('a test of Google’s makes no lead, and a wrong one is refused as a lead would be', async () => {
      const source = await stage.createGoogle(tenant);
      const test = await stage.postGoogle(source, googleLead(newChat(), { is_test: true }));
      expect([test.status, await test.json()]).toEqual([200, {}]);
      const { user_column_data: _columns, ...empty } = googleLead(newChat(), { is_test: true });
      const problem = await expectProblem(await stage.postGoogle(source, empty), 'VALIDATION_FAILED');
      expect(problem.errors).toMatchObject([{ path: 'chat' }]);
      expect(await stage.leads(tenant)).toEqual([]);
      expect((await calls()).map(({ result }) => result)).toContainEqual({
        accepted: 1,
        results: [{ outcome: 'test' }],
      });
    });

    test('a repeated call changes nothing', async () => {
      const source = await stage.createGoogle(tenant);
      const lead = googleLead(newChat());
      for (let count = 0; count < 3; count += 1) expect((await stage.postGoogle(source, lead)).status).toBe(200);
      expect((await stage.leads(tenant)).length).toBe(1);
      expect([await stage.countTouches(tenant), await stage.countEvents(tenant, 'LEAD_CREATED')]).toEqual([1, 1]);
      const duplicates = (await calls()).map(
        ({ result }) => (result as { results: { duplicate: boolean }[] }).results[0]?.duplicate,
      );
      expect(duplicates).toEqual([true, true, false]);
    });

    test('a replaced key counts, and the one before no more', async () => {
      const source = await stage.createGoogle(tenant);
      await stage.update(tenant, source.id, { key: 'the-next-key-of-google' });
      const lead = { ...googleLead(newChat()), google_key: 'the-next-key-of-google' };
      expect((await stage.app.post(source.path, lead)).status).toBe(200);
      await expectProblem(await stage.postGoogle(source, googleLead(newChat())), 'UNAUTHENTICATED');
    });
  });

  describe('any form', () => {
    test('JSON by the usual mapping: an unsigned caller learns nothing of the lead', async () => {
      const chat = newChat();
      const source = await stage.createForm(tenant);
      const answer = await stage.app.post(source.path, { phone: `+${chat}`, name: 'Ana', campaign: 'spring' });
      expect([answer.status, await answer.json()]).toEqual([200, { accepted: 1 }]);
      expect(await stage.leads(tenant)).toMatchObject([
        { chat, name: 'Ana', source: 'Landing page', metadata: { campaign: 'spring' } },
      ]);
    });

    test('a consent field agrees by a known word only, and the evidence has what was sent', async () => {
      const sent = {
        de: 'Nein',
        en: 'declined',
        box: 'unchecked',
        no: 'No, thanks',
        pt: 'Sim',
        is: true,
        list: ['a', 'yes'],
      };
      const mapping = Object.fromEntries(Object.keys(sent).map((key) => [`/${key}`, `consent.${key}`]));
      const source = await stage.createForm(tenant, { mapping: { '/phone': 'chat', ...mapping } });
      expect((await stage.app.post(source.path, { phone: `+${newChat()}`, ...sent })).status).toBe(200);
      const [lead] = await stage.leads(tenant);
      const [entry] = await stage.consentLog(tenant, lead!.id);
      const disclaimers = entry?.evidence?.['disclaimers'] as { key: string; isChecked: boolean; value: string }[];
      expect(Object.fromEntries(disclaimers.map(({ key, ...answer }) => [key, answer]))).toEqual({
        de: { isChecked: false, value: 'Nein' },
        en: { isChecked: false, value: 'declined' },
        box: { isChecked: false, value: 'unchecked' },
        no: { isChecked: false, value: 'No, thanks' },
        pt: { isChecked: true, value: 'Sim' },
        is: { isChecked: true, value: 'true' },
        list: { isChecked: true, value: '["a","yes"]' },
      });
    });

    test('form fields, with a mapping of its own', async () => {
      const chat = newChat();
      const mapping = {
        '/your-tel': 'chat',
        '/first': 'firstName',
        '/last': 'lastName',
        '/utm_source': 'source',
        '/entry': 'externalId',
        '/mail': 'email',
        '/terms': 'consent.terms',
        '/news': 'consent.newsletter',
      };
      const source = await stage.createForm(tenant, { mapping });
      const fields = {
        'your-tel': `+${chat}`,
        first: 'Ana',
        last: 'Lima',
        utm_source: 'search',
        entry: '77',
        mail: 'a@b.c',
      };
      expect((await postForm(source, { ...fields, terms: 'on', city: 'Olinda' })).status).toBe(200);
      const [lead] = await stage.leads(tenant);
      expect(lead).toMatchObject({
        chat,
        name: 'Ana Lima',
        source: 'search',
        metadata: { entry: '77', email: 'a@b.c', city: 'Olinda', terms: 'on' },
      });
      expect(await stage.consentLog(tenant, lead!.id)).toMatchObject([
        {
          action: 'DISCLAIMER',
          source: 'LEAD_FORM',
          evidence: {
            leadSourceId: source.id,
            externalId: '77',
            disclaimers: [
              { key: 'terms', isChecked: true },
              { key: 'newsletter', isChecked: false },
            ],
          },
        },
      ]);
      // The form's own id decides, whatever else differs.
      expect((await postForm(source, { ...fields, city: 'Recife' })).status).toBe(200);
      expect(await stage.countTouches(tenant)).toBe(1);
    });

    test('a national number is read with the tenant’s country', async () => {
      const brazilian = await stage.app.createTenant({ defaultCountry: 'BR' });
      const source = await stage.createForm(brazilian);
      expect((await stage.app.post(source.path, { phone: '(41) 99911-2233' })).status).toBe(200);
      expect((await stage.leads(brazilian))[0]?.chat).toBe('5541999112233');
    });

    test('fields that are named like others, or oddly, are kept', async () => {
      const chat = newChat();
      const source = await stage.createForm(tenant, { mapping: { '/tel': 'chat', '/a~1b': 'name' } });
      const body = `{"tel":"+${chat}","a/b":"Ana","chat":"hello","__proto__":{"x":1},"constructor":"y"}`;
      expect((await stage.app.post(source.path, body)).status).toBe(200);
      const [lead] = await stage.leads(tenant);
      expect(lead).toMatchObject({ chat, name: 'Ana' });
      expect(Object.keys(lead!.metadata ?? {}).sort()).toEqual(['__proto__', 'chat', 'constructor']);
    });

    test('what is wrong is named by its field, and kept in the journal', async () => {
      const source = await stage.createForm(tenant);
      const problem = await expectProblem(await stage.app.post(source.path, { name: 'Ana' }), 'VALIDATION_FAILED');
      expect(problem.errors).toEqual([{ path: 'chat', message: 'is required (/chat, /phone)' }]);
      await expectProblem(await stage.app.post(source.path, '[]'), 'VALIDATION_FAILED');
      await expectProblem(await stage.app.post(source.path, '{'), 'BAD_REQUEST');
      await expectProblem(await postForm(source, { phone: '1' }, 'application/xml'), 'UNSUPPORTED_MEDIA_TYPE');
      expect((await calls()).map(({ outcome, dialect }) => [outcome, dialect])).toEqual(
        Array.from({ length: 4 }, () => ['REFUSED', 'FORM']),
      );
    });

    test('a refused call runs again with a corrected mapping, and then is a duplicate', async () => {
      const chat = newChat();
      const source = await stage.createForm(tenant);
      await expectProblem(await stage.app.post(source.path, { who: `+${chat}` }), 'VALIDATION_FAILED');
      await stage.update(tenant, source.id, { mapping: { '/who': 'chat' } });
      const [refused] = await calls();
      const run = async () =>
        (await query(stage.app, tenant.admin, ReplayWebhookDeliveryDocument, { id: refused!.id }))
          .replayWebhookDelivery;
      expect(await run()).toMatchObject({ outcome: 'PROCESSED' });
      expect((await stage.leads(tenant))[0]?.chat).toBe(chat);
      expect((await run()).result).toMatchObject({ results: [{ duplicate: true }] });
      expect(await stage.countTouches(tenant)).toBe(1);
    });

    describe('with a signature', () => {
      test.each([
        ['sha256', 'hex', ''],
        ['sha256', 'hex', 'sha256='],
        ['sha512', 'base64', ''],
        ['sha1', 'hex', 'SHA1='],
      ] as const)('%s as %s, with the prefix "%s"', async (algorithm, encoding, prefix) => {
        const secret = 'a-secret-of-a-form';
        const source = await stage.createForm(tenant, { hmac: { header: 'X-Sig', algorithm, encoding, secret } });
        const body = JSON.stringify({ phone: `+${newChat()}` });
        const signed = (text: string) => prefix + createHmac(algorithm, secret).update(text).digest(encoding);
        const answer = await stage.app.post(source.path, body, { 'x-sig': signed(body) });
        expect([answer.status, await answer.json()]).toEqual([
          200,
          { accepted: 1, results: [{ leadId: expect.any(String), created: true, duplicate: false }] },
        ]);
        for (const header of [{}, { 'x-sig': signed('x') }, { 'x-sig': '' }, { 'x-sig': 'sha256=' }])
          await expectProblem(
            await stage.app.post(source.path, body, header as Record<string, string>),
            'SIGNATURE_INVALID',
          );
        expect((await stage.leads(tenant)).length).toBe(1);
        expect((await calls()).length).toBe(1);
      });
    });
  });

  test('two sources, and the other ways in, make one lead of a person', async () => {
    const chat = newChat();
    const [google, form] = [await stage.createGoogle(tenant), await stage.createForm(tenant)];
    await Promise.all([
      stage.postGoogle(google, googleLead(chat)),
      stage.app.post(form.path, { phone: `+${chat}` }),
      stage.app.post('/webhooks/leads', { chat }, { 'x-tenant-key': tenant.apiKey }),
    ]);
    const leads = await stage.leads(tenant);
    expect(leads.length).toBe(1);
    expect(leads[0]!.touches.edges.length).toBe(3);
    expect(await stage.countEvents(tenant, 'LEAD_CREATED')).toBe(1);
  });

  test('what is not a source, or one of another kind, is not found', async () => {
    const form = await stage.createForm(tenant);
    const paths = [
      form.path.replace('form', 'google'),
      form.path.replace('form', 'meta'),
      form.path.replace('form', 'other'),
    ];
    for (const path of [...paths, `/webhooks/leads/form/${randomUUID()}`, '/webhooks/leads/form/x'])
      await expectProblem(await stage.app.post(path, { phone: '5511988887777' }), 'NOT_FOUND');
    await execute(stage.app, tenant.admin, DeleteLeadSourceDocument, { id: form.id });
    await expectProblem(await stage.app.post(form.path, { phone: '5511988887777' }), 'NOT_FOUND');
    expect(await calls()).toEqual([]);
  });

  describe('an erased person', () => {
    test('is not taken in again when the source repeats the lead, and its evidence is gone', async () => {
      const source = await stage.createForm(tenant, { mapping: { '/id': 'externalId', '/terms': 'consent.terms' } });
      const submission = { id: 'entry-1', phone: `+${newChat()}`, terms: true };
      await stage.app.post(source.path, submission);
      const [lead] = await stage.leads(tenant);
      await query(stage.app, tenant.admin, DeleteLeadDocument, { id: lead!.id });
      expect((await stage.app.post(source.path, submission)).status).toBe(200);
      expect(await stage.leads(tenant)).toEqual([]);
      const entries = await stage.app.sql(
        'SELECT evidence, erased_at IS NOT NULL AS "isErased" FROM consent_entries WHERE tenant_id = $1',
        [tenant.id],
      );
      expect(entries).toEqual([{ evidence: null, isErased: true }]);
      const rows = await stage.app.sql(
        'SELECT state, external_id AS "externalId", lead_id AS "leadId" FROM lead_source_leads WHERE tenant_id = $1',
        [tenant.id],
      );
      expect(rows).toEqual([{ state: 'ERASED', externalId: null, leadId: null }]);
      // Another submission of the same person is a new one.
      await stage.app.post(source.path, { ...submission, id: 'entry-2' });
      expect((await stage.leads(tenant)).length).toBe(1);
    });

    test('is not brought back by a call that runs again', async () => {
      const chat = newChat();
      const source = await stage.createForm(tenant, { mapping: { '/who': 'chat' } });
      const other = await stage.createForm(tenant);
      await expectProblem(await stage.app.post(other.path, { who: `+${chat}` }), 'VALIDATION_FAILED');
      const [refused] = await calls();
      await stage.app.post(source.path, { who: `+${chat}` });
      const [lead] = await stage.leads(tenant);
      await query(stage.app, tenant.admin, DeleteLeadDocument, { id: lead!.id });
      await stage.update(tenant, other.id, { mapping: { '/who': 'chat' } });
      const { replayWebhookDelivery } = await query(stage.app, tenant.admin, ReplayWebhookDeliveryDocument, {
        id: refused!.id,
      });
      expect(replayWebhookDelivery.result).toMatchObject({
        results: [{ leadId: null, created: false, duplicate: true }],
      });
      expect(replayWebhookDelivery.body).not.toContain(chat);
      expect(await stage.leads(tenant)).toEqual([]);
      // The person may fill the form in again.
      await stage.app.post(other.path, { who: `+${chat}` });
      expect((await stage.leads(tenant)).length).toBe(1);
    });

    test('may fill the same form in again where the form has no ids', async () => {
      const source = await stage.createForm(tenant);
      const submission = { phone: `+${newChat()}` };
      await stage.app.post(source.path, submission);
      const [lead] = await stage.leads(tenant);
      await query(stage.app, tenant.admin, DeleteLeadDocument, { id: lead!.id });
      await stage.app.post(source.path, submission);
      expect((await stage.leads(tenant)).length).toBe(1);
    });
  });

  test('a merge takes the evidence along, and a repeated call still changes nothing', async () => {
    const source = await stage.createForm(tenant, { mapping: { '/id': 'externalId', '/terms': 'consent.terms' } });
    const submission = { id: 'entry-1', phone: `+${newChat()}`, terms: '1' };
    await stage.app.post(source.path, submission);
    await stage.app.post(source.path, { id: 'entry-2', phone: `+${newChat()}` });
    const [survivor, merged] = await stage.leads(tenant);
    const variables = { leadId: merged!.id, intoId: survivor!.id };
    await query(stage.app, tenant.admin, MergeLeadsDocument, variables);
    expect(await stage.consentLog(tenant, survivor!.id)).toMatchObject([
      { originalLeadId: survivor!.id },
      { originalLeadId: merged!.id },
    ]);
    const touches = await stage.countTouches(tenant);
    await stage.app.post(source.path, submission);
    expect(await stage.countTouches(tenant)).toBe(touches);
    expect((await stage.leads(tenant)).length).toBe(1);
  });

  test('a ticked box lifts no opt-out', async () => {
    const chat = newChat();
    const source = await stage.createForm(tenant, { mapping: { '/terms': 'consent.terms' } });
    await stage.app.post(source.path, { phone: `+${chat}`, terms: 'yes' });
    const [lead] = await stage.leads(tenant);
    const { consent } = stage.app.app.services;
    const operator = { kind: 'user', tenantId: tenant.id, userId: tenant.operator.id, role: 'OPERATOR' } as never;
    await consent.optOut(operator, lead!.id, 'said so');
    await stage.app.post(source.path, { phone: `+${chat}`, terms: 'yes', again: 1 });
    const entries = await stage.consentLog(tenant, lead!.id);
    expect(entries.map(({ action }) => action)).toEqual(['DISCLAIMER', 'OPT_OUT', 'DISCLAIMER']);
    const [optOut] = await consent.listOptOuts({ tenantId: tenant.id }, [lead!.id]);
    expect(optOut).toMatchObject({ source: 'USER' });
  });
}

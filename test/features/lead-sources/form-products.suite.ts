// Forms as the products send them: each is signed and encoded here exactly as the product does it, and makes the lead that the guide says.

import { createHmac, randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import {
  CompleteHeldSubmissionDocument,
  DismissHeldSubmissionDocument,
  HeldSubmissionsDocument,
  TestLeadSourceBodyDocument,
  TryWebhookDocument,
  type TryWebhookQueryVariables,
} from '../../support/operations.js';
import type { TestTenant } from '../../support/test-app.js';
import { expectProblem } from '../../rest/problem.js';
import { googleLead, newChat, newLeadgenId, SourceStage, until, type SourceFields } from './source-harness.js';

const secret = 'a-secret-of-the-form';
const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
const signed = { algorithm: 'sha256', encoding: 'hex', secret };
const urlencoded = 'application/x-www-form-urlencoded';

const webflow = {
  ...signed,
  header: 'x-webflow-signature',
  scheme: 'TIMESTAMP_COLON_BODY',
  timestampHeader: 'x-webflow-timestamp',
} as const;
const stripe = { ...signed, header: 'stripe-signature', scheme: 'TIMESTAMP_DOT_BODY' } as const;

export function describeFormProducts(): void {
  let stage: SourceStage;
  let tenant: TestTenant;

  beforeAll(async () => {
    stage = await SourceStage.start();
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    tenant = await stage.app.createTenant();
  });

  const post = (source: SourceFields, body: string, headers: Record<string, string> = {}) =>
    stage.app.post(source.path, body, { 'content-type': 'application/json', ...headers });

  describe('products', () => {
    test('Webflow signs the time in milliseconds, a colon and the body', async () => {
      const mapping = {
        '/payload/data/Phone Number': 'chat',
        '/payload/data/First Name': 'firstName',
        '/payload/data/Last Name': 'lastName',
        '/payload/id': 'externalId',
      };
      const source = await stage.createForm(tenant, { mapping, hmac: webflow });
      const chat = newChat();
      const data = {
        'First Name': 'Zaphod',
        'Last Name': 'Beeblebrox',
        email: 'z@example.com',
        'Phone Number': Number(chat),
      };
      const body = JSON.stringify({
        triggerType: 'form_submission',
        payload: { name: 'Contact Us', siteId: '65427cf400e02b306eaa049c', data, schema: [], id: randomUUID() },
      });
      const headersAt = (time: string) => ({
        'x-webflow-timestamp': time,
        'x-webflow-signature': sign(`${time}:${body}`),
      });
      expect((await post(source, body, headersAt(String(Date.now())))).status).toBe(200);
      expect(await stage.leadOf(tenant, chat)).toMatchObject({ name: 'Zaphod Beeblebrox' });
      const old = await expectProblem(
        await post(source, body, headersAt(String(Date.now() - 400_000))),
        'SIGNATURE_INVALID',
      );
      expect(old.detail).toMatch(/x-webflow-timestamp is 400 s old, and 300 s are allowed/);
      const { 'x-webflow-signature': signature } = headersAt(String(Date.now()));
      const untimed = await expectProblem(
        await post(source, body, { 'x-webflow-signature': signature }),
        'SIGNATURE_INVALID',
      );
      expect(untimed.detail).toMatch(/x-webflow-timestamp is missing/);
      const wrong = { ...headersAt(String(Date.now())), 'x-webflow-signature': sign('another') };
      expect((await expectProblem(await post(source, body, wrong), 'SIGNATURE_INVALID')).detail).toMatch(
        /x-webflow-signature does not match the time and the body/,
      );
    });

    test('Calendly and Stripe write time and signatures into one header', async () => {
      const mapping = {
        '/payload/text_reminder_number': 'chat',
        '/payload/questions_and_answers/[question=Phone]/answer': 'chat',
        '/payload/name': 'name',
        '/payload/uri': 'externalId',
      };
      const source = await stage.createForm(tenant, { mapping, hmac: stripe });
      const chat = newChat();
      const body = JSON.stringify({
        event: 'invitee.created',
        payload: {
          uri: `https://api.calendly.example/invitees/${randomUUID()}`,
          name: 'Ana Lima',
          email: 'ana@example.com',
          text_reminder_number: null,
          questions_and_answers: [
            { question: 'Topic', answer: 'Prices' },
            { question: 'Phone', answer: `+${chat}` },
          ],
        },
      });
      const time = Math.floor(Date.now() / 1_000);
      const good = sign(`${time}.${body}`);
      for (const value of [`t=${time},v1=${good}`, `t=${time}, v1=${sign('of the other secret')}, v1=${good},v0=x`])
        expect((await post(source, body, { 'stripe-signature': value })).status).toBe(200);
      expect(await stage.leadOf(tenant, chat)).toMatchObject({ name: 'Ana Lima' });
      for (const [value, words] of [
        [`v1=${good}`, 't=… in stripe-signature is missing'],
        [`t=${time}`, 'stripe-signature has no v1=…'],
        [`t=${time - 301},v1=${sign(`${time - 301}.${body}`)}`, '300 s are allowed'],
        [`t=${time},v1=${sign(body)}`, 'does not match the time and the body'],
      ] as const)
        expect(
          (await expectProblem(await post(source, body, { 'stripe-signature': value }), 'SIGNATURE_INVALID')).detail,
        ).toContain(words);
    });

    test('Jotform posts multipart/form-data with JSON in a field; files are left out with a note', async () => {
      const mapping = {
        '/rawRequest/q3_phone/full': 'chat',
        '/rawRequest/q4_name/first': 'firstName',
        '/rawRequest/q4_name/last': 'lastName',
        '/submissionID': 'externalId',
      };
      const hmac = { ...signed, header: 'x-signature' };
      const source = await stage.createForm(tenant, { mapping, hmac });
      const chat = newChat();
      const raw = { slug: 'submit/1', q3_phone: { full: `+${chat}` }, q4_name: { first: 'Ana', last: 'Lima' } };
      const form = new FormData();
      form.set('formID', '1');
      form.set('submissionID', '5000000000000000001');
      form.set('rawRequest', JSON.stringify(raw));
      form.set('cv', new Blob(['%PDF']), 'cv.pdf');
      const request = new Request('http://x', { method: 'POST', body: form });
      const type = request.headers.get('content-type')!;
      const body = await request.text();
      const answer = await post(source, body, { 'content-type': type, 'x-signature': sign(body) });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ accepted: 1, notes: ['Files are not kept: cv'] });
      expect(await stage.leadOf(tenant, chat)).toMatchObject({ name: 'Ana Lima', metadata: { cv: 'cv.pdf' } });
      await expectProblem(
        await post(source, body.slice(0, 200), { 'content-type': type, 'x-signature': sign(body.slice(0, 200)) }),
        'BAD_REQUEST',
      );
    });

    test('Typeform leaves out what was not answered: answers are chosen by their reference', async () => {
      const mapping = {
        '/form_response/answers/[field.ref=phone]/phone_number': 'chat',
        '/form_response/answers/[field.ref=name]/text': 'name',
        '/form_response/token': 'externalId',
      };
      const hmac = { ...signed, header: 'Typeform-Signature', encoding: 'base64' };
      const source = await stage.createForm(tenant, { mapping, hmac });
      const chat = newChat();
      const answers = [
        { type: 'email', email: 'ana@example.com', field: { id: 'a', type: 'email', ref: 'mail' } },
        { type: 'phone_number', phone_number: `+${chat}`, field: { id: 'b', type: 'phone_number', ref: 'phone' } },
      ];
      const body = JSON.stringify({ event_type: 'form_response', form_response: { token: randomUUID(), answers } });
      const digest = createHmac('sha256', secret).update(body).digest('base64');
      expect((await post(source, body, { 'Typeform-Signature': `sha256=${digest}` })).status).toBe(200);
      expect(await stage.leadOf(tenant, chat)).toMatchObject({ name: chat });
    });

    test('HubSpot posts several in one call: one that is wrong does not refuse the others', async () => {
      const mapping = { '/properties/phone': 'chat', '/properties/firstname': 'name', '/vid': 'externalId' };
      const source = await stage.createForm(tenant, { mapping });
      const [one, other] = [newChat(), newChat()];
      const event = (vid: number, phone: string) => ({ vid, properties: { phone, firstname: 'Ana' } });
      const answer = await post(
        source,
        JSON.stringify([event(1, `+${one}`), event(2, 'none'), event(3, `+${other}`), 7]),
      );
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        {
          accepted: 2,
          results: [
            { outcome: 'accepted' },
            { outcome: 'refused', errors: [{ path: 'chat' }] },
            { outcome: 'accepted' },
            { outcome: 'refused' },
          ],
        },
      ]);
      expect((await stage.leads(tenant)).length).toBe(2);
      const many = JSON.stringify(Array.from({ length: 101 }, (_, vid) => event(vid, `+${one}`)));
      await expectProblem(await post(source, many), 'VALIDATION_FAILED');
      await expectProblem(await post(source, '[]'), 'VALIDATION_FAILED');
    });

    test.each<[string, Record<string, string>]>([
      ['by the name as it is', { 'fields[phone][value]': 'chat', 'fields[name][value]': 'name' }],
      ['by its parts', { '/fields/phone/value': 'chat', '/fields/name/value': 'name' }],
    ])('Elementor: bracketed names, %s', async (_, mapping) => {
      const source = await stage.createForm(tenant, { mapping });
      const chat = newChat();
      const fields = new URLSearchParams({
        'form[id]': '9b2',
        'fields[name][id]': 'name',
        'fields[name][value]': 'Ana',
        'fields[phone][type]': 'tel',
        'fields[phone][value]': `+${chat}`,
      });
      expect((await post(source, fields.toString(), { 'content-type': urlencoded })).status).toBe(200);
      const lead = await stage.leadOf(tenant, chat);
      expect(lead).toMatchObject({ name: 'Ana', metadata: { 'form[id]': '9b2' } });
      expect(lead!.metadata).not.toHaveProperty('fields[phone][value]');
    });

    test('Contact Form 7: lists for choices, of which the first that is not empty counts', async () => {
      const source = await stage.createForm(tenant, {
        mapping: { 'your-tel': 'chat', 'your-topic': 'tags', 'your-plan': 'customFields.plan' },
      });
      const chat = newChat();
      const body = JSON.stringify({
        'your-tel': ['', `+${chat}`],
        'your-topic': ['Prices', 'Demo'],
        'your-plan': ['Pro'],
      });
      expect((await post(source, body)).status).toBe(200);
      const lead = await stage.leadOf(tenant, chat);
      expect(lead).toMatchObject({ tags: ['prices', 'demo'], customFields: { plan: 'Pro' }, metadata: null });
    });

    test('Google’s test is noted, and makes neither a lead nor a failure', async () => {
      const source = await stage.createGoogle(tenant);
      expect(source.lastTestAt).toBeNull();
      expect((await stage.postGoogle(source, googleLead(newChat(), { is_test: true }))).status).toBe(200);
      expect(await stage.leads(tenant)).toEqual([]);
      expect(await stage.read(tenant, source.id)).toMatchObject({ lastTestAt: expect.any(String), failedLeads: 0 });
    });

    test.each<Record<string, unknown>>([
      { is_test: true },
      { testLead: true },
      { entry: { is_test: 'true' } },
      { test_lead: '1' },
      { name: '<test lead: dummy data for full_name>' },
    ])('so is the test of any form: %j', async (flag) => {
      const source = await stage.createForm(tenant);
      const answer = await post(source, JSON.stringify({ phone: `+${newChat()}`, ...flag }));
      expect([answer.status, await answer.json()]).toEqual([200, { accepted: 1 }]);
      expect(await stage.leads(tenant)).toEqual([]);
      expect(await stage.read(tenant, source.id)).toMatchObject({ lastTestAt: expect.any(String), failedLeads: 0 });
    });

    test('a lead that is no test is one', async () => {
      const source = await stage.createForm(tenant);
      for (const flag of [{ is_test: false }, { testLead: 'false' }, { test: true }, { is_test: '' }])
        await post(source, JSON.stringify({ phone: `+${newChat()}`, ...flag }));
      expect(await stage.leads(tenant)).toHaveLength(4);
    });

    test('Meta’s test tool is recognised by its answers', async () => {
      const source = await stage.createMeta(tenant);
      const leadgenId = newLeadgenId();
      const dummy = (name: string) => `<test lead: dummy data for ${name}>`;
      stage.graph.add(leadgenId, {
        full_name: dummy('full_name'),
        phone_number: dummy('phone_number'),
        email: 'test@fb.com',
      });
      expect((await stage.postNotices(source, [leadgenId])).status).toBe(200);
      const read = await until(
        () => stage.read(tenant, source.id),
        ({ lastTestAt }) => lastTestAt !== null,
      );
      expect(read).toMatchObject({ failedLeads: 0, pendingLeads: 0, lastError: null, heldCount: 0 });
      expect(await stage.leads(tenant)).toEqual([]);
    });
  });

  test('tags and custom fields: a new lead gets them, a known one keeps its own', async () => {
    const source = await stage.createForm(tenant, {
      mapping: { '/labels': 'tags', '/answers/plan': 'customFields.plan' },
    });
    const phone = `+${newChat()}`;
    const body = (labels: unknown, plan: string) => JSON.stringify({ phone, labels, answers: { plan } });
    await post(source, body('Hot, new;VIP', 'Pro'));
    await post(source, body(['cold'], 'Basic'));
    const [lead] = await stage.leads(tenant);
    expect(lead).toMatchObject({ tags: ['hot', 'new', 'vip'], customFields: { plan: 'Pro' } });
    expect(lead!.touches.edges.map(({ node }) => node.metadata)).toContainEqual({
      tags: ['cold'],
      customFields: { plan: 'Basic' },
    });
  });

  test('an empty optional field counts as left out, and a long name is cut', async () => {
    const source = await stage.createForm(tenant);
    const [chat, long] = [newChat(), 'é'.repeat(201)];
    await post(source, JSON.stringify({ phone: `+${chat}`, name: '', source: ' ', country: null }));
    expect(await stage.leadOf(tenant, chat)).toMatchObject({ name: chat, source: 'Landing page' });
    const other = newChat();
    await post(source, JSON.stringify({ phone: `+${other}`, name: long }));
    expect(await stage.leadOf(tenant, other)).toMatchObject({ name: 'é'.repeat(200), metadata: { fullName: long } });
  });

  test('a form without ids repeats within an hour; later it is a second touch and an event', async () => {
    const source = await stage.createForm(tenant);
    const body = JSON.stringify({ phone: `+${newChat()}`, note: 'the same' });
    for (let count = 0; count < 2; count += 1) expect((await post(source, body)).status).toBe(200);
    expect(await stage.countTouches(tenant)).toBe(1);
    await stage.app.sql(
      `UPDATE lead_source_leads SET created_at = now() - interval '61 minutes' WHERE tenant_id = $1`,
      [tenant.id],
    );
    for (let count = 0; count < 2; count += 1) expect((await post(source, body)).status).toBe(200);
    expect([await stage.countTouches(tenant), await stage.countEvents(tenant, 'LEAD_UPDATED')]).toEqual([2, 1]);
    expect((await stage.leads(tenant)).length).toBe(1);
  });

  describe('held submissions', () => {
    const held = async (sourceId: string) => {
      const { heldSubmissions } = await query(stage.app, tenant.admin, HeldSubmissionsDocument, { sourceId });
      return heldSubmissions.edges.map(({ node }) => node);
    };

    test('wait for a number, which makes the lead', async () => {
      const source = await stage.createForm(tenant, {
        mapping: { '/id': 'externalId', '/terms': 'consent.terms', '/t': 'tags' },
      });
      const body = JSON.stringify({
        id: 1,
        name: 'Ana',
        phone: 'none',
        'E-Mail': 'ana@example.com',
        terms: 'on',
        t: 'hot',
      });
      for (let count = 0; count < 2; count += 1) expect((await post(source, body)).status).toBe(200);
      const [waiting, ...others] = await held(source.id);
      expect(others).toEqual([]);
      expect(waiting).toMatchObject({ email: 'ana@example.com', name: 'Ana', writtenNumber: 'none', externalId: '1' });
      expect(await stage.read(tenant, source.id)).toMatchObject({ heldCount: 1, failedLeads: 0 });
      expect(await stage.leads(tenant)).toEqual([]);
      const chat = newChat();
      const { completeHeldSubmission: lead } = await query(stage.app, tenant.admin, CompleteHeldSubmissionDocument, {
        id: waiting!.id,
        chat: `+${chat}`,
      });
      expect(lead).toMatchObject({ chat, name: 'Ana' });
      expect(await stage.leadOf(tenant, chat)).toMatchObject({ tags: ['hot'] });
      expect(await stage.consentLog(tenant, lead.id)).toHaveLength(1);
      expect(await held(source.id)).toEqual([]);
      expect((await post(source, body)).status).toBe(200);
      expect(await held(source.id)).toEqual([]);
    });

    test('keeps what the given text says beside the number, as a form does', async () => {
      const source = await stage.createForm(tenant, {});
      const body = JSON.stringify({ name: 'Ana', phone: 'none', email: 'ana@example.com', city: 'Olinda' });
      expect((await post(source, body)).status).toBe(200);
      const [waiting] = await held(source.id);
      const chat = newChat();
      const written = { id: waiting!.id, chat: `+${chat} ext 12` };
      await query(stage.app, tenant.admin, CompleteHeldSubmissionDocument, written);
      expect(await stage.leadOf(tenant, chat)).toMatchObject({ metadata: { extension: '12', city: 'Olinda' } });
    });

    test('and the same submission with a number, in one call, are a lead', async () => {
      // A source tells outcomes only to callers that prove themselves.
      const hmac = { header: 'X-Form-Sign', secret, algorithm: 'sha256', encoding: 'hex' };
      const source = await stage.createForm(tenant, { mapping: { '/id': 'externalId' }, hmac });
      const [first, second] = [newChat(), newChat()];
      const body = JSON.stringify([
        { id: 1, phone: 'none', email: 'ana@example.com' },
        { id: 1, phone: `+${first}` },
        { id: 1, phone: `+${first}` },
        { id: 2, phone: `+${second}` },
        { id: 2, phone: 'none', email: 'bia@example.com' },
      ]);
      const results = [
        { outcome: 'held', duplicate: false },
        { created: true, duplicate: false },
        { created: false, duplicate: true },
        { created: true, duplicate: false },
        { outcome: 'held', duplicate: true },
      ];
      const proof = { 'x-form-sign': sign(body) };
      const dryRun = await stage.app.post(`${source.path}?dryRun=true`, body, proof);
      expect(await dryRun.json()).toMatchObject({
        results: results.map((result) => ('created' in result ? { ...result, leadId: null } : result)),
      });
      const taken = await stage.app.post(source.path, body, proof);
      expect(await taken.json()).toMatchObject({ results });
      const chats = (await stage.leads(tenant)).map(({ chat }) => chat);
      expect(new Set(chats)).toEqual(new Set([first, second]));
      expect(chats).toHaveLength(2);
      expect(await held(source.id)).toEqual([]);
    });

    test('are dismissed for good', async () => {
      const source = await stage.createGoogle(tenant);
      const lead = googleLead('0', { user_column_data: [{ column_id: 'EMAIL', string_value: 'bia@example.com' }] });
      expect((await stage.postGoogle(source, lead)).status).toBe(200);
      const [waiting] = await held(source.id);
      await query(stage.app, tenant.admin, DismissHeldSubmissionDocument, { id: waiting!.id });
      expect((await stage.postGoogle(source, lead)).status).toBe(200);
      expect(await held(source.id)).toEqual([]);
    });
  });

  test('a dry run reads bodies as they are sent', async () => {
    const source = await stage.createForm(tenant);
    const body = JSON.stringify([{ phone: `+${newChat()}` }, { email: 'ana@example.com' }, {}]);
    const { testLeadSource } = await query(stage.app, tenant.admin, TestLeadSourceBodyDocument, {
      id: source.id,
      body,
    });
    expect(testLeadSource.submissions).toMatchObject([
      { created: true, held: false },
      { held: true, email: 'ana@example.com' },
      { held: false, lead: null, errors: [{ path: 'chat' }] },
    ]);
  });

  test('a dry run of a call says which part of its proof is wrong', async () => {
    const source = await stage.createForm(tenant, { hmac: stripe });
    const body = JSON.stringify({ phone: `+${newChat()}` });
    const time = Math.floor(Date.now() / 1_000);
    const tryCall = async (value: string) => {
      const variables = {
        route: source.path,
        body,
        headers: { 'stripe-signature': value },
      } as TryWebhookQueryVariables;
      return (await query(stage.app, tenant.admin, TryWebhookDocument, variables)).tryWebhook;
    };
    const good = `t=${time},v1=${sign(`${time}.${body}`)}`;
    expect(await tryCall(good)).toMatchObject({ status: 200, signature: { differs: null, expected: good } });
    expect((await tryCall(`t=${time - 999},v1=${sign(`${time - 999}.${body}`)}`)).signature).toMatchObject({
      differs: 'TIME',
    });
    const other = (await tryCall(`t=${time},v1=${sign(`${time}:${body}`)}`)).signature;
    expect(other?.detail).toContain('It fits the scheme TIMESTAMP_COLON_BODY');
    expect((await tryCall(`t=${time},v1=${sign(body)}`)).signature?.detail).toContain('It fits the scheme BODY');
  });

  test.each([
    'host',
    'Cookie',
    'authorization',
    'transfer-encoding',
    'content-length',
    'x-tenant-key',
    'x-forwarded-for',
  ])('the header %s is refused', async (header) => {
    const { errors = [] } = await stage.tryCreate(tenant, { kind: 'FORM', name: 'x', hmac: { ...signed, header } });
    expect(JSON.stringify(errors)).toContain('hmac.header');
    const timed = { ...webflow, timestampHeader: header };
    const answer = await stage.tryCreate(tenant, { kind: 'FORM', name: 'x', hmac: timed });
    expect(JSON.stringify(answer.errors)).toContain('hmac.timestampHeader');
  });

  test('a body of form fields that lost a plus is read in a dry run as it would be taken in', async () => {
    const source = await stage.createForm(tenant);
    const body = 'name=Ana&phone=+51987654321';
    await stage.app.sql("UPDATE tenants SET default_country = 'BR' WHERE id = $1", [tenant.id]);
    const sent = { id: source.id, body, contentType: urlencoded };
    const { testLeadSource } = await query(stage.app, tenant.admin, TestLeadSourceBodyDocument, sent);
    expect(testLeadSource.lead?.chat).toBe('51987654321');
    expect((await post(source, body, { 'content-type': urlencoded })).status).toBeLessThan(300);
    expect((await stage.leads(tenant)).map(({ chat }) => chat)).toEqual(['51987654321']);
  });
}

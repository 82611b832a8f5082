// Dry runs of calls of lead sources, by tryWebhook and with `dryRun=true`: judged like real calls, and nothing is kept.

import { createHmac, randomUUID } from 'node:crypto';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  DeleteLeadSourceDocument,
  TryWebhookDocument,
  type TryWebhookQuery,
  type TryWebhookQueryVariables,
} from '../../support/operations.js';
import { changingNothing, checksumsOf } from '../../support/table-checksums.js';
import type { TestTenant } from '../../support/test-app.js';
import { expectProblem } from '../../rest/problem.js';
import {
  appSecret,
  googleKey,
  googleLead,
  newChat,
  newLeadgenId,
  noticeOf,
  SourceStage,
  type SourceFields,
} from './source-harness.js';

type Verdict = TryWebhookQuery['tryWebhook'];
type HmacInput = { algorithm: string; encoding: string };

const formSecret = 'a-secret-of-the-form';

const adminOf = ({ id: tenantId, admin }: TestTenant) =>
  ({ kind: 'user', tenantId, userId: admin.id, role: 'ADMIN' }) as UserPrincipal;

/** Creates a source without a call that a limit counts. */
async function createSource({ app }: SourceStage, owner: TestTenant): Promise<string> {
  const input = { kind: 'GOOGLE', name: 'Search ads', key: googleKey } as const;
  const { id } = await app.app.services.leadSources.create(adminOf(owner), input);
  return `/webhooks/leads/google/${id}`;
}

export function describeSourceCallDryRun(): void {
  let stage: SourceStage;
  let tenant: TestTenant;

  beforeAll(async () => {
    stage = await SourceStage.start({ PROCESS_ROLE: 'api' });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    tenant = await stage.app.createTenant({ defaultCountry: 'BR' });
  });

  const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

  function judge(source: Pick<SourceFields, 'path'>, body: unknown, headers: object = {}): Promise<Verdict> {
    const variables = { route: source.path, body: textOf(body), headers } as TryWebhookQueryVariables;
    return changingNothing(
      stage.app,
      async () => (await query(stage.app, tenant.admin, TryWebhookDocument, variables)).tryWebhook,
    );
  }

  describe('Google', () => {
    const body = (chat: string, further: object = {}) => ({ google_key: googleKey, ...googleLead(chat, further) });

    test('a lead: new, then a duplicate; another of the same number is of the lead that is there', async () => {
      const source = await stage.createGoogle(tenant);
      const chat = newChat();
      const lead = body(chat, { lead_id: 'lead-1' });
      const fresh = await judge(source, lead);
      expect(fresh).toEqual({
        status: 200,
        code: null,
        detail: null,
        dialect: 'GOOGLE_LEADS',
        signature: null,
        key: { field: 'google_key', differs: null, detail: null },
        items: [
          expect.objectContaining({
            kind: 'LEAD',
            outcome: 'CREATED',
            externalId: 'lead-1',
            from: chat,
            name: 'Ana Lima',
            source: 'Search ads',
            metadata: expect.objectContaining({ form_id: '12345', answers: { EMAIL: 'ana@example.com' } }),
            leadId: null,
          }),
        ],
        errors: [],
      });
      expect(JSON.stringify(fresh)).not.toContain(googleKey);
      expect((await stage.app.post(source.path, lead)).status).toBe(200);
      const [{ id } = { id: '' }] = await stage.leads(tenant);
      expect((await judge(source, lead)).items).toMatchObject([{ outcome: 'DUPLICATE', leadId: id }]);
      const another = body(chat, {
        lead_id: 'lead-2',
        user_column_data: [{ column_id: 'PHONE_NUMBER', string_value: chat }],
      });
      expect((await judge(source, another)).items).toMatchObject([
        { outcome: 'EXISTING', leadId: id, name: 'Ana Lima' },
      ]);
    });

    test.each<[string, object, string, string]>([
      ['is missing', {}, 'MISSING', 'google_key'],
      ['is no text', { google_key: [googleKey] }, 'FORM', 'as text'],
      ['has a blank behind it', { google_key: `${googleKey} ` }, 'FORM', 'white space'],
      ['is another', { google_key: 'another-key' }, 'SECRET', 'not the key'],
    ])('a key that %s is refused as the route refuses it', async (_, key, differs, words) => {
      const source = await stage.createGoogle(tenant);
      const lead = { ...key, ...googleLead(newChat()) };
      const verdict = await judge(source, lead);
      expect(verdict).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
        dialect: 'GOOGLE_LEADS',
        key: { field: 'google_key', differs, detail: expect.stringContaining(words) },
        items: [],
      });
      expect(JSON.stringify(verdict)).not.toContain(googleKey);
      const problem = await expectProblem(await stage.app.post(source.path, lead), 'UNAUTHENTICATED');
      expect(verdict.detail).toBe(problem.detail);
    });

    test('a test of Google’s shows the lead, and makes none; a wrong one is refused', async () => {
      const source = await stage.createGoogle(tenant);
      const chat = newChat();
      expect((await judge(source, body(chat, { is_test: true }))).items).toMatchObject([
        { kind: 'LEAD', outcome: 'IGNORED', reason: expect.stringContaining('test'), from: chat },
      ]);
      const wrong = body(chat, { is_test: true, user_column_data: [] });
      expect(await judge(source, wrong)).toMatchObject({
        status: 422,
        code: 'VALIDATION_FAILED',
        key: { differs: null },
        errors: [{ path: 'chat' }],
      });
    });
  });

  describe('a form', () => {
    const mapping = { '/phone': 'chat', '/who': 'name', '/terms': 'consent.terms', '/news': 'consent.news' };
    const hmacOf = (body: string, { algorithm, encoding }: HmacInput) =>
      createHmac(algorithm, formSecret)
        .update(body)
        .digest(encoding as 'hex' | 'base64');
    const createSigned = (hmac: HmacInput = { algorithm: 'sha256', encoding: 'hex' }) =>
      stage.createForm(tenant, { mapping, hmac: { header: 'X-Form-Sign', secret: formSecret, ...hmac } });

    test('by its mapping, with the boxes that were ticked', async () => {
      const source = await createSigned();
      const body = 'phone=%2841%29+99911-2233&who=Caio&terms=on&news=&city=Olinda';
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-form-sign': `sha256=${hmacOf(body, { algorithm: 'sha256', encoding: 'hex' })}`,
      };
      expect(await judge(source, body, headers)).toMatchObject({
        status: 200,
        dialect: 'FORM',
        key: null,
        signature: { header: 'x-form-sign', differs: null },
        items: [
          {
            outcome: 'CREATED',
            from: '5541999112233',
            name: 'Caio',
            source: 'Landing page',
            metadata: { city: 'Olinda' },
            disclaimers: [
              { key: 'terms', isChecked: true },
              { key: 'news', isChecked: false },
            ],
            leadId: null,
          },
        ],
      });
    });

    test.each<HmacInput>([
      { algorithm: 'sha1', encoding: 'hex' },
      { algorithm: 'sha256', encoding: 'base64' },
      { algorithm: 'sha512', encoding: 'base64' },
      { algorithm: 'sha512', encoding: 'hex' },
    ])('the expected signature is accepted: %p', async (hmac) => {
      const source = await createSigned(hmac);
      const body = JSON.stringify({ phone: newChat() });
      const missing = await judge(source, body);
      expect(missing).toMatchObject({
        status: 401,
        code: 'SIGNATURE_INVALID',
        signature: { expected: hmacOf(body, hmac), given: null, differs: 'MISSING' },
        items: [],
      });
      const { expected } = missing.signature!;
      const right = await judge(source, body, { 'x-form-sign': expected });
      expect(right).toMatchObject({ status: 200, signature: { differs: null, detail: null } });
      expect((await stage.app.post(source.path, body, { 'x-form-sign': expected })).status).toBe(200);
      expect(JSON.stringify([missing, right])).not.toContain(formSecret);
    });

    test('says in which way a signature differs, and is refused as the route refuses it', async () => {
      const source = await createSigned();
      const body = JSON.stringify({ phone: newChat() }, null, 2);
      const sha256 = { algorithm: 'sha256', encoding: 'hex' };
      const other = { algorithm: 'sha512', encoding: 'hex' };
      const cases: [string, string, string][] = [
        [hmacOf(body, { algorithm: 'sha256', encoding: 'base64' }), 'FORM', 'Its value is right'],
        [hmacOf(body, other), 'ALGORITHM', 'SHA512'],
        [hmacOf(JSON.stringify(JSON.parse(body)), sha256), 'BODY', 'minified'],
        [hmacOf(`${body} `, sha256), 'SECRET', 'secret'],
        ['nothing', 'FORM', 'hexadecimal'],
      ];
      for (const [given, differs, words] of cases) {
        const verdict = await judge(source, body, { 'x-form-sign': given });
        expect(verdict).toMatchObject({
          status: 401,
          signature: { given, differs, detail: expect.stringContaining(words) },
        });
        await expectProblem(await stage.app.post(source.path, body, { 'x-form-sign': given }), 'SIGNATURE_INVALID');
      }
    });

    test('without a signature none is asked for', async () => {
      const source = await stage.createForm(tenant, { mapping });
      expect(await judge(source, { phone: newChat() })).toMatchObject({ status: 200, signature: null, key: null });
    });

    test.each([
      ['no JSON', '{"phone":', {}, 400, 'BAD_REQUEST'],
      ['a list', '[]', {}, 422, 'VALIDATION_FAILED'],
      ['another content type', '{}', { 'content-type': 'application/xml' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ])('%s is refused as the route refuses it', async (_, body, headers, status, code) => {
      const source = await stage.createForm(tenant, { mapping });
      const verdict = await judge(source, body, headers);
      expect(verdict).toMatchObject({ status, code, dialect: 'FORM', items: [] });
      const real = await stage.app.post(source.path, body, headers);
      expect([real.status, await real.json()]).toMatchObject([status, { code, detail: verdict.detail }]);
    });
  });

  describe('Meta', () => {
    const signed = (body: unknown, secret = appSecret) => ({
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(textOf(body)).digest('hex')}`,
    });

    test('answers are fetched, so that the lead is shown with what it consented to', async () => {
      const source = await stage.createMeta(tenant);
      const [leadgenId, chat] = [newLeadgenId(), newChat()];
      stage.graph.add(
        leadgenId,
        { full_name: 'Bia', phone_number: `+${chat}`, city: 'Recife' },
        { custom_disclaimer_responses: [{ checkbox_key: 'terms', is_checked: '1' }] },
      );
      const call = noticeOf(leadgenId);
      expect(await judge(source, call, signed(call))).toMatchObject({
        status: 200,
        dialect: 'META_LEADS',
        signature: { header: 'x-hub-signature-256', differs: null },
        items: [
          {
            outcome: 'CREATED',
            externalId: leadgenId,
            from: chat,
            name: 'Bia',
            metadata: { answers: { city: 'Recife' } },
            disclaimers: [{ key: 'terms', isChecked: true }],
            leadId: null,
          },
        ],
      });
    });

    test('what cannot be fetched, is too much, or is no lead says why', async () => {
      const source = await stage.createMeta(tenant);
      const [missing, odd, twin, ...rest] = Array.from({ length: 5 }, newLeadgenId) as [string, string, string];
      const chat = newChat();
      stage.graph.add(odd, { full_name: 'No number' });
      stage.graph.add(twin, { full_name: 'Twin', phone_number: `+${chat}` });
      const call = noticeOf(missing, odd, twin, ...rest, 'no id', twin) as { entry: [{ changes: object[] }] };
      call.entry[0].changes.push({ field: 'feed', value: {} });
      const { items } = await judge(source, call, signed(call));
      expect(items).toMatchObject([
        { outcome: 'EXPECTED', externalId: missing, reason: expect.stringContaining('exist') },
        { outcome: 'EXPECTED', reason: 'Its answers make no lead.', errors: [{ path: 'chat' }] },
        { outcome: 'CREATED', from: chat },
        ...rest.map((externalId) => ({ outcome: 'EXPECTED', externalId, reason: expect.stringContaining('first 3') })),
        { kind: 'UNREADABLE', outcome: 'REFUSED', code: 'VALIDATION_FAILED' },
        { outcome: 'CREATED', from: chat },
        { kind: 'IGNORED', outcome: 'IGNORED', reason: expect.stringContaining('feed') },
      ]);
    });

    test('two leads of one number: the second is of the first, which has no id yet', async () => {
      const source = await stage.createMeta(tenant);
      const [one, other] = [newLeadgenId(), newLeadgenId()];
      const chat = newChat();
      for (const id of [one, other]) stage.graph.add(id, { full_name: 'Bia', phone_number: `+${chat}` });
      const call = noticeOf(one, other);
      expect((await judge(source, call, signed(call))).items).toMatchObject([
        { outcome: 'CREATED', leadId: null },
        { outcome: 'EXISTING', leadId: null },
      ]);
    });

    test('a wrong signature stops it, and nothing is fetched', async () => {
      const source = await stage.createMeta(tenant);
      const call = noticeOf(newLeadgenId());
      const asked = stage.graph.requests.length;
      expect(await judge(source, call, signed(call, 'another secret'))).toMatchObject({
        status: 401,
        code: 'SIGNATURE_INVALID',
        signature: { expected: signed(call)['X-Hub-Signature-256'], differs: 'SECRET' },
        items: [],
      });
      expect(await judge(source, call)).toMatchObject({ status: 401, signature: { differs: 'MISSING' } });
      expect(stage.graph.requests.length).toBe(asked);
    });
  });

  test('another tenant’s source looks like none, as one that is gone, and a path of another kind', async () => {
    const other = await stage.app.createTenant();
    const [theirs, gone, own] = [
      await stage.createGoogle(other),
      await stage.createGoogle(tenant),
      await stage.createGoogle(tenant),
    ];
    await query(stage.app, tenant.admin, DeleteLeadSourceDocument, { id: gone.id });
    const paths = [
      theirs.path,
      gone.path,
      own.path.replace('/google/', '/form/'),
      `/webhooks/leads/google/${randomUUID()}`,
      '/webhooks/leads/form/anything',
    ];
    for (const path of paths)
      expect(await judge({ path }, { google_key: googleKey, ...googleLead(newChat()) })).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
        dialect: null,
        signature: null,
        key: null,
        items: [],
      });
    const body = JSON.stringify({ google_key: googleKey, ...googleLead(newChat()) });
    expect(await judge({ path: `${own.path}/` }, body)).toMatchObject({ status: 200 });
    const { errors } = await execute(stage.app, tenant.operator, TryWebhookDocument, { route: own.path, body });
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  test('limits are judged as they stand, and not used up', async () => {
    const limited = await SourceStage.start({ PROCESS_ROLE: 'api', THROTTLE_LIMIT: '3' });
    try {
      const owner = await limited.app.createTenant();
      const path = await createSource(limited, owner);
      const body = () => JSON.stringify({ google_key: googleKey, ...googleLead(newChat()) });
      const { callDryRuns } = limited.app.app.services;
      const principal = adminOf(owner);
      const statuses = async () => {
        const verdicts = Array.from({ length: 5 }, () => callDryRuns.run(principal, { route: path, body: body() }));
        return new Set((await Promise.all(verdicts)).map(({ status }) => status));
      };
      expect(await statuses()).toEqual(new Set([200]));
      for (let count = 0; count < 3; count += 1) expect((await limited.app.post(path, body())).status).toBe(200);
      expect(await statuses()).toEqual(new Set([429]));
    } finally {
      await limited.stop();
    }
  });

  describe('with dryRun=true', () => {
    const dryRun = (source: SourceFields, body: unknown, headers: Record<string, string> = {}, wish = 'dryRun=true') =>
      changingNothing(stage.app, () => stage.app.post(`${source.path}?${wish}`, textOf(body), headers));

    test('Google’s caller, who has the key, sees the lead as it would be', async () => {
      const source = await stage.createGoogle(tenant);
      const chat = newChat();
      const lead = { google_key: googleKey, ...googleLead(chat) };
      const answer = await dryRun(source, lead);
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        {
          accepted: 1,
          results: [
            {
              leadId: null,
              created: true,
              duplicate: false,
              lead: { id: null, chat, name: 'Ana Lima', source: 'Search ads' },
            },
          ],
        },
      ]);
      expect((await stage.app.post(source.path, lead)).status).toBe(200);
      const [{ id } = { id: '' }] = await stage.leads(tenant);
      const again = await (await dryRun(source, lead)).json();
      expect(again).toEqual({
        accepted: 1,
        results: [{ leadId: id, created: false, duplicate: true, reading: expect.anything() }],
      });
      const next = await (await dryRun(source, { ...lead, lead_id: 'another' })).json();
      expect(next).toEqual({
        accepted: 1,
        results: [{ leadId: id, created: false, duplicate: false, reading: expect.anything() }],
      });
    });

    test('a form without a signature is told nothing of who is known', async () => {
      const source = await stage.createForm(tenant);
      const answer = await dryRun(source, { phone: newChat() });
      expect([answer.status, await answer.json()]).toEqual([200, { accepted: 1 }]);
    });

    test('Meta’s leads are not expected', async () => {
      const source = await stage.createMeta(tenant);
      const body = JSON.stringify(noticeOf('123'));
      const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
      const answer = await dryRun(source, body, { 'x-hub-signature-256': signature });
      expect(await answer.json()).toEqual({ accepted: 1, results: [{ leadgenId: '123', outcome: 'expected' }] });
    });

    test('a wish that is not clear makes no lead, and neither does a caller without proof', async () => {
      const source = await stage.createGoogle(tenant);
      const lead = { google_key: googleKey, ...googleLead(newChat()) };
      for (const [wish, field] of [
        ['dryrun=true', 'dryrun'],
        ['dryRun=yes', 'dryRun'],
        ['dryRun=true&dryRun=false', 'dryRun'],
      ] as const)
        await expectProblem(await dryRun(source, lead, {}, wish), 'VALIDATION_FAILED', [field]);
      await expectProblem(await dryRun(source, googleLead(newChat())), 'UNAUTHENTICATED');
      const before = await checksumsOf(stage.app);
      expect((await stage.app.post(`${source.path}?dryRun=false`, lead)).status).toBe(200);
      expect(await checksumsOf(stage.app)).not.toEqual(before);
    });
  });
}

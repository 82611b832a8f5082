// Meta's Lead Ads: ids by a signed call, answers from the Graph API, each lead once, Meta's faults, and missed leads.

import { randomUUID } from 'node:crypto';
import { answering } from '../../providers/scripted-gateway.js';
import { expectProblem } from '../../rest/problem.js';
import { cloudError } from '../../support/cloud-server.js';
import { metaTime } from '../../support/graph-server.js';
import { query } from '../../support/graphql-client.js';
import { ReplayWebhookDeliveryDocument, WebhookDeliveriesDocument } from '../../support/operations.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { newChat, newLeadgenId, SourceStage, until, type SourceFields } from './source-harness.js';

export function describeLeadAds(): void {
  let stage: SourceStage;
  let tenant: TestTenant;

  beforeAll(async () => {
    stage = await SourceStage.start();
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    stage.graph.script = undefined;
    stage.graph.leads.clear();
    tenant = await stage.app.createTenant();
  });

  const calls = async () => {
    const { webhookDeliveries } = await query(stage.app, tenant.admin, WebhookDeliveriesDocument, { first: 50 });
    return webhookDeliveries.edges.map(({ node }) => node);
  };
  const untilSource = (id: string, isDone: (source: SourceFields) => boolean) =>
    until(() => stage.read(tenant, id), isDone);
  /** Ends every wait for a retry now. */
  const hurry = async () => {
    for (const table of ['lead_source_leads', 'lead_source_forms'])
      await stage.app.sql(`UPDATE ${table} SET due_at = now() WHERE tenant_id = $1 AND due_at IS NOT NULL`, [
        tenant.id,
      ]);
    stage.app.app.services.sourceLeadFetcher.wake(tenant.id);
    stage.app.app.services.sourceFormReader.wake(tenant.id);
  };
  const addLead = (answers: Record<string, string> = {}, further = {}) => {
    const id = newLeadgenId();
    const chat = newChat();
    stage.graph.add(id, { full_name: 'Ana Lima', phone_number: `+${chat}`, ...answers }, further);
    return { id, chat };
  };

  test('a lead: its answers, its evidence of consent, and where it is from', async () => {
    const source = await stage.createMeta(tenant);
    const { id, chat } = addLead(
      { email: 'ana@example.com' },
      {
        custom_disclaimer_responses: [
          { checkbox_key: 'privacy', is_checked: '1' },
          { checkbox_key: 'news', is_checked: '' },
        ],
      },
    );
    const answer = await stage.postNotices(source, [id]);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { accepted: 1, results: [{ leadgenId: id, outcome: 'expected' }] },
    ]);
    const [lead] = await stage.untilLeads(tenant, 1);
    expect(lead).toMatchObject({
      chat,
      name: 'Ana Lima',
      source: 'Lead Ads',
      metadata: { id, form_id: '555', ad_id: '444', answers: { email: 'ana@example.com' } },
    });
    expect(await stage.consentLog(tenant, lead!.id)).toMatchObject([
      {
        action: 'DISCLAIMER',
        source: 'LEAD_FORM',
        webhookDeliveryId: (await calls())[0]!.id,
        evidence: {
          leadSourceId: source.id,
          externalId: id,
          formId: '555',
          disclaimers: [
            { key: 'privacy', isChecked: true },
            { key: 'news', isChecked: false },
          ],
        },
      },
    ]);
    const shown = await untilSource(source.id, ({ pendingLeads }) => pendingLeads === 0);
    expect(shown).toMatchObject({ failedLeads: 0, lastError: null, forms: [{ id: '555', isConfigured: false }] });
    expect(shown.lastLeadAt).not.toBeNull();
  });

  test('ids that are numbers beyond 2^53 are asked for as they were written', async () => {
    const source = await stage.createMeta(tenant);
    const { id, chat } = addLead();
    const body = `{"object":"page","entry":[{"id":1,"changes":[{"field":"leadgen","value":{"leadgen_id":${id},"form_id":9223372036854775807}}]}]}`;
    expect((await stage.postMeta(source, body)).status).toBe(200);
    expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
    expect((await stage.read(tenant, source.id)).forms.map((form) => form.id)).toEqual(['9223372036854775807']);
  });

  test('a repeated, a reordered and a simultaneous notification make one lead and one event', async () => {
    const source = await stage.createMeta(tenant);
    const leads = [addLead(), addLead(), addLead()];
    const ids = leads.map(({ id }) => id);
    await Promise.all([
      stage.postNotices(source, ids),
      stage.postNotices(source, ids.toReversed()),
      stage.postNotices(source, [ids[0]!, ids[0]!]),
    ]);
    await stage.untilLeads(tenant, 3);
    await stage.postNotices(source, ids);
    await untilSource(source.id, ({ pendingLeads }) => pendingLeads === 0);
    expect(chatsOf(await stage.leads(tenant))).toEqual(chatsOf(leads));
    expect([await stage.countEvents(tenant, 'LEAD_CREATED'), await stage.countTouches(tenant)]).toEqual([3, 3]);
    expect(stage.graph.requests.filter(({ path }) => path.includes(ids[0]!)).length).toBe(1);
  });

  test('a call that is not signed, or signed by another app, is refused and not kept', async () => {
    const source = await stage.createMeta(tenant);
    await expectProblem(await stage.postNotices(source, ['1'], 'another-secret-of-an-app'), 'SIGNATURE_INVALID');
    await expectProblem(await stage.app.post(source.path, {}), 'SIGNATURE_INVALID');
    expect(await calls()).toEqual([]);
  });

  test('what is not a lead is ignored, what cannot be read is refused by itself', async () => {
    const source = await stage.createMeta(tenant);
    const { id } = addLead();
    const change = (value: unknown, field = 'leadgen') => ({ field, value });
    const changes = [change({ leadgen_id: 'x' }), change({ leadgen_id: id }), change({}, 'feed'), 7];
    const answer = await stage.postMeta(source, JSON.stringify({ object: 'page', entry: [{ changes }] }));
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      {
        accepted: 3,
        results: [
          { outcome: 'refused', errors: [{ path: 'entry.0.changes.0.value.leadgen_id' }] },
          { leadgenId: id, outcome: 'expected' },
          { outcome: 'ignored' },
          { outcome: 'ignored' },
        ],
      },
    ]);
    const other = await stage.postMeta(source, JSON.stringify({ object: 'user', entry: [] }));
    expect(await other.json()).toMatchObject({ results: [{ outcome: 'ignored' }] });
    expect((await calls()).map(({ outcome }) => outcome)).toEqual(['PROCESSED', 'PARTIAL']);
  });

  describe('when Meta does not answer as it should', () => {
    test.each([
      ['with a fault', cloudError(500, 1)],
      ['that there are too many calls', cloudError(400, 4)],
      ['with something else', answering(502, 'bad gateway')],
    ])('%s, the lead is fetched later', async (_, script) => {
      const source = await stage.createMeta(tenant);
      const { id, chat } = addLead();
      stage.graph.script = () => script;
      await stage.postNotices(source, [id]);
      const waiting = await untilSource(source.id, ({ lastError }) => lastError !== null);
      expect(waiting).toMatchObject({ pendingLeads: 1, failedLeads: 0 });
      stage.graph.script = undefined;
      await hurry();
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
      expect((await stage.read(tenant, source.id)).lastError).toBeNull();
    });

    test('a token that is not valid any more: the lead waits, and a new token fetches it at once', async () => {
      const source = await stage.createMeta(tenant, { accessToken: 'an-old-token' });
      const { id, chat } = addLead();
      await stage.postNotices(source, [id]);
      const waiting = await untilSource(source.id, ({ lastError }) => lastError !== null);
      expect(waiting.lastError).toMatch(/^190: .*Enter an access token/);
      expect(waiting.lastError).not.toContain('an-old-token');
      await stage.update(tenant, source.id, { accessToken: stage.graph.token });
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
    });

    test('a lead that does not exist has failed, which the journal says, and a replay asks once more', async () => {
      const source = await stage.createMeta(tenant);
      const id = newLeadgenId();
      await stage.postNotices(source, [id]);
      await untilSource(source.id, ({ failedLeads }) => failedLeads === 1);
      const [call] = await calls();
      expect(call!.reason).toContain(`lead ${id}: 100:`);
      const chat = newChat();
      stage.graph.add(id, { phone_number: `+${chat}` });
      await query(stage.app, tenant.admin, ReplayWebhookDeliveryDocument, { id: call!.id });
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
    });

    test('answers without a number: it says so, and a corrected mapping takes the lead in', async () => {
      const source = await stage.createMeta(tenant);
      const [id, chat] = [newLeadgenId(), newChat()];
      stage.graph.add(id, { full_name: 'Ana', your_line: `+${chat}` });
      await stage.postNotices(source, [id]);
      const failed = await untilSource(source.id, ({ failedLeads }) => failedLeads === 1);
      expect(failed.lastError).toMatch(/^chat: is required/);
      await stage.update(tenant, source.id, { mapping: { your_line: 'chat' } });
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
      expect(await stage.read(tenant, source.id)).toMatchObject({ failedLeads: 0, lastError: null });
    });
  });

  test('another tenant’s source that is refused delays nobody', async () => {
    const other = await stage.app.createTenant();
    const broken = await stage.createMeta(other, { accessToken: 'an-old-token' });
    await stage.postNotices(
      broken,
      Array.from({ length: 60 }, () => newLeadgenId()),
    );
    const source = await stage.createMeta(tenant);
    const { id } = addLead();
    await stage.postNotices(source, [id]);
    await stage.untilLeads(tenant, 1);
  });

  test('what was notified while no worker ran is fetched by the next one', async () => {
    const api = await TestApp.start({ PROCESS_ROLE: 'api' });
    try {
      const own = await api.createTenant();
      const made = await api.app.services.leadSources.create(adminOf(own), {
        kind: 'META',
        name: 'Lead Ads',
        appSecret: 'fedcba9876543210fedcba9876543210',
        accessToken: stage.graph.token,
        baseUrl: stage.graph.url,
      });
      const { id, chat } = addLead();
      const source = { path: `/webhooks/leads/meta/${made.id}` } as SourceFields;
      const elsewhere = { app: api, postMeta: stage.postMeta } as unknown as SourceStage;
      await stage.postNotices.call(elsewhere, source, [id]);
      const worker = await TestApp.start({ PROCESS_ROLE: 'worker' }, api.database);
      const read = () => api.sql<{ chat: string }>('SELECT chat FROM leads WHERE tenant_id = $1', [own.id]);
      expect(await until(read, (rows) => rows.length === 1)).toEqual([{ chat }]);
      await worker.stop({ keepDatabase: true });
    } finally {
      await api.stop();
    }
  });

  describe('leads whose notification never came', () => {
    test('are read from configured forms, page by page, each once', async () => {
      stage.graph.pageSize = 2;
      const known = addLead();
      const missed = Array.from({ length: 13 }, () => addLead());
      const source = await stage.createMeta(tenant, { formIds: ['555'] });
      await stage.postNotices(source, [known.id]);
      const leads = await stage.untilLeads(tenant, 14);
      expect(chatsOf(leads)).toEqual(chatsOf([known, ...missed]));
      const read = await untilSource(source.id, ({ forms }) => forms[0]!.readUntil > source.createdAt);
      expect(read.forms).toMatchObject([{ id: '555', isConfigured: true, error: null }]);
      expect([await stage.countEvents(tenant, 'LEAD_CREATED'), await stage.countTouches(tenant)]).toEqual([14, 14]);
      stage.graph.pageSize = 100;
    });

    test('from before the source was made are read when an ADMIN asks', async () => {
      const old = addLead({}, { created_time: metaTime(new Date(Date.now() - 3 * 86_400_000)) });
      const source = await stage.createMeta(tenant, { formIds: ['555'] });
      await untilSource(source.id, ({ forms }) => forms[0]!.readUntil > source.createdAt);
      expect(await stage.leads(tenant)).toEqual([]);
      await stage.update(tenant, source.id, { readSince: new Date(Date.now() - 5 * 86_400_000).toISOString() });
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(old.chat);
    });

    test('of a form that Meta does not give: it says so, and goes on once it does', async () => {
      stage.graph.script = ({ path }) => (path.includes('/leads?') ? cloudError(403, 200, 'No permission') : undefined);
      const source = await stage.createMeta(tenant, { formIds: ['555'] });
      const refused = await untilSource(source.id, ({ forms }) => forms[0]!.error !== null);
      expect(refused.forms[0]!.error).toMatch(/^200: .*leads_retrieval/);
      stage.graph.script = undefined;
      const { chat } = addLead();
      await hurry();
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
      await untilSource(source.id, ({ forms }) => forms[0]!.error === null);
    });

    test('that the mapping makes no lead of are not passed over in silence', async () => {
      stage.graph.add(newLeadgenId(), { full_name: 'Ana' });
      const source = await stage.createMeta(tenant, { formIds: ['555'] });
      const failed = await untilSource(source.id, ({ failedLeads }) => failedLeads === 1);
      expect(failed.lastError).toMatch(/^chat: is required/);
    });

    test('of an erased person are not read again', async () => {
      const { id, chat } = addLead();
      const source = await stage.createMeta(tenant, { formIds: ['555'] });
      const [lead] = await stage.untilLeads(tenant, 1);
      expect(lead!.chat).toBe(chat);
      const { leadErasure } = stage.app.app.services;
      await leadErasure.erase(adminOf(tenant), lead!.id);
      await stage.update(tenant, source.id, { readSince: new Date(Date.now() - 86_400_000).toISOString() });
      await stage.postNotices(source, [id]);
      // The form is read from that time up to now.
      const isRead = ({ forms }: SourceFields) => forms[0]!.readUntil > source.createdAt;
      await untilSource(source.id, (shown) => isRead(shown) && shown.pendingLeads === 0);
      expect(await stage.leads(tenant)).toEqual([]);
    });

    test('of a person who was erased before they were read are left out, and later ones are not', async () => {
      const { id, chat } = addLead({}, { created_time: metaTime(new Date(Date.now() - 60_000)) });
      const form = await stage.createForm(tenant);
      await stage.app.post(form.path, { phone: `+${chat}` });
      const [lead] = await stage.leads(tenant);
      await stage.app.app.services.leadErasure.erase(adminOf(tenant), lead!.id);
      const source = await stage.createMeta(tenant);
      await stage.postNotices(source, [id]);
      await untilSource(source.id, ({ pendingLeads }) => pendingLeads === 0);
      expect(await stage.leads(tenant)).toEqual([]);
      const kept = await stage.app.sql(
        'SELECT state, external_id AS "externalId" FROM lead_source_leads WHERE tenant_id = $1',
        [tenant.id],
      );
      expect(kept).toEqual([{ state: 'ERASED', externalId: null }]);
      const later = newLeadgenId();
      stage.graph.add(later, { phone_number: `+${chat}` });
      await stage.postNotices(source, [id, later]);
      expect((await stage.untilLeads(tenant, 1))[0]!.chat).toBe(chat);
    });
  });
}

const chatsOf = (leads: readonly { chat: string | null }[]) => leads.map(({ chat }) => chat ?? '').toSorted();

function adminOf({ id, admin }: TestTenant) {
  return {
    kind: 'user',
    tenantId: id,
    userId: admin.id,
    accountId: admin.accountId,
    role: 'ADMIN',
    email: `${randomUUID()}@test.example`,
    isPlatformTenant: false,
  } as const;
}

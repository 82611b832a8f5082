// Ads, posts and products that bring leads: the message, the touch, the source, the lists, merges and erasure, through the APIs.

import { randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import {
  CreateDashboardDocument,
  DashboardDataDocument,
  DeleteLeadDocument,
  LeadReferralsDocument,
  MergeLeadsDocument,
  ReferredInboxDocument,
  ReferredLeadsDocument,
  UndoLeadMergeDocument,
  type InboxFilter,
  type LeadFilter,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';

const ad = {
  kind: 'AD',
  sourceId: '120239177205810192',
  sourceUrl: 'https://fb.example/5z9Rw',
  headline: 'Turmas abertas',
  body: 'Fale conosco',
  clickId: 'Affc9P3TLX9o7iBS',
} as const;
const unknown = { sourceId: null, sourceUrl: null, headline: null, body: null, clickId: null };

export function describeReferrals(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  interface Result {
    messageId: string;
    leadId: string;
    duplicate: boolean;
  }

  async function write(from: string, said: object = { text: 'Oi' }): Promise<Result> {
    const message = { messageId: randomUUID(), from, ...said };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    const { results } = (await answer.json()) as { results: Result[] };
    expect(answer.status).toBe(200);
    return results[0]!;
  }

  async function shown(id: string) {
    const { lead } = await query(app, tenant.operator, LeadReferralsDocument, { id });
    if (lead === null) throw new Error('there is no such lead');
    const { touches, messages, ...rest } = lead;
    return {
      ...rest,
      touches: touches.edges.map(({ node }) => node),
      messages: messages.edges.map(({ node }) => node),
    };
  }

  const leadsBy = async (filter: LeadFilter) =>
    (await query(app, tenant.operator, ReferredLeadsDocument, { filter })).leads.edges.map(({ node }) => node.id);
  const inboxBy = async (filter: InboxFilter) =>
    (await query(app, tenant.operator, ReferredInboxDocument, { filter })).inbox.edges.map(({ node }) => node.id);

  test('a lead that an ad brings: its message, its touch, its first referral and its source', async () => {
    const { leadId } = await write(plainNumber(), { text: 'Vi o anúncio', referral: ad });
    expect(await shown(leadId)).toMatchObject({
      source: 'ad',
      firstReferral: ad,
      touches: [{ source: 'ad', referral: ad }],
      messages: [{ body: 'Vi o anúncio', referral: ad }],
    });
  });

  test('a post, a product and something else; without a word the headline is the text', async () => {
    const post = await shown(
      (await write(plainNumber(), { referral: { kind: 'post', headline: 'Novidades' } })).leadId,
    );
    expect(post).toMatchObject({
      source: 'post',
      firstReferral: { ...unknown, kind: 'POST', headline: 'Novidades' },
      messages: [{ body: 'Novidades', type: 'text' }],
    });
    const product = { kind: 'PRODUCT', sourceId: 'sku-7' };
    expect(await shown((await write(plainNumber(), { text: 'Tem?', referral: product })).leadId)).toMatchObject({
      source: 'product',
      firstReferral: { ...unknown, ...product },
    });
    const other = { kind: 'OTHER', sourceId: '9' };
    expect((await shown((await write(plainNumber(), { text: 'Oi', referral: other })).leadId)).source).toBe('webhook');
  });

  test("the tenant's own label is the source", async () => {
    await app.sql("UPDATE tenants SET webhook_source_label = 'whatsapp' WHERE id = $1", [tenant.id]);
    const { leadId } = await write(plainNumber(), { text: 'Oi', referral: ad });
    expect(await shown(leadId)).toMatchObject({ source: 'whatsapp', touches: [{ source: 'whatsapp', referral: ad }] });
  });

  test('a known lead: each message through an ad is one touch, however often it is posted; the first one counts', async () => {
    const from = plainNumber();
    const { leadId } = await write(from);
    expect(await shown(leadId)).toMatchObject({ source: 'webhook', firstReferral: null, touches: [] });
    const said = { messageId: randomUUID(), text: 'Oi', referral: ad };
    expect((await write(from, said)).duplicate).toBe(false);
    expect((await write(from, said)).duplicate).toBe(true);
    await write(from, { text: 'E este?', referral: { ...ad, sourceId: '2', clickId: 'second' } });
    const lead = await shown(leadId);
    expect(lead).toMatchObject({ source: 'webhook', firstReferral: ad });
    expect(lead.touches.map(({ referral }) => referral?.clickId)).toEqual(['second', ad.clickId]);
    expect(lead.messages.filter(({ referral }) => referral !== null)).toHaveLength(2);
  });

  test('lists: whom an ad brought, and whom this ad brought first', async () => {
    const [first, second, plain] = [plainNumber(), plainNumber(), plainNumber()];
    const byAd = await write(first, { text: 'Oi', referral: ad });
    await write(first, { text: 'Oi', referral: { sourceId: '2' } });
    const byOther = await write(second, { text: 'Oi', referral: { sourceId: '2' } });
    const byItself = await write(plain);
    const sorted = (...results: Result[]) => results.map(({ leadId }) => leadId).sort();
    for (const list of [leadsBy, inboxBy]) {
      expect((await list({ hasReferral: true })).sort()).toEqual(sorted(byAd, byOther));
      expect(await list({ hasReferral: false })).toEqual([byItself.leadId]);
      expect(await list({ referralSourceId: ad.sourceId })).toEqual([byAd.leadId]);
      expect(await list({ referralSourceId: '2' })).toEqual([byOther.leadId]);
      expect(await list({ referralSourceId: '2', hasReferral: false })).toEqual([]);
    }
    const { leads } = await query(app, tenant.operator, ReferredLeadsDocument, { filter: { referralSourceId: '2' } });
    expect(leads.totalCount).toBe(1);
  });

  test('a merge: the earlier one counts; undone, each has its own again; erased, nothing is left', async () => {
    const early = await write(plainNumber(), { text: 'Oi', referral: ad });
    const late = await write(plainNumber(), { text: 'Oi', referral: { sourceId: '2', headline: 'Late' } });
    const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, {
      leadId: early.leadId,
      intoId: late.leadId,
    });
    expect(mergeLeads.id).toBe(late.leadId);
    expect(await shown(late.leadId)).toMatchObject({ firstReferral: ad, touches: [{}, {}] });
    expect(await leadsBy({ referralSourceId: '2' })).toEqual([]);
    const [merge] = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE tenant_id = $1', [tenant.id]);
    await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: merge!.id });
    expect((await shown(late.leadId)).firstReferral).toMatchObject({ sourceId: '2', headline: 'Late' });
    expect((await shown(early.leadId)).firstReferral).toEqual(ad);
    await query(app, tenant.operator, DeleteLeadDocument, { id: early.leadId });
    expect(await app.sql('SELECT FROM lead_touches WHERE lead_id = $1', [early.leadId])).toEqual([]);
  });

  test('exports of leads and messages say it, and an export can be imported', async () => {
    await write(plainNumber(), { text: 'Oi', referral: ad });
    await write(plainNumber());
    const table = async (path: string) =>
      (await (await app.get(path, withToken(tenant.operator))).text()).replace('\uFEFF', '').trim().split('\r\n');
    const [header = '', ...leads] = await table('/leads/export.csv');
    const at = header.split(',').indexOf('referralKind');
    expect(header.split(',').slice(at, at + 4)).toEqual([
      'referralKind',
      'referralSourceId',
      'referralHeadline',
      'referralClickId',
    ]);
    expect(leads.map((line) => line.split(',').slice(-4).join()).sort()).toEqual([
      ',,,',
      ['AD', ad.sourceId, ad.headline, ad.clickId].join(),
    ]);
    const [, ...messages] = await table('/messages/export.csv');
    expect(messages.filter((line) => line.endsWith(`AD,${ad.sourceId},${ad.headline},${ad.clickId}`))).toHaveLength(1);
    const elsewhere = await app.createTenant();
    const answer = await app.post('/leads/import', [header, ...leads].join('\r\n'), {
      ...withToken(elsewhere.operator),
      'content-type': 'text/csv',
    });
    expect(answer.status).toBeLessThan(300);
  });

  test('dashboards: leads and messages by ad, called by its headline, with the rows behind it', async () => {
    await write(plainNumber(), { text: 'Oi', referral: { sourceId: ad.sourceId } });
    const from = plainNumber();
    await write(from, { text: 'Oi', referral: ad });
    await write(from);
    await write(plainNumber());
    const input = {
      name: 'Ads',
      widgets: [
        { type: 'BREAKDOWN' as const, title: 'Leads', metric: 'LEADS_CREATED' as const, dimension: 'AD' as const },
        {
          type: 'BREAKDOWN' as const,
          title: 'Messages',
          metric: 'MESSAGES_RECEIVED' as const,
          dimension: 'AD' as const,
        },
        { type: 'FIGURE' as const, title: 'Of it', metric: 'MESSAGES' as const, filter: { adIds: [ad.sourceId] } },
      ],
    };
    const { createDashboard } = await query(app, tenant.operator, CreateDashboardDocument, { input });
    const { dashboard } = await query(app, tenant.operator, DashboardDataDocument, { id: createDashboard.id });
    const [leads, messages, figure] = dashboard!.widgets;
    const slices = (widget: typeof leads) =>
      widget !== undefined && 'breakdown' in widget
        ? widget.breakdown.slices.map(({ key, label, value }) => [key, label, value])
        : [];
    expect(slices(leads)).toEqual([
      [ad.sourceId, ad.headline, 2],
      [null, 'none', 1],
    ]);
    expect(slices(messages)).toEqual([
      [ad.sourceId, ad.headline, 3],
      [null, 'none', 1],
    ]);
    expect(figure !== undefined && 'figure' in figure && figure.figure.value).toBe(3);
  });
}

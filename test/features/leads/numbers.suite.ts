// Countries and validities wherever leads come in and go out: users, files, gateways, merges, replays, endpoint deliveries.

import { randomUUID } from 'node:crypto';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  CreateLeadDocument,
  MergeLeadsDocument,
  NumbersOfLeadsDocument,
  ReplayWebhookDeliveryDocument,
  SetDefaultCountryDocument,
  UndoLeadMergeDocument,
  WebhookDeliveriesDocument,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';
import { leadOf, lid, phone, receive, write } from './lead-harness.js';

export function describeNumbers(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await app.createTenant({ defaultCountry: 'BR' });
  });

  const leads = async () =>
    (await query(app, tenant.operator, NumbersOfLeadsDocument, {})).leads.edges.map(({ node }) => node);
  const validityOf = async (id: string) => (await leads()).find((lead) => lead.id === id)?.numberValidity;

  test.each([
    ["the tenant's default country", { chat: '(41) 99911-2233' }, '5541999112233'],
    ['its own country', { chat: '07911 123456', country: 'gb' }, '447911123456'],
    ['+, whatever the country', { chat: '+55 (0)41 99911-2233', country: 'US' }, '5541999112233'],
  ])('a user creates a lead: the number is read with %s', async (_, input, chat) => {
    const { createLead } = await query(app, tenant.operator, CreateLeadDocument, { input });
    expect(createLead).toMatchObject({ created: true, lead: { chat } });
    expect(await leads()).toMatchObject([
      { chat, numberValidity: 'VALID', identities: [{ kind: 'PHONE', value: chat }] },
    ]);
  });

  test('a user creates a lead: a wrong country is told by name', async () => {
    const input = { chat: '(41) 99911-2233', country: 'Brazil' };
    const answer = await execute(app, tenant.operator, CreateLeadDocument, { input });
    expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['country'] });
  });

  describe('a file', () => {
    const send = async (body: string, parameters = '') => {
      const headers = { ...withToken(tenant.operator), 'content-type': 'text/csv' };
      const response = await app.post(`/leads/import${parameters}`, body, headers);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const rows = ['chat,country,city', '(41) 99911-2233,,x', '07911 123456,gb,y', '06 12345678,IT,', '123,XX,'].join(
      '\n',
    );

    test('each row is read with its country, else with the default; a wrong one is told by its column', async () => {
      const { body } = await send(rows);
      expect(body).toMatchObject({ createdRows: 3, refusedRows: 1 });
      expect(body['errors']).toEqual([
        { line: 5, field: 'chat', message: expect.stringContaining('without its area code') },
        { line: 5, field: 'country', message: expect.stringContaining('ISO 3166-1') },
      ]);
      expect((await leads()).map(({ chat }) => chat)).toEqual(['5541999112233', '447911123456', '390612345678']);
    });

    test('the country of the call overrules the default, not the rows, also in a dry run', async () => {
      const file = 'chat,country\n0151 23456789,\n07911 123456,GB\n';
      expect((await send(file, '?country=de&dryRun=true')).body).toMatchObject({ createdRows: 2, refusedRows: 0 });
      expect((await send(file, '?country=de')).body).toMatchObject({ createdRows: 2, refusedRows: 0 });
      expect((await leads()).map(({ chat }) => chat)).toEqual(['4915123456789', '447911123456']);
      expect((await send(file, '?country=Germany')).body).toMatchObject({ errors: [{ path: 'country' }] });
    });

    test('a column of an earlier export is a custom field, and what an export says of validity is passed over', async () => {
      await send('chat,field:country,numberValidity\n+4915123456789,Germany,INVALID\n');
      const response = await app.get('/leads/export.csv', withToken(tenant.operator));
      const [header, row] = (await response.text()).trim().split('\r\n');
      expect(header).toMatch(
        /,metadata,numberValidity,optedOutAt,optOutSource,referralKind,referralSourceId,referralHeadline,referralClickId,field:country$/,
      );
      expect(row).toMatch(/,VALID,,,,,,,Germany$/);
    });
  });

  describe('a gateway', () => {
    test('reports international numbers, whatever the default country', async () => {
      // With the default country the number would be 5541999112233.
      const message = { messageId: randomUUID(), from: '41999112233', text: 'Oi' };
      const response = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
      expect(response.status).toBe(200);
      expect(await leads()).toMatchObject([{ chat: '41999112233', numberValidity: 'INVALID' }]);
    });

    test('hides a number: unknown, until it is learned', async () => {
      await write(app, tenant, [lid('hidden')], 'Ana');
      expect(await leads()).toMatchObject([{ chat: null, numberValidity: 'UNKNOWN' }]);
      await receive(app, tenant, [{ from: [lid('hidden'), phone('551188887777')] }]);
      expect(await leads()).toMatchObject([{ chat: '551188887777', numberValidity: 'VALID' }]);
    });
  });

  test('leads are found by the validity of their numbers', async () => {
    await leadOf(app, tenant, lid('hidden'));
    await leadOf(app, tenant, phone('1234567'));
    await leadOf(app, tenant, phone('5511988887777'));
    for (const numberValidity of ['VALID', 'INVALID', 'UNKNOWN'] as const) {
      const found = await query(app, tenant.operator, NumbersOfLeadsDocument, { filter: { numberValidity } });
      expect(found.leads.edges.map(({ node }) => node.numberValidity)).toEqual([numberValidity]);
    }
    const filter = encodeURIComponent(JSON.stringify({ numberValidity: 'INVALID' }));
    const csv = await (await app.get(`/leads/export.csv?filter=${filter}`, withToken(tenant.operator))).text();
    expect(csv.trim().split('\r\n')).toEqual([
      expect.stringContaining('numberValidity'),
      expect.stringContaining('1234567'),
    ]);
  });

  test('a merge that brings a number brings its validity, and its undoing takes it away', async () => {
    const hidden = await leadOf(app, tenant, lid('hidden'));
    const invalid = await leadOf(app, tenant, phone('1234567'));
    const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, { leadId: invalid, intoId: hidden });
    expect(await validityOf(hidden)).toBe('INVALID');
    const mergeId = mergeLeads.merges[0]?.id ?? '';
    await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId });
    expect(await validityOf(hidden)).toBe('UNKNOWN');
    expect(await validityOf(invalid)).toBe('INVALID');
  });

  test('a call that was refused for want of a country is taken when it is run again with one', async () => {
    const setCountry = (country: string | null) =>
      query(app, tenant.admin, SetDefaultCountryDocument, { id: tenant.id, country });
    await setCountry(null);
    expect((await app.post('/webhooks/leads', { chat: '041 99911-2233' }, withKey(tenant))).status).toBe(422);
    await setCountry('BR');
    const { webhookDeliveries } = await query(app, tenant.admin, WebhookDeliveriesDocument, {});
    const id = webhookDeliveries.edges[0]?.node.id ?? '';
    const { replayWebhookDelivery } = await query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id });
    expect(replayWebhookDelivery).toMatchObject({ outcome: 'PROCESSED', result: { chat: '5541999112233' } });
  });

  test('another process reads with a new default country within 5 s', async () => {
    const second = await TestApp.start({}, app.database);
    try {
      const post = (chat: string) => second.post('/public/leads', { chat }, withKey(tenant));
      expect((await post('(41) 99911-2233')).status).toBe(201);
      await query(app, tenant.admin, SetDefaultCountryDocument, { id: tenant.id, country: null });
      await until(
        async () => (await post('(41) 99911-2233')).status,
        (status) => status === 422,
        5_000,
      );
    } finally {
      await second.stop({ keepDatabase: true });
    }
  });
}

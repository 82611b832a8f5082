// Channel templates: read from Meta, kept current by its webhook, sent to one lead and to many, and visible to their own tenant only.

import { randomUUID } from 'node:crypto';
import { CloudServer } from '../../support/cloud-server.js';
import { answering } from '../../providers/scripted-gateway.js';
import { withToken, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, stateOf, until, waitForStatus } from '../messages/sending-harness.js';
import { MetaStage, templates } from './meta-harness.js';

export function describeChannelTemplates(): void {
  let stage: MetaStage;
  let tenant: TestTenant;
  let lineId: string;

  beforeAll(async () => {
    stage = await MetaStage.start();
    tenant = await stage.app.createTenant();
  });
  beforeEach(async () => {
    stage.meta.script = undefined;
    stage.meta.requests.length = 0;
    stage.meta.templates = Object.values(templates);
    stage.meta.pageSize = 100;
    lineId = await stage.createLine(tenant);
  });
  afterAll(() => stage.stop());

  async function listed(filter = ''): Promise<{ name: string; status: string; statusReason: string | null }[]> {
    const { data } = await stage.ask(
      tenant,
      `channelTemplates(instanceId: "${lineId}"${filter}) { totalCount edges { node { name status statusReason } } }`,
    );
    return data['channelTemplates'].edges.map(({ node }: { node: object }) => node);
  }
  const statusesByName = async () =>
    Object.fromEntries((await listed()).map(({ name, status }) => [name, status] as const));

  describe('syncing', () => {
    test('reads all pages with the token, and gives the templates', async () => {
      stage.meta.pageSize = 2;
      const { data, failure } = await stage.sync(tenant, lineId);
      expect(failure).toBeUndefined();
      expect(data['syncChannelTemplates']).toHaveLength(3);
      expect(data['syncChannelTemplates']).toContainEqual({
        id: expect.any(String),
        name: 'hello',
        language: 'pt_BR',
        category: 'UTILITY',
        status: 'APPROVED',
        components: templates.plain.components,
        variables: ['body.1', 'body.2'],
      });
      const paths = stage.meta.requests.map(({ path }) => path);
      expect(paths).toEqual([
        `/v24.0/${CloudServer.wabaId}/message_templates?fields=name%2Clanguage%2Cstatus%2Ccategory%2Ccomponents&limit=100`,
        expect.stringMatching(/&after=2$/),
      ]);
    });

    test('again: ids stay, what changed is changed, and what is gone goes', async () => {
      await stage.sync(tenant, lineId);
      const id = await stage.idOf(tenant, lineId, 'hello');
      stage.meta.templates = [{ ...templates.plain, status: 'PAUSED' }];
      await stage.sync(tenant, lineId);
      expect(await listed()).toEqual([{ name: 'hello', status: 'PAUSED', statusReason: null }]);
      expect(await stage.idOf(tenant, lineId, 'hello')).toBe(id);
    });

    test('callers of one moment share a reading', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => stage.sync(tenant, lineId)));
      for (const { data } of answers) expect(data['syncChannelTemplates']).toHaveLength(3);
      expect(stage.meta.requests.length).toBeLessThan(5);
    });

    test('what cannot be kept is left out', async () => {
      const huge = { type: 'BODY', text: 'x'.repeat(40_000) };
      stage.meta.templates = [
        templates.plain,
        { ...templates.plain, name: 7 },
        { ...templates.plain, name: 'big', components: [huge] },
        null as unknown as object,
      ];
      const { data } = await stage.sync(tenant, lineId);
      expect(data['syncChannelTemplates']).toMatchObject([{ name: 'hello' }]);
    });

    test('a list without an end is read to its bound', async () => {
      const many = Array.from({ length: 2_150 }, (_, index) => ({ ...templates.plain, name: `t${index}` }));
      stage.meta.templates = many;
      const { data } = await stage.sync(tenant, lineId);
      expect(data['syncChannelTemplates']).toHaveLength(50);
      const read = await stage.ask(tenant, `channelTemplates(instanceId: "${lineId}", first: 0) { totalCount }`);
      expect(read.data['channelTemplates']).toEqual({ totalCount: 2_000 });
    });

    test('gives as many as are asked for, of which the operation is the price', async () => {
      stage.meta.templates = Array.from({ length: 205 }, (_, index) => ({ ...templates.plain, name: `t${index}` }));
      expect((await stage.sync(tenant, lineId, 200)).data['syncChannelTemplates']).toHaveLength(200);
      const before = stage.meta.requests.length;
      for (const first of [201, -1])
        expect((await stage.sync(tenant, lineId, first)).failure).toMatchObject({
          code: 'VALIDATION_FAILED',
          errors: [{ path: 'first' }],
        });
      const many = Array.from(
        { length: 20 },
        (_, index) =>
          `a${index}: syncChannelTemplates(instanceId: $input, first: 200) { id name language category status variables }`,
      );
      const { failure } = await stage.ask(tenant, many.join(' '), { input: lineId }, 'ID!');
      expect(failure?.message).toMatch(/cost/);
      expect(stage.meta.requests).toHaveLength(before);
    });

    test.each<[string, object, string, RegExp]>([
      ['without a wabaId', { metadata: { phoneNumberId: '1' } }, 'CONFLICT', /wabaId/],
      ['with a wrong token', { token: 'expired' }, 'CONFLICT', /new access token/],
      ['of another provider', { provider: 'gateway', metadata: null }, 'NOT_OFFERED', /no templates/],
    ])('of an instance %s says what to do', async (_, change, code, sentence) => {
      const { failure } = await stage.sync(tenant, await stage.createLine(tenant, change));
      expect(failure).toMatchObject({ code, message: expect.stringMatching(sentence) });
    });

    test.each<[string, unknown]>([
      ['no list', { id: '1' }],
      ['no JSON', 'x'],
    ])('an answer with %s is UNAVAILABLE, and changes nothing', async (_, body) => {
      await stage.sync(tenant, lineId);
      stage.meta.always(answering(200, body));
      expect((await stage.sync(tenant, lineId)).failure).toMatchObject({ code: 'UNAVAILABLE' });
      expect(await listed()).toHaveLength(3);
    });
  });

  describe('the list', () => {
    test.each<[string, string[]]>([
      ['{status: "APPROVED"}', ['hello', 'offer']],
      ['{language: "pt-BR"}', ['hello']],
      ['{category: "MARKETING", status: "PAUSED"}', ['paused']],
      ['{search: "OFF"}', ['offer']],
    ])('filtered by %s', async (filter, names) => {
      await stage.sync(tenant, lineId);
      expect((await listed(`, filter: ${filter}`)).map(({ name }) => name).sort()).toEqual(names);
    });

    test('is not found for another tenant', async () => {
      await stage.sync(tenant, lineId);
      const other = await stage.app.createTenant();
      for (const id of [lineId, randomUUID(), 'x'])
        expect((await stage.ask(other, `channelTemplates(instanceId: "${id}") { totalCount }`)).failure).toMatchObject({
          code: 'NOT_FOUND',
        });
      expect((await stage.sync(other, lineId)).failure).toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('a report of Meta', () => {
    const soon = () => Math.floor(Date.now() / 1_000);
    const event = (name: string, language: string, status: string, reason = 'NONE') => ({
      event: status,
      message_template_id: 1001,
      message_template_name: name,
      message_template_language: language,
      reason,
    });
    const report = (value: object, entry: object = { time: soon() }) =>
      stage.report(lineId, 'message_template_status_update', value, entry);

    beforeEach(() => stage.sync(tenant, lineId));

    test('changes the status, and tells the reason', async () => {
      expect(await report(event('hello', 'pt-BR', 'REJECTED', 'SCAM'))).toEqual([{ outcome: 'applied' }]);
      expect(await listed(', filter: {name: "hello"}')).toEqual([
        { name: 'hello', status: 'REJECTED', statusReason: 'SCAM' },
      ]);
    });

    test('that is earlier than what is known changes nothing', async () => {
      const time = soon();
      expect(await report(event('hello', 'pt_BR', 'PAUSED'), { time })).toEqual([{ outcome: 'applied' }]);
      expect(await report(event('hello', 'pt_BR', 'APPROVED'), { time: time - 3_600 })).toMatchObject([
        { outcome: 'ignored' },
      ]);
      expect(await statusesByName()).toMatchObject({ hello: 'PAUSED' });
    });

    test('is repeated without harm, and replayed', async () => {
      await report(event('hello', 'pt_BR', 'PAUSED'));
      const { data } = await stage.ask(
        tenant,
        'webhookDeliveries(first: 1) { edges { node { id outcome } } }',
        {},
        '',
        true,
      );
      const [{ node }] = data['webhookDeliveries'].edges as [{ node: { id: string; outcome: string } }];
      const replayed = await stage.ask(
        tenant,
        'replayWebhookDelivery(id: $input) { outcome }',
        { input: node.id },
        'ID!',
        true,
      );
      expect(replayed.failure).toBeUndefined();
      expect(await statusesByName()).toMatchObject({ hello: 'PAUSED' });
    });

    test('of a template or a language that is not known is ignored with a reason', async () => {
      for (const value of [event('none', 'pt_BR', 'PAUSED'), event('hello', 'en', 'PAUSED')])
        expect(await report(value)).toMatchObject([{ outcome: 'ignored', reason: expect.stringMatching(/sync/) }]);
    });

    test('counts for all instances of its business account, and for no others', async () => {
      const [sister, stranger] = [
        await stage.createLine(tenant),
        await stage.createLine(tenant, {
          metadata: { phoneNumberId: CloudServer.phoneNumberId, wabaId: CloudServer.wabaId },
        }),
      ];
      await stage.sync(tenant, sister);
      await stage.sync(tenant, stranger);
      const metadata = { phoneNumberId: '1', wabaId: '9' };
      await stage.ask(
        tenant,
        `updateChatInstance(id: "${stranger}", input: $input) { id }`,
        { input: { metadata } },
        'UpdateChatInstanceInput!',
        true,
      );
      await report(event('hello', 'pt_BR', 'DISABLED'));
      const statusOf = async (id: string) => {
        const { data } = await stage.ask(
          tenant,
          `channelTemplates(instanceId: "${id}", filter: {name: "hello"}) { edges { node { status } } }`,
        );
        return data['channelTemplates'].edges[0].node.status as string;
      };
      expect([await statusOf(sister), await statusOf(stranger)]).toEqual(['DISABLED', 'APPROVED']);
    });

    test('of several in one call the latest counts', async () => {
      const time = soon();
      const changes = ['PENDING', 'APPROVED', 'PAUSED'].map((status) => ({
        field: 'message_template_status_update',
        value: event('hello', 'pt_BR', status),
      }));
      const results = await stage.report(lineId, '', {}, { time, changes });
      expect(results).toMatchObject([{ outcome: 'ignored' }, { outcome: 'ignored' }, { outcome: 'applied' }]);
      expect(await statusesByName()).toMatchObject({ hello: 'PAUSED' });
    });
  });

  describe('sending', () => {
    let leadId: string;
    let templateId: string;

    beforeEach(async () => {
      await stage.sync(tenant, lineId);
      leadId = await createLead(stage.app, tenant, plainNumber());
      templateId = await stage.idOf(tenant, lineId, 'hello');
    });

    const variables = { body: { 1: 'Ana', 2: '42' } };

    test('goes to Meta as a template, and the inbox shows its text', async () => {
      const { data } = await stage.send(tenant, { leadId, channelTemplate: { id: templateId, variables } });
      expect(data['sendMessage']).toEqual({
        id: expect.any(String),
        type: 'template',
        body: 'Olá Ana, seu pedido 42 saiu.',
        channelTemplate: { name: 'hello', language: 'pt_BR' },
      });
      await waitForStatus(stage.app, data['sendMessage'].id, 'SENT');
      expect(stage.sent()).toEqual([
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: expect.stringMatching(/^\d+$/),
          type: 'template',
          template: {
            name: 'hello',
            language: { code: 'pt_BR' },
            components: [
              {
                type: 'body',
                parameters: [
                  { type: 'text', text: 'Ana' },
                  { type: 'text', text: '42' },
                ],
              },
            ],
          },
        },
      ]);
    });

    test('with a header and a button', async () => {
      const id = await stage.idOf(tenant, lineId, 'offer');
      const link = 'https://files.example/a.png';
      const all = { header: { link }, body: { 1: 'Ana' }, buttons: { 0: 'x7' } };
      const { data } = await stage.send(tenant, { leadId, channelTemplate: { id, variables: all } });
      await waitForStatus(stage.app, data['sendMessage'].id, 'SENT');
      expect(stage.sent()).toMatchObject([
        {
          template: {
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { link } }] },
              { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] },
              { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'x7' }] },
            ],
          },
        },
      ]);
    });

    test.each<[string, object, string, string[]]>([
      [
        'a missing value',
        { variables: { body: { 2: '42' } } },
        'VALIDATION_FAILED',
        ['channelTemplate.variables.body.1'],
      ],
      ['no values', {}, 'VALIDATION_FAILED', ['channelTemplate.variables.body.1', 'channelTemplate.variables.body.2']],
      [
        'deep values',
        { variables: { body: { 1: { a: { b: { c: {} } } } } } },
        'VALIDATION_FAILED',
        ['channelTemplate.variables'],
      ],
      ['an unknown template', { id: randomUUID() }, 'NOT_FOUND', []],
    ])('%s is refused before it is queued', async (_, change, code, paths) => {
      const { failure } = await stage.send(tenant, { leadId, channelTemplate: { id: templateId, ...change } });
      expect(failure?.code).toBe(code);
      expect((failure?.errors ?? []).map(({ path }) => path)).toEqual(paths);
    });

    test('a template that is not APPROVED is refused, and says its status', async () => {
      const id = await stage.idOf(tenant, lineId, 'paused');
      const { failure } = await stage.send(tenant, { leadId, channelTemplate: { id } });
      expect(failure?.errors).toEqual([{ path: 'channelTemplate.id', message: expect.stringMatching(/PAUSED/) }]);
    });

    test('another provider is NOT_OFFERED, and another instance a wrong field', async () => {
      const channelTemplate = { id: templateId, variables };
      const through = (instanceId: string) => stage.send(tenant, { leadId, instanceId, channelTemplate });
      expect((await through(tenant.instance.id)).failure?.code).toBe('NOT_OFFERED');
      expect((await through(await stage.createLine(tenant))).failure?.errors).toMatchObject([
        { path: 'channelTemplate.id' },
      ]);
      expect((await through(randomUUID())).failure?.code).toBe('NOT_FOUND');
    });

    test('beside a text it is refused', async () => {
      const { failure } = await stage.send(tenant, {
        leadId,
        body: 'Oi',
        channelTemplate: { id: templateId, variables },
      });
      expect(failure?.errors).toMatchObject([{ path: 'body' }]);
    });

    test('the key stands for the template and its values', async () => {
      const idempotencyKey = randomUUID();
      const send = (given: object) =>
        stage.send(tenant, { leadId, idempotencyKey, channelTemplate: { id: templateId, variables: given } });
      const first = await send(variables);
      const again = await send({ body: { 2: '42', 1: 'Ana' } });
      expect(again.data['sendMessage'].id).toBe(first.data['sendMessage'].id);
      expect((await send({ body: { 1: 'Bia', 2: '42' } })).failure?.code).toBe('CONFLICT');
    });

    test('what Meta refuses is FAILED with what to do', async () => {
      stage.meta.templates = [];
      const { data } = await stage.send(tenant, { leadId, channelTemplate: { id: templateId, variables } });
      const state = await until(
        () => stateOf(stage.app, data['sendMessage'].id),
        ({ status }) => status === 'FAILED',
      );
      expect(state).toMatchObject({
        errorCode: '132001',
        errorMessage: expect.stringMatching(/Sync the channel templates/),
      });
    });

    test('erasing the lead erases the values', async () => {
      const secret = `secret-${randomUUID()}`;
      const { data } = await stage.send(tenant, {
        leadId,
        channelTemplate: { id: templateId, variables: { body: { 1: secret, 2: '1' } } },
      });
      await waitForStatus(stage.app, data['sendMessage'].id, 'SENT');
      const find = () => stage.app.sql('SELECT id FROM messages WHERE channel_template::text LIKE $1', [`%${secret}%`]);
      expect(await find()).toHaveLength(1);
      await until(
        () => stage.ask(tenant, 'deleteLead(id: $input)', { input: leadId }, 'ID!'),
        ({ failure }) => failure === undefined,
      );
      expect(await find()).toEqual([]);
    });

    test('to many leads, each with its values', async () => {
      const other = await createLead(stage.app, tenant, plainNumber());
      const recipients = [
        { leadId, variables },
        { leadId: other, variables: { body: { 1: 'Bia', 2: '43' } } },
      ];
      const { data, failure } = await stage.sendMany(tenant, { channelTemplateId: templateId, recipients });
      expect(failure).toBeUndefined();
      expect(data['sendMessages']).toEqual({
        id: expect.any(String),
        total: 2,
        template: null,
        templateVersion: null,
        channelTemplate: { name: 'hello', language: 'pt_BR' },
      });
      await until(
        async () => stage.sent().length,
        (count) => count === 2,
      );
      const rows = await stage.app.sql('SELECT body, type FROM messages WHERE bulk_send_id = $1 ORDER BY id', [
        data['sendMessages'].id,
      ]);
      expect(rows).toEqual([
        { body: 'Olá Ana, seu pedido 42 saiu.', type: 'template' },
        { body: 'Olá Bia, seu pedido 43 saiu.', type: 'template' },
      ]);
      const names = stage.sent().map(({ template }) => template.components[0].parameters[0].text as string);
      expect(new Set(names)).toEqual(new Set(['Ana', 'Bia']));
    });

    test('to many leads: those that have opted out are left out, and what was queued before is ended by the claim', async () => {
      const [outBefore, outAfter] = [
        await createLead(stage.app, tenant, plainNumber()),
        await createLead(stage.app, tenant, plainNumber()),
      ];
      const optOut = (id: string) =>
        stage.ask(tenant, 'optOutLead(id: $input, reason: "asked") { id }', { input: id }, 'ID!');
      await optOut(outBefore);
      const recipients = [leadId, outBefore, outAfter].map((id) => ({ leadId: id, variables }));
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const { data } = await stage.sendMany(tenant, { channelTemplateId: templateId, recipients, sendAt });
      expect(data['sendMessages'].total).toBe(2);
      // Stores an opt-out as if the lead had opted out between the check and the commit of the call.
      await stage.app.sql(
        `INSERT INTO opt_outs (tenant_id, lead_id, entry_id, opted_out_at, source)
         SELECT tenant_id, $2, entry_id, opted_out_at, source FROM opt_outs WHERE lead_id = $1`,
        [outBefore, outAfter],
      );
      await stage.app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE tenant_id = $1', [tenant.id]);
      stage.app.app.services.dispatcher.wake(tenant.id);
      const states = () =>
        stage.app.sql<{ leadId: string; status: string; code: string | null }>(
          'SELECT lead_id AS "leadId", status, error_code AS code FROM messages WHERE bulk_send_id = $1',
          [data['sendMessages'].id],
        );
      const ended = await until(states, (rows) =>
        rows.every(({ status }) => status === 'SENT' || status === 'CANCELED'),
      );
      expect(new Set(ended)).toEqual(
        new Set([
          { leadId, status: 'SENT', code: null },
          { leadId: outAfter, status: 'CANCELED', code: 'OPTED_OUT' },
        ]),
      );
      expect(stage.sent()).toHaveLength(1);
      const refused = await stage.sendMany(tenant, {
        channelTemplateId: templateId,
        recipients,
        onOptedOut: 'REFUSE',
      });
      expect(refused.failure).toMatchObject({
        code: 'OPTED_OUT',
        errors: [{ path: 'recipients.1.leadId' }, { path: 'recipients.2.leadId' }],
      });
    });

    test('to many leads: the errors name recipient and variable, and nothing is queued', async () => {
      const recipients = [{ leadId, variables: { body: { 1: 'a' } } }];
      const { failure } = await stage.sendMany(tenant, { channelTemplateId: templateId, recipients });
      expect(failure?.errors).toMatchObject([{ path: 'recipients.0.variables.body.2' }]);
      const both = { channelTemplateId: templateId, templateId: randomUUID(), recipients };
      expect((await stage.sendMany(tenant, both)).failure?.errors).toMatchObject([{ path: 'templateId' }]);
      expect((await stage.sendMany(tenant, { recipients })).failure?.errors).toMatchObject([{ path: 'templateId' }]);
    });
  });

  describe('the metadata of an instance', () => {
    test.each<[string, unknown]>([
      ['phoneNumberId', '../me'],
      ['phoneNumberId', 106540352242922],
      ['wabaId', ''],
      ['wabaId', 'abc'],
    ])('with %s %j is refused, and names the field', async (name, value) => {
      const input = {
        accountId: tenant.admin.accountId,
        instanceName: randomUUID(),
        provider: 'cloud',
        metadata: { [name]: value },
      };
      const query = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
      const response = await stage.app.post('/graphql', { query, variables: { input } }, withToken(tenant.admin));
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { errors: [{ path: `metadata.${name}` }] } }],
      });
      const update = await stage.ask(
        tenant,
        `updateChatInstance(id: "${lineId}", input: $input) { id }`,
        { input: { metadata: { [name]: value } } },
        'UpdateChatInstanceInput!',
        true,
      );
      expect(update.failure?.errors).toMatchObject([{ path: `metadata.${name}` }]);
    });

    test('of another provider is its own', async () => {
      await stage.createLine(tenant, { provider: 'gateway', metadata: { wabaId: 'anything' } });
    });
  });
}

// Instances in a browser: from a code to a connection, live states, and the parts that operators do not see.

import { randomUUID } from 'node:crypto';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { newRecordId } from '../../src/platform/database/record-id.js';
import { plainNumber } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateChatInstanceDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole } from './browser.js';

/** The page asks for the next code after this time. */
const betweenCodesMs = 4_000;

export function describeInstancesPage(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let gateway: ScriptedGateway;
  let answers: { status: number; body: object }[];

  beforeAll(async () => {
    app = await sharedApp();
    gateway = await ScriptedGateway.start((_request, response) => {
      const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
      response.writeHead(answer?.status ?? 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.body ?? {}));
    });
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    answers = [];
  });
  afterAll(() => gateway.close());

  const admin = () => ({ ...tenant.admin, role: 'ADMIN' as const, tenantId: tenant.id });
  const operator = () => ({ ...tenant.operator, role: 'OPERATOR' as const, tenantId: tenant.id });

  async function createInstance(): Promise<{ id: string; name: string }> {
    const name = `shop-${randomUUID().slice(0, 8)}`;
    const input = { accountId: tenant.admin.accountId, instanceName: name, baseUrl: gateway.url };
    const { createChatInstance } = await query(app, tenant.admin, CreateChatInstanceDocument, { input });
    return { id: createChatInstance.id, name };
  }

  slow('a new instance is written by keys at once, and the keyboard goes on at it', async () => {
    const { name } = await createInstance();
    await using opened = await openConsole(app, admin(), '/instances');
    const { page } = opened;
    const [create, known] = [page.getByRole('button', { name: 'New instance' }), page.getByRole('button', { name })];
    await known.first().waitFor();
    await create.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('dialog', { name: 'New instance' }).getByRole('textbox', { name: 'Name' });
    await field.and(page.locator(':focus')).waitFor();
    const made = `shop-${randomUUID().slice(0, 8)}`;
    await page.keyboard.type(made);
    await page.keyboard.press('Enter');
    const toggleOf = (wanted: string) =>
      page.getByRole('button', { name: wanted, exact: true, expanded: true }).and(page.locator(':focus'));
    await toggleOf(made).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill(name);
    await page.getByRole('option', { name: `Show instance ${name}`, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await toggleOf(name).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a code is drawn, renewed when another comes, and gone once the phone is connected', async () => {
    const { name } = await createInstance();
    answers = [
      { status: 200, body: { status: 'CONNECTING', qr: '2@first', pairingCode: 'ABCD-1234' } },
      { status: 200, body: { status: 'CONNECTING', qr: '2@second' } },
      { status: 200, body: { status: 'CONNECTED' } },
    ];
    await using opened = await openConsole(app, admin(), '/instances', { clock: true });
    const { page } = opened;
    await page.getByRole('button', { name: `Connect ${name}` }).click();
    const code = page.getByRole('img', { name: 'QR code' });
    await code.waitFor();
    await page.getByText('ABCD-1234').waitFor();
    const first = await code.innerHTML();
    await page.clock.fastForward(betweenCodesMs);
    await page.getByText('ABCD-1234').waitFor({ state: 'detached' });
    expect(await code.innerHTML()).not.toBe(first);
    await page.clock.fastForward(betweenCodesMs);
    await page.getByText(`${name} is connected.`).waitFor();
    await code.waitFor({ state: 'detached' });
    const card = page.getByRole('listitem').filter({ hasText: name });
    await card.getByText('Connected', { exact: true }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the words of a gateway stand behind what is to be done, in the language of the user', async () => {
    const { id, name } = await createInstance();
    const words = '401: the phone has logged this device out. Connect again and scan the code';
    await app.sql(`UPDATE chat_instances SET status = 'DISCONNECTED', last_error = $2 WHERE id = $1`, [id, words]);
    for (const [locale, sentence] of [
      ['en-US', 'The phone has logged this number out. Connect it again, and scan the code.'],
      ['pt-BR', 'O telefone desconectou este número. Conecte de novo e escaneie o código.'],
      ['es-419', 'El teléfono cerró la sesión de este número. Conéctelo de nuevo y escanee el código.'],
    ] as const) {
      await using opened = await openConsole(app, admin(), '/instances', { locale });
      const card = opened.page.getByRole('listitem').filter({ hasText: name });
      await card.getByText(`${sentence} ${words}`, { exact: true }).waitFor();
      expect(opened.problems).toEqual([]);
    }
  });

  slow('a gateway that is out is said in words, and a refusal with its reason', async () => {
    const { name } = await createInstance();
    answers = [
      { status: 503, body: { error: { code: 'down', message: 'maintenance' } } },
      { status: 200, body: { status: 'ERROR', lastError: 'The number is banned' } },
    ];
    await using opened = await openConsole(app, admin(), '/instances', { clock: true });
    const { page } = opened;
    await page.getByRole('button', { name: `Connect ${name}` }).click();
    await page.getByText('The gateway cannot be reached now').waitFor();
    await page.clock.fastForward(betweenCodesMs);
    await page.getByRole('alert').filter({ hasText: 'The number is banned' }).waitFor();
    await page.getByRole('button', { name: 'Connect again' }).waitFor();
  });

  slow('an instance is made, made the default, renamed and deleted', async () => {
    await using opened = await openConsole(app, admin(), '/instances');
    const { page } = opened;
    await page.getByRole('button', { name: 'New instance' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('support');
    await page.getByLabel('Address of the gateway').fill('ftp://gateway.example');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').filter({ hasText: 'URL' }).first().waitFor();
    await page.getByLabel('Address of the gateway').fill(gateway.url);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'support' }).waitFor();
    await page.getByRole('textbox', { name: 'Webhook address' }).waitFor();

    const more = (name: string) => page.getByRole('button', { name: `More for ${name}` });
    await more('support').click();
    await page.getByRole('menuitem', { name: 'Make it the default of its account' }).click();
    await page.getByText('support is the default now.').waitFor();
    await more('support').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('help');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'help' }).waitFor();
    await more('help').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'help' }).waitFor({ state: 'detached' });
  });

  test('a state that the gateway reports is shown by itself; operators change nothing', async () => {
    const { id, name } = await createInstance();
    // The state before was told long ago. States in quick succession are told once in 10 s.
    await app.sql("UPDATE chat_instances SET told_at = now() - interval '1 h' WHERE id = $1", [id]);
    await using opened = await openConsole(app, operator(), '/instances');
    const { page } = opened;
    const card = page.getByRole('listitem').filter({ hasText: name });
    await card.getByText('Waits to be connected').waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    const event = { event: 'connection.update', instance: name, data: { state: 'open' } };
    const headers = { 'x-tenant-key': tenant.apiKey };
    await app.post('/webhooks/chat/gateway/connection-update', event, headers);
    await card.getByText('Connected', { exact: true }).waitFor();
    for (const button of ['New instance', `Connect ${name}`, `More for ${name}`])
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('a card says when a message came and left last, and how many answers were not sent', async () => {
    const from = plainNumber();
    await app.post('/webhooks/chat/gateway/inbound', { messageId: randomUUID(), from, text: 'Oi' }, withKey(tenant));
    const [lead] = await app.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id]);
    for (const [status, failedAt] of [
      ['SENT', null],
      ['SENT', null],
      ['READ', null],
      ['FAILED', 'now'],
    ])
      await app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, status, sent_at, failed_at)
         VALUES ($1, $2, $3, $4, 'OUTBOUND', 'text', 'Oi', $5::message_status, now(), $6::timestamptz)`,
        [tenant.id, newRecordId(), lead?.id, tenant.instance.id, status, failedAt],
      );
    await using opened = await openConsole(app, operator(), '/instances');
    const { page } = opened;
    const card = page.getByRole('listitem').filter({ hasText: tenant.instance.name });
    await card.getByText('25% (1)').waitFor();
    const said = await card.getByRole('definition').allTextContents();
    expect(said.slice(0, 2).map((text) => /^\d{1,2}:\d{2}/.test(text))).toEqual([true, true]);
    expect(opened.problems).toEqual([]);
  });
}

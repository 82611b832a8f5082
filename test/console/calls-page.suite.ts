// The journal of webhook calls in a browser: filters in the address, reasons for refusals, replays, and dry runs.

import { randomUUID } from 'node:crypto';
import type { UserPrincipal } from '../../src/platform/principal.js';
import { sign } from '../../src/platform/http/hmac-signature.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole } from './browser.js';

export function describeCallsPage(): void {
  const secret = 'a webhook secret of 32 characters';

  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made), { CHAT_WEBHOOK_SECRET: secret });

  const openAsAdmin = (path: string) => openConsole(app, { ...tenant.admin, role: 'ADMIN', tenantId: tenant.id }, path);
  const inbound = { messageId: 'm1', from: '5511988887777', text: 'Oi' };

  slow(
    'a row says who, what, through what, the result and the seconds; filters are what the address says',
    async () => {
      await app.post('/public/leads', { chat: '5511988887777', name: 'Ana' }, withKey(tenant));
      await app.post('/webhooks/leads', { name: 'nobody' }, withKey(tenant));
      const message = JSON.stringify(inbound);
      const signed = { ...withKey(tenant), 'x-signature': sign(secret, message) };
      for (const time of ['first', 'again'])
        expect([time, (await app.post('/webhooks/chat/gateway/inbound', message, signed)).status]).toEqual([time, 200]);
      await using opened = await openAsAdmin('/calls');
      const { page } = opened;
      const rows = page.getByRole('table', { name: 'Calls' }).getByRole('row');
      await rows.filter({ hasText: 'Again, was known' }).waitFor();
      const cellsOf = async (text: string) =>
        (await rows.filter({ hasText: text }).getByRole('cell').allInnerTexts()).slice(2);
      // All calls, then those by result, and each kind of what they brought.
      await page.getByRole('radio', { name: 'All 4' }).waitFor();
      await page.getByRole('radio', { name: 'Refused 1' }).waitFor();
      await page.getByText('Leads 2 · Messages 2').waitFor();
      const search = page.getByRole('textbox', { name: 'Search' });
      await search.fill('ana');
      await rows.filter({ hasText: 'Again, was known' }).waitFor({ state: 'detached' });
      await page.getByRole('radio', { name: 'All 1' }).waitFor();
      await rows.filter({ hasText: 'New lead' }).waitFor();
      expect(await rows.count()).toBe(2);
      await search.fill('');
      await rows.filter({ hasText: 'Again, was known' }).waitFor();
      const seconds = expect.stringMatching(/^\d+\.\d{3} s$/);
      const said = ['Ana', '“Oi”', tenant.instance.name];
      expect(await cellsOf('Again, was known')).toEqual([...said, 'Again, was known', seconds]);
      expect(await cellsOf('New lead')).toEqual(['API key', 'New lead Ana', 'API', 'Lead', seconds]);
      expect(await cellsOf('Refused')).toEqual(['API key', 'Lead', 'API', 'Refused: wrong field', seconds]);
      await page.getByRole('radio', { name: 'Refused' }).check();
      await page.waitForURL('**/calls?outcome=REFUSED');
      await rows.filter({ hasText: 'New lead' }).waitFor({ state: 'detached' });
      await rows.filter({ hasText: 'Refused' }).waitFor();
      expect(await rows.count()).toBe(2);
      await page.getByRole('radio', { name: 'All' }).check();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Kind' }).click();
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('Messages');
      await page.waitForURL('**/calls?kind=MESSAGE');
      await rows.filter({ hasText: 'API key' }).first().waitFor({ state: 'detached' });
      await rows.filter({ hasText: 'Again, was known' }).waitFor();
      expect(await rows.count()).toBe(3);
      await page.getByRole('radio', { name: 'Not sent' }).check();
      await page.waitForURL((url) => url.searchParams.get('reported') === 'FAILED');
      await page.getByText('None fits.').waitFor();
      expect(opened.problems).toEqual([]);
    },
  );

  slow('new calls appear by themselves, and wait while the pointer is among the rows', async () => {
    await app.post('/webhooks/leads', { chat: '5511988887777', name: 'Ana' }, withKey(tenant));
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    const rows = page.getByRole('table', { name: 'Calls' }).getByRole('row');
    await rows.filter({ hasText: 'New lead Ana' }).waitFor();
    await app.post('/webhooks/leads', { chat: 'nobody' }, withKey(tenant));
    await rows.filter({ hasText: 'Refused: wrong field' }).waitFor();
    await rows.filter({ hasText: 'New lead Ana' }).hover();
    await app.post('/webhooks/leads', { chat: '5511977776666', name: 'Rui' }, withKey(tenant));
    const stranger = await app.createTenant();
    await app.post('/webhooks/leads', { chat: '5511977775555', name: 'Eve' }, withKey(stranger));
    const waiting = page.getByRole('button', { name: '1 new' });
    await waiting.waitFor();
    expect(await rows.filter({ hasText: 'Rui' }).count()).toBe(0);
    await waiting.click();
    await rows.filter({ hasText: 'New lead Rui' }).waitFor();
    const order = await rows.allInnerTexts();
    expect(order.filter((text) => text.includes('API key')).map((text) => /Rui|Refused|Ana/.exec(text)?.[0])).toEqual([
      'Rui',
      'Refused',
      'Ana',
    ]);
    expect(await rows.filter({ hasText: 'Eve' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('a link leads to a call that the list does not show, and to a sentence where it is not kept', async () => {
    await app.post('/webhooks/leads', { chat: '5511988887777', name: 'Ana' }, withKey(tenant));
    const [entry] = await app.sql<{ id: string }>('SELECT id FROM webhook_deliveries WHERE tenant_id = $1', [
      tenant.id,
    ]);
    await using opened = await openAsAdmin(`/calls?outcome=REFUSED&id=${entry?.id}`);
    const { page } = opened;
    const details = page.getByRole('region', { name: 'Call /webhooks/leads' });
    await details.getByText('POST /webhooks/leads').waitFor();
    await details.getByRole('link', { name: 'Open lead' }).waitFor();
    await page.getByRole('button', { name: /^Details of the call/ }).click();
    await details.waitFor({ state: 'detached' });
    await page.goto(`${app.url}/calls?id=${randomUUID()}`);
    await page.getByText('This call is not kept any more.').waitFor();
  });

  slow('a wrong signature stands beside the expected one, is checked with a secret, and overruled', async () => {
    const headers = { ...withKey(tenant), 'x-signature': `sha256=${'0'.repeat(64)}` };
    expect((await app.post('/webhooks/chat/gateway/inbound', inbound, headers)).status).toBe(401);
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    await page
      .getByRole('row')
      .filter({ hasText: 'Refused: signature' })
      .getByRole('button', { name: /^Details of the call/ })
      .click();
    const details = page.getByRole('region', { name: 'Call /webhooks/chat/gateway/inbound' });
    await details.getByText('Why it was refused').waitFor();
    await details.getByText(sign(secret, JSON.stringify(inbound))).waitFor();
    expect(await details.locator('mark').first().innerText()).toBe('000000');
    await details.getByText('Check another secret').click();
    await details.getByLabel('Webhook secret').fill(secret);
    await details.getByRole('button', { name: 'Compute the expected one' }).click();
    await details.getByText('This secret does not fit').waitFor();
    await details.getByRole('region', { name: 'Body' }).getByText('"text": "Oi"').waitFor();
    await details.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('dialog', { name: 'Run this call again?' }).getByRole('button', { name: 'Run again' }).click();
    await page.getByText('It ran again: Processed.').waitFor();
    await details.getByText('Runs again').waitFor();
    await details.getByText('"duplicate": false').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a call that is tried shows its answer, and stands in the list', async () => {
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    await page.getByRole('button', { name: 'Try a call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Address' }).selectOption('/webhooks/chat/gateway/inbound');
    await dialog.getByRole('button', { name: 'Send call' }).click();
    const answer = dialog.getByRole('status', { name: 'Answer' });
    await answer.getByText('SIGNATURE_INVALID').waitFor();
    await dialog.getByLabel('Webhook secret').fill(secret);
    await dialog.getByRole('button', { name: 'Send call' }).click();
    await answer.getByText('"accepted": 1').waitFor();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: '“Oi”' });
    await row.waitFor();
    expect(await row.count()).toBe(1);
  });

  slow('a call is judged without effect: its signature, then its fields, then what would become of it', async () => {
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    await page.getByRole('button', { name: 'Try a call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Address' }).selectOption('/webhooks/chat/gateway/inbound');
    await dialog.getByLabel('Body').fill(JSON.stringify({ ...inbound, from: 'x' }));
    const check = dialog.getByRole('button', { name: 'Check call' });
    await check.click();
    const verdict = dialog.getByRole('status', { name: 'Verdict' });
    await verdict.getByText('It would be refused: SIGNATURE_INVALID').waitFor();
    await verdict.getByText('It is missing.').waitFor();
    await verdict.getByRole('button', { name: 'Use the expected one' }).click();
    await check.click();
    await verdict.getByText('It would be refused: VALIDATION_FAILED').waitFor();
    await verdict.getByRole('list', { name: 'Wrong fields' }).getByText('from').waitFor();
    await dialog.getByLabel('Body').fill(JSON.stringify(inbound, null, 2));
    await check.click();
    await verdict.getByText('It fits nothing that was tried').waitFor();
    await verdict.getByRole('button', { name: 'Use the expected one' }).click();
    await check.click();
    await verdict.getByText('It would be taken in. Nothing was kept.').waitFor();
    const item = verdict.getByRole('table', { name: 'Items' }).getByRole('row').filter({ hasText: 'Message' });
    await item.getByText('New').waitFor();
    await item.getByText('5511988887777').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No call').waitFor();
    expect(await app.sql('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    expect(opened.problems).toEqual([]);
  });

  slow('a call of a lead source is judged too: its key, then the lead', async () => {
    const source = await app.app.services.leadSources.create(
      { kind: 'user', tenantId: tenant.id, userId: tenant.admin.id, role: 'ADMIN' } as UserPrincipal,
      { kind: 'GOOGLE', name: 'Search ads', key: 'a-key-of-google' },
    );
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    await page.getByRole('button', { name: 'Try a call' }).click();
    const dialog = page.getByRole('dialog');
    const path = `/webhooks/leads/google/${source.id}`;
    await dialog.getByRole('combobox', { name: 'Address' }).selectOption({ label: `Search ads · POST ${path}` });
    const check = dialog.getByRole('button', { name: 'Check call' });
    await check.click();
    const verdict = dialog.getByRole('status', { name: 'Verdict' });
    await verdict.getByText('It would be refused: UNAUTHENTICATED').waitFor();
    await verdict.getByRole('region', { name: 'Key in the body: google_key' }).getByText('It is missing.').waitFor();
    const field = dialog.getByRole('textbox', { name: 'Body' });
    const body = await field.inputValue();
    await field.fill(body.replace('"google_key": ""', '"google_key": "a-key-of-google"'));
    await check.click();
    await verdict.getByText('It would be taken in. Nothing was kept.').waitFor();
    const item = verdict.getByRole('table', { name: 'Items' }).getByRole('row').filter({ hasText: 'Search ads' });
    await item.getByText('New').waitFor();
    await item.getByText('Ana · 5511988887777').waitFor();
    expect(await app.sql('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    expect(opened.problems).toEqual([]);
  });

  slow('a call of the journal is tried again as it came', async () => {
    const body = `${JSON.stringify(inbound, null, 2)}\r\n`;
    const headers = { ...withKey(tenant), 'x-signature': sign(secret, `${body}\n`) };
    expect((await app.post('/webhooks/chat/gateway/inbound', body, headers)).status).toBe(401);
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    await page.getByRole('row').filter({ hasText: 'Refused: signature' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Try again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try a call' });
    expect(await dialog.getByRole('combobox', { name: 'Address' }).inputValue()).toBe('/webhooks/chat/gateway/inbound');
    expect(await dialog.getByLabel('Headers').inputValue()).toContain(headers['x-signature']);
    await dialog.getByRole('button', { name: 'Check call' }).click();
    const verdict = dialog.getByRole('status', { name: 'Verdict' });
    await verdict.getByText('It fits another writing of the body').waitFor();
    await verdict.getByText('with a line feed at its end').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a header that is none is named, and nothing is asked', async () => {
    await using opened = await openAsAdmin('/calls');
    const { page } = opened;
    await page.getByRole('button', { name: 'Try a call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Headers').fill('x-signature');
    await dialog.getByText('Line 1 is not name: value.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Send call' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Headers').fill('');
    await dialog.getByRole('combobox', { name: 'Address' }).selectOption({ label: 'Another path' });
    await dialog.getByLabel('Path').fill('/nowhere');
    expect(await dialog.getByRole('button', { name: 'Send call' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Check call' }).click();
    await dialog.getByText('It would be refused: NOT_FOUND').waitFor();
  });

  test('what is not text is shown as its bytes', async () => {
    const headers = { ...withKey(tenant), 'content-type': 'application/json' };
    await fetch(`${app.url}/webhooks/leads`, { method: 'POST', headers, body: Buffer.from([0xff, 0xfe, 0x01]) });
    await using opened = await openAsAdmin('/calls');
    await opened.page.getByRole('row').filter({ hasText: 'Refused: no JSON' }).getByRole('button').click();
    await opened.page.getByRole('region', { name: 'Body' }).getByText('//4B').waitFor();
  });

  test('operators are told who may see it, and have no link to it', async () => {
    const operator = { ...tenant.operator, role: 'OPERATOR' as const, tenantId: tenant.id };
    await using opened = await openConsole(app, operator, '/calls');
    await opened.page.getByText('Only administrators can see this page.').waitFor();
    expect(await opened.page.getByRole('link', { name: 'Calls' }).count()).toBe(0);
  });
}

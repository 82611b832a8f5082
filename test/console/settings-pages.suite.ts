// The settings of administrators in a browser: users, the company, the key, webhooks, sources and the audit log.

import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { adminOf, openConsole, settled, type WindowOptions } from './browser.js';

export function describeSettingsPages(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const openAsAdmin = (path: string, options: WindowOptions = {}) => openConsole(app, adminOf(tenant), path, options);

  test('the profile ends with the version, in the language of the page', async () => {
    const { version } = (await (await app.get('/health/live')).json()) as { version: string };
    await using opened = await openAsAdmin('/settings');
    const { page } = opened;
    await page.getByText(`Leadwire, version ${version}`, { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('pt');
    await page.getByText(`Leadwire, versão ${version}`, { exact: true }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a user is added, found, made ADMIN and deactivated', async () => {
    await using opened = await openAsAdmin('/settings/users');
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    const places = page.getByRole('navigation', { name: 'Sections' });
    await places.getByRole('link', { name: 'Users 2', exact: true }).waitFor();
    expect(await places.getByRole('link', { name: 'Webhooks', exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByLabel('Name').fill('Maria');
    await dialog.getByLabel('E-mail').fill('maria@example.com');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    const row = page.getByRole('row').filter({ hasText: 'maria@example.com' });
    await row.getByText('Operator').waitFor();
    await places.getByRole('link', { name: 'Users 3', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByLabel('E-mail').fill('maria@example.com');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByText('Another user has this address.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.getByLabel('Name or e-mail').fill('mari');
    await page.waitForURL('**/settings/users?q=mari');
    await page.getByRole('button', { name: 'More for Maria' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ADMIN');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Administrator').waitFor();
    await page.getByRole('button', { name: 'More for Maria' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated').waitFor();
    await places.getByRole('link', { name: 'Users 2', exact: true }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the last ADMIN stays, and nobody deactivates oneself', async () => {
    await using opened = await openAsAdmin('/settings/users');
    const { page } = opened;
    const own = page.getByRole('row').filter({ hasText: '(you)' });
    await own.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByText('You cannot deactivate yourself.').waitFor();
    await own.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('OPERATOR');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is the last active administrator.').waitFor();
  });

  slow('the company is changed, and the change stands in the audit log', async () => {
    await using opened = await openAsAdmin('/settings/sending');
    const { page } = opened;
    await page.getByLabel('Default country').fill('brazil');
    await page.getByText('Brazil').waitFor();
    await page.getByText('1 change', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    const table = page.getByRole('table', { name: 'Audit log' });
    const row = table.getByRole('row').filter({ hasText: 'Company changed' });
    await row.getByText('BR', { exact: true }).waitFor();
    // A field has the name that its form gives it. One that no form has keeps the API's.
    await row.getByText('Default country', { exact: true }).waitFor();
    const added = table.getByRole('row').filter({ hasText: 'User added' }).first();
    await added.getByText('E-mail', { exact: true }).waitFor();
    await added.getByText(/more fields?$/).click();
    await added.getByText('Active', { exact: true }).waitFor();
    await added.getByText('yes', { exact: true }).waitFor();
    await added.getByText('idpSub', { exact: true }).waitFor();
    const roles = table.getByRole('row').filter({ hasText: 'User added' });
    await roles.getByText('Administrator', { exact: true }).waitFor();
    expect(await table.textContent()).not.toMatch(/null|true|ADMIN|OPERATOR/);
    for (const [language, name, role, active] of [
      ['pt', 'País padrão', 'Administrador', 'Em uso: sim'],
      ['es', 'País predeterminado', 'Administrador', 'En uso: sí'],
    ] as const) {
      await page.goto(`${app.url}/settings`);
      await page.getByRole('combobox', { name: /^(Language|Idioma)$/ }).selectOption(language);
      await page.goto(`${app.url}/settings/audit`);
      await page.getByRole('row').getByText(name, { exact: true }).first().waitFor();
      const admin = page.getByRole('row').filter({ hasText: role }).first();
      await admin.getByText(/mais$|más$|campos?$/).click();
      await admin.getByRole('listitem').filter({ hasText: active }).waitFor();
    }
    await page.goto(`${app.url}/settings`);
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('en');
    await page.goto(`${app.url}/settings/audit`);
    await page.getByRole('combobox', { name: 'What' }).selectOption('USER_CREATED');
    await row.waitFor({ state: 'detached' });
    expect(page.url()).toContain('action=USER_CREATED');
    expect(opened.problems).toEqual([]);
  });

  slow('an address filters the audit log by any action, and one that names none shows nothing', async () => {
    await using opened = await openAsAdmin('/settings/audit?action=SIGN_IN_LINK_USED');
    const { page } = opened;
    const action = page.getByRole('combobox', { name: 'What' }).locator('option:checked');
    await page.getByText('None fits. Change or clear the filters.').waitFor();
    expect(await action.textContent()).toBe('Signed in by a link');
    await page.goto(`${app.url}/settings/audit?action=NOTHING_DONE`);
    await page.getByText('The address names a filter that does not exist.').waitFor();
    expect(await action.textContent()).toBe('NOTHING_DONE');
    expect(await page.getByRole('table').count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('the filters of the audit log stand in one line, and what is rarely asked is added', async () => {
    await using opened = await openAsAdmin('/settings/audit', { viewport: { width: 1440, height: 900 } });
    const { page } = opened;
    const row = page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: 'User added' });
    await row.first().waitFor();
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('main :is(select, button[aria-haspopup=menu])')].map((one) =>
        Math.round(one.getBoundingClientRect().top))`,
    );
    expect(tops.length).toBe(3);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await add('Until');
    await page.getByLabel('Until', { exact: true }).and(page.locator(':focus')).fill('2001-01-01T00:00');
    await page.getByText('None fits.').waitFor();
    await page.getByRole('button', { name: 'Remove Until' }).click();
    await row.first().waitFor();
    await add('Id of the record');
    await page.keyboard.type('abc');
    await page.getByText('An id has 36 characters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Id of the record').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(opened.problems).toEqual([]);
  });

  slow('changes are counted and named, saved by Ctrl S, and not left behind unasked', async () => {
    await using opened = await openAsAdmin('/settings/consent');
    const { page } = opened;
    const optOut = page.getByLabel('Words that opt out');
    await optOut.fill('STOP\nSAIR');
    await page.getByLabel('Answer to an opt-out').fill('You get no more of these.');
    const bar = page.getByRole('status').filter({ hasText: '2 changes' });
    await bar.getByText('Words that opt out, Answer to an opt-out').waitFor();

    await page.getByRole('link', { name: 'Assistants' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).pathname).toBe('/settings/consent');
    await optOut.press('Control+s');
    await page.getByText('Saved.').waitFor();
    await bar.waitFor({ state: 'detached' });

    await optOut.fill('HALT');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await optOut.inputValue()).toBe('STOP\nSAIR');
    await optOut.fill('HALT');
    await page.getByRole('link', { name: 'Assistants' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('combobox', { name: 'Assistants of users' }).waitFor();
    await page.goBack();
    await optOut.waitFor();
    expect(await optOut.inputValue()).toBe('STOP\nSAIR');
    expect(opened.problems).toEqual([]);
  });

  test('a value that is refused says why beside its field, and the others stay as they are written', async () => {
    await using opened = await openAsAdmin('/settings/sending');
    const { page } = opened;
    await page.getByLabel('Default country').fill('xx');
    await page.getByLabel('Show that messages were read').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByLabel('Default country').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Show that messages were read').isChecked()).toBe(true);
    await page.getByText('2 changes', { exact: true }).waitFor();
  });

  slow('what gateways are told is chosen, and stays chosen', async () => {
    await using opened = await openAsAdmin('/settings/sending');
    const { page } = opened;
    const group = page.getByRole('group', { name: 'Read receipts, typing and numbers' });
    const choice = (name: string) => group.getByRole('checkbox', { name });
    await choice('Show that messages were read').check();
    await choice('Look numbers up before the first message').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await choice('Show that messages were read').waitFor();
    expect(await choice('Show that messages were read').isChecked()).toBe(true);
    expect(await choice('Show that somebody is typing').isChecked()).toBe(false);
    expect(await choice('Look numbers up before the first message').isChecked()).toBe(true);
    expect(opened.problems).toEqual([]);
  });

  test('the key is hidden until it is asked for, and replaced while both work', async () => {
    await using opened = await openAsAdmin('/settings/keys');
    const { page } = opened;
    const field = page.getByRole('textbox', { name: 'API key' });
    await page.getByRole('button', { name: 'Show key' }).waitFor();
    expect(await page.content()).not.toContain(tenant.apiKey);
    await page.getByRole('button', { name: 'Show key' }).click();
    expect(await field.inputValue()).toBe(tenant.apiKey);
    await page.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
    await page.getByText('The key was replaced.').waitFor();
    const next = await field.inputValue();
    expect(next).not.toBe(tenant.apiKey);
    for (const key of [tenant.apiKey, next]) {
      const { status } = await app.post('/public/leads', { chat: '5511988887777' }, { 'x-tenant-key': key });
      expect(status).toBeLessThan(300);
    }
  });

  test('an endpoint is added with its secret, tested, disabled and deleted', async () => {
    await using opened = await openAsAdmin('/settings/webhooks');
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    const url = 'https://127.0.0.1:9/hook';
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('endpoint.ping').waitFor();
    await page.getByRole('button', { name: `More for ${url}` }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('An administrator disabled it.').waitFor();
    await page.getByRole('button', { name: `More for ${url}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is told to other systems yet').waitFor();
  });

  slow('the answer to a test of an endpoint leads nobody back who has gone elsewhere', async () => {
    await using opened = await openAsAdmin('/settings/webhooks');
    const { page } = opened;
    const answer = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'PingWebhookEndpoint') await answer.promise;
      await route.continue();
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByLabel('Address').fill('https://127.0.0.1:9/hook');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('link', { name: 'Company' }).click();
    await page.waitForURL('**/settings/company');
    answer.resolve();
    await page.getByText('A test is on its way.').waitFor();
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/settings/company');
  });

  slow('a test lead is sent as another system would, and its answer shown', async () => {
    await using opened = await openAsAdmin('/settings/sources');
    const { page } = opened;
    await page.getByLabel('Number').fill('+55 11 98888-7777');
    await page.getByRole('button', { name: 'Send test lead' }).click();
    await page.getByRole('status', { name: 'Answer' }).getByText('"created": true').waitFor();
    await page.getByText('The lead is new.').waitFor();
    expect(await page.getByRole('region', { name: 'Example' }).textContent()).not.toContain(tenant.apiKey);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByRole('region', { name: 'Example' }).filter({ hasText: tenant.apiKey }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a lead source is added, tried, called, changed and deleted', async () => {
    await using opened = await openAsAdmin('/settings/sources');
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add lead source' }).click();
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('GOOGLE');
    await dialog.getByLabel('Name').fill('Search ads');
    await dialog.getByLabel('Key').fill('short');
    await dialog.getByRole('button', { name: 'Add lead source' }).click();
    await dialog.getByText('has to be at least 8 characters long', { exact: true }).waitFor();
    await dialog.getByLabel('Key').fill('a-key-of-your-own');
    await dialog.getByLabel('Mapping').fill('phone = chat');
    await dialog.getByRole('button', { name: 'Add lead source' }).click();
    await dialog.getByText('Write a JSON object').waitFor();
    await dialog.getByLabel('Mapping').fill('');
    await dialog.getByRole('button', { name: 'Add lead source' }).click();
    await page.getByText('No lead has come yet.').waitFor();

    const address = await page.getByRole('textbox', { name: 'Address', exact: true }).inputValue();
    expect(address).toContain(`${app.url}/webhooks/leads/google/`);
    const lead = {
      lead_id: '1',
      form_id: 12,
      user_column_data: [{ column_id: 'PHONE_NUMBER', string_value: '+5511988887777' }],
    };
    await page.getByRole('button', { name: 'Test Search ads', exact: true }).click();
    const form = page.getByRole('form', { name: 'Test: Search ads' });
    await form.getByLabel('Payload').fill('{"user_column_data": []}');
    await form.getByRole('button', { name: 'Show the lead' }).click();
    await form.getByText('is required (/answers/PHONE_NUMBER').waitFor();
    await form.getByLabel('Payload').fill(JSON.stringify(lead).replace('12', '9223372036854775807'));
    await form.getByRole('button', { name: 'Show the lead' }).click();
    await form.getByText('It would be a new lead.').waitFor();
    await form.getByRole('region', { name: 'Further fields' }).getByText('9223372036854775807').waitFor();

    const called = await app.post(new URL(address).pathname, { google_key: 'a-key-of-your-own', ...lead });
    expect(called.status).toBe(200);
    await form.getByRole('button', { name: 'Show the lead' }).click();
    await form.getByText('This was sent before: nothing would change.').waitFor();

    await page.getByRole('button', { name: 'More for Search ads' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await dialog.getByLabel('Name').fill('Spring ads');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Spring ads' }).waitFor();
    await page.getByText('Newest lead:').waitFor();
    await page.getByRole('button', { name: 'More for Spring ads' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No ads or forms are connected yet.').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test.each(['users', 'keys', 'webhooks', 'sources', 'audit'])('operators are told who may see %s', async (name) => {
    const operator = { ...tenant.operator, role: 'OPERATOR' as const, tenantId: tenant.id };
    await using opened = await openConsole(app, operator, `/settings/${name}`);
    const { page } = opened;
    await page.getByText('Only administrators can see this page.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });
}

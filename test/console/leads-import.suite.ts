// A file of leads in a browser: what is wrong with it is said before anything is written.

import { sharedApp } from '../support/shared-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';

const file = [
  'chat,name,source',
  '+55 11 98888-0001,Ana,fair',
  'not a number,Bob,fair',
  '+55 11 98888-0002,Carla,fair',
  '+55 11 98888-0001,Ana again,fair',
].join('\n');

export function describeLeadsImport(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
  });

  test('wrong rows are named by the dry run, and the others are imported', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    const check = dialog.getByRole('button', { name: 'Check the file' });
    expect(await check.isDisabled()).toBe(true);
    const chosen = { name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(file) };
    await dialog.getByLabel('CSV file').setInputFiles(chosen);
    await check.click();
    const wrong = dialog.getByRole('table', { name: 'What is wrong' });
    await wrong.getByRole('row').filter({ hasText: 'chat' }).first().waitFor();
    expect(await wrong.getByRole('row').nth(1).getByRole('cell').first().textContent()).toBe('3');
    expect(await app.sql('SELECT FROM leads WHERE tenant_id = $1', [tenant.id])).toHaveLength(0);
    await dialog.getByRole('button', { name: /^Import \d rows$/ }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const leads = page.getByRole('table', { name: 'Leads' });
    for (const name of ['Ana', 'Carla']) await leads.getByRole('link', { name, exact: true }).waitFor();
    expect(await leads.getByText('Bob').count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });
}

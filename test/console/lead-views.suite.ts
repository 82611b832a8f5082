// Views of the table of leads that a user keeps: saved from filters, order and columns, counted, changed, deleted and brought back.

import { plainNumber } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateLeadViewDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole, operatorOf } from './browser.js';

export function describeLeadViews(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    for (const name of ['Anna', 'Bo', 'Carl'])
      await app.post('/public/leads', { chat: plainNumber(), name }, withKey(tenant));
    await app.sql(`UPDATE leads SET tags = '{surf}' WHERE tenant_id = $1 AND name <> 'Carl'`, [tenant.id]);
  });

  slow('filters, order and columns are kept under a name, counted, changed, deleted and brought back', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads?tag=surf&order=name');
    const { page } = opened;
    const views = page.getByRole('list', { name: 'Views of leads' });
    const link = (name: string) => views.getByRole('link', { name, exact: true });
    const column = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const toggle = async (name: string) => {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name }).click();
      await page.keyboard.press('Escape');
    };
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog', { name: 'Save view' }).getByRole('textbox', { name: 'Name' }).fill('Surfers');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await link('Surfers 2').and(page.locator('[aria-current=page]')).waitFor();
    expect(await violationsIn(page)).toEqual([]);

    // Its columns are its own.
    await toggle('Source');
    await column('Source').waitFor({ state: 'detached' });
    await link('All').click();
    await page.waitForURL(({ pathname, search }) => pathname === '/leads' && search === '');
    await column('Source').waitFor();
    expect(await link('All').getAttribute('aria-current')).toBe('page');
    expect(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0);

    await app.post('/public/leads', { chat: plainNumber(), name: 'Dan' }, withKey(tenant));
    await app.sql(`UPDATE leads SET tags = '{surf}' WHERE tenant_id = $1`, [tenant.id]);
    await link('Surfers 4').click();
    await page.waitForURL(({ search }) => new URLSearchParams(search).get('order') === 'name');
    await column('Source').waitFor({ state: 'detached' });
    await page.reload();
    await link('Surfers 4').and(page.locator('[aria-current=page]')).waitFor();
    expect(await column('Source').count()).toBe(0);
    expect(await column('Number').count()).toBe(1);

    await page.getByRole('button', { name: 'Actions of the view' }).click();
    await page.getByRole('menuitem', { name: 'Rename view' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename view' });
    await renaming.getByRole('textbox', { name: 'Name' }).fill('On waves');
    await renaming.getByRole('button', { name: 'Save' }).click();
    await link('On waves 4').waitFor();
    await page.getByRole('button', { name: 'Actions of the view' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await views.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await link('On waves 4').click();
    await column('Source').waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  test('a view may have no column but the name; one of another client has those of the browser; a taken name is said', async () => {
    const keep = (name: string, columns: string[]) =>
      query(app, tenant.operator, CreateLeadViewDocument, { input: { name, filter: { waiting: false }, columns } });
    await query(app, tenant.operator, CreateLeadViewDocument, {
      input: { name: 'Any', filter: { tagsAll: ['surf'] } },
    });
    await query(app, tenant.operator, CreateLeadViewDocument, {
      input: { name: 'Bare', filter: { optedOut: true }, columns: ['name'] },
    });
    // No address of the table holds this filter.
    await keep('Elsewhere', []);
    await using opened = await openConsole(app, operatorOf(tenant), '/leads', {
      viewport: { width: 390, height: 844 },
    });
    const { page } = opened;
    await page.getByRole('link', { name: 'Bare 0' }).click();
    await page.getByText('No lead matches these filters').waitFor();
    await page.getByRole('link', { name: 'Any 2' }).click();
    await page.getByRole('columnheader', { name: 'Last message' }).waitFor();
    expect(await page.getByRole('link', { name: /Elsewhere/ }).count()).toBe(0);
    await page.goto(`${app.url}/leads?waiting=true`);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Any');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'is taken' }).waitFor();
    expect(opened.problems.filter((problem) => !problem.includes('CONFLICT'))).toEqual([]);
  });
}

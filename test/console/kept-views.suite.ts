// Views of the inbox that a user keeps: saved from the filters, counted in the navigation, renamed and deleted.

import { plainNumber } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { UpdateLeadDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole, operatorOf } from './browser.js';
import { hear as hearFrom } from '../features/leads/conversation-harness.js';

export function describeKeptViews(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  async function hear(name: string, tags: string[] = []): Promise<void> {
    const chat = plainNumber();
    await app.post('/public/leads', { chat, name }, withKey(tenant));
    const id = (await hearFrom(app, tenant, chat)).leadId;
    if (tags.length > 0) await query(app, tenant.operator, UpdateLeadDocument, { id, input: { tags } });
  }

  slow('filters are kept under a name, counted beside the other views, renamed, deleted and brought back', async () => {
    await hear('Ana', ['surf']);
    await hear('Bob');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?view=all&tag=surf');
    const { page } = opened;
    const link = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
    await page.getByRole('option', { name: 'Ana' }).waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Surfers');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await link('Surfers 1').click();
    await page.waitForURL(({ search }) => search === '?view=all&tag=surf');
    expect(await link('Surfers 1').getAttribute('aria-current')).toBe('page');
    expect(await link('All').getAttribute('aria-current')).toBeNull();
    await hear('Carla', ['surf']);
    await link('Surfers 2').waitFor();

    await page.getByRole('button', { name: 'Actions of the view' }).click();
    await page.getByRole('menuitem', { name: 'Rename view' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename view' });
    await renaming.getByRole('textbox', { name: 'Name' }).fill('On waves');
    await renaming.getByRole('button', { name: 'Save' }).click();
    await link('On waves 2').waitFor();

    // Its filters stay behind in it.
    await link('Unassigned 3').click();
    await page.waitForURL(({ search }) => search === '?view=unassigned');
    await link('On waves 2').click();
    await page.getByRole('button', { name: 'Actions of the view' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await link('On waves 2').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await link('On waves 2').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a view follows its user to another browser, and a name that is taken is said at its field', async () => {
    await hear('Ana', ['surf']);
    await using first = await openConsole(app, operatorOf(tenant), '/inbox?view=all&tag=surf');
    const keep = async (name: string) => {
      await first.page.getByRole('button', { name: 'Save view' }).click();
      await first.page.getByRole('textbox', { name: 'Name' }).fill(name);
      await first.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    };
    await keep('Surfers');
    await first.page.getByRole('link', { name: 'Surfers 1', exact: true }).waitFor();
    await first.page.goto(`${app.url}/inbox?view=mine&tag=surf`);
    await keep('Surfers');
    await first.page.getByRole('alert').filter({ hasText: 'is taken' }).waitFor();
    await using second = await openConsole(app, operatorOf(tenant), '/inbox', {
      viewport: { width: 390, height: 844 },
    });
    await second.page.getByRole('link', { name: 'Surfers 1', exact: true }).click();
    await second.page.getByRole('option', { name: 'Ana' }).waitFor();
    expect(second.problems).toEqual([]);
  });
}

// The table of leads in a browser while leads come in.

import { hear } from '../features/leads/conversation-harness.js';
import { createLeads, plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { MergeLeadsDocument } from '../support/operations.js';
import { withTenant } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';

export function describeLeadsTable(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  slow('a new lead comes in and is counted, and the pages that are shown stay', async () => {
    await createLeads(app, tenant, 60);
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    const rows = page.getByRole('table', { name: 'Leads' }).getByRole('link');
    await page.getByText('60 leads').waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    // The page reads the rows apart from their number.
    await until(
      () => rows.count(),
      (count) => count > 0,
    );
    expect(await rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Load more', exact: true }).click();
    await until(
      () => rows.count(),
      (count) => count === 60,
    );
    await page.evaluate('document.querySelector("#main").scrollTop = 0');
    await app.post('/public/leads', { chat: plainNumber(), name: 'Zed' }, withKey(tenant));
    await rows.filter({ hasText: 'Zed' }).waitFor();
    expect(await rows.count()).toBe(61);
    await page.getByText('61 leads').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a lead that was merged elsewhere leaves the table', async () => {
    const own = await app.createTenant();
    const [{ leadId: id }, { leadId: otherId }] = [
      await hear(app, own, plainNumber()),
      await hear(app, own, plainNumber()),
    ];
    await using opened = await openConsole(app, operatorOf(own), '/leads');
    const { page } = opened;
    const row = (lead: string) => page.locator(`tbody a[href="/leads/${lead}"]`).first();
    await row(otherId).waitFor();
    await page.getByText('2 leads').waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await query(app, own.operator, MergeLeadsDocument, { leadId: otherId, intoId: id });
    await row(otherId).waitFor({ state: 'detached' });
    await page.getByText('1 lead', { exact: true }).waitFor();
    expect(await row(id).count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  test('filters are added, filled in and removed; headings sort both ways; only exceptions stand beside a name', async () => {
    const own = await app.createTenant();
    for (const name of ['Anna', 'Bo', 'Carl'])
      await app.post('/public/leads', { chat: plainNumber(), name }, withKey(own));
    await app.sql(`UPDATE leads SET tags = '{surf}' WHERE tenant_id = $1 AND name <> 'Carl'`, [own.id]);
    await app.sql(`UPDATE leads SET conversation_status = 'CLOSED' WHERE tenant_id = $1 AND name = 'Anna'`, [own.id]);
    await using opened = await openConsole(app, operatorOf(own), '/leads');
    const { page } = opened;
    const table = page.getByRole('table', { name: 'Leads' });
    const names = () => table.locator('tbody tr td:nth-child(2) a:first-child').allTextContents();
    const shown = (wanted: readonly string[]) => until(names, (found) => found.join() === wanted.join());
    await shown(['Carl', 'Bo', 'Anna']);
    expect(await table.getByRole('row').filter({ hasText: 'Anna' }).getByText('Closed').count()).toBe(1);
    expect(await table.getByText('Open', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Tag' }).count()).toBe(0);

    const filter = page.getByRole('button', { name: 'Filter', exact: true });
    await filter.click();
    await page.getByRole('menuitem', { name: 'Tag' }).click();
    await page.getByRole('textbox', { name: 'Tag' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('surf');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/leads?tag=surf');
    await shown(['Bo', 'Anna']);
    await page.getByText('2 leads').waitFor();

    const heading = (name: string) => table.getByRole('columnheader', { name });
    await heading('Name').getByRole('button').click();
    await shown(['Anna', 'Bo']);
    expect(await heading('Name').getAttribute('aria-sort')).toBe('ascending');
    await heading('Name').getByRole('button').click();
    await shown(['Bo', 'Anna']);
    expect(await heading('Name').getAttribute('aria-sort')).toBe('descending');
    expect(await heading('Came in').getAttribute('aria-sort')).toBeNull();

    await page.getByRole('button', { name: 'Remove Tag' }).click();
    await shown(['Carl', 'Bo', 'Anna']);
    expect(await page.getByRole('textbox', { name: 'Tag' }).count()).toBe(0);
    await filter.click();
    await page.getByRole('menuitem', { name: 'Conversation' }).click();
    await page.getByRole('combobox', { name: 'Conversation' }).selectOption('CLOSED');
    await shown(['Anna']);
    // A field that is left empty was not meant.
    await filter.click();
    await page.getByRole('menuitem', { name: 'Source' }).click();
    await page.getByRole('textbox', { name: 'Source' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).click();
    await page.getByRole('textbox', { name: 'Source' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?order=nameDown&status=CLOSED');
    expect(opened.problems).toEqual([]);
  });
}

// The table of leads in a browser while leads come in.

import { createLeads, plainNumber, until } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';

export function describeLeadsTable(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
  });

  test('a new lead comes in and is counted, and the pages that are shown stay', async () => {
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
}

// A window has one user after another without a reload: nothing that the first one has read or was offered is the next one’s.

import type { Page } from 'playwright-core';
import { hear } from '../features/leads/conversation-harness.js';
import { createLead, plainNumber } from '../features/messages/sending-harness.js';
import { platformOf, sharedApp } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';
import { addDemoOperator } from './sessions.suite.js';

export function describeNextUser(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let platform: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    platform = await platformOf(app);
    await addDemoOperator(app);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });

  async function signOut(page: Page): Promise<void> {
    // A notice may lie over it.
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('button', { name: 'Demo operator' }).waitFor();
  }

  async function signInNext(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Demo operator' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  }

  slow('a notice and its undo go with the user', async () => {
    await hear(app, tenant, plainNumber());
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.getByRole('option').first().waitFor();
    await page.getByRole('listbox', { name: 'Conversations' }).focus();
    await page.keyboard.press('x');
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    await bar.getByRole('button', { name: 'Close', exact: true }).click();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    await signOut(page);
    await signInNext(page);
    expect(await undo.count()).toBe(0);
  });

  slow('after a session that was ended, the page of a lead leads back to no table of the user before', async () => {
    const [own, next] = [await createLead(app, tenant), await createLead(app, platform)];
    await using opened = await openConsole(app, operatorOf(tenant), '/leads?status=OPEN');
    const { page } = opened;
    const show = (id: string) =>
      page.evaluate(`history.pushState({}, '', '/leads/${id}'); dispatchEvent(new PopStateEvent('popstate'))`);
    const back = page.getByRole('button', { name: 'Back to the leads' });
    await page.getByRole('row').nth(1).waitFor();
    await show(own);
    await back.click();
    await page.waitForURL('**/leads?status=OPEN');
    await show(own);
    await back.waitFor();
    const deactivate = `mutation { updateUser(id: "${tenant.operator.id}", input: { isActive: false }) { id } }`;
    expect((await app.post('/graphql', { query: deactivate }, withToken(tenant.admin))).status).toBe(200);
    await page.waitForURL('**/sign-in**');
    await signInNext(page);
    await show(next);
    await back.click();
    await page.getByRole('heading', { name: 'Leads' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('an answer that comes late is not shown to the next user, who reads again', async () => {
    const leadId = await createLead(app, platform);
    await using opened = await openConsole(app, operatorOf(tenant), '/assets/icon.svg');
    const { page } = opened;
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes(`"instanceName":"${tenant.instance.name}"`)) {
        asked.resolve();
        await answer.promise;
      }
      await route.fulfill({ response });
    });
    await page.goto(`${app.url}/inbox`);
    await asked.promise;
    await signOut(page);
    await signInNext(page);
    answer.resolve();
    await page.evaluate(`history.pushState({}, '', '/inbox/${leadId}'); dispatchEvent(new PopStateEvent('popstate'))`);
    const from = page.getByRole('combobox', { name: 'Send from' });
    await from.getByText(platform.instance.name).first().waitFor({ state: 'attached' });
    expect(await from.textContent()).not.toContain(tenant.instance.name);
  });
}

// Many rows at once in a browser: how they are selected, the bar of acts, and the undo.

import type { Page } from 'playwright-core';
import { storeLeads } from '../features/bulk-sends/bulk-harness.js';
import { hearMany } from '../features/leads/conversation-harness.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { stateOfLeads } from '../features/bulk-actions/bulk-action-harness.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole, operatorOf } from './browser.js';

export function describeSelection(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const names = ['Ana', 'Bob', 'Cid', 'Dora', 'Eva'];

  /** Lets five people write. @returns their leads */
  async function hearAll(): Promise<string[]> {
    const numbers = names.map(() => plainNumber());
    for (const [index, name] of names.entries())
      await app.post('/public/leads', { chat: numbers[index], name }, withKey(tenant));
    return (await hearMany(app, tenant, numbers)).map(({ leadId }) => leadId);
  }

  const option = (page: Page, name: string) => page.getByRole('option', { name });
  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });
  const statuses = (ids: readonly string[]) => stateOfLeads(app, ids, 'conversation_status');

  test('X, the box and Shift select conversations; they are closed together, and the undo opens them again', async () => {
    const leads = await hearAll();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').waitFor();
    const order = await page
      .getByRole('option')
      .evaluateAll((rows) =>
        rows.map((row) => (row as unknown as { dataset: Record<string, string> }).dataset['lead']),
      );
    const nameAt = (place: number) => names[leads.indexOf(order[place] ?? '')] ?? '';
    await page.getByRole('listbox', { name: 'Conversations' }).focus();
    await page.keyboard.press('x');
    await bar(page).getByText('1 selected').waitFor();
    await option(page, nameAt(2)).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    await option(page, nameAt(4)).hover();
    await option(page, nameAt(4))
      .getByRole('checkbox', { name: `Select ${nameAt(4)}` })
      .click();
    await bar(page).getByText('4 selected').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await bar(page).getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('4 conversations closed.').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    const open = leads.filter((id) => id === order[3]);
    expect(await statuses(leads)).toEqual(leads.map((id) => (open.includes(id) ? 'OPEN' : 'CLOSED')));
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone.').waitFor();
    expect(await statuses(leads)).toEqual(leads.map(() => 'OPEN'));
    expect(opened.problems).toEqual([]);
  });

  slow('an action that cannot be seen for a while is told once it can, and can still be undone', async () => {
    await hearAll();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    let refused = 0;
    await page.route('**/graphql', async (route) => {
      const { operationName } = route.request().postDataJSON();
      if (operationName === 'CreateBulkAction') {
        const response = await route.fetch();
        const { data } = (await response.json()) as { data: { createBulkAction: object } };
        data.createBulkAction = { ...data.createBulkAction, status: 'RUNNING' };
        return route.fulfill({ response, json: { data } });
      }
      // A call of this kind is tried four times before it counts as failed.
      if (operationName !== 'BulkAction' || refused === 4) return route.continue();
      refused += 1;
      return route.fulfill({ json: { errors: [{ message: 'No', extensions: { code: 'UNAVAILABLE' } }] } });
    });
    await page.getByRole('listbox', { name: 'Conversations' }).focus();
    await page.keyboard.press('x');
    await bar(page).getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('1 conversation closed.').waitFor();
    expect(refused).toBe(4);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone.').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the bar assigns, tags and snoozes; Escape selects none', async () => {
    const leads = await hearAll();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    const pick = async (name: string) => {
      await option(page, name).hover();
      await option(page, name).getByRole('checkbox').click();
    };
    await pick('Ana');
    await pick('Bob');
    // The keyboard goes on in the list when the bar that it stood at is gone.
    await bar(page).getByRole('button', { name: 'Close', exact: true }).focus();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('listbox', { name: 'Conversations' }).and(page.locator(':focus')).waitFor();
    await pick('Ana');
    await pick('Bob');
    await bar(page).getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('menuitem', { name: '(me)' }).click();
    await page.getByText('2 leads assigned.').waitFor();
    expect(await stateOfLeads(app, leads.slice(0, 3), 'assignee_id')).toEqual([
      tenant.operator.id,
      tenant.operator.id,
      null,
    ]);
    await pick('Cid');
    await bar(page).getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Tag' }).fill('Vip, July');
    await page.keyboard.press('Enter');
    await page.getByText('1 lead tagged.').waitFor();
    expect(await stateOfLeads(app, leads.slice(2, 3), 'tags')).toEqual([['vip', 'july']]);
    await pick('Dora');
    await bar(page).getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'In 1 hour' }).click();
    await page.getByText('1 conversation snoozed.').waitFor();
    expect(await statuses(leads.slice(3, 4))).toEqual(['SNOOZED']);
    expect(opened.problems).toEqual([]);
  });

  slow('keys that act on a selection leave the focus at the row that they began at', async () => {
    await hearAll();
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    const link = page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Ana' });
    await link.focus();
    const isAtRow = () => link.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('x');
    await bar(page).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('menu', { name: 'Assign' }).locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 lead assigned.').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    await isAtRow();
    await page.keyboard.press('x');
    await page.keyboard.press('t');
    await page.getByRole('dialog', { name: 'Tag' }).locator(':focus').waitFor();
    await page.keyboard.type('vip');
    await page.keyboard.press('Enter');
    await page.getByText('1 lead tagged.').waitFor();
    await page.getByRole('dialog', { name: 'Tag' }).waitFor({ state: 'detached' });
    await isAtRow();
    await page.keyboard.press('x');
    await bar(page).waitFor();
    await page.keyboard.press('e');
    await page.getByText('1 conversation closed.').waitFor();
    await isAtRow();

    await page.goto(`${app.url}/inbox`);
    await option(page, 'Bob').waitFor();
    const list = page.getByRole('listbox', { name: 'Conversations' });
    await list.focus();
    await page.keyboard.press('x');
    await bar(page).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('dialog', { name: 'Tag' }).locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Tag' }).waitFor({ state: 'detached' });
    await list.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('assign');
    await page.getByRole('group', { name: 'Selection' }).getByRole('option', { selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: 'Assign' }).locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await list.and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the table of leads selects rows, and everybody whom its filter finds', async () => {
    const leads = await storeLeads(app, tenant, 60);
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    await page.getByText('60 leads').waitFor();
    const boxes = page.getByRole('table', { name: 'Leads' }).getByRole('checkbox');
    await until(
      () => boxes.count(),
      (count) => count === 50,
    );
    // J and K go through the names, and X selects the row that they have reached.
    const rows = page.getByRole('table', { name: 'Leads' }).locator('tr[data-lead]');
    for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
    await bar(page).getByText('1 selected').waitFor();
    await rows.nth(1).getByRole('link').and(page.locator(':focus')).waitFor();
    expect(await boxes.nth(1).isChecked()).toBe(true);
    // The palette has the acts of the bar, which stands behind all rows.
    for (const [act, role, opens] of [
      ['tag', 'dialog', 'Tag'],
      ['assign', 'menu', 'Assign'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Type what you want to do' }).fill(act);
      await page.getByRole('group', { name: 'Selection' }).getByRole('option', { selected: true }).waitFor();
      await page.keyboard.press('Enter');
      const layer = page.getByRole(role, { name: opens });
      await layer.waitFor();
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
      await layer.locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await layer.waitFor({ state: 'detached' });
    }
    await rows.nth(1).getByRole('link').focus();
    // The bar shows their keys.
    for (const [key, role, opens] of [
      ['t', 'dialog', 'Tag'],
      ['a', 'menu', 'Assign'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole(role, { name: opens, exact: true }).locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole(role, { name: opens, exact: true }).waitFor({ state: 'detached' });
      // The keys go on where they began.
      await rows.nth(1).getByRole('link').and(page.locator(':focus')).waitFor();
    }
    await page.keyboard.press('x');
    await bar(page).waitFor({ state: 'detached' });
    await boxes.nth(1).click();
    await boxes.nth(3).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Select all 60' }).click();
    await bar(page).getByText('60 selected').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await bar(page).getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Tag' }).fill('all');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('60 leads tagged.').waitFor();
    expect(new Set((await stateOfLeads(app, leads, 'tags')).map(String))).toEqual(new Set(['all']));
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone.').waitFor();
    expect(new Set((await stateOfLeads(app, leads, 'tags')).map(String))).toEqual(new Set(['']));
    expect(opened.problems).toEqual([]);
  });
}

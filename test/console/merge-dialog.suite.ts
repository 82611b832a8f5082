// Two leads become one by keyboard alone: found, chosen, seen before, merged and undone.

import type { Page } from 'playwright-core';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateLeadDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole, operatorOf } from './browser.js';

export function describeMergeDialog(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  async function addLead(name: string): Promise<string> {
    const input = { chat: plainNumber(), name };
    return (await query(app, tenant.operator, CreateLeadDocument, { input })).createLead.lead.id;
  }
  const focused = (page: Page) => page.locator(':focus');
  const survivorOf = async (id: string) => {
    const [row] = await app.sql<{ merged_into_id: string | null }>('SELECT merged_into_id FROM leads WHERE id = $1', [
      id,
    ]);
    return row?.merged_into_id;
  };

  test('from its conversation a lead is found, chosen, seen before, merged and separated by keys', async () => {
    const id = await addLead('Ana Prado');
    const [first, second] = [await addLead('Bruna Alves'), await addLead('Bruna Costa')];
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Close conversation' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('merge');
    await page.getByRole('option', { name: 'Merge with another lead', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Merge with another lead' });
    await dialog.getByRole('textbox').and(focused(page)).waitFor();
    await page.keyboard.type('bruna');
    const candidates = dialog.getByRole('listitem').getByRole('button');
    await until(
      () => candidates.count(),
      (count) => count === 2,
    );
    const [shownFirst] = await candidates.allTextContents();
    await page.keyboard.press('ArrowDown');
    await candidates.nth(0).and(focused(page)).waitFor();
    await page.keyboard.press('ArrowDown');
    await candidates.nth(1).and(focused(page)).waitFor();
    // At the last one there is nothing below.
    await page.keyboard.press('ArrowDown');
    await candidates.nth(1).and(focused(page)).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await dialog.getByRole('textbox').and(focused(page)).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByText(/^Everything of Bruna/).waitFor();
    await dialog.getByRole('button', { name: 'Merge now' }).and(focused(page)).waitFor();
    // Back to the search, to take the other one.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox').and(focused(page)).waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await dialog.getByRole('button', { name: 'Merge now' }).and(focused(page)).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'The leads were merged.' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const gone = shownFirst?.includes('Bruna Alves') === true ? second : first;
    expect(await survivorOf(gone)).toBe(id);
    await page.keyboard.press('z');
    await page.getByRole('status').filter({ hasText: 'The leads are separate again.' }).waitFor();
    expect(await survivorOf(gone)).toBeNull();
    // The address no longer asks for the dialog.
    expect(new URL(page.url()).search).toBe('');
    expect(opened.problems).toEqual([]);
  });
}

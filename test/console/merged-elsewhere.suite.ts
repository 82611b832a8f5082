// A colleague, or a call, merges a lead in which somebody writes: what was written goes with the person.

import type { Page } from 'playwright-core';
import { hear } from '../features/leads/conversation-harness.js';
import { createLead, plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { MergeLeadsDocument, UndoLeadMergeDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';
import { articleOf, expectDraft, fieldOf } from './operators-day.suite.js';

export function describeMergedElsewhere(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const merge = (leadId: string, intoId: string) => query(app, tenant.admin, MergeLeadsDocument, { leadId, intoId });
  const writer = async (text: string) => (await hear(app, tenant, plainNumber(), { text })).leadId;
  const open = async (path: string) => {
    const opened = await openConsole(app, operatorOf(tenant), path);
    await opened.page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    return opened;
  };
  const isThere = (read: () => Promise<string>, wanted: string) => until(read, (found) => found === wanted);

  const noteOf = (page: Page) => page.getByRole('dialog', { name: 'Add note' }).getByRole('textbox');
  const beginNote = async (page: Page) => {
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('n');
    await noteOf(page).waitFor();
  };

  test('the answer and the note that were begun, of a conversation that is not shown', async () => {
    const [gone, staying, other] = [await writer('Olá'), await writer('Oi'), await writer('Hi')];
    await using opened = await open(`/inbox/${gone}?view=all`);
    const { page } = opened;
    const row = (id: string) => page.locator(`#conversation-${id}`);
    await fieldOf(page).fill('Half an answer');
    await beginNote(page);
    await noteOf(page).fill('Half a note');
    await page.keyboard.press('Escape');
    await row(other).click();
    await expectDraft(page, '');
    await merge(gone, staying);
    await row(gone).waitFor({ state: 'detached' });
    await row(staying).click();
    await articleOf(page, 'Olá').waitFor();
    await expectDraft(page, 'Half an answer');
    await beginNote(page);
    await isThere(() => noteOf(page).inputValue(), 'Half a note');
    expect(opened.problems).toEqual([]);
  });

  test('the answer that is being written, and the file that is being uploaded', async () => {
    const [gone, staying] = [await writer('Olá'), await writer('Oi')];
    await using opened = await open(`/inbox/${gone}?view=all`);
    const { page } = opened;
    await fieldOf(page).fill('Half an answer');
    const upload = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await page.route('**/media', async (route) => {
      reached.resolve();
      await upload.promise;
      await route.continue();
    });
    const file = { name: 'price.txt', mimeType: 'text/plain', buffer: Buffer.from('12 EUR') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await reached.promise;
    await merge(gone, staying);
    await page.waitForURL(`**/inbox/${staying}?view=all`);
    await expectDraft(page, 'Half an answer');
    upload.resolve();
    await page.getByRole('button', { name: 'Remove price.txt' }).waitFor();
    await expectDraft(page, 'Half an answer');
    expect(opened.problems).toEqual([]);
  });

  test('what is written on the page of the lead, without a question', async () => {
    const [gone, staying] = [await writer('Olá'), await writer('Oi')];
    await using opened = await open(`/leads/${gone}`);
    const { page } = opened;
    const source = page.getByRole('textbox', { name: 'Source' });
    await source.fill('trade fair');
    await merge(gone, staying);
    await page.waitForURL(`**/leads/${staying}`);
    await page.getByRole('region', { name: 'Story' }).getByRole('listitem').filter({ hasText: 'Oi' }).waitFor();
    await isThere(() => source.inputValue(), 'trade fair');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+s');
    await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor();
    expect(await app.sql('SELECT source FROM leads WHERE id = $1', [staying])).toEqual([{ source: 'trade fair' }]);
    expect(opened.problems).toEqual([]);
  });

  slow('the page of the lead that stays shows what came with the other, and what went again', async () => {
    const [gone, staying] = [await writer('Olá'), await writer('Oi')];
    await using opened = await open(`/leads/${staying}`);
    const { page } = opened;
    const line = page.getByRole('region', { name: 'Story' }).getByRole('listitem');
    await line.filter({ hasText: 'Oi' }).waitFor();
    await merge(gone, staying);
    await line.filter({ hasText: 'Olá' }).waitFor();
    await query(app, tenant.admin, UndoLeadMergeDocument, { mergeId: await mergeIdOf(gone) });
    await line.filter({ hasText: 'Olá' }).waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  slow('the table loses a lead that never wrote, and has it again when the merge is undone', async () => {
    const [gone, staying] = [await createLead(app, tenant), await createLead(app, tenant)];
    await using opened = await open('/leads');
    const { page } = opened;
    const row = (id: string) => page.locator(`tbody a[href="/leads/${id}"]`).first();
    await row(gone).waitFor();
    await merge(gone, staying);
    await row(gone).waitFor({ state: 'detached' });
    await query(app, tenant.admin, UndoLeadMergeDocument, { mergeId: await mergeIdOf(gone) });
    await row(gone).waitFor();
    expect(opened.problems).toEqual([]);
  });

  async function mergeIdOf(mergedId: string): Promise<string> {
    const [merged] = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE merged_id = $1', [mergedId]);
    return merged?.id ?? '';
  }
}

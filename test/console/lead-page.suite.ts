// The page of a lead: one line of time, and data that is saved in view.

import { randomUUID } from 'node:crypto';
import { hear } from '../features/leads/conversation-harness.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import {
  AssignLeadDocument,
  MergeLeadsDocument,
  OptOutLeadDocument,
  SendMessageDocument,
  UpdateLeadDocument,
} from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole, operatorOf, settled } from './browser.js';

export function describeLeadPage(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  /** @returns the id of a lead that came by a form and has written since */
  async function writeLead(texts: readonly string[]): Promise<string> {
    const chat = plainNumber();
    await app.post('/public/leads', { chat, name: 'Ana', source: 'spring form' }, withKey(tenant));
    const messages = texts.map((text) => ({ messageId: randomUUID(), from: chat, text }));
    const answer = await app.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
    const { results } = (await answer.json()) as { results: { leadId: string }[] };
    return results[0]?.leadId ?? '';
  }

  slow('one line of time has what was said, written down and changed, the newest first', async () => {
    const id = await writeLead(['Oi']);
    await query(app, tenant.operator, AssignLeadDocument, { id, userId: tenant.admin.id });
    await query(app, tenant.operator, OptOutLeadDocument, { id, reason: 'asked by phone' });
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    const story = page.getByRole('region', { name: 'Story' });
    await story.getByText('asked by phone').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Calls back on Monday');
    await page.keyboard.press('Enter');
    await story.getByRole('listitem').filter({ hasText: 'Calls back on Monday' }).waitFor();
    const told = await story.getByRole('listitem').allTextContents();
    const order = ['Calls back on Monday', 'Opted out', 'assigned this to', 'Oi', 'spring form'];
    expect(order.map((text) => told.findIndex((line) => line.includes(text)))).toEqual([0, 1, 2, 3, 4]);
    expect(await violationsIn(page)).toEqual([]);
    await story.getByRole('button', { name: 'Messages' }).click();
    await until(
      () => story.getByRole('listitem').count(),
      (count) => count === 1,
    );
    await story.getByRole('link', { name: 'show it in the conversation' }).click();
    await page.getByRole('article').filter({ hasText: 'Oi' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a scheduled message is canceled where it stands, and reactions stand at their message', async () => {
    const [chat, messageId] = [plainNumber(), randomUUID()];
    const { leadId: id } = await hear(app, tenant, chat, { messageId, text: 'Oi' });
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    await query(app, tenant.operator, SendMessageDocument, { input: { leadId: id, body: 'Até amanhã', sendAt } });
    await hear(app, tenant, chat, { type: 'reaction', reaction: { messageId, emoji: '❤️' } });
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    const line = (text: string) =>
      page.getByRole('region', { name: 'Story' }).getByRole('listitem').filter({ hasText: text });
    await line('Oi').getByRole('img', { name: '1 reaction ❤️' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await line('Até amanhã').filter({ hasText: 'Scheduled' }).waitFor();
    await page.getByRole('button', { name: 'Cancel message' }).focus();
    await page.keyboard.press('Enter');
    await line('Até amanhã').filter({ hasText: 'Canceled' }).waitFor();
    await page.getByRole('button', { name: 'Cancel message' }).waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  slow('is read from the other end too, in a browser that keeps the choice', async () => {
    const id = await writeLead(Array.from({ length: 70 }, (_, index) => `message ${index}.`));
    await query(app, tenant.operator, AssignLeadDocument, { id, userId: tenant.admin.id });
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    const story = page.getByRole('region', { name: 'Story' });
    await story.getByText('assigned this to').waitFor();
    await story.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
    await story.getByText('message 0.').waitFor();
    await page.reload();
    await story.getByText('message 0.').waitFor();
    expect(await story.getByText('assigned this to').count()).toBe(0);
    const more = story.getByRole('button', { name: 'Load more', disabled: false });
    await until(
      async () => {
        if ((await more.count()) > 0) await more.click();
        return story.getByText('assigned this to').count();
      },
      (count) => count === 1,
    );
    const told = await story.getByRole('listitem').allTextContents();
    expect(told[0]).toContain('spring form');
    expect(told.flatMap((line) => /message (\d+)\./.exec(line)?.slice(1) ?? []).map(Number)).toEqual([
      ...Array.from({ length: 70 }).keys(),
    ]);
    expect(told.at(-1)).toContain('assigned this to');
    expect(opened.problems).toEqual([]);
  });

  slow('says its place in the table it was opened from, leads to the others there, and back to the table', async () => {
    const names = Array.from({ length: 53 }, (_, index) => `Lead ${String(index).padStart(2, '0')}`);
    for (const name of names) await app.post('/public/leads', { chat: plainNumber(), name }, withKey(tenant));
    await using opened = await openConsole(app, operatorOf(tenant), '/leads?order=name&q=Lead');
    const { page } = opened;
    await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Lead 48' }).click();
    const place = page.getByRole('group', { name: 'Table of leads' });
    await place.getByText('49 of 53').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Lead 49' }).waitFor();
    await place.getByText('50 of 53').waitFor();
    // The table had shown 50 leads: the next ones are read.
    const next = place.getByRole('button', { name: 'Next lead' });
    await next.focus();
    for (const index of [50, 51, 52]) {
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Lead ${index}` }).waitFor();
      await page.waitForFunction("document.activeElement?.getAttribute('aria-label') === 'Next lead'");
    }
    await place.getByText('53 of 53').waitFor();
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Lead 51' }).waitFor();
    await page.getByRole('button', { name: 'Back to the leads' }).click();
    await page.waitForURL(/\/leads\?.*order=name/);
    expect(new URL(page.url()).searchParams.get('q')).toBe('Lead');
    expect(opened.problems).toEqual([]);
  });

  test('a lead that was opened by its address has no place, and says how long it waits', async () => {
    const id = await writeLead(['Oi']);
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    await page.getByText(/^waiting (<1|\d+) min$/).waitFor();
    expect(await page.getByRole('group', { name: 'Table of leads' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('older things follow page by page, and nothing is missing in between', async () => {
    const texts = Array.from({ length: 70 }, (_, index) => `message ${index}.`);
    const id = await writeLead(texts);
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    const story = page.getByRole('region', { name: 'Story' });
    await story.getByText('message 69.').waitFor();
    // The form came before all messages, so it waits for them.
    expect(await story.getByText('spring form').count()).toBe(0);
    await until(
      async () => {
        // The button is busy while a page comes, and is gone after the last one.
        const more = story.getByRole('button', { name: 'Load more', disabled: false });
        if ((await more.count()) > 0) await more.click();
        return story.getByText('spring form').count();
      },
      (count) => count === 1,
    );
    expect(await story.getByRole('listitem').count()).toBe(71);
    expect(opened.problems).toEqual([]);
  });

  test('what is written is saved in view, by key too, and leaving without it asks', async () => {
    const id = await writeLead(['Oi']);
    const customFields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field ${index}`, 'x']));
    await query(app, tenant.operator, UpdateLeadDocument, { id, input: { customFields } });
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Ana Prado');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByText('1 change').waitFor();
    const box = await save.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(800);

    const inbox = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox', exact: true });
    await inbox.click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Ana Prado');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Ana Prado', exact: true }).waitFor();
    await save.waitFor({ state: 'detached' });

    await name.fill('Ana');
    await inbox.click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/inbox/);
    const [row] = await app.sql<{ name: string }>('SELECT name FROM leads WHERE id = $1', [id]);
    expect(row?.name).toBe('Ana Prado');
    expect(opened.problems).toEqual([]);
  });

  test('what a colleague adds while a change is written stays', async () => {
    const id = await writeLead(['Oi']);
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Prado');
    const read = page.waitForResponse(
      (response) => response.url().endsWith('/graphql') && response.request().postDataJSON().operationName === 'Lead',
    );
    const input = { addTags: ['vip'], customFields: { budget: '900' } };
    await query(app, tenant.operator, UpdateLeadDocument, { id, input });
    await read;
    await settled(page);
    await page.getByText('1 change').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Ana Prado', exact: true }).waitFor();
    const fields = 'tags, custom_fields AS "customFields"';
    const [row] = await app.sql<{ tags: string[]; customFields: object }>(`SELECT ${fields} FROM leads WHERE id = $1`, [
      id,
    ]);
    expect(row).toEqual({ tags: ['vip'], customFields: { budget: '900' } });
    expect(opened.problems).toEqual([]);
  });

  slow('tags are chips: one is taken away, others are written, and all are saved together', async () => {
    const id = await writeLead(['Oi']);
    await query(app, tenant.operator, UpdateLeadDocument, { id, input: { addTags: ['may', 'surf'] } });
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Take away may' }).click();
    const field = page.getByRole('textbox', { name: 'Tags' });
    await field.pressSequentially('Vip,late');
    await page.getByRole('button', { name: 'Take away vip' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await field.press('Enter');
    await page.getByRole('button', { name: 'Take away late' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    const [row] = await app.sql<{ tags: string[] }>('SELECT tags FROM leads WHERE id = $1', [id]);
    expect(row?.tags.toSorted()).toEqual(['late', 'surf', 'vip']);
    expect(opened.problems).toEqual([]);
  });

  slow(
    'each kind of event says how many are read, and a likely duplicate is compared beside unsaved changes',
    async () => {
      const texts = Array.from({ length: 31 }, (_, index) => `message ${index}.`);
      const [id, otherId] = [await writeLead(texts), await writeLead(['Oi'])];
      const email = `${id}@example.com`;
      await app.sql('UPDATE leads SET custom_fields = $2 WHERE id = $1', [id, { email }]);
      await app.sql('UPDATE leads SET name = $2, custom_fields = $3 WHERE id = $1', [otherId, 'Ana Twice', { email }]);
      await using opened = await openConsole(app, operatorOf(tenant), `/leads/${id}`);
      const { page } = opened;
      const story = page.getByRole('region', { name: 'Story' });
      await story.getByRole('button', { name: 'Messages 30+', exact: true }).waitFor();
      await story.getByRole('button', { name: 'Touches 1', exact: true }).waitFor();
      await story.getByRole('button', { name: 'Notes', exact: true }).waitFor();

      await page.getByRole('textbox', { name: 'Name' }).fill('Ana Prado');
      await page.getByRole('link', { name: 'Compare with Ana Twice' }).click();
      const dialog = page.getByRole('dialog', { name: 'Merge with another lead' });
      await dialog.getByText('Ana Twice', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ana Prado');
      expect(opened.problems).toEqual([]);
    },
  );

  slow('a lead that was merged is shown under the id that stays, and kept current', async () => {
    const [id, otherId] = [await writeLead(['Oi']), await writeLead(['Oi'])];
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: otherId, intoId: id });
    await using opened = await openConsole(app, operatorOf(tenant), `/leads/${otherId}`);
    const { page } = opened;
    await page.waitForURL((url) => url.pathname === `/leads/${id}`);
    await page.getByRole('region', { name: 'Story' }).waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await query(app, tenant.operator, UpdateLeadDocument, { id, input: { name: 'Ana Kept' } });
    await page.getByRole('heading', { name: 'Ana Kept' }).waitFor();
    expect(opened.problems).toEqual([]);
  });
}

// The search of the inbox in a browser: people in every view, words in messages, and the place of a hit. Also reminders and scheduled
// answers.

import { query } from '../support/graphql-client.js';
import { AddLeadNoteDocument, CloseConversationDocument, SendMessageDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { hear as hearFrom, stateOf } from '../features/leads/conversation-harness.js';
import { violationsIn } from './axe.js';
import { openConsole, passHold } from './browser.js';

export function describeSearch(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const operator = () => ({ ...tenant.operator, role: 'OPERATOR' as const, tenantId: tenant.id });

  async function hear(from: string, text: string, name: string): Promise<string> {
    await app.post('/public/leads', { chat: from, name }, withKey(tenant));
    return (await hearFrom(app, tenant, from, { text })).leadId;
  }

  test('finds people in every view and words in messages, and opens a message at its place', async () => {
    const from = plainNumber();
    await hear(from, 'Há um quarto rosa no térreo?', 'Helena Prado');
    for (let count = 0; count < 80; count += 1) await hear(from, `linha ${count}`, 'Helena Prado');
    const closedId = await hear(plainNumber(), 'Oi', 'Rosa Benítez');
    await query(app, tenant.operator, CloseConversationDocument, { leadId: closedId });
    await using opened = await openConsole(app, operator(), '/inbox?view=mine');
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Search' }).fill('rosa');
    const list = page.getByRole('listbox', { name: 'Conversations' });
    const person = list.getByRole('group', { name: 'People' }).getByRole('option', { name: 'Rosa Benítez' });
    await person.waitFor();
    expect(await person.locator('mark').allTextContents()).toEqual(['Rosa']);
    expect(await person.textContent()).toContain('Closed');
    const hit = list.getByRole('group', { name: 'Messages' }).getByRole('option', { name: 'Helena Prado' });
    expect(await hit.locator('mark').allTextContents()).toEqual(['rosa']);
    await hit.click();
    await page.waitForURL(/\/inbox\/[\da-f-]{36}\?/);
    const article = page.getByRole('log', { name: 'Messages' }).getByRole('article').filter({ hasText: 'quarto rosa' });
    await article.waitFor();
    await page.waitForFunction(
      `[...document.querySelectorAll('[role=log] article')].some((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return one.textContent.includes('quarto rosa') && top >= 0 && bottom <= innerHeight;
      })`,
    );
    expect(await hit.getAttribute('aria-selected')).toBe('true');
    await person.click();
    await page.getByRole('heading', { name: 'Rosa Benítez' }).waitFor();
    expect(await hit.getAttribute('aria-selected')).toBe('false');
    await page.getByRole('textbox', { name: 'Search' }).fill('nada disso');
    await page.getByText('Nothing was found').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('finds words in notes, and opens the conversation of the person', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Helena Prado');
    await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body: 'Prefere o quarto sem escadas' });
    await using opened = await openConsole(app, operator(), '/inbox');
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Search' }).fill('escadas');
    const hit = page.getByRole('group', { name: 'Notes' }).getByRole('option', { name: 'Helena Prado' });
    await hit.waitFor();
    expect(await hit.locator('mark').allTextContents()).toEqual(['escadas']);
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/inbox/${leadId}?*`);
    await page.getByRole('complementary', { name: 'Lead' }).getByText('Prefere o quarto sem escadas').waitFor();
    expect(await hit.getAttribute('aria-selected')).toBe('true');
    expect(opened.problems).toEqual([]);
  });

  slow('the number of a lead without a name is set in groups, and one that was written stays as it was', async () => {
    const from = plainNumber();
    const { leadId } = await hearFrom(app, tenant, from, { text: from });
    await using opened = await openConsole(app, operator(), `/inbox/${leadId}?q=${from}`);
    const { page } = opened;
    const found = page.getByRole('group', { name: 'People' }).getByRole('option').locator('mark');
    await found.waitFor();
    expect(await found.textContent()).toBe(from);
    expect(await found.locator('[data-name] > span').count()).toBeGreaterThan(1);
    const said = page.getByRole('article').getByText(from).last();
    await said.waitFor();
    expect(await page.getByRole('article').locator('[data-name]').count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('Enter opens the first hit with its word marked, and the keys go on from it through the hits', async () => {
    const asked = await hear(plainNumber(), 'O quarto rosa fica no térreo? Rosa claro?', 'Helena Prado');
    const other = await hear(plainNumber(), 'Gostei do terraço rosa', 'Dalva Pimentel');
    const outside = await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox', { clock: true });
    const { page } = opened;
    const log = page.getByRole('log', { name: 'Messages' });
    const address = () => new URL(page.url());
    await page.getByRole('option', { name: 'Ana' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('terreo rosa');
    await page.keyboard.press('Enter');
    const bubble = log.getByRole('article').filter({ hasText: 'no térreo' });
    await bubble.locator('mark').first().waitFor();
    expect(await bubble.locator('mark').allTextContents()).toEqual(['rosa', 'térreo']);
    expect(address().pathname).toBe(`/inbox/${asked}`);
    expect(address().searchParams.get('message')).not.toBeNull();
    // The answer leaves the hit's place, and the hit stays marked in the list.
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Message' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Fica sim');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('message'));
    expect(await page.getByRole('listbox').getByRole('option', { selected: true }).textContent()).toContain(
      'Helena Prado',
    );
    await passHold(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('rosa');
    await page.keyboard.press('Enter');
    // Her hit is the second, and Enter opens it because it is marked.
    await page.waitForURL((url) => url.searchParams.get('q') === 'rosa' && url.searchParams.has('message'));
    expect(address().pathname).toBe(`/inbox/${asked}`);
    await log.locator('mark').first().waitFor();
    await page.keyboard.press('e');
    await page.waitForURL((url) => url.pathname === `/inbox/${other}` && url.searchParams.has('message'));
    await log.locator('mark').first().waitFor();
    expect(await stateOf(app, tenant, asked)).toMatchObject({ conversationStatus: 'CLOSED' });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/inbox/${asked}`);
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect(await stateOf(app, tenant, outside)).toMatchObject({ conversationStatus: 'OPEN' });
    // Another conversation has a place of its own.
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.goBack();
    await page.waitForURL(/message=/);
    await page.getByRole('textbox', { name: 'Search' }).fill('');
    await page.getByRole('option', { name: 'Ana' }).click();
    await page.waitForURL((url) => url.pathname === `/inbox/${outside}`);
    expect(address().searchParams.has('message')).toBe(false);
    expect(opened.problems).toEqual([]);
  });

  slow('an open hit says its place among the messages, and buttons and keys lead to the others', async () => {
    for (const [name, text] of [
      ['Ana', 'um quarto rosa'],
      ['Bob', 'dois quartos rosa'],
      ['Rosa Benítez', 'três quartos rosa'],
    ] as const)
      await hear(plainNumber(), text, name);
    await using opened = await openConsole(app, operator(), '/inbox?view=mine');
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Search' }).fill('rosa');
    const hits = page.getByRole('group', { name: 'Messages' }).getByRole('option');
    await until(
      () => hits.count(),
      (count) => count === 3,
    );
    await hits.nth(0).click();
    const place = page.getByRole('group', { name: 'Hits of the search' });
    const says = (text: string) => place.getByRole('status').filter({ hasText: text }).waitFor();
    const step = (name: string) => place.getByRole('button', { name, exact: true });
    await says('1 of 3');
    expect(await step('Previous hit').getAttribute('aria-disabled')).toBe('true');
    expect(await violationsIn(page)).toEqual([]);
    // The message stands above what says its place.
    const [article, said] = [page.getByRole('article').last(), place].map((one) => one.boundingBox());
    const [above, below] = [await article, await said];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    await step('Next hit').focus();
    await page.keyboard.press('Enter');
    await says('2 of 3');
    // The same button leads on.
    await step('Next hit').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await says('3 of 3');
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await says('2 of 3');
    // A person is no message, and has no place among them.
    await page.getByRole('group', { name: 'People' }).getByRole('option').click();
    await page.getByRole('heading', { name: 'Rosa Benítez' }).waitFor();
    await place.waitFor({ state: 'detached' });
    await hits.nth(0).click();
    await says('1 of 3');
    await step('Newest').click();
    await place.waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.searchParams.has('message'));
    expect(opened.problems).toEqual([]);
  });

  slow('a person who was found says at once that the conversation is closed', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Rosa Benítez');
    await using opened = await openConsole(app, operator(), '/inbox?q=rosa');
    const { page } = opened;
    const person = page.getByRole('option', { name: 'Rosa Benítez' });
    await person.filter({ hasText: 'waiting' }).waitFor();
    await query(app, tenant.operator, CloseConversationDocument, { leadId });
    await person.filter({ hasText: 'Closed' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a link to a message loses it where another conversation is opened from the list', async () => {
    const from = plainNumber();
    const leadId = await hear(from, 'Oi', 'Ana');
    const { messageId } = await hearFrom(app, tenant, from, { text: 'Tudo bem?' });
    const other = await hear(plainNumber(), 'Oi', 'Bob');
    await using opened = await openConsole(app, operator(), `/inbox/${leadId}?view=all&message=${messageId}`);
    const { page } = opened;
    await page.getByRole('option', { name: 'Bob' }).click();
    await page.waitForURL((url) => url.pathname === `/inbox/${other}`);
    expect(new URL(page.url()).searchParams.has('message')).toBe(false);
    expect(opened.problems).toEqual([]);
  });

  slow('a finger empties the search, and writes on in its field', async () => {
    await hear(plainNumber(), 'Há um quarto rosa?', 'Ana');
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    await using opened = await openConsole(app, operator(), '/inbox?q=rosa', phone);
    const { page } = opened;
    await page.getByRole('option', { name: 'Ana' }).locator('mark').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).tap();
    await page.waitForURL((url) => !url.searchParams.has('q'));
    expect(await page.getByRole('textbox', { name: 'Search' }).and(page.locator(':focus')).inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Clear the search' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('reminds if there is no reply, and says when a scheduled answer leaves', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Ana');
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    await query(app, tenant.operator, SendMessageDocument, { input: { leadId, body: 'Later', sendAt } });
    await using opened = await openConsole(app, operator(), `/inbox/${leadId}?view=all`);
    const { page } = opened;
    await page.getByText(/^An answer leaves at/).waitFor();
    await page
      .getByRole('option', { name: 'Ana' })
      .filter({ hasText: /answer leaves/ })
      .waitFor();
    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Only if no reply comes' }).click();
    await page.getByRole('menuitem', { name: 'In 1 hour' }).click();
    await page
      .getByText(/^Back at .* if there is no reply$/)
      .first()
      .waitFor();
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ conversationStatus: 'SNOOZED', snoozeKind: 'REMINDER' });
    expect(opened.problems).toEqual([]);
  });

  slow('a message is sent later at a proposed time', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), `/inbox/${leadId}?view=all`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Message' }).fill('Até logo');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Schedule' })
      .getByRole('button', { name: /^Next Monday/ })
      .click();
    const article = page.getByRole('log', { name: 'Messages' }).getByRole('article').filter({ hasText: 'Até logo' });
    await article.filter({ hasText: 'Scheduled' }).waitFor();
    await page.getByText(/^An answer leaves at/).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a message is scheduled by Enter and cancelled by keys, and nothing is left in the text', async () => {
    await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox', { clock: true });
    const { page } = opened;
    const field = page.getByRole('textbox', { name: 'Message' });
    await page.getByRole('option', { name: 'Ana' }).click();
    await field.fill('Respondo amanhã');
    await page.getByRole('button', { name: 'Schedule', exact: true }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('schedule');
    await page.getByRole('option', { name: 'Schedule' }).and(page.locator('[aria-selected=true]')).waitFor();
    await page.keyboard.press('Enter');
    // The palette, which closes last, leaves the focus at the first of the usual times.
    const schedule = page.getByRole('dialog', { name: 'Schedule' });
    await schedule.getByRole('button', { name: 'In 1 hour' }).and(page.locator(':focus')).waitFor();
    await schedule.getByLabel('When').waitFor();
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe('');
    await passHold(page);
    const article = page.getByRole('log', { name: 'Messages' }).getByRole('article').filter({ hasText: 'Respondo' });
    await article.filter({ hasText: 'Scheduled' }).waitFor();
    expect(await page.getByRole('option', { name: 'Ana' }).textContent()).not.toContain('Draft');
    await article.getByRole('button', { name: 'Cancel message' }).focus();
    await page.keyboard.press('Enter');
    await article.filter({ hasText: 'Canceled' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('option', { name: 'Ana' }).filter({ hasText: 'CanceledRespondo amanhã' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the palette of a conversation opens the page of its lead', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), `/inbox/${leadId}`);
    const { page } = opened;
    await page.getByRole('log', { name: 'Messages' }).getByRole('article').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('page of the lead');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/leads/${leadId}`);
    expect(opened.problems).toEqual([]);
  });

  test('the command palette finds people, Enter opens one, and what was chosen last stands first', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Zuleide Ramos');
    await query(app, tenant.operator, CloseConversationDocument, { leadId });
    await using opened = await openConsole(app, operator(), '/leads');
    const { page } = opened;
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('zuleide');
    await palette.getByRole('option', { name: 'Zuleide Ramos' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Zuleide Ramos' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/inbox/${leadId}`);

    await page.keyboard.press('Control+k');
    const recent = palette.getByRole('group', { name: 'Recent' }).getByRole('option');
    await recent.filter({ hasText: 'Zuleide Ramos' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await palette.getByRole('combobox').fill('leads');
    await palette.getByRole('option', { name: 'Leads', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/leads');
    await page.keyboard.press('Control+k');
    await recent.first().filter({ hasText: 'Leads' }).waitFor();
    expect(await recent.count()).toBe(2);
    expect(opened.problems).toEqual([]);
  });

  slow(
    'Ctrl Enter in the palette opens what has an address in a new tab, and its hint stands there alone',
    async () => {
      const leadId = await hear(plainNumber(), 'Oi', 'Zuleide Ramos');
      await using opened = await openConsole(app, operator(), '/leads');
      const { page } = opened;
      await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Zuleide Ramos' }).waitFor();
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      for (const [wanted, name, path] of [
        ['zuleide', 'Zuleide Ramos', `/inbox/${leadId}`],
        ['snoozed', 'Snoozed', '/inbox?view=snoozed'],
        ['profile', 'Profile', '/settings'],
      ] as const) {
        await page.keyboard.press('Control+k');
        await palette.getByRole('combobox').fill(wanted);
        await palette.getByRole('option', { name, selected: true }).waitFor();
        await palette.getByText('in a new tab').waitFor();
        const beside = page.context().waitForEvent('page');
        await page.keyboard.press('Control+Enter');
        const other = await beside;
        // A session lives in one tab: the other one signs in first, and then shows what was chosen.
        await other.waitForURL((url) => url.searchParams.get('returnTo') === path);
        await other.close();
        await palette.waitFor({ state: 'detached' });
        expect(new URL(page.url()).pathname).toBe('/leads');
      }
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('sign out');
      await palette.getByRole('option', { name: 'Sign out', selected: true }).waitFor();
      expect(await palette.getByText('in a new tab').count()).toBe(0);
      expect(opened.problems).toEqual([]);
    },
  );

  slow(
    'a person who was found by the e-mail address or a tag is shown with it, in the search and in the palette',
    async () => {
      const leadId = await hear(plainNumber(), 'Oi', 'Zuleide Ramos');
      const fields = { email: 'rosa.lima@example.com' };
      await app.sql('UPDATE leads SET custom_fields = $2 WHERE id = $1', [leadId, fields]);
      await hear(plainNumber(), 'Oi', 'Rosa Benítez');
      await using opened = await openConsole(app, operator(), '/inbox?view=all');
      const { page } = opened;
      await page.getByRole('textbox', { name: 'Search' }).fill('rosa');
      const people = page.getByRole('listbox', { name: 'Conversations' }).getByRole('group', { name: 'People' });
      const found = people.getByRole('option', { name: 'Zuleide Ramos' });
      await found.getByText('rosa.lima@example.com').waitFor();
      expect(await found.locator('mark').allTextContents()).toEqual(['rosa']);
      expect(await people.getByRole('option', { name: 'Rosa Benítez' }).textContent()).not.toContain('@');
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await palette.getByRole('combobox').fill('rosa.lima@');
      await palette.getByRole('option', { name: 'Zuleide Ramos' }).getByText('rosa.lima@example.com').waitFor();
      await app.sql("UPDATE leads SET tags = '{two rooms}' WHERE id = $1", [leadId]);
      await palette.getByRole('combobox').fill('Two rooms');
      const tagged = palette.getByRole('option', { name: 'Zuleide Ramos' });
      await tagged.getByText('two rooms').waitFor();
      expect((await tagged.locator('mark').allTextContents()).join(' ')).toBe('two rooms');
      expect(await violationsIn(page)).toEqual([]);
      expect(opened.problems).toEqual([]);
    },
  );

  slow('people stand above the commands that the same letters find, and Enter waits for them', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Sérgio Dias');
    await using opened = await openConsole(app, operator(), '/leads');
    const { page } = opened;
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const field = palette.getByRole('combobox');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"text":"se"') === true) await isReleased;
      await route.continue();
    });
    await field.fill('se');
    await palette.getByRole('option', { name: 'Settings' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    const chosen = await palette.getByRole('option', { selected: true }).textContent();
    release();
    await palette.getByRole('option', { name: 'Sérgio Dias', selected: false }).waitFor();
    expect(await palette.getByRole('group').first().getAttribute('aria-label')).toBe('People');
    // The choice of the arrow keys stays, although others came above it.
    expect(await palette.getByRole('option', { selected: true }).textContent()).toBe(chosen);

    await field.fill('ser');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/inbox/${leadId}`);
    expect(opened.problems).toEqual([]);
  });
}

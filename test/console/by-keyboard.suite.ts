// An operator's hour of work by keyboard: the focus stays where the next key belongs, and nothing that is shown goes away.

import type { Page } from 'playwright-core';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { stateOf } from '../features/leads/conversation-harness.js';
import { plainNumber, until, withSenderEach } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateTemplateDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf, passHold, settled, slowDown } from './browser.js';
import { articleOf, belowNewest, expectDraft, fieldOf, logOf, seeStatus } from './operators-day.suite.js';

const long = Array.from({ length: 14 }, (_, line) => `${line}. uma linha`).join('\n');

/** Presses Home while the log is about to return to its end, because a row has just grown. */
const homeAfterGrowth = `(() => {
  const log = document.querySelector('[role=log]');
  log.lastElementChild.style.marginBottom = '300px';
  log.scrollTop -= 100;
  log.dispatchEvent(new Event('scroll'));
  log.lastElementChild.style.marginBottom = '';
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true }));
})()`;

/** Draws seldom, as a busy machine does. */
const drawsSeldom = `window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 300)`;

/** Waits until the element with the focus matches. */
const expectFocus = (page: Page, selector: string) =>
  until(
    () => page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`),
    (matches) => matches,
  );

export function describeByKeyboard(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSenderEach((sender) => ({ simulator, app, tenant } = sender));

  const hear = (name: string, text: string, from = plainNumber()) =>
    simulator.receiveFromLead({ instance: tenant.instance.name, from, name, text });
  const option = (page: Page, name: string) => page.getByRole('option', { name });

  test('an operator assigns to a colleague', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.keyboard.press('a');
    const email = `${tenant.admin.idpSub}@test.example`;
    await page.getByRole('menuitem', { name: email }).click();
    await page.getByText(`Assigned to ${email}`).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('an assignment stays, although a reading from before it comes after it', async () => {
    const from = plainNumber();
    await hear('Ana', 'Oi', from);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const [isRead, mayCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'ConversationLead') return route.fallback();
      const response = await route.fetch();
      isRead.resolve();
      await mayCome.promise;
      return route.fulfill({ response });
    });
    await hear('Ana', 'Mais uma coisa', from);
    await isRead.promise;
    await page.keyboard.press('a');
    const email = `${tenant.admin.idpSub}@test.example`;
    await page.getByRole('menuitem', { name: email }).click();
    await page.getByText(`Assigned to ${email}`).waitFor();
    mayCome.resolve();
    await settled(page);
    expect(await page.getByText(`Assigned to ${email}`).count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a failed message is reached by keys, says what to do and why, and is sent again', async () => {
    simulator.behave({ failFirstAttempts: 1, failStatus: 400, failCode: 'not_on_network' }, tenant.instance.name);
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', { clock: true });
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Bom dia');
    await page.keyboard.press('Enter');
    await articleOf(page, 'Bom dia').waitFor();
    await passHold(page);
    await seeStatus(page, 'Bom dia', 'Failed');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Tab');
    const why = `document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent ?? ''`;
    // The buttons of the newest message stand between the text and the message.
    for (let step = 0; step < 8 && (await page.evaluate<string>(why)) === ''; step += 1)
      await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate<string>(why)).toMatch(/^Ask for a number that has WhatsApp.*not_on_network$/s);
    await expectFocus(page, 'article');
    const retry = articleOf(page, 'Bom dia').getByRole('button', { name: 'Retry' });
    for (let step = 0; step < 8 && (await retry.and(page.locator(':focus')).count()) === 0; step += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await seeStatus(page, 'Bom dia', 'Read');
    expect(opened.problems).toEqual([]);
  });

  slow('a number that no country gives out is said before an answer is written', async () => {
    const answer = await app.post('/public/leads', { chat: '+551155550123456', name: 'Ana' }, withKey(tenant));
    const { id } = (await answer.json()) as { id: string };
    await app.sql(`UPDATE leads SET number_validity = 'INVALID' WHERE id = $1`, [id]);
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`);
    const { page } = opened;
    const note = page.getByRole('region', { name: 'Composer' }).getByRole('note');
    await note.getByText('No country gives out this number.').waitFor();
    const described = await fieldOf(page).evaluate(
      (field) =>
        (field as unknown as { ariaDescribedByElements: { textContent: string }[] }).ariaDescribedByElements[0]
          ?.textContent,
    );
    expect(described).toContain('ask for another one, before you write');
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    // A number that somebody has written from works.
    await app.sql('UPDATE leads SET last_inbound_at = now() WHERE id = $1', [id]);
    await page.reload();
    await fieldOf(page).waitFor();
    await settled(page);
    expect(await note.count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  test('what is closed or snoozed is undone by one word and one key', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?view=all');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const id = new URL(page.url()).pathname.slice('/inbox/'.length);
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    const expectStatus = (wanted: string) =>
      until(
        async () => (await stateOf(app, tenant, id)).conversationStatus,
        (status) => status === wanted,
      );
    await page.keyboard.press('e');
    await page.getByText('The conversation with Ana is closed.').waitFor();
    await undo.waitFor();
    await expectStatus('CLOSED');
    await page.keyboard.press('z');
    await expectStatus('OPEN');
    await undo.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close conversation' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: 'In 1 hour' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await undo.waitFor();
    await expectStatus('SNOOZED');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('undo');
    await page.getByRole('option', { name: 'Undo: Snoozed until', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await expectStatus('OPEN');
    expect(opened.problems).toEqual([]);
  });

  slow('the palette of a conversation has its acts, also those that stand elsewhere', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const run = async (written: string, title: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Type what you want to do' }).fill(written);
      await page.getByRole('option', { name: title, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      // Enter waits for the people whom the words name, and the page behind an open palette is hidden from everybody.
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
    };
    await run('tag', 'Tag');
    await expectFocus(page, 'aside input');
    await page.keyboard.type('surf');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Take away surf' }).waitFor();
    await run('hide', 'Hide the lead');
    await page.getByRole('complementary', { name: 'Lead' }).waitFor({ state: 'detached' });
    // It comes back to be written in.
    await run('tag', 'Tag');
    await expectFocus(page, 'aside input');
    await run('no reply', 'Remind me if no reply');
    await page.getByRole('menuitemcheckbox', { name: 'Only if no reply comes', checked: true }).waitFor();
    await page.keyboard.press('Escape');
    await run('erase', 'Erase this person');
    await page.getByRole('dialog', { name: 'Erase this person for good?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname.startsWith('/leads/') && url.search === '');
    await run('open conversation', 'Open conversation');
    await articleOf(page, 'Oi').waitFor();
    await run('opt', 'Opt out or in');
    await page.getByRole('dialog', { name: 'Opt out' }).getByRole('textbox', { name: 'Reason' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a template is found and filled in by keys, and Enter leads to what is missing', async () => {
    await hear('Ana', 'Oi');
    for (const [name, body] of [
      ['arrival', 'The code is {{code}}, at {{address}}.'],
      ['arrears', 'Please pay.'],
    ] as const)
      await query(app, tenant.operator, CreateTemplateDocument, { input: { name, body } });
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.getByRole('button', { name: 'Insert template' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Insert template' });
    const focused = page.locator(':focus');
    await dialog.getByRole('textbox').and(focused).waitFor();
    await page.keyboard.type('arr');
    const choices = dialog.getByRole('listitem').getByRole('button');
    await until(
      () => choices.count(),
      (count) => count === 2,
    );
    await page.keyboard.press('ArrowDown');
    await choices.nth(0).and(focused).waitFor();
    await page.keyboard.press('ArrowUp');
    await dialog.getByRole('textbox').and(focused).waitFor();
    const place = (await choices.allTextContents()).findIndex((text) => text.includes('arrival'));
    for (let step = 0; step <= place; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'code' }).and(focused).waitFor();
    await page.keyboard.type('1234');
    await dialog.getByText('Missing: address').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'address' }).and(focused).waitFor();
    await page.keyboard.type('the harbor');
    // A busy computer closes the dialog frames after the key. The text got the focus before that, and lost it again.
    const speedUp = await slowDown(page, 30);
    await dialog.getByText('The code is 1234, at the harbor.').waitFor();
    await page.keyboard.press('Enter');
    await expectDraft(page, 'The code is 1234, at the harbor.');
    await expectFocus(page, 'textarea');
    await speedUp();
    expect(opened.problems).toEqual([]);
  });

  slow('the preview of a template has what is filled in, also while something is missing', async () => {
    await hear('Ana', 'Oi');
    const body = '{{lead.firstName}}, the code is {{code}}, from {{time | 15:00}}, at {{address}}.';
    await query(app, tenant.operator, CreateTemplateDocument, { input: { name: 'arrival', shortcut: 'arr', body } });
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('/arr');
    await page.getByRole('option', { name: 'arrival' }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Insert template' });
    await dialog.getByLabel('code').fill('1234');
    await dialog.getByText('Ana, the code is 1234, from 15:00, at {{address}}.').waitFor();
    await dialog.getByText('Missing: address').waitFor();
    // The list is searched by the shortcut as it is typed in a conversation.
    await dialog.getByRole('button', { name: 'Other template' }).click();
    await dialog.getByRole('textbox').fill('/arr');
    await dialog.getByRole('button', { name: 'arrival' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the palette leads to the choice of the line, and Escape from there to the text', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await fieldOf(page).fill('Half an answer');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('send from');
    await page.getByRole('option', { name: 'Send from', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Send from' }).and(page.locator(':focus')).waitFor();
    // The first Escape closes the choices, where the browser has opened them.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'textarea');
    await expectDraft(page, 'Half an answer');
    expect(opened.problems).toEqual([]);
  });

  slow('the palette leads to the filters of the inbox, and adds one to a table', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').waitFor();
    const run = async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('filter');
      await page.getByRole('option', { name: 'Filter', selected: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await run();
    await page.getByRole('button', { name: 'Filters', expanded: true }).and(page.locator(':focus')).waitFor();
    await page.goto(`${app.url}/leads`);
    await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Ana' }).waitFor();
    await run();
    await page.getByRole('menu', { name: 'Filter' }).locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-filter] :is(input, select):focus').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('R on the page of a lead begins a reply, and no letter of it acts as a key', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Ana' }).click();
    await page.getByRole('region', { name: 'Story' }).getByText('Oi').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('see you then');
    await page.getByRole('heading', { name: 'Ana', exact: true }).waitFor();
    await expectFocus(page, 'textarea');
    await expectDraft(page, 'see you then');
    await page.getByRole('button', { name: 'Close conversation' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('an answer begins before its conversation is here, and no letter of it acts as a key', async () => {
    for (const name of ['Ana', 'Bob']) await hear(name, `Oi de ${name}`);
    const read = Promise.withResolvers<void>();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi de Ana').waitFor();
    await page.route('**/graphql', async (route) => {
      await read.promise;
      await route.continue();
    });
    for (const key of ['j', 'Enter', 'r']) await page.keyboard.press(key);
    await expectFocus(page, 'input[aria-label=Reply]');
    await page.keyboard.type('see us next week');
    read.resolve();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    await expectFocus(page, 'textarea');
    await page.keyboard.type('!');
    await expectDraft(page, 'see us next week!');
    await page.getByRole('button', { name: 'Close conversation' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the palette has what was typed before it was here', async () => {
    await hear('Ana', 'Oi');
    const read = Promise.withResolvers<void>();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.route('**/command-palette*.js', async (route) => {
      await read.promise;
      await route.continue();
    });
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('snoo');
    read.resolve();
    const field = page.getByRole('combobox', { name: 'Type what you want to do' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('zed');
    expect(await field.inputValue()).toBe('snoozed');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('view') === 'snoozed');
    expect(opened.problems).toEqual([]);
  });

  slow('until the colleagues are read, a line that chooses nobody keeps their place', async () => {
    await hear('Ana', 'Oi');
    const read = Promise.withResolvers<void>();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'Colleagues') await read.promise;
      await route.continue();
    });
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.keyboard.press('a');
    const loading = page.getByRole('menuitem', { name: 'Loading' });
    await loading.waitFor();
    expect(await loading.getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByRole('menuitem').count()).toBe(2);
    read.resolve();
    const email = `${tenant.admin.idpSub}@test.example`;
    await page.getByRole('menuitem', { name: email }).click();
    await page.getByText(`Assigned to ${email}`).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a step that comes before the menu and its colleagues are here is taken in it', async () => {
    await hear('Ana', 'Oi');
    await hear('Bob', 'Oi');
    const [code, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.route('**/menu-popup*.js', async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'Colleagues') await read.promise;
      await route.continue();
    });
    await option(page, 'Ana').waitFor();
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await articleOf(page, 'Oi').waitFor();
    const marked = await page.locator('[role=option][data-active]').getAttribute('data-lead');
    await page.keyboard.press('a');
    await page.keyboard.press('ArrowDown');
    // The list below keeps its place.
    expect(await page.locator('[role=option][data-active]').getAttribute('data-lead')).toBe(marked);
    code.resolve();
    await page.getByRole('menuitem', { name: 'Loading' }).and(page.locator(':focus')).waitFor();
    read.resolve();
    const email = `${tenant.admin.idpSub}@test.example`;
    await page.getByRole('menuitem', { name: email }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`Assigned to ${email}`).waitFor();
    await expectFocus(page, '[role=listbox]');
    expect(opened.problems).toEqual([]);
  });

  test('keys that come before a menu is here choose in it', async () => {
    await hear('Ana', 'Oi');
    const code = Promise.withResolvers<void>();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.route('**/menu-popup*.js', async (route) => {
      await code.promise;
      await route.continue();
    });
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const times = page.getByRole('button', { name: 'Snooze', exact: true });
    for (const key of ['s', 't', 'o', 'm', 'Enter']) await page.keyboard.press(key);
    expect(await page.getByRole('menu').count()).toBe(0);
    code.resolve();
    await page
      .getByText(/Snoozed until .*9:00/)
      .first()
      .waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await times.focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('menuitem', { name: 'Tomorrow' }).and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a menu keeps the place in it while the page below changes', async () => {
    const from = plainNumber();
    await hear('Ana', 'Oi', from);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await settled(page);
    const place = (name: string) => page.getByRole('menuitem', { name }).and(page.locator(':focus'));
    await page.keyboard.press('s');
    await place('In 1 hour').waitFor();
    await page.keyboard.press('ArrowDown');
    await place('Tomorrow').waitFor();
    await hear('Ana Maria', 'Mais uma coisa', from);
    await articleOf(page, 'Mais uma coisa').waitFor();
    await settled(page);
    expect(await place('Tomorrow').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a key right after a choice is for the page, although the menu is not gone yet', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.evaluate(drawsSeldom);
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    for (const key of ['s', 'Enter']) await page.keyboard.press(key);
    await page.getByText('Snoozed until').first().waitFor();
    await page.keyboard.press('e');
    await page.getByText('The conversation with Ana is closed.').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a menu that is left before it is here does not open', async () => {
    await hear('Ana', 'Oi');
    const code = Promise.withResolvers<void>();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.route('**/menu-popup*.js', async (route) => {
      await code.promise;
      await route.continue();
    });
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const arrived = page.waitForResponse('**/menu-popup*.js');
    await page.keyboard.press('s');
    await page.keyboard.press('Escape');
    code.resolve();
    await arrived;
    await settled(page);
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: 'In 1 hour' }).and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a conversation that is come back to is at its newest message, and says nothing else', async () => {
    const from = plainNumber();
    for (const text of ['Oi', long, 'Certo', long, long, 'Até logo']) await hear('Ana', text, from);
    await hear('Bob', 'Hello');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Até logo').waitFor();
    await option(page, 'Bob').click();
    await articleOf(page, 'Hello').waitFor();
    await page.goBack();
    await articleOf(page, 'Até logo').waitFor();
    await settled(page);
    await until(
      () => page.getByRole('button', { name: 'Go to the newest' }).count(),
      (count) => count === 0,
    );
    // The newest message is on the screen, so the next one is seen and counts as read.
    await hear('Ana', 'Mais uma coisa', from);
    await articleOf(page, 'Mais uma coisa').waitFor();
    await page.getByRole('option', { name: /^(?!.*unread).*Ana/ }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the palette opens from the text, and what it opened gives the focus back to the text', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await fieldOf(page).fill('Half an answer');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('insert template');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Insert template' }).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'textarea');
    await expectDraft(page, 'Half an answer');
    // Views have no key of their own: the palette finds them by name.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type what you want to do' }).fill('snoozed');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('view') === 'snoozed');
    expect(opened.problems).toEqual([]);
  });

  const putAside: [string, (page: Page) => Promise<void>][] = [
    [
      'snoozed',
      async (page) => {
        // A key that comes from the list leads back to it, and the row then stays.
        await page.keyboard.press('r');
        await expectFocus(page, 'textarea');
        await page.keyboard.press('Escape');
        await page.keyboard.press('s');
        await page.getByRole('menuitem', { name: 'In 1 hour' }).and(page.locator(':focus')).waitFor();
        await page.keyboard.press('Enter');
      },
    ],
    [
      'answered',
      async (page) => {
        await page.keyboard.press('r');
        await expectFocus(page, 'textarea');
        await page.keyboard.type('Pode ser');
        await page.keyboard.press('Enter');
        await articleOf(page, 'Pode ser').waitFor();
        await passHold(page);
        await page.keyboard.press('Escape');
      },
    ],
  ];

  slow.each(putAside)('after one is %s, the keys go on from the place that it had', async (_what, act) => {
    for (const name of ['Ana', 'Bob', 'Carla', 'Davi']) await hear(name, `Oi de ${name}`);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', { clock: true });
    const { page } = opened;
    await option(page, 'Davi').waitFor();
    for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key);
    await articleOf(page, 'Oi de Carla').waitFor();
    await act(page);
    // The focus has left the list, so the row leaves it as well.
    await option(page, 'Carla').waitFor({ state: 'detached' });
    for (const key of ['k', 'Enter']) await page.keyboard.press(key);
    await articleOf(page, 'Oi de Bob').waitFor();
    await act(page);
    await option(page, 'Bob').waitFor({ state: 'detached' });
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await articleOf(page, 'Oi de Davi').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('after a file and after Send the next letter belongs to the text', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach file' }).click();
    await (
      await chooser
    ).setFiles({ name: 'map.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') });
    await page.getByRole('button', { name: 'Remove map.pdf' }).waitFor();
    await expectFocus(page, 'textarea');
    await page.keyboard.type('see here');
    await expectDraft(page, 'see here');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expectFocus(page, 'textarea');
    await page.keyboard.type('else');
    await expectDraft(page, 'else');
    expect(opened.problems).toEqual([]);
  });

  test('Ctrl Enter sends and closes, and the next that waits opens with the cursor in its text; Undo takes back both', async () => {
    for (const name of ['Ana', 'Bob', 'Carla']) await hear(name, `Oi de ${name}`);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?view=all&order=waiting', { clock: true });
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi de Ana').waitFor();
    await fieldOf(page).fill('Tem sim');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    await articleOf(page, 'Oi de Bob').waitFor();
    await expectFocus(page, 'textarea');
    await page.getByRole('status').filter({ hasText: 'Ana is answered' }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('heading', { name: 'Ana', exact: true }).waitFor();
    await expectDraft(page, 'Tem sim');
    await expectFocus(page, 'textarea');
    // The notice lies over the list, where no row moves under the pointer.
    await page.mouse.move(900, 300);
    await option(page, 'Ana').waitFor();
    expect(await logOf(page).getByRole('article').count()).toBe(1);
    await page.keyboard.press('Control+Enter');
    await articleOf(page, 'Oi de Bob').waitFor();
    await passHold(page);
    await until(
      () => Promise.resolve(simulator.attempts().filter(({ text }) => text === 'Tem sim').length),
      (count) => count === 1,
    );
    await page.getByRole('link', { name: 'Closed', exact: true }).click();
    await option(page, 'Ana').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the list of keys has Ctrl Enter, and an answer without a text closes nothing', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Shift+?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Send and close').waitFor();
    expect(await dialog.textContent()).toContain('Ctrl Enter');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close conversation' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('an own message comes into view, wherever the log stands', async () => {
    const from = plainNumber();
    for (let count = 0; count < 12; count += 1) await hear('Ana', `${count} ${long}`, from);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, '11 0. uma').waitFor();
    await logOf(page).getByRole('article').last().focus();
    await page.evaluate(homeAfterGrowth);
    await logOf(page)
      .getByRole('article')
      .filter({ hasText: /(?<!\d)0 0\. uma/ })
      .waitFor();
    await page.getByRole('button', { name: 'Go to the newest' }).waitFor();
    await fieldOf(page).fill('Estou aqui');
    await page.keyboard.press('Enter');
    await until(
      () => page.evaluate<number>(belowNewest),
      (pixels) => pixels <= 1,
    );
    await articleOf(page, 'Estou aqui').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('keys reach the first message of a long log, its reactions in their grid, and stay on the button', async () => {
    const from = plainNumber();
    for (let count = 0; count < 24; count += 1) await hear('Ana', `${count} ${long}`, from);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('ana');
    await page.waitForURL(/q=ana/);
    // Presses the key until the results are there.
    await until(
      async () => {
        await page.keyboard.press('ArrowDown');
        return page.evaluate<boolean>("document.activeElement.matches('[role=listbox]')");
      },
      (isInList) => isInList,
    );
    await page.keyboard.press('Enter');
    await articleOf(page, '23 0. uma').waitFor();
    await logOf(page).getByRole('article').last().focus();
    await page.keyboard.press('Home');
    await expectFocus(page, '[role=log] article');
    await until(
      () => page.evaluate<string>('document.activeElement.textContent'),
      (text) => text.includes('0 0. uma linha'),
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: '👍' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitem', { name: '🙏' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /🙏/ }).waitFor();
    await expectFocus(page, 'button[aria-label=React]');
    // ArrowDown would open the menu again.
    await page.keyboard.press('ArrowUp');
    await expectFocus(page, '[role=log] article');
    expect(opened.problems).toEqual([]);
  });
}

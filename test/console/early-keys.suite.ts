// Keys and clicks that come before what they are for: a list, a dialog or an answer of the server may come later, as on a busy machine.

import type { Page } from 'playwright-core';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { stateOf } from '../features/leads/conversation-harness.js';
import { plainNumber, until, withSenderEach } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateTemplateDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf, settled } from './browser.js';
import { articleOf, expectDraft, fieldOf } from './operators-day.suite.js';

/** Draws seldom, as a busy machine does. */
const drawsSeldom = `window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 300)`;

export function describeEarlyKeys(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSenderEach((sender) => ({ simulator, app, tenant } = sender));

  const hear = (name: string, text: string, from = plainNumber()) =>
    simulator.receiveFromLead({ instance: tenant.instance.name, from, name, text });
  const option = (page: Page, name: string) => page.getByRole('option', { name });
  const openId = (page: Page) => new URL(page.url()).pathname.slice('/inbox/'.length);
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Presses the keys of a text, each as a person does. */
  const type = (page: Page, text: string) => press(page, ...text.split('').map((key) => (key === ' ' ? 'Space' : key)));
  /** Opens the inbox at a conversation that said "Oi". */
  const openAt = async (name: string) => {
    const opened = await openConsole(app, operatorOf(tenant), '/inbox');
    await option(opened.page, name).click();
    await articleOf(opened.page, 'Oi').waitFor();
    return opened;
  };
  /** Holds back a file of the console. @returns a function that lets it come */
  const holdFile = async (page: Page, pattern: RegExp): Promise<() => void> => {
    const code = Promise.withResolvers<void>();
    await page.route(pattern, async (route) => {
      await code.promise;
      await route.continue();
    });
    return code.resolve;
  };
  /** Holds back a call. @returns the calls that were made, and a function that lets them through */
  const holdCalls = async (page: Page, name: string) => {
    const gate = Promise.withResolvers<void>();
    const calls: unknown[] = [];
    await page.route('**/graphql', async (route) => {
      const { operationName, variables } = route.request().postDataJSON();
      if (operationName === name) {
        calls.push(variables);
        await gate.promise;
      }
      await route.fallback();
    });
    return { calls, letThrough: gate.resolve };
  };
  const expectOpen = async (leadId: string) =>
    expect((await stateOf(app, tenant, leadId)).conversationStatus).toBe('OPEN');

  test('what is typed before a dialog is here belongs to it; Escape leaves it', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const ana = openId(page);
    const dialog = page.getByRole('dialog', { name: 'Add note' });
    const letCome = await holdFile(page, /\/dialog-popup[^/]*\.js/);
    await type(page, 'nleave');
    await press(page, 'Escape');
    await type(page, 'nele quer');
    expect(await dialog.count()).toBe(0);
    letCome();
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
    await type(page, ' sim');
    expect(await dialog.getByRole('textbox').inputValue()).toBe('ele quer sim');
    await expectOpen(ana);
    expect(opened.problems).toEqual([]);
  });

  slow('what is typed into a dialog that is not drawn yet belongs to it', async () => {
    for (const name of ['Ana', 'Bob']) await hear(name, 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const ana = openId(page);
    await press(page, 'j', 'x');
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor();
    const dialog = page.getByRole('dialog');
    await press(page, 't');
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.evaluate(drawsSeldom);
    await type(page, 'tele');
    expect(await dialog.getByRole('textbox').inputValue()).toBe('ele');
    await expectOpen(ana);
    expect(opened.problems).toEqual([]);
  });

  slow('Enter and Escape that come before the palette are for it, and a key after a choice is not', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const letCome = await holdFile(page, /\/command-palette[^/]*\.js/);
    await press(page, 'Control+k', 'Escape', 'Control+k');
    await type(page, 'add note');
    await press(page, 'Enter');
    letCome();
    const note = page.getByRole('dialog', { name: 'Add note' }).getByRole('textbox');
    await note.and(page.locator(':focus')).waitFor();
    await press(page, 'Escape');
    await note.waitFor({ state: 'detached' });
    await page.evaluate(drawsSeldom);
    await press(page, 'Control+k');
    await palette.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Add note' }).waitFor();
    await press(page, 'ArrowDown', 'ArrowUp', 'Enter', 'o', 'i');
    await note.and(page.locator(':focus')).waitFor();
    expect(await note.inputValue()).toBe('oi');
    expect(opened.problems).toEqual([]);
  });

  slow('a menu that goes leaves the focus in the dialog that its choice has opened', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    // The code of dialogs is here: this one opens before the menu is gone.
    const note = page.getByRole('dialog', { name: 'Add note' });
    await press(page, 'n');
    await note.getByRole('textbox').and(page.locator(':focus')).waitFor();
    await press(page, 'Escape');
    await note.waitFor({ state: 'detached' });
    await press(page, 's');
    await page.getByRole('menuitem', { name: 'In 1 hour' }).and(page.locator(':focus')).waitFor();
    await page.evaluate(drawsSeldom);
    await press(page, 'End', 'Enter');
    const time = page.getByRole('dialog').locator('input');
    await time.and(page.locator(':focus')).waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await time.and(page.locator(':focus')).count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('what is typed before the choice of emoji is here finds one, and behind one it is text', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const ana = openId(page);
    const letCome = await holdFile(page, /\/emoji-picker[^/]*\.js/);
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await type(page, 'surfing');
    letCome();
    const dialog = page.getByRole('dialog', { name: 'Emoji' });
    await dialog
      .getByRole('gridcell', { name: 'person surfing', exact: true })
      .and(page.locator('[data-active]'))
      .waitFor();
    await page.evaluate(drawsSeldom);
    await press(page, 'Enter');
    await type(page, ' e ai');
    await expectDraft(page, '🏄\ufe0f e ai');
    await expectOpen(ana);
    expect(opened.problems).toEqual([]);
  });

  slow('what is typed behind Z belongs to the text that it brings back, also in another conversation', async () => {
    await hear('Ana', 'Oi');
    await hear('Bob', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const ana = openId(page);
    await page.evaluate(drawsSeldom);
    await fieldOf(page).fill('Tem sim');
    await press(page, 'Enter', 'Escape', 'z');
    await type(page, ' e');
    await expectDraft(page, 'Tem sim e');
    await press(page, 'Enter');
    await option(page, 'Bob').click();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    const bob = openId(page);
    await press(page, 'z');
    await type(page, ' e');
    await expectDraft(page, 'Tem sim e e');
    expect(openId(page)).toBe(ana);
    for (const id of [ana, bob]) await expectOpen(id);
    expect(opened.problems).toEqual([]);
  });

  slow('what is typed behind a quick reply stands behind it', async () => {
    const input = { name: 'Hours', body: 'Das 9 as 18', shortcut: 'hours' };
    await query(app, tenant.operator, CreateTemplateDocument, { input });
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    await fieldOf(page).fill('Abrimos  todo dia');
    await press(page, ...Array.from({ length: ' todo dia'.length }, () => 'ArrowLeft'));
    await type(page, '/ho');
    await page.getByRole('listbox', { name: 'Quick replies' }).getByRole('option', { name: 'Hours' }).waitFor();
    await page.evaluate(drawsSeldom);
    await press(page, 'Enter');
    await type(page, ' h');
    await expectDraft(page, 'Abrimos Das 9 as 18 h todo dia');
    expect(opened.problems).toEqual([]);
  });

  test('a note is saved once, however often the key is pressed', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const { calls, letThrough } = await holdCalls(page, 'AddNote');
    await press(page, 'n');
    const dialog = page.getByRole('dialog', { name: 'Add note' });
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
    await type(page, 'cot');
    await press(page, 'Control+Enter', 'Control+Enter');
    await type(page, ' bed');
    letThrough();
    await dialog.waitFor({ state: 'detached' });
    expect(calls).toHaveLength(1);
    // The letters that came meanwhile are not in the note, and are kept for another.
    await press(page, 'n');
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe('bed');
    expect(opened.problems).toEqual([]);
  });

  slow('an answer to a dialog that was left closes nothing, and says what failed', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const saved = await holdCalls(page, 'AddNote');
    const note = page.getByRole('dialog', { name: 'Add note' });
    const open = async () => {
      await press(page, 'n');
      await note.getByRole('textbox').and(page.locator(':focus')).waitFor();
    };
    const saveAndLeave = async (text: string) => {
      await type(page, text);
      await press(page, 'Control+Enter', 'Escape');
      await note.waitFor({ state: 'detached' });
    };
    await open();
    await saveAndLeave('cot');
    await open();
    await type(page, 'le');
    saved.letThrough();
    await page.getByRole('region', { name: /^Note of/ }).waitFor();
    // The second has nothing of the text that the first has saved.
    expect(await note.getByRole('textbox').inputValue()).toBe('le');
    await page.unroute('**/graphql');
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'AddNote') return route.fallback();
      await note.waitFor({ state: 'detached' });
      return route.abort();
    });
    await saveAndLeave('x');
    await page.getByText('The server does not answer').first().waitFor();
    await open();
    expect(await note.getByRole('textbox').inputValue()).toBe('lex');
  });

  test('Enter before a form is here sends it', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/dashboards?all=true');
    const { page } = opened;
    await page.getByRole('button', { name: 'New dashboard' }).first().waitFor();
    const letCome = await holdFile(page, /\/dialog-popup[^/]*\.js/);
    await page.getByRole('button', { name: 'New dashboard' }).first().focus();
    await press(page, 'Enter');
    await type(page, 'ads');
    await press(page, 'Enter');
    letCome();
    await page.getByRole('heading', { name: 'ads' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a template is saved once, and what is typed meanwhile stays', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/templates?id=new');
    const { page } = opened;
    const { calls, letThrough } = await holdCalls(page, 'AddTemplate');
    await page.getByRole('textbox', { name: 'Name' }).fill('hours');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('Das 9');
    await press(page, 'Control+s', 'Control+s');
    letThrough();
    await page.getByRole('heading', { name: 'hours' }).waitFor();
    expect(calls).toHaveLength(1);
    const change = await holdCalls(page, 'ChangeTemplate');
    await text.fill('Das 9 as 18');
    await press(page, 'Control+s', 'End');
    await type(page, ' h');
    change.letThrough();
    await page.getByText('Version 2').first().waitFor();
    expect(await text.inputValue()).toBe('Das 9 as 18 h');
    expect(opened.problems).toEqual([]);
  });

  slow('a dashboard is created once by two clicks', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/dashboards');
    const { page } = opened;
    const { calls, letThrough } = await holdCalls(page, 'AddDashboard');
    await page.getByRole('button', { name: 'New dashboard' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New dashboard' });
    await dialog.getByRole('textbox').fill('Sales');
    // The second one comes before the first is drawn.
    await dialog.locator('form').evaluate((form) => {
      const { requestSubmit } = form as unknown as { requestSubmit: () => void };
      for (let times = 0; times < 2; times += 1) requestSubmit.call(form);
    });
    letThrough();
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
    expect(calls).toHaveLength(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a conversation that is closed leads on only where the operator has stayed', async () => {
    for (const name of ['Ana', 'Bob', 'Cid']) await hear(name, 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const first = await holdCalls(page, 'CloseConversation');
    await press(page, 'e');
    await option(page, 'Cid').click();
    await page.getByRole('heading', { name: 'Cid', exact: true }).waitFor();
    const cid = openId(page);
    await fieldOf(page).fill('Bom');
    first.letThrough();
    await page.getByText('The conversation with Ana is closed.').waitFor();
    await type(page, ' dia');
    await expectDraft(page, 'Bom dia');
    expect(openId(page)).toBe(cid);
    await fieldOf(page).fill('');
    await press(page, 'Escape');
    const second = await holdCalls(page, 'CloseConversation');
    await press(page, 'e', 'r');
    await type(page, 'at');
    second.letThrough();
    await page.getByText('The conversation with Cid is closed.').waitFor();
    await type(page, 'e');
    await expectDraft(page, 'ate');
    expect(openId(page)).toBe(cid);
    expect(opened.problems).toEqual([]);
  });

  slow('a key of the selection means what is selected before its bar is here, and while an act goes on', async () => {
    for (const name of ['Ana', 'Bob', 'Cid', 'Dora']) await hear(name, 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const ana = openId(page);
    const letCome = await holdFile(page, /\/selection-bar[^/]*\.js/);
    const { calls, letThrough } = await holdCalls(page, 'CreateBulkAction');
    await press(page, 'j', 'x', 'e');
    letCome();
    await until(
      () => calls.length,
      (count) => count === 1,
    );
    await press(page, 'e', 'j', 'x', 'e');
    await until(
      () => calls.length,
      (count) => count === 2,
    );
    await press(page, 'j', 'x');
    letThrough();
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('1 selected').waitFor();
    expect(await page.getByRole('option', { name: 'Dora' }).getByRole('checkbox').isChecked()).toBe(true);
    await expectOpen(ana);
    expect(opened.problems).toEqual([]);
  });

  slow('a template that is left before its text is here is not put in', async () => {
    await query(app, tenant.operator, CreateTemplateDocument, { input: { name: 'Hours', body: 'Das 9 as 18' } });
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const { calls, letThrough } = await holdCalls(page, 'RenderedTemplate');
    await page.getByRole('button', { name: 'Insert template' }).click();
    await page.getByRole('button', { name: 'Hours' }).click();
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    await until(
      () => calls.length,
      (count) => count === 2,
    );
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await fieldOf(page).focus();
    await type(page, 'Oi');
    let answers = 0;
    page.on('requestfinished', () => (answers += 1));
    letThrough();
    await until(
      () => answers,
      (count) => count >= 2,
    );
    await settled(page);
    await type(page, ' Ana');
    await expectDraft(page, 'Oi Ana');
    expect(opened.problems).toEqual([]);
  });

  slow('a lead that is added leads to its page only if its dialog is still open', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    const { letThrough } = await holdCalls(page, 'AddLead');
    await page.getByRole('button', { name: 'Add lead' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Number' }).fill('+5521987654321');
    await press(page, 'Enter', 'Escape');
    await page.getByRole('button', { name: 'Import' }).first().click();
    letThrough();
    await page.getByText('The lead was added.').waitFor();
    await dialog.waitFor();
    expect(new URL(page.url()).pathname).toBe('/leads');
    expect(opened.problems).toEqual([]);
  });

  test('a lead that is refused leaves what was typed, the number first', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    await page.getByRole('button', { name: 'Add lead' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Number' }).and(page.locator(':focus')).waitFor();
    await type(page, '12');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Ana');
    await press(page, 'Enter');
    await dialog.getByRole('textbox', { name: 'Number' }).and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Number' }).inputValue()).toBe('12');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ana');
  });

  slow('what is typed while a form is saved stays in it', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openAt('Ana');
    const { page } = opened;
    const lead = openId(page);
    await page.goto(`${app.url}/leads/${lead}`);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Ana Lima');
    const details = await holdCalls(page, 'ChangeLead');
    await press(page, 'Control+s');
    await type(page, ' Souza');
    details.letThrough();
    await page.getByRole('heading', { name: 'Ana Lima' }).waitFor();
    expect(await name.inputValue()).toBe('Ana Lima Souza');
    await page.goto(`${app.url}/settings`);
    await page.getByRole('button', { name: 'Discard' }).or(page.getByLabel('Display name')).first().waitFor();
    const shown = page.getByLabel('Display name');
    await shown.fill('Bia');
    const profile = await holdCalls(page, 'UpdateProfile');
    await press(page, 'Enter');
    await type(page, ' Reis');
    profile.letThrough();
    await page.getByRole('status').getByText('saved').or(page.getByText('Saved')).first().waitFor();
    expect(await shown.inputValue()).toBe('Bia Reis');
    expect(opened.problems).toEqual([]);
  });
}

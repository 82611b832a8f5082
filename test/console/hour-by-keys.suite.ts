// An hour of an operator who has no mouse: each key does what it says, and leaves the keyboard where the next one belongs.

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

const isAt = (page: Page, selector: string) => page.locator(selector).and(page.locator(':focus')).waitFor();

export function describeHourByKeys(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSenderEach((sender) => ({ simulator, app, tenant } = sender));

  const hear = (name: string, text: string, from = plainNumber()) =>
    simulator.receiveFromLead({ instance: tenant.instance.name, from, name, text });
  const option = (page: Page, name: string) => page.getByRole('option', { name });
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const openId = (page: Page) => new URL(page.url()).pathname.slice('/inbox/'.length);
  /** Chooses in the palette, once the words have found it. */
  const choose = async (page: Page, words: string, name: string) => {
    await press(page, 'Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill(words);
    await palette.getByRole('option', { name, selected: true }).waitFor();
    await press(page, 'Enter');
    await palette.waitFor({ state: 'detached' });
  };

  slow('a menu that a key has opened gives the keyboard back to the list', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').waitFor();
    await press(page, 'j', 'Enter');
    await articleOf(page, 'Oi').waitFor();
    for (const key of ['s', 'a']) {
      await press(page, key);
      await page.getByRole('menu').locator(':focus').waitFor();
      await press(page, 'Escape');
      await isAt(page, '[role=listbox]');
    }
    await press(page, 's');
    await page.getByRole('menu').locator(':focus').waitFor();
    await press(page, 'Enter');
    await page.getByText('Snoozed until').first().waitFor();
    await isAt(page, '[role=listbox]');
    expect(opened.problems).toEqual([]);
  });

  slow('the keys mean what is selected, also beside an open conversation', async () => {
    for (const name of ['Ana', 'Bob', 'Carla']) await hear(name, `Oi de ${name}`);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Carla').waitFor();
    await press(page, 'j', 'Enter');
    await articleOf(page, 'Oi de Ana').waitFor();
    const ana = openId(page);
    await press(page, 'j', 'x', 'Shift+ArrowDown');
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('2 selected').waitFor();
    await press(page, 's');
    await page.getByRole('menu').locator(':focus').waitFor();
    await press(page, 'Escape');
    await isAt(page, '[role=listbox]');
    // The list of keys says it once.
    await press(page, 'Shift+?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    expect(await keys.locator('dd', { hasText: /^E$/ }).count()).toBe(1);
    await press(page, 'Escape');
    await keys.waitFor({ state: 'detached' });
    await press(page, 'e');
    await page.getByText('2 conversations closed.').waitFor();
    expect((await stateOf(app, tenant, ana)).conversationStatus).toBe('OPEN');
    expect(openId(page)).toBe(ana);
    // Without a selection the key is that of the conversation again.
    await press(page, 'e');
    await page.getByText('The conversation with Ana is closed.').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('Escape leaves a field of a filter, and a page that the palette opens begins at its beginning', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').waitFor();
    await choose(page, 'filters', 'Filters');
    const tag = page.getByRole('textbox', { name: 'Tag' });
    await tag.focus();
    await press(page, 'Escape');
    await until(
      () => page.evaluate<boolean>('document.activeElement === document.body'),
      (isNowhere) => isNowhere,
    );
    await tag.focus();
    await choose(page, 'all', 'All');
    await page.waitForURL((url) => url.searchParams.get('view') === 'all');
    await isAt(page, 'main');
    await option(page, 'Ana').waitFor();
    await press(page, 'j', 'Enter');
    await articleOf(page, 'Oi').waitFor();
    await choose(page, 'leads', 'Leads');
    await isAt(page, 'main');
    // A command that the words name comes before all commands of a group that has this name.
    await choose(page, 'leads', 'Leads');
    expect(new URL(page.url()).pathname).toBe('/leads');
    // The list of the settings' pages stands before what was chosen.
    await choose(page, 'profile', 'Profile');
    await isAt(page, '[data-beginning]');
    // The fields come with the profile.
    await page.getByRole('textbox').first().waitFor();
    await press(page, 'Tab');
    await page.getByRole('textbox').first().and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a note that is begun stays until it is saved, in the conversation and on the page of the lead', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Add note' });
    await press(page, 'n');
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Needs a cot');
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await choose(page, 'whole page', 'Whole page of the lead');
    const field = page.getByRole('textbox', { name: 'Write a note' });
    await field.waitFor();
    await press(page, 'n');
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe('Needs a cot');
    await press(page, 'End');
    await page.keyboard.type(' and parking');
    await choose(page, 'open conversation', 'Open conversation');
    await articleOf(page, 'Oi').waitFor();
    await press(page, 'Escape', 'n');
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Needs a cot and parking');
    await press(page, 'Control+Enter');
    await page.getByRole('region', { name: 'Note of' }).getByText('Needs a cot and parking').waitFor();
    await press(page, 'n');
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe('');
    expect(opened.problems).toEqual([]);
  });

  slow('a note is saved once, also by a dialog that was opened again before the answer came', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    const answer = Promise.withResolvers<void>();
    const bodies: string[] = [];
    await page.route('**/graphql', async (route) => {
      const { operationName, variables } = route.request().postDataJSON();
      if (operationName === 'AddNote' && bodies.push(variables.body) === 1) await answer.promise;
      await route.continue();
    });
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Add note' });
    const field = dialog.getByRole('textbox');
    await press(page, 'n');
    await field.fill('Needs a cot');
    await press(page, 'Control+Enter');
    await until(
      () => bodies.length,
      (count) => count === 1,
    );
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(page, 'n');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(', and parking');
    await press(page, 'Control+Enter');
    answer.resolve();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Note of' }).getByText(', and parking').waitFor();
    expect(bodies).toEqual(['Needs a cot', ', and parking']);
    expect(opened.problems).toEqual([]);
  });

  slow('the first letters choose a time, and without a text there is none to choose', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await press(page, 'Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('schedule');
    await palette.getByText('No command and nobody has this name.').waitFor();
    await press(page, 'Escape');
    await palette.waitFor({ state: 'detached' });
    await fieldOf(page).fill('Bom dia');
    await choose(page, 'schedule', 'Schedule');
    const dialog = page.getByRole('dialog', { name: 'Schedule' });
    await dialog.getByRole('button', { name: 'In 1 hour' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('tom');
    await dialog.getByRole('button', { name: 'Tomorrow' }).and(page.locator(':focus')).waitFor();
    await press(page, 'ArrowRight');
    await dialog.getByRole('button', { name: 'Next Monday' }).and(page.locator(':focus')).waitFor();
    await press(page, 'ArrowLeft', 'Enter');
    await page.getByText(/Leaves at .*9:00/).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a draft is written on at its end', async () => {
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Ana').click();
    await fieldOf(page).fill('Bom dia');
    await choose(page, 'leads', 'Leads');
    // The conversation, with the keyboard in its text, stays until the other page is here.
    await page.getByRole('heading', { name: 'Leads' }).waitFor();
    await isAt(page, 'main');
    await page.goBack();
    await articleOf(page, 'Oi').waitFor();
    await expectDraft(page, 'Bom dia');
    await press(page, 'r');
    await isAt(page, 'textarea');
    await page.keyboard.type(', Ana');
    await expectDraft(page, 'Bom dia, Ana');
    expect(opened.problems).toEqual([]);
  });

  test('what is typed behind Ctrl Enter belongs to the next answer, however long the close takes', async () => {
    for (const name of ['Ana', 'Bob']) await hear(name, `Oi de ${name}`);
    const close = Promise.withResolvers<void>();
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'CloseConversation') await close.promise;
      await route.continue();
    });
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi de Ana').waitFor();
    const ana = openId(page);
    await fieldOf(page).fill('Tem sim');
    await press(page, 'Control+Enter');
    await page.keyboard.type('as always');
    expect(openId(page)).toBe(ana);
    expect(await page.locator('textarea').inputValue()).toBe('');
    close.resolve();
    await articleOf(page, 'Oi de Bob').waitFor();
    await isAt(page, 'textarea');
    await expectDraft(page, 'as always');
    expect(opened.problems).toEqual([]);
  });

  slow('Escape among the hits ends the search, and the next row is in view however far it is', async () => {
    // Rows with a tag are higher than the list takes them to be before it has shown them.
    const far = plainNumber();
    for (let place = 0; place < 30; place += 1) await hear(`Lead ${place}`, `Oi ${place}`);
    await hear('Zuleide', 'Quero um quarto', far);
    await hear('Behind', 'Oi por fim');
    await app.sql(`UPDATE leads SET tags = '{surf}' WHERE tenant_id = $1`, [tenant.id]);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await option(page, 'Lead 3').waitFor();
    await press(page, '/');
    await page.keyboard.type('zuleide');
    await page.getByRole('option', { name: 'Zuleide' }).waitFor();
    await press(page, 'Enter');
    await articleOf(page, 'Quero um quarto').waitFor();
    await isAt(page, '[role=listbox]');
    await press(page, 'Escape');
    await page.waitForURL((url) => !url.searchParams.has('q'));
    await isAt(page, 'main');
    await option(page, 'Lead 3').waitFor();
    await press(page, 'j');
    await isAt(page, '[role=listbox]');
    await settled(page);
    const isInView = () =>
      page.getByRole('option', { name: 'Behind' }).evaluate((row) => {
        const { bottom } = (
          row as unknown as { getBoundingClientRect: () => { bottom: number } }
        ).getBoundingClientRect();
        return bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight;
      });
    await until(isInView, (is) => is);
    await press(page, 'Enter');
    await articleOf(page, 'Oi por fim').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('Ctrl S saves a template as it saves a lead, whose name and tags the palette reaches', async () => {
    await query(app, tenant.operator, CreateTemplateDocument, { input: { name: 'parking', body: 'Free' } });
    await hear('Ana', 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    await page.getByRole('link', { name: 'parking' }).click();
    await page.getByRole('textbox', { name: 'Text' }).focus();
    await press(page, 'End');
    await page.keyboard.type(' and near');
    await press(page, 'Control+s');
    await page.getByText('Version 2').first().waitFor();
    await choose(page, 'ana', 'Ana');
    await articleOf(page, 'Oi').waitFor();
    await choose(page, 'whole page', 'Whole page of the lead');
    await choose(page, 'name', 'Name');
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Ana Maria');
    await choose(page, 'tags', 'Tags');
    await page.getByRole('textbox', { name: 'Tags' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('vip');
    // A page that asks before it is left gives the keyboard back to the field.
    await choose(page, 'leads', 'Leads');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).locator(':focus').waitFor();
    await press(page, 'Escape');
    await page.getByRole('textbox', { name: 'Tags' }).and(page.locator(':focus')).waitFor();
    await press(page, 'Control+s');
    await page.getByRole('heading', { name: 'Ana Maria' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow(
    'the palette begins a bulk send and a template from everywhere, and a question opens at its harmless answer',
    async () => {
      await query(app, tenant.operator, CreateTemplateDocument, { input: { name: 'morning', body: 'Bom dia' } });
      await using opened = await openConsole(app, operatorOf(tenant), '/leads');
      const { page } = opened;
      await page.getByRole('heading', { name: 'Leads' }).waitFor();
      await choose(page, 'new bulk', 'New bulk send');
      await page.getByRole('heading', { name: 'New bulk send' }).waitFor();
      await choose(page, 'new temp', 'New template');
      await page.getByRole('heading', { name: 'New template' }).waitFor();
      await page.getByRole('link', { name: 'morning' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('dialog');
      await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
      await press(page, 'Enter');
      await question.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'morning' }).waitFor();
      expect(opened.problems).toEqual([]);
    },
  );
}

// The focus stays near where it was when its element goes away or is disabled by a key: a screen reader would begin the page again.

import type { Page } from 'playwright-core';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateLeadDocument, CreateTemplateDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { adminOf, openConsole, operatorOf, settled } from './browser.js';

export function describeKeptFocus(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const isFocused = (page: Page, selector: string) =>
    until(
      () => page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`),
      (matches) => matches,
    );

  test('a template that Ctrl Enter saves is written on in its text, also a new one', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const make = async (wanted: string) => {
      await button(page, 'New template').first().click();
      await name.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(wanted);
      await page.getByRole('textbox', { name: 'Text' }).focus();
      await page.keyboard.type('Oi');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('heading', { name: wanted }).waitFor();
      await page.waitForURL(/id=[\da-f-]{36}/);
    };
    await make('greeting');
    await settled(page);
    await isFocused(page, 'textarea');
    await page.keyboard.type(', tudo bem?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Version 2').first().waitFor();
    await isFocused(page, 'textarea');
    // The next new one is empty, and both are kept.
    await make('farewell');
    await page.getByRole('link', { name: /^greeting/ }).click();
    await until(
      () => page.getByRole('textbox', { name: 'Text' }).inputValue(),
      (text) => text === 'Oi, tudo bem?',
    );
    expect(opened.problems).toEqual([]);
  });

  slow('a button of a form that goes or is disabled gives the focus to a field, never to what deletes', async () => {
    await query(app, tenant.operator, CreateTemplateDocument, { input: { name: 'first', body: 'Oi' } });
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    await page.getByRole('link', { name: 'first' }).click();
    const text = page.getByRole('textbox', { name: 'Text' });
    for (const act of ['Save', 'Discard changes']) {
      await text.fill(`${act} it`);
      await button(page, act).focus();
      await page.keyboard.press('Enter');
      await button(page, 'Save').and(page.locator(':disabled')).waitFor();
      await isFocused(page, 'form :is(input, select, textarea)');
    }
    expect(opened.problems).toEqual([]);
  });

  slow('what takes the place of a button that goes takes its focus, and where all goes, the page does', async () => {
    await using opened = await openConsole(app, adminOf(tenant), '/settings/keys');
    const { page } = opened;
    await button(page, 'Show key').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'API key' }).and(page.locator(':focus')).waitFor();
    await page.goto(`${app.url}/settings/company`);
    const name = page.getByRole('textbox', { name: 'Name of the company' });
    await name.fill('Another name');
    await button(page, 'Save').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Save').waitFor({ state: 'detached' });
    await isFocused(page, 'main :is(input, select, textarea, button, a)');
    expect(opened.problems).toEqual([]);
  });

  slow('a tag that is taken away leaves the focus among the others', async () => {
    const input = { chat: plainNumber(), name: 'Ana', tags: ['one', 'two'] };
    const leadId = (await query(app, tenant.operator, CreateLeadDocument, { input })).createLead.lead.id;
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    await button(page, 'Take away one').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Take away two').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Tag…' }).and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a list whose last entry a dialog deletes does not lose the focus', async () => {
    for (const name of ['first', 'second'])
      await query(app, tenant.operator, CreateTemplateDocument, { input: { name, body: 'Oi' } });
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    await page.getByRole('link', { name: 'first' }).click();
    await button(page, 'Delete').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'first' }).waitFor({ state: 'detached' });
    await isFocused(page, 'main a');
    expect(opened.problems).toEqual([]);
  });

  slow('a finger and a mouse leave the focus where the browser puts it', async () => {
    await query(app, tenant.operator, CreateTemplateDocument, { input: { name: 'first', body: 'Oi' } });
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    await page.getByRole('link', { name: 'first' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('Olá');
    await button(page, 'Discard changes').click();
    await button(page, 'Discard changes').waitFor({ state: 'detached' });
    await settled(page);
    await isFocused(page, 'body');
    expect(opened.problems).toEqual([]);
  });
}

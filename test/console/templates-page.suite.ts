// The page of templates in a browser: folders by the part before a slash, shortcuts, and versions on demand.

import { foldersOf, nameInFolder } from '../../src/console/pages/templates/template-folders.js';
import { query } from '../support/graphql-client.js';
import { CreateTemplateDocument, UpdateTemplateDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf } from './browser.js';

export function describeTemplatesPage(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  slow('templates stand in folders with their shortcuts, and versions are read when they are asked for', async () => {
    for (const input of [
      { name: 'greetings/pt', body: 'Olá', shortcut: 'ola' },
      { name: 'greetings/es', body: 'Hola' },
      { name: 'arrival', body: 'The key is under the mat' },
    ])
      await query(app, tenant.operator, CreateTemplateDocument, { input });
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    const folder = page.getByRole('list', { name: 'greetings' });
    await folder.getByRole('link', { name: 'pt /ola' }).waitFor();
    expect(await folder.getByRole('link').count()).toBe(2);
    await page.getByRole('list', { name: 'Templates' }).getByRole('link', { name: 'arrival' }).waitFor();
    const { light, dark } = await violationsInBothThemes(page);
    expect([...light, ...dark]).toEqual([]);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await folder.getByRole('link', { name: 'pt /ola' }).click();
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.waitFor();
    const readings = () => asked.filter((data) => data.includes('TemplateVersions')).length;
    expect(readings()).toBe(0);
    await versions.getByRole('heading', { name: 'Versions' }).click();
    await versions.getByText('In use').waitFor();
    expect(readings()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('unsaved changes keep their bar in view, and another template asks before they are lost', async () => {
    const body = 'Uma linha.\n'.repeat(60);
    for (const name of ['first', 'second'])
      await query(app, tenant.operator, CreateTemplateDocument, { input: { name, body } });
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    await page.getByRole('link', { name: 'first' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('another');
    const save = page.getByRole('button', { name: 'Save' });
    const isInView = async () => {
      const box = await save.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
    };
    expect(await isInView()).toBe(true);
    await page.getByRole('textbox', { name: 'Search' }).fill('second');
    await page.getByRole('link', { name: 'first' }).waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('another');
    await page.getByRole('link', { name: 'second' }).click();
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('another');
    await save.click();
    await page.getByRole('heading', { name: 'another' }).waitFor();
    await page.getByRole('link', { name: 'second' }).click();
    await page.getByRole('heading', { name: 'second' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('an old text comes back into the field, and takes neither what was written nor saves the rest', async () => {
    const input = { name: 'arrival', body: 'The key is under the mat' };
    const { createTemplate } = await query(app, tenant.operator, CreateTemplateDocument, { input });
    const next = { id: createTemplate.id, input: { body: 'The key is at the desk', expectedVersion: 1 } };
    await query(app, tenant.operator, UpdateTemplateDocument, next);
    await using opened = await openConsole(app, operatorOf(tenant), `/templates?id=${createTemplate.id}`);
    const { page } = opened;
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await text.fill('Ring the bell');
    await name.fill('welcome');
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByRole('heading', { name: 'Versions' }).click();
    await versions.getByText('Version 1').click();
    await versions.getByRole('button', { name: 'Use this text again' }).click();
    await page.getByText('The text of version 1 is in the field. Save keeps it.').waitFor();
    expect([await text.inputValue(), await name.inputValue()]).toEqual([input.body, 'welcome']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    expect(await text.inputValue()).toBe('Ring the bell');
    await versions.getByRole('button', { name: 'Use this text again' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'welcome' }).waitFor();
    await page.getByText('Version 3').first().waitFor();
    expect(await text.inputValue()).toBe(input.body);
    expect(opened.problems).toEqual([]);
  });

  test('a new template opens once it is saved, without a question', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/templates');
    const { page } = opened;
    await page.getByRole('button', { name: 'New template' }).first().click();
    // The name is typed next.
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('greeting');
    await page.getByRole('textbox', { name: 'Text' }).fill('Oi');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/templates\?id=[\da-f-]{36}/);
    await page.getByRole('heading', { name: 'greeting' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a name without a folder or without a rest is in no folder', () => {
    const named = ['b', 'x / one', '/rest', 'x/two/deep', 'end/', 'y/one'].map((name) => ({ name }));
    expect(
      foldersOf(named).map(({ name, templates }) => [name, templates.map((one) => nameInFolder(one.name))]),
    ).toEqual([
      [undefined, ['b', '/rest', 'end/']],
      ['x', ['one', 'two/deep']],
      ['y', ['one']],
    ]);
  });
}

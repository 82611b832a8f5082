// Quick replies in a browser: a shortcut at the cursor becomes a text with its files, and what leaves has the signature.

import type { Page } from 'playwright-core';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { plainNumber, until, withSender } from '../features/messages/sending-harness.js';
import { png } from '../features/media/sample-files.js';
import { query } from '../support/graphql-client.js';
import { CreateTemplateDocument, SetSignatureDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { adminOf, openConsole, operatorOf, passHold } from './browser.js';
import { articleOf, expectDraft, fieldOf } from './operators-day.suite.js';

export function describeQuickReplies(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;

  withSender((sender) => ({ simulator, app } = sender));
  beforeEach(async () => {
    tenant = await app.createTenant();
    const answer = await app.post('/public/leads', { chat: plainNumber(), name: 'Ana Lima' }, withKey(tenant));
    leadId = ((await answer.json()) as { id: string }).id;
  });

  const create = (name: string, body: string, shortcut?: string, fileIds: string[] = []) =>
    query(app, tenant.operator, CreateTemplateDocument, {
      input: { name, body, fileIds, ...(shortcut !== undefined && { shortcut }) },
    });
  const option = (page: Page, name: string) =>
    page.getByRole('listbox', { name: 'Quick replies' }).getByRole('option', { name });
  const openConversation = () => openConsole(app, operatorOf(tenant), `/inbox/${leadId}`, { clock: true });

  async function upload(): Promise<string> {
    const headers = { ...withToken(tenant.operator), 'content-type': 'image/png' };
    const url = `${app.url}/media?fileName=map.png`;
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(png()) });
    return ((await answer.json()) as { id: string }).id;
  }

  slow('a shortcut becomes the text with its file at the cursor, and leaves with the signature', async () => {
    await query(app, tenant.admin, SetSignatureDocument, { id: tenant.id, input: { signature: 'BEFORE' } });
    await create('Hours', 'We are open from 9, {{lead.firstName}}.', 'hours', [await upload()]);
    await create('Prices', 'Prices of {{day}}', 'prices');
    await using settings = await openConsole(app, operatorOf(tenant), '/settings');
    await settings.page.getByLabel('Display name').fill('Bia');
    await settings.page.getByRole('button', { name: 'Update profile' }).click();
    await settings.page.getByText('Your messages begin with: *Bia:*').waitFor();
    expect(settings.problems).toEqual([]);

    await using opened = await openConversation();
    const { page } = opened;
    await fieldOf(page).fill('Hello! ');
    await page.keyboard.type('/');
    await option(page, 'Prices').waitFor();
    await page.keyboard.type('ho');
    await option(page, 'Prices').waitFor({ state: 'detached' });
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expectDraft(page, 'Hello! We are open from 9, Ana.');
    await page.getByRole('button', { name: 'Remove map.png' }).waitFor();
    await page.keyboard.type(' See you!');
    await page.keyboard.press('Enter');
    await articleOf(page, 'Hello! We are open from 9, Ana. See you!').waitFor();
    await passHold(page);
    const [sent] = await until(
      () => simulator.attempts().filter(({ instance }) => instance === tenant.instance.name),
      ({ length }) => length > 0,
    );
    expect(sent).toMatchObject({
      type: 'image',
      media: { caption: '*Bia:*\nHello! We are open from 9, Ana. See you!' },
    });
    expect(opened.problems).toEqual([]);
  });

  test('the keyboard chooses and closes; values that only the sender knows are asked', async () => {
    await create('One', 'First', 'a1');
    await create('Two', 'Until {{day}}!', 'a2');
    await using opened = await openConversation();
    const { page } = opened;
    const field = fieldOf(page);
    await field.fill('/');
    await option(page, 'One').waitFor();
    await page.keyboard.press('Escape');
    await option(page, 'One').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('/');
    await field.fill('');
    await field.fill('/a');
    await option(page, 'One').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    const dialog = page.getByRole('dialog', { name: 'Insert template' });
    // The dialog opens in its first field, and Enter inserts once the preview is there.
    await dialog.getByLabel('day').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Monday');
    await dialog.getByText('Until Monday!').waitFor();
    await page.keyboard.press('Enter');
    await expectDraft(page, 'Until Monday!');
    await field.fill('12/11 and /unknown');
    expect(await page.getByRole('listbox', { name: 'Quick replies' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('a template gets a shortcut, a file and its author alone', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/templates?id=new');
    const { page } = opened;
    await page.getByLabel('Name').fill('Map');
    await page.getByLabel('Text').fill('We are here');
    await page.getByLabel('Shortcut').fill('two words');
    await page.getByText('A shortcut has letters, digits').waitFor();
    await page.getByLabel('Shortcut').fill('/Map');
    await page.getByLabel('Who uses it').selectOption('PERSONAL');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add files' }).click();
    await (await chosen).setFiles({ name: 'map.png', mimeType: 'image/png', buffer: png() });
    await page.getByRole('button', { name: 'Remove map.png' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Map' }).filter({ hasText: '/map' }).filter({ hasText: 'Only me' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(opened.problems).toEqual([]);
    await using other = await openConsole(app, adminOf(tenant), '/templates');
    await other.page.getByText('No template is here yet').waitFor();
  });

  slow('the company chooses the signature', async () => {
    await using opened = await openConsole(app, adminOf(tenant), '/settings/company');
    const { page } = opened;
    const group = page.getByRole('group', { name: 'Signature of messages' });
    await group.getByRole('combobox').selectOption('BEFORE');
    await group.getByLabel('What the signature says').fill('{{lead.name}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await group.getByText('{{operator.displayName}}').first().waitFor();
    await group.getByRole('alert').waitFor();
    await group.getByLabel('What the signature says').fill('_{{operator.displayName}}_');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
}

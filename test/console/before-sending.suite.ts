// The writer sees a message before it leaves: its pictures, its draft in the list, and its text as it will stand.

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';
import { articleOf, expectDraft, fieldOf } from './operators-day.suite.js';
import { hear } from '../features/leads/conversation-harness.js';

/** A script that pastes a picture, and a text with its markup where there is one. */
export const paste = (text?: string) => `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 20, height: 20 });
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([blob], 'image.png', { type: 'image/png' }));
  const text = ${JSON.stringify(text) ?? 'undefined'};
  if (text !== undefined) for (const type of ['text/plain', 'text/html']) clipboardData.setData(type, text);
  return document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
})()`;

const widthOf = (picture: string) => `document.querySelector('${picture}')?.naturalWidth ?? 0`;

export function describeBeforeSending(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const come = async (name: string) => {
    return (await hear(app, tenant, plainNumber(), { name, text: 'Oi' })).leadId;
  };
  const files = (page: Page) => page.getByRole('region', { name: 'Composer' }).getByRole('listitem');

  test('a pasted picture has a name and is seen, before and while it is held; cells of a spreadsheet are text', async () => {
    const id = await come('Ana');
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`, { clock: true });
    const { page } = opened;
    await fieldOf(page).focus();
    expect(await page.evaluate(paste())).toBe(false);
    await page.getByRole('button', { name: /^Remove Pasted picture \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/ }).waitFor();
    await until(
      () => page.evaluate<number>(widthOf('[aria-label=Composer] li img')),
      (width) => width === 20,
    );
    // The browser itself takes this paste.
    expect(await page.evaluate(paste('a\tb'))).toBe(true);
    await fieldOf(page).fill('Look');
    await page.keyboard.press('Enter');
    await until(
      () => page.evaluate<number>(widthOf('[role=log] article img')),
      (width) => width === 20,
    );
    await articleOf(page, 'Look').getByText('Held for 5 s').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('z');
    await expectDraft(page, 'Look');
    expect(await files(page).locator('img').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('files stand in the order in which they were chosen, whichever is uploaded first', async () => {
    const id = await come('Ana');
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`);
    const { page } = opened;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let count = 0;
    await page.route('**/media', async (route) => {
      count += 1;
      if (count === 1) await isReleased;
      await route.continue();
    });
    const chosen = ['first', 'second', 'third'].map((name) => ({
      name: `${name}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    }));
    const input = page.getByRole('region', { name: 'Composer' }).locator('input[type=file]').first();
    await input.setInputFiles(chosen);
    await page.getByRole('button', { name: /^Remove third\.txt/ }).waitFor();
    await page.getByRole('button', { name: /^Remove second\.txt/ }).waitFor();
    release();
    await page.getByRole('button', { name: /^Remove first\.txt/ }).waitFor();
    expect(await files(page).locator('span:first-of-type').allTextContents()).toEqual([
      'first.txt',
      'second.txt',
      'third.txt',
    ]);
    expect(opened.problems).toEqual([]);
  });

  slow('a short text that is held has one line', async () => {
    const id = await come('Ana');
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`, { clock: true });
    const { page } = opened;
    const lineHeight = 20;
    for (const text of ['Certo!', 'Tem sim, até já']) {
      await fieldOf(page).fill(text);
      await page.keyboard.press('Enter');
      const box = await articleOf(page, text).getByText(text, { exact: true }).boundingBox();
      // A bubble that still settles has a scale, and its height a fraction.
      expect(box?.height).toBeCloseTo(lineHeight, 1);
    }
    expect(opened.problems).toEqual([]);
  });

  slow('Enter on a touch screen starts a line, and the button sends', async () => {
    const id = await come('Ana');
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, clock: true };
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`, phone);
    const { page } = opened;
    // The hints for keyboard and mouse are not there.
    expect(await page.locator('kbd:visible').count()).toBe(0);
    await fieldOf(page).tap();
    await page.keyboard.type('One');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Two');
    await expectDraft(page, 'One\nTwo');
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
    await articleOf(page, 'Two').getByText('Held for 5 s').waitFor();
    await expectDraft(page, '');
    expect(opened.problems).toEqual([]);
  });

  test('a text that is too long is said with its excess, and is not sent', async () => {
    const id = await come('Ana');
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}`, { clock: true });
    const { page } = opened;
    await fieldOf(page).fill('a'.repeat(65_538));
    await page.getByRole('alert').filter({ hasText: 'Characters above the limit: 2.' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    await fieldOf(page).fill('a'.repeat(65_536));
    await page.getByRole('alert').filter({ hasText: 'Characters above the limit' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(false);
    expect(await page.getByRole('log').getByRole('article').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a draft stands in its row once another conversation is open', async () => {
    const id = await come('Ana');
    await come('Bob');
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${id}?view=all`);
    const { page } = opened;
    await fieldOf(page).fill('The flat is free from');
    await page.getByRole('option', { name: 'Bob' }).click();
    await page.getByRole('option', { name: /Ana.*Draft.*The flat is free from/ }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a time that is chosen among older messages stays until the newest are read', async () => {
    const from = plainNumber();
    const messages = Array.from({ length: 120 }, (_, place) => ({
      messageId: randomUUID(),
      from,
      text: `Line ${place}.`,
    }));
    const answer = await app.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
    const { results } = (await answer.json()) as { results: { leadId: string; messageId: string }[] };
    const { leadId, messageId } = results[0]!;
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}?message=${messageId}`);
    const { page } = opened;
    await articleOf(page, 'Line 0.').waitFor();
    await fieldOf(page).fill('See you');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule' });
    await dialog.getByRole('button', { name: 'In 1 hour' }).click();
    await page.getByText('The newest are shown now').waitFor();
    const chosen = new Date(await dialog.getByLabel('When').inputValue()).getTime();
    expect(Math.round((chosen - Date.now()) / 600_000)).toBe(6);
    await articleOf(page, 'Line 119.').waitFor();
    await dialog.getByRole('button', { name: 'Schedule message' }).click();
    await dialog.waitFor({ state: 'detached' });
    await articleOf(page, 'See you').waitFor();
    expect(opened.problems).toEqual([]);
  });
}

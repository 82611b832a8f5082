// The choice of an emoji in the composer: found by its name in the user's language, put at the caret, without any other host.

import { plainNumber, until } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf, settled } from './browser.js';
import { expectDraft, fieldOf } from './operators-day.suite.js';

export function describeEmoji(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let path: string;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    const answer = await app.post('/public/leads', { chat: plainNumber(), name: 'Ana Lima' }, withKey(tenant));
    path = `/inbox/${((await answer.json()) as { id: string }).id}`;
  });

  slow(
    'is loaded when it is opened, found by its name, and stands at the caret; the field has the focus again',
    async () => {
      await using opened = await openConsole(app, operatorOf(tenant), path);
      const { page } = opened;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await fieldOf(page).fill('See you!');
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
      await settled(page);
      expect(asked.filter((url) => url.includes('emoji'))).toEqual([]);
      await page.getByRole('button', { name: 'Insert emoji' }).click();
      const dialog = page.getByRole('dialog', { name: 'Emoji' });
      await dialog.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
      expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
      await dialog.getByRole('textbox', { name: 'Find an emoji' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('surfing');
      const found = dialog.getByRole('gridcell', { name: 'person surfing', exact: true });
      // The search follows the keys a little later.
      await found.and(page.locator('[data-active]')).waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await expectDraft(page, 'See 🏄\ufe0fyou!');
      await fieldOf(page).and(page.locator(':focus')).waitFor();
      // The browser's own key takes it back.
      await page.keyboard.press('Control+z');
      await expectDraft(page, 'See you!');
      expect(asked.filter((url) => !url.startsWith(app.url))).toEqual([]);
      expect(asked.some((url) => url.includes('emoji-en'))).toBe(true);
      expect(opened.problems).toEqual([]);
    },
  );

  slow.each([
    ['pt', 'Inserir emoji', 'Buscar um emoji', 'foguete', 'Mensagem'],
    ['es', 'Insertar emoji', 'Buscar un emoji', 'cohete', 'Mensaje'],
  ])(
    'has names in %s; arrow keys choose, and Escape gives the focus back',
    async (language, button, search, word, field) => {
      await using opened = await openConsole(app, operatorOf(tenant), path, {
        record: `localStorage.setItem('leadwire.language', '${language}')`,
        viewport: { width: 834, height: 1112 },
      });
      const { page } = opened;
      const message = page.getByRole('textbox', { name: field, exact: true });
      await message.fill('A');
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('textbox', { name: search }).fill(word);
      await page.getByRole('gridcell', { name: word, exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Emoji' }).waitFor({ state: 'detached' });
      await message.and(page.locator(':focus')).waitFor();
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('gridcell').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Emoji' }).waitFor({ state: 'detached' });
      await until(
        () => message.inputValue(),
        (text) => /^A\p{Extended_Pictographic}/u.test(text),
      );
      expect(opened.problems).toEqual([]);
    },
  );

  slow('a second press of the button closes it, and a press elsewhere leaves the focus there', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), path);
    const { page } = opened;
    const dialog = page.getByRole('dialog', { name: 'Emoji' });
    const button = page.getByRole('button', { name: 'Insert emoji' });
    await button.click();
    await dialog.getByRole('gridcell').first().waitFor();
    await button.click();
    await dialog.waitFor({ state: 'detached' });
    await button.click();
    await dialog.getByRole('gridcell').first().waitFor();
    await page.getByRole('textbox', { name: 'Search' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('says that the emoji could not be loaded', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), path);
    const { page } = opened;
    await page.route(/virtual_emoji-en/, (route) => route.abort());
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await page.getByRole('alert').filter({ hasText: 'The emoji could not be loaded' }).waitFor();
  });
}

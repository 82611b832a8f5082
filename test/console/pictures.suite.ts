// Pictures of a conversation in full size: the arrow keys lead through them, and Escape gives the focus back.

import { plainNumber, withSenderEach } from '../features/messages/sending-harness.js';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { paste } from './before-sending.suite.js';
import { openConsole, operatorOf, passHold } from './browser.js';
import { fieldOf, logOf } from './operators-day.suite.js';

export function describePictures(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSenderEach((sender) => ({ simulator, app, tenant } = sender));

  test('the arrow keys go to the others, and Escape back to the message', async () => {
    await simulator.receiveFromLead({ instance: tenant.instance.name, from: plainNumber(), name: 'Ana', text: 'Oi' });
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?view=all', { clock: true });
    const { page } = opened;
    await page.getByRole('option', { name: 'Ana' }).click();
    for (const count of [1, 2]) {
      await fieldOf(page).focus();
      await page.evaluate(paste());
      await page.getByRole('button', { name: /^Remove Pasted picture/ }).waitFor();
      await page.keyboard.press('Enter');
      await passHold(page);
      await logOf(page)
        .getByRole('button', { name: /^Open Pasted picture/ })
        .nth(count - 1)
        .waitFor();
    }
    const buttons = logOf(page).getByRole('button', { name: /^Open Pasted picture/ });
    await buttons.first().click();
    const dialog = page.getByRole('dialog', { name: /^Pasted picture/ });
    await dialog.getByText('1 of 2').waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('2 of 2').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('2 of 2').waitFor();
    await page.keyboard.press('ArrowLeft');
    await dialog.getByText('1 of 2').waitFor();
    await dialog.getByRole('button', { name: 'Next picture' }).click();
    await dialog.getByText('2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await buttons.first().and(page.locator(':focus')).waitFor();
    // Enter on the message opens its picture too.
    const message = logOf(page).getByRole('article').last();
    await message.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await message.and(page.locator(':focus')).waitFor();
    expect(opened.problems).toEqual([]);
  });
}

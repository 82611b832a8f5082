// The console's view of histories: readings, a reading on request, and an instance that is degraded.

import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { type HistoryInstance, minutesAgo, recoveriesOf, withHistory } from '../features/recovery/history-harness.js';
import { plainNumber } from '../features/messages/sending-harness.js';
import { violationsInBothThemes } from './axe.js';
import { adminOf, openConsole, operatorOf } from './browser.js';

export function describeHistoryAudits(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let instance: HistoryInstance;

  withHistory((stage) => ({ app, tenant, instance } = stage));

  slow('an administrator recovers messages, and sees what was found', async () => {
    await instance.write({ chat: plainNumber(), at: minutesAgo(30), isWithheld: true });
    const group = instance.store({ chat: plainNumber(), at: minutesAgo(20) });
    group.key.remoteJid = '120363025246125486@g.us';
    await using opened = await openConsole(app, adminOf(tenant), `/instances?id=${instance.id}`);
    const { page } = opened;
    await page.getByText('The history was not read yet.').waitFor();
    await page.getByRole('button', { name: 'Recover messages' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recover messages' });
    const since = await dialog.getByLabel('Since').inputValue();
    await dialog.getByLabel('Until').fill(since);
    await dialog.getByRole('button', { name: 'Read the history' }).click();
    await dialog.getByText('has to be after since').waitFor();
    await dialog.getByLabel('Until').fill('2099-01-01T12:00');
    await dialog.getByRole('button', { name: 'Read the history' }).click();
    await dialog.getByText('At the gateway: 2. Here before: 0. Recovered: 1. Not taken in: 1.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const table = page.getByRole('table', { name: 'Readings of the history' });
    await table.getByText('On request').waitFor();
    await table.getByText('a group: 1').waitFor();
    // The API answers the wrong field with 422, which the browser notes.
    expect(opened.problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });

  slow('everybody can use it, also on a phone, in light and dark', async () => {
    await instance.write({ chat: plainNumber(), at: minutesAgo(30), isWithheld: true });
    await recoveriesOf(app).recoverDue();
    const viewport = { width: 360, height: 740 };
    await using opened = await openConsole(app, adminOf(tenant), `/instances?id=${instance.id}`, {
      viewport,
      reducedMotion: 'reduce',
    });
    const { page } = opened;
    await page.getByRole('table', { name: 'Readings of the history' }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    await page.getByRole('button', { name: 'Recover messages' }).click();
    await page.getByRole('dialog', { name: 'Recover messages' }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
  });

  test('a degraded instance says why, by itself, also to operators; they read nothing', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), `/instances?id=${instance.id}`);
    const { page } = opened;
    const card = page.getByRole('listitem').filter({ hasText: instance.name });
    await card.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await instance.write({ chat: plainNumber(), at: minutesAgo(30), isWithheld: true });
    await recoveriesOf(app).recoverDue();
    await card.getByText('Degraded', { exact: true }).waitFor();
    await card.getByText('No webhook brought 1 message').waitFor();
    expect(await page.getByRole('button', { name: 'Recover messages' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });
}

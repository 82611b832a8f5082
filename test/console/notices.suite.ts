// The places of notices: whatever the width, none stands over a button, a link of the navigation or a field.

import type { Page } from 'playwright-core';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { hear } from '../features/leads/conversation-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { adminOf, openConsole } from './browser.js';

/** The names of controls whose middle is under a notice. Rows and messages scroll, so they can be moved away. */
const covered = `[...document.querySelectorAll('nav a, button, input, textarea, select, header a')].filter((control) => {
  const notices = document.querySelector('[class*="notices"]');
  if (notices.contains(control) || control.closest('[role=listbox], [role=log]')) return false;
  const { left, top, width, height } = control.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return width > 0 && found !== null && found !== notices && notices.contains(found);
}).map((control) => control.getAttribute('aria-label') ?? control.textContent)`;

/** Returns `row`, or the text of the element that covers the middle of the last row. */
const foundOnLast = `(() => {
  const row = [...document.querySelectorAll('[role=option]')].at(-1);
  const { left, top, width, height } = row.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found?.closest('[role=option]') === row ? 'row' : found?.textContent;
})()`;

const isAtEnd = `(() => {
  const { scrollTop, clientHeight, scrollHeight } = document.querySelector('[role=listbox]');
  return scrollTop + clientHeight >= scrollHeight - 1;
})()`;

export function describeNotices(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    await hear(app, tenant, plainNumber());
  });

  async function expectClear(page: Page): Promise<void> {
    await page.getByRole('status').filter({ hasText: 'Marked as unread.' }).waitFor();
    expect(await page.evaluate(covered)).toEqual([]);
  }

  slow.each([
    [1280, 720],
    [390, 844],
  ])(
    'at %d x %d, too many calls are said on a line of their own, with the time of the next one',
    async (width, height) => {
      await using opened = await openConsole(app, adminOf(tenant), '/inbox', {
        viewport: { width, height },
        clock: true,
      });
      const { page } = opened;
      await page.getByRole('option').first().waitFor();
      let refusals = 0;
      await page.route('**/graphql', (route) => {
        if (refusals > 0) return route.fallback();
        refusals += 1;
        const extensions = { code: 'RATE_LIMITED', retryAfterSeconds: 20 };
        const body = JSON.stringify({ errors: [{ message: 'Too many requests: try again in 20 s', extensions }] });
        return route.fulfill({ status: 429, contentType: 'application/json', body });
      });
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click();
      const banner = page.getByRole('status').filter({ hasText: 'Too many calls. Trying again in 20 s.' });
      await banner.waitFor();
      const [line, main] = [await banner.boundingBox(), await page.getByRole('main').boundingBox()];
      expect(line!.y + line!.height).toBeLessThanOrEqual(main!.y);
      await page.clock.runFor(8_000);
      await page.getByText('Trying again in 12 s.').waitFor();
      await page.clock.runFor(13_000);
      await banner.waitFor({ state: 'detached' });
      await page.getByRole('row').nth(1).waitFor();
      expect(refusals).toBe(1);
    },
  );

  test('a server that refuses calls is not said to be silent as well', async () => {
    let isRefusing = false;
    const sockets: { close(options: { code: number }): Promise<void> }[] = [];
    await using opened = await openConsole(app, adminOf(tenant), '/inbox', { clock: true });
    const { page } = opened;
    await page.routeWebSocket(/graphql/, (socket) => {
      if (isRefusing) {
        void socket.close({ code: 1013 });
        return;
      }
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.reload();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    isRefusing = true;
    await page.route('**/graphql', (route) => {
      const extensions = { code: 'RATE_LIMITED', retryAfterSeconds: 20 };
      const body = JSON.stringify({ errors: [{ message: 'Too many requests: try again in 20 s', extensions }] });
      return route.fulfill({ status: 429, contentType: 'application/json', body });
    });
    await page.getByRole('option').first().click();
    const limited = page.getByRole('status').filter({ hasText: 'Too many calls.' });
    await limited.waitFor();
    for (const socket of sockets) await socket.close({ code: 1013 });
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Reconnecting' }).waitFor();
    await page.clock.runFor(6_000);
    await limited.waitFor();
    const silent = page.getByRole('status').filter({ hasText: 'The server does not answer.' });
    expect(await silent.count()).toBe(0);
    await page.unroute('**/graphql');
    await page.clock.runFor(16_000);
    await silent.waitFor();
    expect(await limited.count()).toBe(0);
    // The window keeps the route of its sockets, so no other case may have it.
    await page.context().close();
  });

  slow('the last row of a full list scrolls out from behind the notices', async () => {
    const full = await app.createTenant();
    for (let count = 0; count < 10; count += 1) await hear(app, full, plainNumber());
    await using opened = await openConsole(app, adminOf(full), '/inbox', {
      viewport: { width: 1280, height: 720 },
      clock: true,
    });
    const { page } = opened;
    await page.getByRole('option').first().click();
    await page.getByRole('log').getByRole('article').first().waitFor();
    await page.keyboard.press('Escape');
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('u');
    await expectClear(page);
    await page.getByRole('listbox', { name: 'Conversations' }).hover();
    await page.mouse.wheel(0, 5_000);
    await until(
      () => page.evaluate<boolean>(isAtEnd),
      (is) => is,
    );
    // Rows take no pointer while they scroll. The notice is still there.
    await page.clock.runFor(500);
    expect(await page.evaluate(foundOnLast)).toBe('row');
    await expectClear(page);
  });

  slow.each([
    [1440, 900],
    [1280, 720],
    [1000, 700],
    [834, 1112],
    [640, 900],
    [390, 844],
    [360, 640],
  ])('at %d x %d they leave every control free', async (width, height) => {
    await using opened = await openConsole(app, adminOf(tenant), '/inbox', {
      viewport: { width, height },
      clock: true,
    });
    const { page } = opened;
    await page.getByRole('option').first().click();
    await page.getByRole('log').getByRole('article').first().waitFor();
    await page.keyboard.press('Escape');
    // The notice stays while the pages are looked at. The minute is more than the page has gone on by itself.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('u');
    await expectClear(page);
    await page.goBack();
    await page.getByRole('listbox', { name: 'Conversations' }).waitFor();
    await expectClear(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click();
    await page.getByRole('heading', { name: 'Leads' }).waitFor();
    await expectClear(page);
    expect(opened.problems).toEqual([]);
  });
}

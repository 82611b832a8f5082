// The conversation on a phone, touched by a finger: one row to write in, the drawer of the lead, Back, and the rows of the list.

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { hear, hearMany } from '../features/leads/conversation-harness.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { adminOf, openConsole, operatorOf } from './browser.js';
import { belowNewest, expectDraft, fieldOf } from './operators-day.suite.js';

const headIsWhole = `(() => {
  const head = document.querySelector('section header');
  const { top, bottom } = head.getBoundingClientRect();
  return [...head.querySelectorAll('h2, h2 + div')].every((part) => {
    const own = part.getBoundingClientRect();
    return own.top >= top + 4 && own.bottom <= bottom - 4;
  });
})()`;

/** Finds what a finger misses: targets that are met on less than 40 px, and fields at which a browser enlarges the page. */
const tooSmall = `(() => {
  const isHit = (one, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (one.contains(hit) || hit.closest('label')?.control === one);
  };
  const heightOf = (one, x, y) => {
    let [top, bottom] = [y, y];
    while (y - top < 40 && isHit(one, x, top - 1)) top -= 1;
    while (bottom - y < 40 && isHit(one, x, bottom + 1)) bottom += 1;
    return bottom - top + 1;
  };
  // A link in a sentence is as high as its line.
  return [...document.querySelectorAll('button, a:not(:is(p, small) a), summary, select, input, textarea')].flatMap((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const name = one.getAttribute('aria-label') ?? (one.textContent || one.tagName);
    const isText = one.matches('textarea, select, input:not([type=radio], [type=checkbox])');
    if (isText && width > 1 && parseFloat(getComputedStyle(one).fontSize) < 16) return [name + ' is written too small'];
    // Nobody touches now what is behind an edge, or behind another part.
    if (width <= 1 || top < 24 || top + height > innerHeight - 24 || !isHit(one, x, y)) return [];
    const met = heightOf(one, x, y);
    return met < 40 ? [name + ' ' + met] : [];
  });
})()`;

export function describeOnThePhone(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leads: string[];
  let numbers: string[];

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    numbers = [plainNumber(), plainNumber()];
    for (const [index, name] of ['Ana', 'Bob'].entries())
      await app.post('/public/leads', { chat: numbers[index], name }, withKey(tenant));
    leads = (await hearMany(app, tenant, numbers)).map(({ leadId }) => leadId);
  });

  const open = (path: string, user = operatorOf(tenant)) =>
    openConsole(app, user, path, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
  const option = (page: Page, name: string) => page.getByRole('option', { name });
  const drawer = (page: Page) => page.getByRole('dialog', { name: 'Lead' });

  const allWithinReach = (page: Page) =>
    until(
      () => page.evaluate<string[]>(tooSmall),
      (small) => small.length === 0,
    );

  async function openDrawer(page: Page): Promise<void> {
    await chooseAct(page, 'Lead');
    await drawer(page).waitFor();
  }

  /** Chooses an act from the menu of the conversation. */
  async function chooseAct(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Conversation', exact: true }).tap();
    await page.getByRole('menuitem', { name }).tap();
  }

  /** Goes back where something closes by it, and waits until the browser stands at the conversation again. */
  async function backOver(page: Page): Promise<void> {
    await page.goBack();
    await page.waitForURL((url) => url.pathname === `/inbox/${leads[0]}`);
  }

  slow.each([
    ['/leads', ['Import', 'Export', 'Add lead']],
    ['/instances', ['New instance']],
    ['/bulk', ['New bulk send']],
    ['/templates', ['New template']],
  ])('the head of %s is one line, whose acts keep their names', async (path, names) => {
    await using opened = await open(path, adminOf(tenant));
    const { page } = opened;
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    for (const name of names) {
      // An empty page has the button once more.
      const act = await page.getByRole('button', { name, exact: true }).first().boundingBox();
      expect(act?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
      expect(act?.width).toBeGreaterThanOrEqual(40);
      expect((act?.x ?? 0) + (act?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    expect(opened.problems).toEqual([]);
  });

  slow.each([390, 834])('at %i px the table of leads leaves out columns, and cuts none', async (width) => {
    await using opened = await open('/leads');
    const { page } = opened;
    await page.setViewportSize({ width, height: 844 });
    const table = page.getByRole('region', { name: 'Leads' });
    await table.getByRole('columnheader', { name: 'Last message' }).waitFor();
    expect(await table.getByRole('columnheader', { name: 'Source' }).count()).toBe(0);
    expect(await table.getByRole('columnheader', { name: 'Tags' }).count()).toBe(width === 390 ? 0 : 1);
    const fits = `(() => { const { scrollWidth, clientWidth } = document.querySelector('[role=region][aria-label=Leads]'); return scrollWidth <= clientWidth; })()`;
    expect(await page.evaluate(fits)).toBe(true);
  });

  slow('what writes and sends is one row, the tools unfold below it, and writing folds them again', async () => {
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    const tools = page.getByRole('button', { name: 'Add to the message' });
    const places = [tools, fieldOf(page), page.getByRole('button', { name: 'Send', exact: true })];
    await fieldOf(page).waitFor();
    const boxes = await Promise.all(places.map((place) => place.boundingBox()));
    // They stand in one row: all end at the same height, side by side, and a finger finds each.
    expect(new Set(boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0)))).size).toBe(1);
    expect(boxes.map((box) => box?.x ?? 0)).toEqual(boxes.map((box) => box?.x ?? 0).toSorted((a, b) => a - b));
    for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(44);
    const names = ['Attach file', 'Record a voice note', 'Insert emoji', 'Insert template', 'Add note', 'Schedule'];
    const shown = () => Promise.all(names.map((name) => page.getByRole('button', { name, exact: true }).count()));
    expect(await shown()).toEqual(names.map(() => 0));
    await tools.tap();
    expect(await shown()).toEqual(names.map(() => 1));
    await page.getByRole('combobox', { name: 'Send from' }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await fieldOf(page).tap();
    expect(await shown()).toEqual(names.map(() => 0));
    // The conversation has the whole screen.
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('the newest message stays in sight while the tools unfold and the text grows', async () => {
    const long = Array.from({ length: 40 }, (_, line) => `${line}. uma linha`).join('\n');
    const message = { messageId: randomUUID(), from: numbers[0], text: long };
    await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    const atNewest = () =>
      until(
        () => page.evaluate<number>(belowNewest),
        (below) => below <= 1,
      );
    await page.getByRole('article').filter({ hasText: '39. uma linha' }).waitFor();
    await atNewest();
    const heightOfLog = () => page.evaluate<number>(`document.querySelector('[role=log]').clientHeight`);
    const whole = await heightOfLog();
    await page.getByRole('button', { name: 'Add to the message' }).tap();
    await until(heightOfLog, (height) => height < whole);
    await atNewest();
    await fieldOf(page).tap();
    await until(heightOfLog, (height) => height === whole);
    for (const line of ['One', 'Two', 'Three']) {
      await page.keyboard.type(line);
      await page.keyboard.press('Enter');
      await atNewest();
    }
    expect(await heightOfLog()).toBeLessThan(whole);
    expect(opened.problems).toEqual([]);
  });

  test('Back closes the drawer of the lead before it leaves the conversation, and no other has it open', async () => {
    await using opened = await open('/inbox');
    const { page } = opened;
    await option(page, 'Ana').tap();
    await openDrawer(page);
    await backOver(page);
    await drawer(page).waitFor({ state: 'detached' });
    await openDrawer(page);
    // The dialog over the drawer closes first.
    await drawer(page).getByRole('button', { name: 'Add', exact: true }).tap();
    const note = page.getByRole('dialog', { name: 'Add note' });
    await note.waitFor();
    await backOver(page);
    await note.waitFor({ state: 'detached' });
    expect(await drawer(page).count()).toBe(1);
    await backOver(page);
    await drawer(page).waitFor({ state: 'detached' });
    await page.goBack();
    await option(page, 'Bob').tap();
    await fieldOf(page).waitFor();
    expect(await drawer(page).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('Back closes a menu and the choice of an emoji, and the conversation stays', async () => {
    await using opened = await open('/inbox');
    const { page } = opened;
    await option(page, 'Ana').tap();
    await page.getByRole('button', { name: 'Conversation', exact: true }).tap();
    await page.getByRole('menu').waitFor();
    await backOver(page);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add to the message' }).tap();
    await page.getByRole('button', { name: 'Insert emoji' }).tap();
    const emoji = page.getByRole('dialog', { name: 'Emoji' });
    await emoji.getByRole('gridcell').first().waitFor();
    await backOver(page);
    await emoji.waitFor({ state: 'detached' });
    expect(await fieldOf(page).isVisible()).toBe(true);
    await page.goBack();
    await option(page, 'Bob').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('Back closes a dialog that has an address, and the page before it is still there', async () => {
    await using opened = await open('/inbox');
    const { page } = opened;
    await option(page, 'Ana').tap();
    await fieldOf(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('merge');
    await page.getByRole('option', { name: 'Merge with another lead', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Merge with another lead' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.pathname === `/leads/${leads[0]}` && url.search === '');
    await page.goBack();
    await page.waitForURL((url) => url.pathname === `/inbox/${leads[0]}`);
    await fieldOf(page).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a conversation that is left with its drawer open by a link leaves no drawer over the next', async () => {
    await using opened = await open('/inbox');
    const { page } = opened;
    await option(page, 'Ana').tap();
    await openDrawer(page);
    await drawer(page).getByRole('link', { name: 'Whole page of the lead' }).tap();
    await page
      .getByRole('button', { name: 'Open conversation' })
      .or(page.getByRole('link', { name: 'Open conversation' }))
      .tap();
    await fieldOf(page).waitFor();
    expect(await drawer(page).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow.each([390, 360])('at %i px the head of a conversation says whole when it comes back', async (width) => {
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    await page.setViewportSize({ width, height: 844 });
    await chooseAct(page, 'Snooze');
    await page.getByRole('menuitemcheckbox').tap();
    await page.getByRole('menuitem', { name: 'Monday' }).tap();
    // A conversation that is put aside gives its place back to the list.
    await page.waitForURL((url) => url.pathname === '/inbox');
    await page.goBack();
    const said = page.locator('main header').getByText(/^Back at .* if there is no reply$/);
    await said.waitFor();
    const ends = '({ left, right, bottom }) => [left, right, bottom]';
    const rectOf = (selector: string) => `(${ends})(${selector}.getBoundingClientRect())`;
    const line = `[...document.querySelectorAll('main header span')].find((one) => /^Back at .* reply$/.test(one.textContent))`;
    const [text, box] = await page.evaluate<number[][]>(`[${rectOf(line)}, ${rectOf(`${line}.parentElement`)}]`);
    expect(text![0]).toBeGreaterThanOrEqual(box![0]!);
    expect(text![1]).toBeLessThanOrEqual(box![1]!);
    expect(text![2]).toBeLessThanOrEqual(box![2]!);
    expect(opened.problems).toEqual([]);
  });

  test('Close leads back to the list, and Reopen stays', async () => {
    await using opened = await open(`/inbox/${leads[0]}?view=all`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Close conversation' }).tap();
    await page.waitForURL((url) => url.pathname === '/inbox');
    await option(page, 'Bob').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Reopen', exact: true }).first().tap();
    await page.getByRole('button', { name: 'Close conversation' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/inbox/${leads[0]}`);
    expect(opened.problems).toEqual([]);
  });

  slow('the head says who answers for the conversation', async () => {
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    const head = page.getByRole('region', { name: 'Conversation' }).locator('header');
    await chooseAct(page, 'Assign');
    await page.getByRole('menuitem', { name: '(me)' }).tap();
    await head.getByText('yours', { exact: true }).waitFor();
    const email = `${tenant.admin.idpSub}@test.example`;
    await chooseAct(page, 'Assign');
    await page.getByRole('menuitem', { name: email }).tap();
    await head.locator('h2 + div').getByText(email, { exact: true }).waitFor();
    // Two lines of it stand whole in the head.
    expect(await page.evaluate(headIsWhole)).toBe(true);
    expect(opened.problems).toEqual([]);
  });

  slow('More says how the connection is, and changes the theme', async () => {
    await using opened = await open('/inbox');
    const { page } = opened;
    const more = page.getByRole('dialog', { name: 'More' });
    await page.getByRole('button', { name: 'More' }).tap();
    await more.getByText('Live', { exact: true }).waitFor();
    const themes = more.getByRole('radiogroup', { name: 'Theme' });
    for (const [name, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
      ['As the system', 'system'],
    ] as const) {
      await themes.getByRole('radio', { name }).tap();
      expect(await page.locator('html').getAttribute('data-theme')).toBe(theme);
    }
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await page.context().setOffline(true);
    await more.getByText(/^(Offline|Reconnecting)$/).waitFor();
    await page.context().setOffline(false);
    await more.getByText('Live', { exact: true }).waitFor();
    // The narrowest screen and the longest words have room.
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  slow.each([
    ['1 does not answer', 'CONNECTED'],
    ['2 need somebody', 'DISCONNECTED'],
  ])('More says beside the instances: %s', async (words, status) => {
    const { accountId } = tenant.admin;
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const silent = `health_code = 'UNREACHABLE', health_reason = 'no answer', degraded_at = now()`;
    for (const [instanceName, state] of [
      ['silent', silent],
      ['other', `status = '${status}'`],
    ] as const) {
      const { id } = await app.app.services.chatInstances.create(serviceOperator, { accountId, instanceName }, place);
      await app.sql(`UPDATE chat_instances SET ${state} WHERE id = $1`, [id]);
    }
    await using opened = await open('/inbox');
    const { page } = opened;
    const button = page.getByRole('button', { name: 'More' });
    await button.getByRole('img', { name: 'A number needs somebody' }).waitFor();
    await button.tap();
    const more = page.getByRole('dialog', { name: 'More' });
    await more.getByRole('link', { name: `Instances ${words}`, exact: true }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(opened.problems).toEqual([]);
  });

  slow('a guide has the screen, and the list of guides unfolds', async () => {
    await using opened = await open('/docs/use-the-console');
    const { page } = opened;
    const title = page.getByRole('heading', { level: 1, name: 'Use the console' });
    expect((await title.boundingBox())?.y).toBeLessThan(120);
    const pages = page.getByRole('button', { name: 'Pages' });
    const gateways = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Gateways', exact: true });
    expect(await gateways.isVisible()).toBe(false);
    await pages.tap();
    await gateways.tap();
    await page.waitForURL((url) => url.pathname.startsWith('/docs/') && !url.pathname.endsWith('/use-the-console'));
    await title.waitFor({ state: 'detached' });
    expect(await gateways.isVisible()).toBe(false);
    expect(opened.problems).toEqual([]);
  });

  test('a finger selects by the face, and opens by the rest of the row', async () => {
    await using opened = await open('/inbox');
    const { page } = opened;
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    for (const name of ['Ana', 'Bob']) {
      const box = await option(page, name).boundingBox();
      await page.touchscreen.tap((box?.x ?? 0) + 34, (box?.y ?? 0) + 32);
    }
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Select none' }).tap();
    await bar.waitFor({ state: 'detached' });
    await option(page, 'Ana').tap();
    await page.waitForURL((url) => url.pathname === `/inbox/${leads[0]}`);
    expect(opened.problems).toEqual([]);
  });

  slow('without a network a file that is not here yet is said to come later', async () => {
    await hear(app, tenant, numbers[0]!, { type: 'image', media: { url: 'http://127.0.0.1:1/a.png' } });
    // It stays on its way.
    await app.sql(`UPDATE media_files SET state = 'PENDING', due_at = now() + interval '1 day' WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    await page.getByText('The file is being fetched.').waitFor();
    await page.context().setOffline(true);
    await page.getByText('The file comes when the connection is back.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The file is being fetched.').waitFor();
  });

  slow.each([
    '/inbox',
    '/leads',
    '/bulk?id=new',
    '/templates',
    '/dashboards',
    '/instances',
    '/calls',
    '/settings',
    '/settings/users',
  ])('a finger finds whatever it touches on %s', async (path) => {
    const { accountId } = tenant.admin;
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    await app.app.services.chatInstances.create(serviceOperator, { accountId, instanceName: 'other' }, place);
    await using opened = await open(path, adminOf(tenant));
    const { page } = opened;
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The page is read to its end before anything is measured.
    const rows = page
      .getByRole('option')
      .or(page.getByRole('row'))
      .or(page.getByRole('textbox'))
      .or(page.getByRole('listitem'));
    await rows.first().waitFor();
    await allWithinReach(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(opened.problems).toEqual([]);
  });

  slow('a finger finds the acts of a message, the tools, the emoji and what the drawer has', async () => {
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    const nothing = () => allWithinReach(page);
    await page.getByRole('article').last().locator('p').nth(1).tap();
    await page.getByRole('button', { name: 'Quote', exact: true }).waitFor();
    await nothing();
    await page.getByRole('button', { name: 'Add to the message' }).tap();
    await nothing();
    await page.getByRole('button', { name: 'Insert emoji' }).tap();
    await page.getByRole('gridcell').first().waitFor();
    await nothing();
    // The field to find one would call the keyboard, which covers the choice.
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('INPUT');
    await page.getByRole('gridcell').first().tap();
    await openDrawer(page);
    await drawer(page).getByRole('textbox', { name: 'Tag' }).fill('vip');
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('button', { name: 'Take away vip' }).waitFor();
    await nothing();
    expect(opened.problems).toEqual([]);
  });

  slow.each([0, 1])('in Spanish too, the bar of selected rows has two lines, in list %i', async (place) => {
    await using opened = await open('/settings');
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Español' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('navigation').getByRole('link').nth(place).tap();
    const box = await option(page, 'Ana')
      .or(page.getByRole('row', { name: 'Ana' }))
      .boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 24, (box?.y ?? 0) + 20);
    const acts = page.getByRole('toolbar').getByRole('button');
    await acts.first().waitFor();
    const boxes = await Promise.all((await acts.all()).map((one) => one.boundingBox()));
    const tops = boxes.map((one) => Math.round(one?.y ?? 0));
    expect(new Set(tops).size).toBe(2);
    // The last one ends the selection, beside the number.
    expect(tops.at(-1)).toBe(Math.min(...tops));
    for (const one of boxes) expect(Math.min(one?.width ?? 0, one?.height ?? 0)).toBeGreaterThanOrEqual(40);
  });

  slow('what is new in a scrolled list waits at its foot, over none of the views', async () => {
    const others = Array.from({ length: 14 }, () => plainNumber());
    await hearMany(app, tenant, others);
    await using opened = await open('/inbox?view=all');
    const { page } = opened;
    await page.getByRole('option').nth(9).waitFor();
    await page.evaluate(`document.querySelector('[role=listbox]').scrollTop = 200`);
    const list = page.getByRole('listbox', { name: 'Conversations' });
    await until(
      () => page.evaluate<number>(`document.querySelector('[role=listbox]').scrollTop`),
      (top) => top > 0,
    );
    await hearMany(app, tenant, [plainNumber()]);
    const fresh = await page.getByRole('button', { name: '1 new' }).boundingBox();
    const box = await list.boundingBox();
    expect(fresh?.height).toBeGreaterThanOrEqual(40);
    expect(fresh?.y).toBeGreaterThan((box?.y ?? 0) + (box?.height ?? 0) / 2);
    expect((fresh?.y ?? 0) + (fresh?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
    expect(opened.problems).toEqual([]);
  });

  slow('a reaction is not covered by the next message of a turn', async () => {
    const messageId = randomUUID();
    await hear(app, tenant, numbers[0]!, { messageId, text: 'Uma pergunta' });
    await hear(app, tenant, numbers[0]!, { text: 'E mais uma coisa' });
    await hear(app, tenant, numbers[0]!, { type: 'reaction', reaction: { messageId, emoji: '🎉' } });
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    await page.getByRole('article').filter({ hasText: 'E mais uma coisa' }).waitFor();
    const reaction = page.getByRole('img', { name: '🎉' });
    await reaction.waitFor();
    const [box, next] = await Promise.all([
      reaction.boundingBox(),
      page.getByRole('article').last().locator('p').nth(1).boundingBox(),
    ]);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(next?.y ?? 0);
    expect(opened.problems).toEqual([]);
  });

  slow('a turned phone shows the end of the text that is being written', async () => {
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    await fieldOf(page).tap();
    for (let line = 0; line < 10; line += 1) {
      await page.keyboard.type(`line ${line}`);
      await page.keyboard.press('Enter');
    }
    await page.setViewportSize({ width: 844, height: 390 });
    const hidden = `(() => { const { scrollHeight, scrollTop, clientHeight } = document.activeElement; return scrollHeight - scrollTop - clientHeight; })()`;
    await until(
      () => page.evaluate<number>(hidden),
      (below) => below <= 1,
    );
    expect(await page.evaluate('document.activeElement.scrollTop')).toBeGreaterThan(0);
    expect(opened.problems).toEqual([]);
  });

  slow('without a network a line at the top says so, and what is written stays', async () => {
    await using opened = await open(`/inbox/${leads[0]}`);
    const { page } = opened;
    await fieldOf(page).fill('Bom dia');
    await page.context().setOffline(true);
    const said = page.getByRole('status').filter({ hasText: 'Offline. What you write is kept' });
    await said.waitFor();
    await page.context().setOffline(false);
    await said.waitFor({ state: 'detached' });
    await expectDraft(page, 'Bom dia');
    // The browser says by itself that it had no network.
    await until(
      () => opened.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED')),
      (problems) => problems.length === 0,
    );
  });
}

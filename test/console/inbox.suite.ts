// The inbox in a browser: live, in order, and still under the pointer.

import { randomUUID } from 'node:crypto';
import { query } from '../support/graphql-client.js';
import { AssignLeadDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { adminOf, openConsole, settled } from './browser.js';
import { hear as hearFrom } from '../features/leads/conversation-harness.js';

export function describeInbox(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const operator = () => ({ ...tenant.operator, role: 'OPERATOR' as const, tenantId: tenant.id });

  /** @returns the lead's id */
  async function hear(from: string, text: string, name?: string): Promise<string> {
    if (name !== undefined) await app.post('/public/leads', { chat: from, name }, withKey(tenant));
    return (await hearFrom(app, tenant, from, { text })).leadId;
  }

  test('shows who wrote, brings new messages by itself, and counts what is unread in the title', async () => {
    const [ana, bob] = [plainNumber(), plainNumber()];
    await hear(ana, 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox?view=all');
    const { page } = opened;
    const options = page.getByRole('listbox', { name: 'Conversations' }).getByRole('option');
    await options.filter({ hasText: 'Ana' }).waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await hear(bob, 'Hello', 'Bob');
    // The lead comes first, and then its message.
    await until(
      () => page.getByRole('option', { name: '1 unread' }).count(),
      (count) => count === 2,
    );
    expect(await options.allTextContents()).toEqual([expect.stringContaining('Bob'), expect.stringContaining('Ana')]);
    await until(
      () => page.title(),
      (title) => title === '(2) Inbox',
    );
    expect(opened.problems).toEqual([]);
  });

  slow('what comes while the counts are read is counted', async () => {
    await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/assets/icon.svg');
    const { page } = opened;
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON()?.operationName !== 'InboxCounts') return route.continue();
      const response = await route.fetch();
      asked.resolve();
      await answer.promise;
      await route.fulfill({ response });
    });
    await page.goto(`${app.url}/inbox?view=all`);
    await asked.promise;
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await hear(plainNumber(), 'Hello', 'Bob');
    await page.getByRole('option', { name: 'Bob' }).filter({ hasText: 'Hello' }).waitFor();
    answer.resolve();
    await until(
      () => page.title(),
      (title) => title === '(2) Inbox',
    );
    await settled(page);
    expect(await page.title()).toBe('(2) Inbox');
    expect(opened.problems).toEqual([]);
  });

  test('rows stay under the pointer; what is new waits behind a button', async () => {
    const [ana, bob] = [plainNumber(), plainNumber()];
    await hear(ana, 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox?view=all');
    const { page } = opened;
    const options = page.getByRole('listbox').getByRole('option');
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await options.filter({ hasText: 'Ana' }).hover();
    await hear(bob, 'Hello', 'Bob');
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor();
    expect(await options.count()).toBe(1);
    await page.getByRole('button', { name: '1 new', exact: true }).click();
    await options.filter({ hasText: 'Bob' }).waitFor();
    expect(await options.first().textContent()).toContain('Bob');
  });

  test('opens who waits, the longest first, and counts each view where the navigation names it', async () => {
    const ana = await hear(plainNumber(), 'Oi', 'Ana');
    await hear(plainNumber(), 'Hello', 'Bob');
    await query(app, tenant.operator, AssignLeadDocument, { id: ana, userId: tenant.operator.id });
    await using opened = await openConsole(app, operator(), '/inbox');
    const { page } = opened;
    const view = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
    await page.getByRole('option', { name: 'waiting <1 min' }).first().waitFor();
    const options = page.getByRole('listbox').getByRole('option');
    expect(await options.allTextContents()).toEqual([expect.stringContaining('Ana'), expect.stringContaining('Bob')]);
    for (const name of ['Waiting 2', 'Mine 1', 'Unassigned 1']) await view(name).waitFor();
    expect(await view('Waiting 2').getAttribute('aria-current')).toBe('page');
    await hear(plainNumber(), 'Hola', 'Carla');
    for (const name of ['Waiting 3', 'Mine 1', 'Unassigned 2']) await view(name).waitFor();
    await view('Mine 1').click();
    await page.waitForURL(({ search }) => search === '?view=mine');
    await options.filter({ hasText: 'Ana' }).waitFor();
    expect(await options.count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('an empty company shows an administrator its first steps, and an operator whom to ask', async () => {
    await using opened = await openConsole(app, adminOf(tenant), '/inbox');
    const steps = opened.page.getByRole('region', { name: 'Four steps to the first answer' });
    await steps.getByRole('progressbar').waitFor();
    const links = await Promise.all((await steps.getByRole('link').all()).map((link) => link.getAttribute('href')));
    expect(links).toEqual(['/instances', '/settings/users', '/settings/sources', '/docs']);
    await using operators = await openConsole(app, operator(), '/inbox');
    await operators.page.getByText('Administrators of your company connect a number').waitFor();
    // Nobody there has an answer yet.
    await operators.page.getByText('Everybody has an answer').waitFor({ state: 'hidden' });
    await operators.page.setViewportSize({ width: 390, height: 844 });
    await operators.page.getByText('Administrators of your company connect a number').waitFor();
    await operators.page.setViewportSize({ width: 1280, height: 800 });
    await operators.page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await hear(plainNumber(), 'Oi', 'Ana');
    await operators.page.getByText('Choose a conversation').waitFor();
    expect([...opened.problems, ...operators.problems]).toEqual([]);
  });

  slow('a view whose filters let nobody in says so, and leads out of them', async () => {
    await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox?tag=surf');
    const { page } = opened;
    await page.getByText('No conversation fits the filters').waitFor();
    await page.getByRole('link', { name: 'Remove the filters' }).click();
    await page.getByRole('option', { name: 'Ana' }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=waiting');
    expect(opened.problems).toEqual([]);
  });

  slow('filters open behind their button, which says how many are in use', async () => {
    await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox?tag=surf');
    const { page } = opened;
    const button = page.getByRole('button', { name: 'Filters' });
    await button.waitFor();
    expect(await button.getAttribute('aria-description')).toBe('1 in use');
    expect(await page.getByRole('textbox', { name: 'Tag' }).count()).toBe(0);
    await button.click();
    await page.getByRole('textbox', { name: 'Tag' }).fill('');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Ana' }).waitFor();
    expect(await button.getAttribute('aria-description')).toBeNull();
  });

  slow('a phone has four words and More, which opens the rest', async () => {
    await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox', { viewport: { width: 390, height: 780 } });
    const { page } = opened;
    const bar = page.getByRole('navigation', { name: 'Main' });
    await bar.getByRole('link', { name: 'Dashboards' }).waitFor();
    expect(await bar.getByRole('link').allTextContents()).toEqual(['Inbox', 'Leads', 'Templates', 'Dashboards']);
    await page.getByRole('link', { name: 'Snoozed' }).waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    const sheet = page.getByRole('dialog', { name: 'More' });
    await sheet.getByRole('button', { name: 'Sign out' }).waitFor();
    await sheet.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL(/\/settings$/);
    await sheet.waitFor({ state: 'detached' });
  });

  test('a view shows what belongs to it, and what changes comes and goes', async () => {
    const leadId = await hear(plainNumber(), 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox?view=mine');
    const { page } = opened;
    await page.getByText('No conversations here').waitFor();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await query(app, tenant.operator, AssignLeadDocument, { id: leadId, userId: tenant.operator.id });
    await page.getByRole('option', { name: 'Ana' }).waitFor();
    await page.getByRole('link', { name: 'Unassigned', exact: true }).click();
    await page.getByText('No conversations here').waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('an');
    await page.getByRole('option', { name: 'Ana' }).waitFor();
    // A search finds people of every view, and ends with the choice of one.
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL(({ search }) => search === '?view=all');
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('');
    await page.getByRole('option', { name: 'Ana' }).waitFor();
  });

  slow('a lead that another became leaves a list that is held', async () => {
    const [number, next] = [plainNumber(), plainNumber()];
    await hear(next, 'Oi', 'Bob');
    await hear(number, 'Oi', 'Ana');
    await using opened = await openConsole(app, operator(), '/inbox?view=all');
    const { page } = opened;
    const bob = page.getByRole('option', { name: 'Bob' });
    await bob.hover();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    const notice = { kind: 'NUMBER_CHANGED', newFrom: next };
    const body = { messageId: randomUUID(), from: number, type: 'notice', notice };
    expect((await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant))).status).toBe(200);
    await page.getByRole('option', { name: 'Ana' }).waitFor({ state: 'detached' });
    await bob.filter({ hasText: 'Oi' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('without a connection it says so, and misses nothing', async () => {
    await using opened = await openConsole(app, operator(), '/inbox');
    const { page } = opened;
    const connection = page.getByRole('status', { name: 'Connection' });
    await connection.filter({ hasText: 'Live' }).waitFor();
    await page.context().setOffline(true);
    await connection.filter({ hasText: 'Offline' }).waitFor();
    for (const name of ['Ana', 'Bob', 'Carla']) await hear(plainNumber(), 'Oi', name);
    await page.context().setOffline(false);
    await connection.filter({ hasText: 'Live' }).waitFor();
    for (const name of ['Ana', 'Bob', 'Carla']) await page.getByRole('option', { name }).waitFor();
    expect(await page.getByRole('listbox').getByRole('option').count()).toBe(3);
  });

  test('J, K and Enter move and open; / searches', async () => {
    for (const name of ['Ana', 'Bob', 'Carla']) await hear(plainNumber(), 'Oi', name);
    await using opened = await openConsole(app, operator(), '/inbox?view=all');
    const { page } = opened;
    await page.getByRole('option', { name: 'Carla' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    // The focus goes along, so that a screen reader says the row.
    const list = page.getByRole('listbox', { name: 'Conversations' });
    await page.locator('[role=listbox]:focus').waitFor();
    const active = await list.getAttribute('aria-activedescendant');
    expect(await page.getByRole('option', { name: 'Bob' }).getAttribute('id')).toBe(active);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/inbox\/[\da-f-]{36}/);
    await page.getByRole('option', { name: 'Bob', selected: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('jk');
  });

  slow.each(['en-US', 'pt-BR', 'es-ES'])(
    'the role stands beside the connection, and is not cut (%s)',
    async (locale) => {
      await using opened = await openConsole(app, adminOf(tenant), '/inbox', { locale });
      const { page } = opened;
      const role = page.getByRole('navigation').getByText(/^(Administrator|Administrador)$/);
      await role.waitFor();
      await page.getByText(/^(Live|Ao vivo|En vivo)$/).waitFor();
      const cut = `(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)(document.querySelector('nav [role=status] + span'))`;
      expect(await page.evaluate(cut)).toBe(0);
      const [one, other] = [
        await role.boundingBox(),
        await page.getByRole('status', { name: /Connection|Conexão|Conexión/ }).boundingBox(),
      ];
      expect(one?.y).toBe(other?.y);
      expect(opened.problems).toEqual([]);
    },
  );
}

// The last list and the last conversations come from the browser before the first answer, and nothing of them stays after the session.

import type { Page } from 'playwright-core';
import { withTenantEach } from '../support/shared-app.js';
import { query } from '../support/graphql-client.js';
import { DeleteLeadDocument, UpdateUserDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import { type TestApp, type TestTenant } from '../support/test-app.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { openConsole, operatorOf, sessionScript, type OpenPage } from './browser.js';
import { hear as hearFrom } from '../features/leads/conversation-harness.js';

/** Everything that the browser keeps, as one text, and the kinds of its entries. */
const readKept = `(async () => {
  const found = (await indexedDB.databases()).some(({ name }) => name === 'leadwire-reading');
  if (!found) return { text: '', kinds: [] };
  const asked = (request) => new Promise((done, fail) =>
    Object.assign(request, { onsuccess: () => done(request.result), onerror: fail }));
  const database = await asked(indexedDB.open('leadwire-reading'));
  const store = database.transaction('kept').objectStore('kept');
  const [keys, values] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
  database.close();
  return { text: JSON.stringify([keys, values]), kinds: keys.filter((key) => key.length === 4).map((key) => key[2]) };
})()`;

interface KeptState {
  text: string;
  kinds: string[];
}

export function describeKeptReading(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;
  let number: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    number = plainNumber();
    leadId = await hear('The first words', number);
  });

  async function hear(text: string, from = plainNumber(), more: object = {}): Promise<string> {
    return (await hearFrom(app, tenant, from, { text, ...more })).leadId;
  }

  const open = () => openConsole(app, operatorOf(tenant), `/inbox/${leadId}?view=all`, { serviceWorkers: 'allow' });
  const keptOf = (page: Page) => page.evaluate<KeptState>(readKept);
  const isKept = (page: Page) =>
    until(
      () => keptOf(page),
      ({ kinds }) => kinds.includes('list') && kinds.includes('conversation'),
    );
  const isEmpty = (page: Page) =>
    until(
      () => keptOf(page),
      ({ text }) => text === '' || text === '[[],[]]',
    );

  async function openKept(): Promise<OpenPage> {
    const opened = await open();
    await opened.page.getByRole('article').filter({ hasText: 'The first words' }).waitFor();
    await isKept(opened.page);
    return opened;
  }

  test('a reload shows list and conversation before any answer, and then what has come since', async () => {
    await using opened = await openKept();
    const { page } = opened;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('option').filter({ hasText: 'The first words' }).waitFor();
    await page.getByRole('log', { name: 'Messages' }).getByText('The first words').waitFor();
    await hear('Words of another');
    release();
    await page.getByRole('option').filter({ hasText: 'Words of another' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow(
    'without a network the list and the conversation can be read, and the connection is said to be offline',
    async () => {
      await using opened = await openKept();
      const { page } = opened;
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      await page.context().setOffline(true);
      try {
        await page.reload();
        await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Offline' }).waitFor();
        await page.getByRole('option').filter({ hasText: 'The first words' }).waitFor();
        await page.getByRole('log', { name: 'Messages' }).getByText('The first words').waitFor();
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click();
        await page.getByText('This is not kept in the browser').waitFor();
      } finally {
        await page.context().setOffline(false);
      }
      await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
      await page.getByRole('table', { name: 'Leads' }).waitFor();
    },
  );

  slow('a conversation that was opened without a network is read when the network is back', async () => {
    for (let count = 1; count <= 51; count += 1) await hear(`Earlier words ${count}`, number);
    await using opened = await open();
    const { page } = opened;
    const log = page.getByRole('log', { name: 'Messages' });
    await log.getByText('Earlier words 51').waitFor();
    await isKept(page);
    await page.goto(`${app.url}/inbox?view=all`);
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await hear('Missed words', number);
    const row = page.getByRole('option').filter({ hasText: 'Missed words' });
    await row.waitFor();
    await page.context().setOffline(true);
    try {
      await row.click();
      await log.getByText('Earlier words 51').waitFor();
      await page.getByText('Older messages could not be read.').waitFor();
      expect(await log.getByText('Missed words').count()).toBe(0);
    } finally {
      await page.context().setOffline(false);
    }
    await log.getByText('Missed words').waitFor();
    await page.getByText('Older messages could not be read.').waitFor({ state: 'detached' });
  });

  slow('without a network it is known who is signed in, and where, until the session ends', async () => {
    await query(app, tenant.admin, UpdateUserDocument, { id: tenant.operator.id, input: { name: 'Marina Duarte' } });
    const [company] = await app.sql<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [tenant.id]);
    await using opened = await openKept();
    const { page } = opened;
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByText('Marina Duarte').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    try {
      await page.reload();
      await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Offline' }).waitFor();
      await navigation.getByText('Marina Duarte').waitFor();
      await navigation.getByText(company?.name ?? '', { exact: true }).waitFor();
    } finally {
      await page.context().setOffline(false);
    }
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in**');
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('Marina');
  });

  slow('nothing of files or tokens is kept', async () => {
    const media = {
      url: 'https://files.example/private-scan.pdf',
      mimeType: 'application/pdf',
      fileName: 'private-scan.pdf',
    };
    leadId = await hear('', plainNumber(), { type: 'document', text: undefined, media });
    await using opened = await open();
    await opened.page.getByRole('article').first().waitFor();
    await isKept(opened.page);
    const { text } = await keptOf(opened.page);
    expect(text).toContain(leadId);
    expect(text).not.toMatch(/private-scan|files\.example|\/media\/|eyJ/);
  });

  test('signing out removes everything', async () => {
    await using opened = await openKept();
    const { page } = opened;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in**');
    await isEmpty(page);
  });

  slow('so does a deactivated user', async () => {
    await using opened = await openKept();
    const { page } = opened;
    await query(app, tenant.admin, UpdateUserDocument, { id: tenant.operator.id, input: { isActive: false } });
    await page.waitForURL('**/sign-in**');
    await isEmpty(page);
  });

  slow('so does an expired session', async () => {
    await using opened = await openKept();
    const { page } = opened;
    await page.route('**/auth/dev/token', (route) =>
      route.fulfill({ status: 401, json: { code: 'GRANT_INVALID', detail: 'The grant has ended', status: 401 } }),
    );
    await page.evaluate(`{
      const session = JSON.parse(sessionStorage.getItem('leadwire.session'));
      sessionStorage.setItem('leadwire.session', JSON.stringify({ ...session, expiresAt: 0 }));
    }`);
    await page.reload();
    await page.waitForURL('**/sign-in**');
    await isEmpty(page);
  });

  slow('so does a start without a session, and one of another user, who never sees it', async () => {
    await using opened = await openKept();
    const { page } = opened;
    const other = await app.createTenant();
    await page.evaluate(`sessionStorage.clear(); ${sessionScript(operatorOf(other))}`);
    await page.route('**/graphql', () => undefined);
    await page.goto(`${app.url}/inbox?view=all`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await isEmpty(page);
    expect(await page.getByText('The first words').count()).toBe(0);
    await page.unroute('**/graphql');
    await page.goto(`${app.url}/inbox?view=all`);
    await until(
      () => keptOf(page),
      ({ kinds }) => kinds.includes('list'),
    );
    await page.evaluate('sessionStorage.clear()');
    // The script of the window would sign the first user in again.
    const leaving = await page.addInitScript(`sessionStorage.clear()`);
    await page.goto(`${app.url}/docs`);
    await isEmpty(page);
    await leaving.dispose();
  });

  slow('an erased person goes from list and conversations', async () => {
    await using opened = await openKept();
    const { page } = opened;
    await query(app, tenant.admin, DeleteLeadDocument, { id: leadId });
    await until(
      () => keptOf(page),
      ({ text }) => !text.includes('The first words'),
    );
  });

  slow('the 50 conversations that were read last are kept, the messages of each in bounds', async () => {
    await using opened = await openKept();
    const { page } = opened;
    const owner = JSON.stringify([tenant.id, tenant.operator.id]);
    await page.evaluate(`(async () => {
      const asked = (request) => new Promise((done, fail) =>
        Object.assign(request, { onsuccess: () => done(request.result), onerror: fail }));
      const database = await asked(indexedDB.open('leadwire-reading'));
      const store = database.transaction('kept', 'readwrite').objectStore('kept');
      const names = Array.from({ length: 50 }, (_, index) => 'read before ' + index);
      for (const name of names) store.put({ keptAt: Date.now(), build: '', value: {} }, [...${owner}, 'conversation', name]);
      await asked(store.put(names, [...${owner}, 'conversation']));
      database.close();
    })()`);
    for (let count = 0; count < 60; count += 1) await hear(`${count} ${'x'.repeat(3_000)}`, number);
    const { text } = await until(
      () => keptOf(page),
      (state) => state.text.includes('59 xxx'),
    );
    const kept = JSON.parse(text) as [string[][], { value: { messages?: unknown[] } }[]];
    const names = kept[0].flatMap(([, , kind, name]) => (kind === 'conversation' && name !== undefined ? [name] : []));
    expect(names).toHaveLength(50);
    expect(names).toContain(leadId);
    expect(names).not.toContain('read before 49');
    const own = kept[1][kept[0].findIndex((key) => key[3] === leadId)];
    expect(own?.value.messages?.length).toBeLessThan(50);
  });
}

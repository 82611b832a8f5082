// Notifications of a browser: the choice in the settings, what the service worker shows, and where a click leads. The browser's push
// service is played, because a browser of tests has none.

import type { Page, Worker } from 'playwright-core';
import { notificationOf } from '../../src/console/service-worker/notification.js';
import { pushSubscription } from '../features/push/push-browser.js';
import { createLead, until } from '../features/messages/sending-harness.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';

/** Gives a page a push service that takes every subscription. A reload keeps what it was given. */
function playPush(): string {
  const { endpoint, publicKey, secret } = pushSubscription();
  return `(() => {
    const bytesOf = (key) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer;
    const subscriptionOf = (key) => ({
      endpoint: '${endpoint}',
      options: { applicationServerKey: bytesOf(key) },
      toJSON: () => ({ endpoint: '${endpoint}', keys: { p256dh: '${publicKey}', auth: '${secret}' } }),
      unsubscribe: async () => sessionStorage.removeItem('played.push'),
    });
    Notification.requestPermission = async () => 'granted';
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    PushManager.prototype.getSubscription = async () => {
      const key = sessionStorage.getItem('played.push');
      return key === null ? null : subscriptionOf(key);
    };
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      sessionStorage.setItem('played.push', applicationServerKey);
      return subscriptionOf(applicationServerKey);
    };
  })()`;
}

/** Holds back the answers to a choice until the test calls `goOn`. */
const holdAnswers = `(() => {
  const { fetch } = window;
  window.fetch = async (...given) => {
    const answer = await fetch(...given);
    if (String(given[1]?.body).includes('notifiesMine')) await new Promise((done) => (window.goOn = done));
    return answer;
  };
})()`;

const played = `sessionStorage.getItem('played.push')`;

export function describePush(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const isReady = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
  const devices = () =>
    app.sql<{ name: string; mine: boolean; unassigned: boolean }>(
      'SELECT name, notifies_mine AS mine, notifies_unassigned AS unassigned FROM push_devices WHERE tenant_id = $1',
      [tenant.id],
    );
  const untilKept = (count: number) => until(devices, ({ length }) => length === count);

  slow('a user chooses what to be notified of, and a sign-out ends it', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/settings', {
      record: playPush(),
      serviceWorkers: 'allow',
    });
    const { page } = opened;
    await isReady(page);
    const mine = page.getByRole('checkbox', { name: 'Notify of messages in my conversations' });
    const unassigned = page.getByRole('checkbox', { name: 'Notify of messages in unassigned conversations' });
    await mine.click();
    expect(await untilKept(1)).toEqual([{ name: 'Chrome · Linux', mine: true, unassigned: false }]);
    await unassigned.click();
    await until(devices, ([device]) => device?.unassigned === true);
    await page.getByRole('list', { name: 'Notified browsers' }).getByText('Chrome · Linux').waitFor();
    await page.reload();
    await mine.and(page.locator(':checked')).waitFor();
    await mine.click();
    await unassigned.and(page.locator(':enabled')).click();
    await untilKept(0);
    expect(await page.evaluate(played)).toBeNull();
    await mine.and(page.locator(':enabled')).click();
    await untilKept(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await untilKept(0);
    expect(await page.evaluate(played)).toBeNull();
    expect(opened.problems).toEqual([]);
  });

  const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).press('Enter');

  slow('a sign-out ends what another tab has chosen since this one was opened', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', {
      record: playPush(),
      serviceWorkers: 'allow',
    });
    const { page } = opened;
    await isReady(page);
    await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor();
    const input = { ...pushSubscription(), name: 'Chrome · Linux', notifiesMine: true };
    const text = 'mutation ($input: KeepPushDeviceInput!) { keepPushDevice(input: $input) { id } }';
    const headers = { authorization: `Bearer ${tenant.operator.token}` };
    const answer = await app.post('/graphql', { query: text, variables: { input } }, headers);
    const { data } = (await answer.json()) as { data: { keepPushDevice: { id: string } } };
    const chosen = { userId: tenant.operator.id, deviceId: data.keepPushDevice.id, mine: true, unassigned: false };
    await page.evaluate(`localStorage.setItem('leadwire.push', '${JSON.stringify(chosen)}')`);
    await page.evaluate(`sessionStorage.setItem('played.push', '${input.publicKey}')`);
    await untilKept(1);
    await signOut(page);
    await page.waitForURL('**/sign-in*');
    await untilKept(0);
    expect(await page.evaluate(`[${played}, localStorage.getItem('leadwire.push')]`)).toEqual([null, null]);
    expect(opened.problems).toEqual([]);
  });

  slow('a sign-out ends a choice that is not answered yet', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/settings', {
      record: `${playPush()};${holdAnswers}`,
      serviceWorkers: 'allow',
    });
    const { page } = opened;
    await isReady(page);
    await page.getByRole('checkbox', { name: 'Notify of messages in my conversations' }).click();
    await untilKept(1);
    await signOut(page);
    await page.waitForURL('**/sign-in*');
    await page.evaluate('window.goOn()');
    await untilKept(0);
    expect(await page.evaluate(`[${played}, localStorage.getItem('leadwire.push')]`)).toEqual([null, null]);
    expect(opened.problems).toEqual([]);
  });

  slow('a browser is removed from the list, also one that is elsewhere', async () => {
    const input = pushSubscription();
    const text = 'mutation ($input: KeepPushDeviceInput!) { keepPushDevice(input: $input) { id } }';
    const headers = { authorization: `Bearer ${tenant.operator.token}` };
    await app.post('/graphql', { query: text, variables: { input: { ...input, name: 'Firefox · Android' } } }, headers);
    await using opened = await openConsole(app, operatorOf(tenant), '/settings', { serviceWorkers: 'allow' });
    await opened.page.getByRole('button', { name: 'Remove Firefox · Android' }).click();
    await untilKept(0);
    expect(opened.problems).toEqual([]);
  });

  test('the service worker shows who wrote while nobody looks, and a click opens the conversation', async () => {
    const leadId = await createLead(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', { serviceWorkers: 'allow' });
    const { page } = opened;
    await isReady(page);
    const worker = await workerOf(page);
    const shown = await pushTo(worker, { kind: 'message', leadId, name: 'Ana', count: 2, language: 'pt-BR' });
    expect(shown).toEqual([['Ana', expect.objectContaining({ body: '2 novas mensagens', tag: leadId })]]);
    expect(await pushTo(worker, { kind: 'further', count: 1, language: 'en' }, '/inbox')).toEqual([]);
    await click(worker, `/inbox/${leadId}`);
    await page.waitForURL(`**/inbox/${leadId}`);
  });

  slow(
    'a click opens its place where somebody is signed in, and a guide or a sign-in that is open hides no news',
    async () => {
      const leadId = await createLead(app, tenant);
      await using opened = await openConsole(app, operatorOf(tenant), '/leads', { serviceWorkers: 'allow' });
      const { page } = opened;
      await isReady(page);
      await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor();
      const worker = await workerOf(page);
      await click(worker, '/inbox');
      await page.waitForURL(/\/inbox(?:\?|$)/);
      const news = { kind: 'further', count: 1, language: 'en' };
      const other = await page.context().newPage();
      try {
        for (const path of ['/docs/use-the-console.md', '/sign-in']) {
          await other.goto(`${app.url}${path}`);
          expect(await pushTo(worker, news, path)).toHaveLength(1);
        }
        await click(worker, `/inbox/${leadId}`);
        await page.waitForURL(`**/inbox/${leadId}`);
      } finally {
        await other.close();
      }
      expect(await pushTo(worker, news, '/leads')).toEqual([]);
    },
  );

  test('a notification says what can be said of any payload', () => {
    const leadId = '0197f3a2-5b5e-7c43-9c1d-0123456789ab';
    const of = (payload: unknown) => {
      const { title, path, options } = notificationOf(payload);
      return [title, options.body, options.tag, path];
    };
    expect(of({ kind: 'message', leadId, name: 'Ana', count: 1, language: 'es' })).toEqual([
      'Ana',
      'Mensaje nuevo',
      leadId,
      `/inbox/${leadId}`,
    ]);
    expect(of({ kind: 'message', leadId, name: 'Ana', count: 1, language: 'es', text: 'Hola' })[1]).toBe('Hola');
    expect(of({ kind: 'message', leadId, name: 'Ana', count: 2, language: 'es', text: 'Hola' })[1]).toBe(
      '2 mensajes nuevos\nHola',
    );
    expect(of({ kind: 'further', count: 3, language: 'fr' })).toEqual([
      'Leadwire',
      'Messages in 3 more conversations',
      'further',
      '/inbox',
    ]);
    const nothing = ['Leadwire', 'New message', 'further', '/inbox'];
    for (const payload of [undefined, null, 'x', { kind: 'message', leadId: '../settings', name: 'x' }])
      expect(of(payload)).toEqual(nothing);
  });
}

async function workerOf(page: Page): Promise<Worker> {
  const worker = await until(
    () => page.context().serviceWorkers()[0],
    (one) => one !== undefined,
  );
  return worker!;
}

/** Clicks a notification with this path. */
const click = (worker: Worker, path: string) =>
  worker.evaluate(`(() => {
    const notification = { close: () => undefined, data: { path: '${path}' } };
    const event = Object.assign(new ExtendableEvent('notificationclick'), { notification });
    event.waitUntil = (work) => work.catch(() => undefined);
    self.dispatchEvent(event);
  })()`);

/**
 * Hands a payload to the service worker.
 * @param looked the path with which the window was opened that somebody looks at
 * @returns the notifications that it shows
 */
async function pushTo(worker: Worker, payload: object, looked?: string): Promise<unknown> {
  return worker.evaluate(`(async () => {
    const shown = [];
    const { matchAll } = Clients.prototype;
    self.clients.matchAll = async (options) =>
      (await matchAll.call(self.clients, options)).map((one) => ({
        url: one.url,
        focused: new URL(one.url).pathname === '${looked}',
        postMessage: (...given) => one.postMessage(...given),
      }));
    self.registration.showNotification = async (...given) => void shown.push(given);
    const event = Object.assign(new ExtendableEvent('push'), { data: { json: () => (${JSON.stringify(payload)}) } });
    const works = [];
    event.waitUntil = (work) => works.push(work);
    self.dispatchEvent(event);
    await Promise.all(works);
    delete self.clients.matchAll;
    return shown;
  })()`);
}

// The console as an installed application: its manifest, its service worker, and how a newer build takes its place.

import type { Page } from 'playwright-core';
import { isShellPage } from '../../src/console/service-worker/shell-paths.js';
import { enumerateRoutes } from '../access/rest-routes.js';
import { until } from '../features/messages/sending-harness.js';
import { withTenant } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';

const listCaches = `(async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  return found;
})()`;

const installing = { serviceWorkers: 'allow' } as const;

const scripts = `[...document.querySelectorAll('script')].map((script) => script.getAttribute('src'))`;

/** Notes that the page of the former build was shown. */
const notesFormer = `addEventListener('DOMContentLoaded', () => {
  if (document.querySelector('script[src="/assets/former.js"]') !== null) sessionStorage.setItem('seen', 'former');
})`;

export function describeInstalled(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  const isReady = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');

  test('the page names a manifest with icons that are there, and a color for each theme', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/settings', installing);
    const { page } = opened;
    await page.getByRole('radiogroup', { name: 'Theme' }).waitFor();
    const address = await page.evaluate<string>(`document.querySelector('link[rel=manifest]').href`);
    const answer = await fetch(address);
    expect(answer.headers.get('content-type')).toContain('application/manifest+json');
    const manifest = (await answer.json()) as { icons: { src: string; type: string }[] };
    expect(manifest).toMatchObject({ name: 'Leadwire', start_url: '/inbox', scope: '/', display: 'standalone' });
    for (const { src, type } of manifest.icons)
      expect([src, (await app.get(src)).headers.get('content-type')]).toEqual([src, expect.stringContaining(type)]);
    const colors = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('meta[name=theme-color]')].map(({ content }) => content)`);
    const [light, dark] = await colors();
    expect(light).not.toBe(dark);
    await page.getByRole('radio', { name: 'Dark' }).click();
    expect(await colors()).toEqual([dark, dark]);
    await page.getByRole('radio', { name: 'As the system' }).click();
    expect(await colors()).toEqual([light, dark]);
    expect(opened.problems).toEqual([]);
  });

  test('its service worker keeps the console for every path, and no answer of the API', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', installing);
    const { page } = opened;
    expect(await isReady(page)).toBe(`${app.url}/`);
    const kept = await until(
      () => page.evaluate<string[]>(listCaches),
      (paths) => paths.includes('/'),
    );
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
    await page.reload();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await page.getByRole('link', { name: 'Leads' }).first().click();
    await page.waitForURL('**/leads');
    expect((await page.evaluate<string[]>(listCaches)).toSorted()).toEqual(kept.toSorted());
    const headers = await page.evaluate<string>(
      `fetch('/service-worker.js').then(({ headers }) => JSON.stringify([...headers]))`,
    );
    expect(headers).toContain('["cache-control","no-cache"]');
    expect(headers).toMatch(/worker-src 'self'; manifest-src 'self'/);
    expect(opened.problems).toEqual([]);
  });

  test('no path of the API, of a file or of a provider’s answer is opened from the browser’s copy', () => {
    const reads = enumerateRoutes(app).flatMap((route) => /^GET (\S+)$/.exec(route)?.[1] ?? []);
    expect(reads.length).toBeGreaterThan(5);
    const others = [
      '/graphql',
      '/openapi.json',
      '/llms.txt',
      '/docs/errors.md',
      '/callback',
      '/leads/export.csv',
      '/no/such',
    ];
    expect([...reads, ...others].filter((path) => isShellPage(path))).toEqual([]);
    const lead = '/leads/0197f3a2-5b5e-7c43-9c1d-0123456789ab';
    const pages = [
      '/',
      '/inbox',
      '/inbox/some-id',
      '/leads',
      lead,
      '/settings/users',
      '/docs/errors',
      '/dashboards/some-id',
    ];
    expect(pages.filter((path) => !isShellPage(path))).toEqual([]);
  });

  slow('a page of a former build gives way to the server’s by itself', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', { ...installing, record: notesFormer });
    const { page } = opened;
    await isReady(page);
    const own = await page.evaluate<string[]>(scripts);
    // The kept page becomes one of another build.
    await page.evaluate(`(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        const page = await cache.match('/');
        const html = (await page.text()).replace('<script', '<script type="module" src="/assets/former.js"></script><script');
        await cache.put('/', new Response(html, { headers: page.headers }));
      }
    })()`);
    await page.reload({ waitUntil: 'commit' });
    // The page may have given way before anybody looks.
    await until(
      () => page.evaluate(`sessionStorage.getItem('seen')`).catch(() => null),
      (seen) => seen === 'former',
    );
    await page.locator('script[src="/assets/former.js"]').waitFor({ state: 'detached' });
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    expect(await page.evaluate(scripts)).toEqual(own);
  });

  slow('a page in use offers the newer build once, and takes it when asked', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox', installing);
    const { page } = opened;
    const live = page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' });
    await live.waitFor();
    await page.getByRole('textbox', { name: 'Search' }).click();
    await isReady(page);
    const html = (await (await app.get('/inbox')).text()).replace(
      /\/assets\/index-[\w-]+\.js/,
      '/assets/index-newer.js',
    );
    await page.route(`${app.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    const offer = page.getByRole('status').filter({ hasText: 'A new version is here' });
    await until(
      async () => {
        await page.evaluate(`dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))`);
        await live.waitFor();
        return offer.count();
      },
      (count) => count > 0,
    );
    await page.unroute(`${app.url}/`);
    await page.evaluate('window.isBefore = true');
    await Promise.all([page.waitForEvent('load'), offer.getByRole('button', { name: 'Reload' }).click()]);
    await live.waitFor();
    expect(await page.evaluate('window.isBefore')).toBeUndefined();
  });
}

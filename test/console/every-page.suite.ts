// Rules for every page, over the demo's data: no violation that axe finds, nothing wider than a small screen, no complaint of the browser,
// and one language. No page of the administrators is open to operators. `npm test` visits the pages of each day, and
// every-page.long.ts all others.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fillDemo } from '../../src/dev/demo/fill-demo.js';
import { seedDemo } from '../../src/dev/demo/demo-tenant.js';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { gatewayToken, startSender, startSimulator, until } from '../features/messages/sending-harness.js';
import { slow } from '../support/slow.js';
import type { TestApp } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, openWindow, sessionScript, settled, type SignedInUser } from './browser.js';

const administratorsPaths = [
  '/settings/company',
  '/settings/sending',
  '/settings/consent',
  '/settings/assistants',
  '/settings/users',
  '/settings/keys',
  '/settings/webhooks',
  '/settings/sources',
  '/settings/audit',
  '/calls',
];
/** The other pages with an address of their own. */
export const otherPaths = [
  '/inbox?view=closed',
  '/bulk',
  '/templates',
  '/dashboards',
  '/instances',
  '/settings',
  ...administratorsPaths,
  '/docs',
];
const dailyPaths = ['/inbox', '/leads'];

export interface DemoPages {
  app: TestApp;
  admin: SignedInUser;
  operator: SignedInUser;
  /** The pages of one lead, and the first dashboard. */
  ownPaths: string[];
  close(): Promise<void>;
}

/** Starts an application with the demo's data. */
export async function startDemoPages(): Promise<DemoPages> {
  const simulator: GatewaySimulator = await startSimulator();
  const app = await startSender(simulator);
  const { services } = app.app;
  const { id: tenantId, apiKey } = await seedDemo(services);
  simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: apiKey });
  await fillDemo(services, { url: app.url, tenantId, apiKey, filesUrl: simulator.url, token: gatewayToken });
  const userOf = async (idpSub: string, role: 'ADMIN' | 'OPERATOR'): Promise<SignedInUser> => {
    const { accessToken: token, user } = await services.auth.issueDevToken({ idpSub });
    return { id: user.id, accountId: user.accountId, idpSub, token, role, tenantId };
  };
  const [admin, operator] = [await userOf('demo-admin', 'ADMIN'), await userOf('demo-operator', 'OPERATOR')];
  const [lead] = await app.sql<{ id: string }>(
    `SELECT lead_id AS id FROM messages WHERE tenant_id = $1 GROUP BY lead_id ORDER BY count(*) DESC LIMIT 1`,
    [tenantId],
  );
  const [dashboard] = await app.sql<{ id: string }>('SELECT id FROM dashboards WHERE tenant_id = $1 LIMIT 1', [
    tenantId,
  ]);
  const ownPaths = [
    `/inbox/${lead?.id}`,
    `/leads/${lead?.id}`,
    ...(dashboard === undefined ? [] : [`/dashboards/${dashboard.id}`]),
  ];
  const close = async () => {
    await simulator.close();
    await app.stop();
  };
  return { app, admin, operator, ownPaths, close };
}

/** Opens the page, and waits until it is shown and reads nothing more. */
async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await settled(page);
  await page
    .getByRole('main')
    .getByText(/^(Loading|Carregando|Cargando)$/)
    .waitFor({ state: 'detached' });
}

/**
 * Expects that axe finds no violation on the pages, light or dark, that nothing is wider than 360 px, and that one language is shown.
 * Each page is loaded once: theme, width and language change in place, the language by a choice in another tab.
 */
export async function expectPagesInOrder({ app, admin }: DemoPages, paths: readonly string[]): Promise<void> {
  const english = { pt: await englishOnly('pt'), es: await englishOnly('es') };
  await using opened = await openConsole(app, admin, '/inbox', { reducedMotion: 'reduce' });
  const { page } = opened;
  const settings = await page.context().newPage();
  await settings.addInitScript(sessionScript(admin));
  await settings.goto(`${app.url}/settings`);
  const choice = settings.getByRole('combobox', { name: /^(Language|Idioma)$/ });
  const wrong: Record<string, string[]> = {};
  const note = (what: string, found: string[]) => found.length > 0 && (wrong[what] = found);
  for (const path of paths) {
    await visit(page, `${app.url}${path}`);
    const { light, dark } = await violationsInBothThemes(page);
    note(`${path}, light`, light);
    note(`${path}, dark`, dark);
    await page.setViewportSize({ width: 360, height: 740 });
    const width = await page.evaluate<number>(`document.documentElement.scrollWidth`);
    const hidden = await page.evaluate<string[]>(outsideOfView);
    if (width > 360 || hidden.length > 0) note(`${path}, 360 px`, [`${width} px`, ...hidden]);
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [language, lang] of [
      ['pt', 'pt-BR'],
      ['es', 'es'],
    ] as const) {
      await choice.selectOption(language);
      await page.locator(`html[lang="${lang}"]`).waitFor();
      await settled(page);
      const shown = await page.evaluate<string[]>(textsOfPage);
      // The guides are written in English alone.
      if (path !== '/docs')
        note(
          `${path}, ${language}`,
          shown.filter((text) => english[language].has(text)),
        );
    }
    await choice.selectOption('en');
    await page.locator('html[lang="en"]').waitFor();
  }
  expect(wrong).toEqual({});
  expect(opened.problems).toEqual([]);
}

export function describeEveryPage(): void {
  let demo: DemoPages;
  let app: TestApp;
  let operator: SignedInUser;

  beforeAll(async () => {
    demo = await startDemoPages();
    ({ app, operator } = demo);
  });
  afterAll(() => demo.close());

  slow(
    'on the pages of each day axe finds no violation, light or dark, nothing is wider than 360 px, and one language is shown',
    async () => {
      await expectPagesInOrder(demo, [...dailyPaths, ...demo.ownPaths]);
    },
    120_000,
  );

  slow('a guide shows its pictures', async () => {
    await using opened = await openConsole(app, operator, '/docs/integrate-lead-sources');
    const { page } = opened;
    const name = 'A new lead source of the kind Google Ads';
    await page.getByRole('img', { name }).scrollIntoViewIfNeeded();
    await page.waitForFunction(
      `[...document.images].some(({ alt, naturalWidth }) => alt === '${name}' && naturalWidth > 0)`,
    );
    expect(opened.problems).toEqual([]);
  });

  test('the type of a problem leads to what the guide says of its code', async () => {
    const answer = await app.get('/public/leads');
    const { type } = (await answer.json()) as { type: string };
    await using opened = await openConsole(app, operator, type);
    const { page } = opened;
    const heading = page.getByRole('heading', { name: 'BAD_REQUEST', exact: true });
    await heading.waitFor();
    await page.waitForFunction(`document.getElementById('BAD_REQUEST').getBoundingClientRect().top < 300`);
    expect(new URL(page.url()).hash).toBe('#BAD_REQUEST');
    expect(opened.problems).toEqual([]);
  });

  test('a guide has an address of its own, its title in the window, and examples with the reader’s address', async () => {
    await using opened = await openConsole(app, operator, '/docs/integrate');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Integrate', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/integrate');
    const isTitled = (title: string) =>
      until(
        () => page.title(),
        (shown) => shown.endsWith(title),
      );
    await isTitled('Integrate · Docs');
    const code = await page.locator('pre').filter({ hasText: '/public/leads' }).first().textContent();
    expect(code).toContain(`curl -s ${app.url}/public/leads`);
    expect(code).not.toMatch(/\$U\b|\$J\b/);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'How numbers are read' }).click();
    await isTitled('How numbers are read · Docs');
    await pages.getByRole('textbox', { name: 'Search' }).fill('idempotencyKey');
    const excerpt = page.getByRole('listitem').filter({ hasText: 'idempotencyKey' }).locator('p').first();
    expect(await excerpt.textContent()).toMatch(/^[^a-z].*[.!?:…]$/s);
    expect(opened.problems).toEqual([]);
  });

  test('an administrator who asks gets examples with the key, and nobody else is asked', async () => {
    await using opened = await openConsole(app, demo.admin, '/docs/integrate');
    const { page } = opened;
    const example = page.locator('pre').filter({ hasText: '/public/leads' }).first();
    await example.filter({ hasText: '$KEY' }).waitFor();
    await page.getByRole('button', { name: 'Examples with your API key' }).click();
    await example.filter({ hasText: /x-tenant-key: lw_/ }).waitFor();
    await page.getByRole('button', { name: 'Examples without the API key' }).click();
    await example.filter({ hasText: '$KEY' }).waitFor();
    await using operators = await openConsole(app, operator, '/docs/integrate');
    await operators.page.locator('pre').first().waitFor();
    expect(await operators.page.getByRole('button', { name: /API key/ }).count()).toBe(0);
    expect([...opened.problems, ...operators.problems]).toEqual([]);
  });

  test('guides can be read without an account, and nothing else', async () => {
    await using opened = await openWindow();
    const { page } = opened;
    await page.goto(`${app.url}/docs/errors#RATE_LIMITED`);
    await page.getByRole('heading', { name: 'RATE_LIMITED', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto(`${app.url}/docsx`);
    await page.waitForURL('**/sign-in?returnTo=%2Fdocsx');
    expect(opened.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  test('each guide is published as text whose links lead to published text and pictures', async () => {
    const list = await (await app.get('/llms.txt')).text();
    const listed = [...list.matchAll(/^- \[.+\]\((\S+)\): (?:\S.*[.:!?])$/gm)].map(([, address = '']) => address);
    const names = (await readdir('src/docs')).filter((name) => name.endsWith('.md'));
    expect(listed.toSorted()).toEqual(names.map((name) => `${app.url}/docs/${name}`).toSorted());
    expect(list.match(/^- /gm)).toHaveLength(names.length);
    const targets = new Set<string>();
    for (const address of listed) {
      const answer = await fetch(address);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(text).not.toMatch(/\{\{address\}\}|<!--|\$U\b/);
      const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g))
        if (!/^(?:https?:|#)/.test(target)) targets.add(target.split('#')[0]!);
    }
    expect([...targets].some((target) => target.endsWith('.png'))).toBe(true);
    for (const target of targets) expect([target, (await app.get(target)).status]).toEqual([target, 200]);
  });

  test('an address that nothing has shows the console with its navigation', async () => {
    await using opened = await openConsole(app, operator, '/no/such/page');
    const { page } = opened;
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click();
    await page.waitForURL('**/leads');
    expect(opened.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  slow('operators have no link to what is the administrators’, and a sentence by address', async () => {
    await using opened = await openConsole(app, operator, '/inbox');
    const { page } = opened;
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    const names = await links.allTextContents();
    expect(names).toContain('Settings');
    expect(names).not.toContain('Calls');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByText('Settings').first().waitFor();
    expect(await palette.getByText('Calls').count()).toBe(0);
    for (const path of administratorsPaths) {
      await page.goto(`${app.url}${path}`);
      await page.getByText('Only administrators can see this page.').waitFor();
    }
    expect(opened.problems).toEqual([]);
  });
}

/** The controls that stand outside of the screen, at the side, and cannot be scrolled to. */
const outsideOfView = `[...document.querySelectorAll('button, a, input, select, textarea')].filter((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  if (width === 0 || (left >= 0 && right <= 361) || element.checkVisibility() === false) return false;
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(parent).overflowX)) return false;
  return getComputedStyle(element).position !== 'absolute' && element.closest('.visually-hidden') === null;
}).map((element) => element.outerHTML.slice(0, 160))`;

/** Every text that is shown or read out, except the words of people. */
const textsOfPage = `(() => {
  const texts = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.parentElement.closest('[dir=auto], bdi, code, option') === null) texts.add(walker.currentNode.data.trim());
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder']) texts.add(element.getAttribute(name));
  return [...texts].filter((text) => text);
})()`;

/** The English texts whose translation differs in this language. A text that this language also has anywhere is left out. */
async function englishOnly(language: 'pt' | 'es'): Promise<Set<string>> {
  const names = (await readdir('src/console', { recursive: true })).filter((name) => /(?:^|[/-])texts\.ts$/.test(name));
  const english = new Set<string>();
  const own = new Set<string>();
  for (const name of names) {
    const source = await readFile(join('src/console', name), 'utf8');
    for (const text of textsIn(source, 'en').values()) english.add(text);
    for (const text of textsIn(source, language).values()) own.add(text);
  }
  expect(english.size).toBeGreaterThan(300);
  return new Set([...english].filter((text) => !own.has(text)));
}

function textsIn(source: string, language: string): Map<string, string> {
  const start = source.indexOf(`  ${language}: {`);
  const end = source.indexOf('\n  },', start);
  const lines = source.slice(start, end).matchAll(/^ {4}(\w+):\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"),?$/gm);
  return new Map(
    [...lines].map(([, key = '', single, double = '']) => [key, (single ?? double).replaceAll(/\\(.)/g, '$1')]),
  );
}

// A real browser for the console's tests: Debian's Chromium, one for each test file. Where there is none, its tests say so and are skipped.

import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestApp, TestTenant, TestUser } from '../support/test-app.js';
import { findBrowser, installedBrowser } from './installed-browser.js';

/** As `describe`, where a browser is installed. */
export const describeInBrowser = installedBrowser === undefined ? describe.skip : describe;
if (installedBrowser === undefined)
  process.stderr.write('No Chromium is installed: the tests of the console are skipped.\n');

let starting: Promise<Browser> | undefined;

function start(): Promise<Browser> {
  starting ??= chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return starting;
}

afterAll(async () => (await starting)?.close());

export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** What the page complained of: errors in its console, exceptions, refused requests. */
  problems: string[];
}

/** A window that nobody is signed in to, in English and at 1280 x 800 unless told otherwise. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<OpenPage> {
  const browser = await start();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

export type SignedInUser = TestUser & { role: 'ADMIN' | 'OPERATOR'; tenantId: string };

export const operatorOf = ({ id, operator }: TestTenant): SignedInUser => ({
  ...operator,
  role: 'OPERATOR',
  tenantId: id,
});
export const adminOf = ({ id, admin }: TestTenant): SignedInUser => ({ ...admin, role: 'ADMIN', tenantId: id });

/** A window of a user who is signed in. @param record runs in the page before all else */
export async function openConsole(
  app: Pick<TestApp, 'url'>,
  user: SignedInUser,
  path: string,
  { record, ...options }: BrowserContextOptions & { record?: string } = {},
): Promise<OpenPage> {
  const opened = await openWindow(options);
  if (record !== undefined) await opened.page.addInitScript(record);
  const { id, tenantId, accountId, role, idpSub, token } = user;
  const session = {
    accessToken: token,
    expiresIn: 3_600,
    expiresAt: Date.now() + 3_600_000,
    devSubject: idpSub,
    user: { id, tenantId, accountId, role, email: `${idpSub}@test.example` },
  };
  await opened.page.addInitScript(
    `sessionStorage.getItem('leadwire.session') ?? sessionStorage.setItem('leadwire.session', ${JSON.stringify(JSON.stringify(session))})`,
  );
  await opened.page.goto(`${app.url}${path}`);
  return opened;
}

// A real browser for the console's tests: Debian's Chromium, one for each test file. Without it, the tests say so and are skipped.

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { TestApp, TestTenant, TestUser } from '../support/test-app.js';
import { until } from '../features/messages/sending-harness.js';
import { findBrowser, installedBrowser } from './installed-browser.js';

/** Describes tests that are skipped where no browser is installed. */
export const describeInBrowser = installedBrowser === undefined ? describe.skip : describe;
if (installedBrowser === undefined)
  process.stderr.write('No Chromium is installed: the tests of the console are skipped.\n');

let starting: Promise<Browser> | undefined;

function start(): Promise<Browser> {
  starting ??= chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return starting;
}

afterAll(async () => (await starting)?.close());

export interface WindowOptions extends BrowserContextOptions {
  /** Lets the test move the page's time, which passes as usual until then. */
  clock?: boolean;
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** The page's complaints: errors in its console, exceptions, refused requests. */
  problems: string[];
}

const inFlight = new WeakMap<Page, Set<unknown>>();

/** The number of elements that lists hide until they have measured them. */
const unmeasured = `document.querySelectorAll('[style*="visibility: hidden"]').length`;

/** Waits until every request of the page is answered and its result is drawn. */
export async function settled(page: Page): Promise<void> {
  const requests = inFlight.get(page) ?? new Set();
  await until(
    async () => {
      await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
      return requests.size + (await page.evaluate<number>(unmeasured));
    },
    (count) => count === 0,
  );
}

/** Moves the page's time past the hold of a message. The window has to be opened with `clock`. */
export async function passHold(page: Page): Promise<void> {
  await page.clock.fastForward(5_000);
}

/** A window without a signed-in user, in English and at 1280 x 800 unless told otherwise. */
export async function openWindow({ clock = false, ...options }: WindowOptions = {}): Promise<OpenPage> {
  const browser = await start();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  if (clock) await page.clock.install();
  const requests = new Set<unknown>();
  inFlight.set(page, requests);
  page.on('request', (request) => requests.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => requests.delete(request));
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
  { record, ...options }: WindowOptions & { record?: string } = {},
): Promise<OpenPage> {
  const opened = await openWindow(options);
  if (record !== undefined) await opened.page.addInitScript(record);
  await opened.page.addInitScript(sessionScript(user));
  await opened.page.goto(`${app.url}${path}`);
  return opened;
}

/** A script that signs the user in. It runs in a page before all else. */
export function sessionScript({ id, tenantId, accountId, role, idpSub, token }: SignedInUser): string {
  const session = {
    accessToken: token,
    expiresIn: 3_600,
    expiresAt: Date.now() + 3_600_000,
    devSubject: idpSub,
    user: { id, tenantId, accountId, role, email: `${idpSub}@test.example` },
  };
  return `sessionStorage.getItem('leadwire.session') ?? sessionStorage.setItem('leadwire.session', ${JSON.stringify(JSON.stringify(session))})`;
}

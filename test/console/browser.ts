// A real browser for the console's tests: Debian's Chromium, one for each test file. Without it, the tests say so and are skipped.

import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Disposable,
  type Page,
  type Request,
} from 'playwright-core';
import type { TestApp, TestTenant, TestUser } from '../support/test-app.js';
import { until } from '../features/messages/sending-harness.js';
import { findBrowser, installedBrowser } from './installed-browser.js';

/** Describes tests that are skipped where no browser is installed. */
export const describeInBrowser = installedBrowser === undefined ? describe.skip : describe;
if (installedBrowser === undefined)
  process.stderr.write('No Chromium is installed: the tests of the console are skipped.\n');

let starting: Promise<Browser> | undefined;

function start(): Promise<Browser> {
  // The microphone is one that beeps, and every page may use it: the small Chromium cannot ask.
  const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...microphone];
  starting ??= chromium.launch({ executablePath: findBrowser(), args });
  return starting;
}

afterAll(async () => (await starting)?.close());

/** Without `serviceWorkers: 'allow'` a window installs nothing: that takes an eighth of its work, and has suites of its own. */
export interface WindowOptions extends BrowserContextOptions {
  /** Lets the test move the page's time, which passes as usual until then. */
  clock?: boolean;
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** The page's complaints: errors in its console, exceptions, refused requests. */
  problems: string[];
}

const inFlight = new WeakMap<Page, Set<Request>>();

/** The elements that lists hide until they have measured them. The choice of emoji always has one to measure by. */
const unmeasured = `[...document.querySelectorAll('[style*="visibility: hidden"]:not([frimousse-root] *)')].map((element) => element.outerHTML.slice(0, 300))`;

/** Waits until every request of the page is answered and its result is drawn. */
export async function settled(page: Page): Promise<void> {
  const requests = inFlight.get(page) ?? new Set<Request>();
  await until(
    async () => {
      await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
      return [...[...requests].map((request) => request.url()), ...(await page.evaluate<string[]>(unmeasured))];
    },
    (unsettled) => unsettled.length === 0,
  );
}

/** Moves the page's time past the hold of a message. The window has to be opened with `clock`. */
export async function passHold(page: Page): Promise<void> {
  await page.clock.fastForward(5_000);
}

/** A window outlives its case: its process has compiled the console already, and shows a page in a third of the time. */
interface KeptWindow {
  page: Page;
  isMovable: boolean;
  /** The choices that a window keeps for life. */
  kind: string;
  /** Scripts of the present case. They run in each page before all else. */
  scripts: Disposable[];
}

/** The events that cases listen to. Playwright itself listens to others. */
const heard = ['console', 'pageerror', 'request', 'requestfailed', 'requestfinished'];
/** The most windows that wait for a case. */
const maxIdle = 3;
const idle: KeptWindow[] = [];
/** Each page is so many times as slow, to find what depends on a computer's speed. */
const slowdown = process.env['BROWSER_SLOWDOWN'];

/**
 * A window without a signed-in user, in English and at 1280 x 800 unless told otherwise.
 * @param records run in each page before all else
 */
export async function openWindow(options: WindowOptions = {}, records: readonly string[] = []): Promise<OpenPage> {
  const { viewport = { width: 1280, height: 800 }, colorScheme = 'light', reducedMotion, ...forLife } = options;
  const window = await takeWindow({ locale: 'en-US', ...forLife });
  const { page } = window;
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: reducedMotion ?? 'no-preference' });
  // A window that had a case before gets a clock of its own again.
  if (window.isMovable) await page.clock.install({ time: Date.now() });
  for (const record of records) window.scripts.push(await page.addInitScript(record));
  const requests = new Set<Request>();
  inFlight.set(page, requests);
  page.on('request', (request) => requests.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => requests.delete(request));
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  if (slowdown !== undefined) await slowDown(page, Number(slowdown));
  return { page, problems, [Symbol.asyncDispose]: () => putAway(window) };
}

/** Gives the page a processor that is so many times as slow. @returns a function that ends it */
export async function slowDown(page: Page, rate: number): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  return () => devtools.detach();
}

async function takeWindow({ clock = false, ...options }: WindowOptions): Promise<KeptWindow> {
  const kind = JSON.stringify({ clock, ...options });
  const index = idle.findIndex((window) => window.kind === kind);
  const [found] = index === -1 ? [] : idle.splice(index, 1);
  if (found !== undefined) return found;
  const context = await (await start()).newContext({ serviceWorkers: 'block', ...options });
  context.setDefaultTimeout(20_000);
  return { page: await context.newPage(), isMovable: clock, kind, scripts: [] };
}

/** Empties the window for the next case. A window that cannot be emptied is closed. */
async function putAway(window: KeptWindow): Promise<void> {
  const { page, scripts } = window;
  const context = page.context();
  try {
    for (const event of heard) page.removeAllListeners(event);
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const script of scripts.splice(0)) await script.dispose();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.mouse.move(-1, -1);
    // The icon runs no code. It has the origin and the opener policy of the console's pages, so the window keeps its process.
    await page.goto(new URL('/assets/icon.svg', page.url()).href);
    await page.evaluate(emptyStorage);
    await context.clearCookies();
  } catch {
    await context.close();
    return;
  }
  if (idle.push(window) > maxIdle) await idle.shift()?.page.context().close();
}

const emptyStorage = `(async () => {
  sessionStorage.clear();
  localStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((done, fail) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: done, onerror: fail }));
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
})()`;

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
  const records = [...(record === undefined ? [] : [record]), sessionScript(user)];
  const opened = await openWindow(options, records);
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

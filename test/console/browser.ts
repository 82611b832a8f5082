// A real browser for the console's tests: Debian's Chromium, one for each test file. Where there is none, its tests say so and are skipped.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestApp, TestUser } from '../support/test-app.js';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** As `describe`, where a browser is installed. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;
if (executablePath === undefined)
  process.stderr.write('No Chromium is installed: the tests of the console are skipped.\n');

let starting: Promise<Browser> | undefined;

function start(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('no Chromium is installed');
  starting ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return starting;
}

afterAll(async () => (await starting)?.close());

export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** What the page complained of: errors in its console, exceptions, refused requests. */
  problems: string[];
}

/** A window of a user who is signed in, in English and at 1280 x 800 unless told otherwise. */
export async function openConsole(
  app: TestApp,
  user: TestUser & { role: 'ADMIN' | 'OPERATOR'; tenantId: string },
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const browser = await start();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const { id, tenantId, accountId, role, idpSub, token } = user;
  const session = {
    accessToken: token,
    expiresIn: 3_600,
    expiresAt: Date.now() + 3_600_000,
    devSubject: idpSub,
    user: { id, tenantId, accountId, role, email: `${idpSub}@test.example` },
  };
  await page.addInitScript(
    `sessionStorage.getItem('leadwire.session') ?? sessionStorage.setItem('leadwire.session', ${JSON.stringify(JSON.stringify(session))})`,
  );
  await page.goto(`${app.url}${path}`);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

// `npm run screenshots`: starts the product with its demo data on a database of its own, and writes pictures of the console's pages into
// src/docs/images. Development's server, a database in a temporary folder, and Debian's Chromium: nothing else is needed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { steadyPort } from '../support/redis-server.js';
import { findBrowser } from './installed-browser.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(repository, 'src/docs/images');
const maxBytes = 150_000;

interface Picture {
  name: string;
  path: string;
  /** Brings the page to what the picture shows. */
  prepare?: (page: Page) => Promise<unknown>;
  isDark?: boolean;
  isSmall?: boolean;
}

const open = (name: string) => async (page: Page) => {
  await page.getByRole('option').filter({ hasText: name }).click();
  await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
  await page.getByRole('combobox', { name: 'Send from' }).getByText('demo').first().waitFor({ state: 'attached' });
};
const openLead = async (page: Page) => {
  await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Hannah' }).click();
  await page.waitForURL(/\/leads\/[\da-f-]{36}/);
};
const openDashboard = async (page: Page) => {
  const link = page.getByRole('main').getByRole('link').first();
  if ((await link.count()) > 0) await link.click();
  await page
    .getByRole('figure')
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined);
};
const openTemplate = async (page: Page) => {
  await page.getByText('payment reminder').click();
  await page.getByText('Choose a template').waitFor({ state: 'detached' });
};
const rows = (page: Page) => page.getByRole('option').first().waitFor();

const newInstance = (provider: string, fields: Readonly<Record<string, string>>) => async (page: Page) => {
  await page.getByRole('button', { name: 'New instance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kind of gateway').selectOption(provider);
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
};
const newSource = (kind: string, fields: Readonly<Record<string, string>>) => async (page: Page) => {
  await page.getByRole('button', { name: 'Add lead source' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kind', { exact: true }).selectOption(kind);
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
};
const made = 'a-secret-of-your-choice';

const pictures: readonly Picture[] = [
  { name: 'inbox', path: '/inbox?view=all', prepare: open('Hannah') },
  { name: 'inbox-dark', path: '/inbox?view=all', prepare: open('Hannah'), isDark: true },
  { name: 'inbox-small', path: '/inbox?view=all', prepare: rows, isSmall: true },
  { name: 'conversation', path: '/inbox?view=all&q=Jo%C3%A3o', prepare: open('João Pedro') },
  { name: 'lead', path: '/leads', prepare: openLead },
  { name: 'leads', path: '/leads' },
  { name: 'bulk', path: '/bulk' },
  { name: 'templates', path: '/templates', prepare: openTemplate },
  { name: 'dashboards', path: '/dashboards', prepare: openDashboard },
  { name: 'instances', path: '/instances' },
  { name: 'calls', path: '/calls' },
  {
    name: 'connect-evolution',
    path: '/instances',
    prepare: newInstance('evolution', { Name: 'sales', 'Address of the gateway': 'https://evolution.example' }),
  },
  {
    name: 'connect-waha',
    path: '/instances',
    prepare: newInstance('waha', { Name: 'store', 'Address of the gateway': 'https://waha.example' }),
  },
  { name: 'connect-meta', path: '/instances', prepare: newInstance('cloud', { Name: 'meta' }) },
  {
    name: 'source-google',
    path: '/settings/sources',
    prepare: newSource('GOOGLE', { Name: 'Search ads', Key: made }),
  },
  { name: 'source-meta', path: '/settings/sources', prepare: newSource('META', { Name: 'Lead Ads' }) },
  { name: 'source-form', path: '/settings/sources', prepare: newSource('FORM', { Name: 'Website' }) },
];

await main(process.argv.slice(2));

async function main(names: readonly string[]): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const url = await startProduct(resources);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  resources.defer(() => browser.close());
  await mkdir(folder, { recursive: true });
  for (const picture of pictures.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const { name, path, prepare, isDark = false, isSmall = false } = picture;
    const context = await browser.newContext({
      viewport: isSmall ? { width: 360, height: 740 } : { width: 1040, height: 650 },
      locale: 'en-US',
      timezoneId: 'America/Sao_Paulo',
      colorScheme: isDark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    await page.getByRole('button', { name: 'Demo admin' }).click();
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await page.mouse.move(0, 0);
    const bytes = await page.screenshot({ animations: 'disabled' });
    if (bytes.length > maxBytes) throw new Error(`${name}.png has ${bytes.length} bytes, more than ${maxBytes}`);
    await writeFile(join(folder, `${name}.png`), bytes);
    process.stdout.write(`src/docs/images/${name}.png: ${Math.round(bytes.length / 1_000)} KB\n`);
    await context.close();
  }
}

/** @returns its address once it greets */
async function startProduct(resources: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-screenshots-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await steadyPort();
  const env = { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: dataDir, SIMULATOR_CUSTOMERS: '0' };
  const child = spawn(process.execPath, ['dist/dev/dev.js'], {
    cwd: repository,
    env: { ...env, THROTTLE_LIMIT: '1000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Leadwire is ready')) break;
  child.stdout.resume();
  return `http://localhost:${port}`;
}

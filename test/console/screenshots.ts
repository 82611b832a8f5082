// `npm run screenshots`: starts the product with its demo data on a database of its own, and writes pictures of the console's pages into
// src/docs/images. It needs only development's server, a database in a temporary folder, and Debian's Chromium.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Locator, type Page } from 'playwright-core';
import { answerArguments } from '../../src/commands/arguments.js';
import { steadyPort } from '../support/redis-server.js';
import { findBrowser } from './installed-browser.js';
import { runEnvironment } from '../support/run-environment.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(repository, 'src/docs/images');
const maxBytes = 150_000;

interface Picture {
  name: string;
  path: string;
  /** Brings the page into the state that the picture shows. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Limits the picture to this part, in a window that is high enough for it. */
  part?: (page: Page) => Locator;
  isDark?: boolean;
  isSmall?: boolean;
}

const open = (name: string) => async (page: Page) => {
  await page.getByRole('option').filter({ hasText: name }).first().click();
  await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
  await page.getByRole('combobox', { name: 'Send from' }).getByText('demo').first().waitFor({ state: 'attached' });
  // Without pointer and focus in the list, demo customers who write meanwhile come in, and no button stands over the first row.
  await page.evaluate('document.activeElement.blur()');
  await page.mouse.move(0, 0);
};
const openLead = async (page: Page) => {
  await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name: 'Hannah' }).click();
  await page.getByRole('complementary', { name: 'Details' }).waitFor();
};
const openDashboard = async (page: Page) => {
  await page.getByRole('link', { name: 'Front desk' }).click();
  await page.getByRole('figure').first().waitFor();
};
const openTemplate = async (page: Page) => {
  await page.getByText('payment reminder').click();
  await page.getByText('Choose a template').waitFor({ state: 'detached' });
};
const rows = (page: Page) => page.getByRole('option').first().waitFor();

const dialog = (page: Page) => page.getByRole('dialog');

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
}

const newInstance = (provider: string, fields: Readonly<Record<string, string>>) => async (page: Page) => {
  await page.getByRole('button', { name: 'New instance' }).click();
  await dialog(page).getByLabel('Kind of gateway').selectOption(provider);
  await fill(page, fields);
};
/** Shows the created instance, with the values to enter at the other side. */
const createdInstance = (provider: string, fields: Readonly<Record<string, string>>) => async (page: Page) => {
  await newInstance(provider, fields)(page);
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await page.getByLabel('Webhook address', { exact: true }).waitFor();
};
const instanceCard = (name: string) => (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

const newSource = (kind: string, fields: Readonly<Record<string, string>>) => async (page: Page) => {
  await page.getByRole('button', { name: 'Add lead source' }).click();
  await dialog(page).getByLabel('Kind', { exact: true }).selectOption(kind);
  if (kind === 'FORM') await dialog(page).getByLabel('Calls are signed').check();
  await fill(page, fields);
};
const createdSource = (kind: string, fields: Readonly<Record<string, string>>) => async (page: Page) => {
  await newSource(kind, fields)(page);
  await dialog(page).getByRole('button', { name: 'Add lead source' }).click();
  await page.getByLabel('Verify token', { exact: true }).waitFor();
};

const made = 'a-secret-of-your-choice';
const evolution = { Name: 'sales', 'Address of the gateway': 'https://evolution.example', Token: made };
const waha = { Name: 'store', 'Address of the gateway': 'https://waha.example', Token: made, 'HMAC key': made };
const meta = {
  Name: 'meta',
  Token: made,
  'App secret': '0123456789abcdef0123456789abcdef',
  'Phone number ID': '106540352242922',
  'WhatsApp Business account ID': '102290129340398',
};
const metaLeads = { Name: 'Summer leads', 'App secret': '0123456789abcdef0123456789abcdef', 'Access token': 'a-token' };
const formLeads = {
  Name: 'Landing page',
  'Header of the signature': 'x-signature',
  Secret: 'a-secret-of-the-form',
  Mapping: '{"/your-phone": "chat", "/first": "firstName", "/last": "lastName", "/entry": "externalId"}',
};

const contacts = [
  'Celular;Nome completo;Cidade;Interesse;Observação',
  '(11) 98888-7777;Ana Lima;São Paulo;vip;liga à tarde',
  '+55 21 97777-6666;Rui Costa;Rio de Janeiro;;',
].join('\n');
const importedFile = async (page: Page) => {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(contacts) };
  await dialog(page).getByLabel('CSV file').setInputFiles(file);
  await dialog(page).getByLabel('Country of numbers').fill('BR');
  await dialog(page).getByText('With the country code of: Brazil').first().waitFor();
};

const pictures: readonly Picture[] = [
  { name: 'inbox', path: '/inbox?view=all', prepare: open('Hannah') },
  { name: 'inbox-dark', path: '/inbox?view=all', prepare: open('Hannah'), isDark: true },
  { name: 'inbox-small', path: '/inbox?view=all', prepare: rows, isSmall: true },
  { name: 'conversation', path: '/inbox?view=all&q=Jo%C3%A3o', prepare: open('João Pedro') },
  { name: 'lead', path: '/leads', prepare: openLead },
  { name: 'leads', path: '/leads' },
  { name: 'import', path: '/leads', prepare: importedFile, part: dialog },
  { name: 'bulk', path: '/bulk' },
  { name: 'templates', path: '/templates', prepare: openTemplate },
  { name: 'dashboards', path: '/dashboards', prepare: openDashboard },
  { name: 'instances', path: '/instances' },
  { name: 'calls', path: '/calls' },
  { name: 'connect-evolution', path: '/instances', prepare: newInstance('evolution', evolution), part: dialog },
  { name: 'connect-waha', path: '/instances', prepare: newInstance('waha', waha), part: dialog },
  { name: 'connect-meta', path: '/instances', prepare: newInstance('cloud', meta), part: dialog },
  { name: 'address-meta', path: '/instances', prepare: createdInstance('cloud', meta), part: instanceCard('meta') },
  {
    name: 'source-google',
    path: '/settings/sources',
    prepare: newSource('GOOGLE', { Name: 'Search ads', Key: made }),
    part: dialog,
  },
  { name: 'source-meta', path: '/settings/sources', prepare: newSource('META', metaLeads), part: dialog },
  { name: 'source-form', path: '/settings/sources', prepare: newSource('FORM', formLeads), part: dialog },
  {
    name: 'source-address',
    path: '/settings/sources',
    prepare: createdSource('META', metaLeads),
    part: (page) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Summer leads' }) }),
  },
];

const usage = `Usage: npm run screenshots [-- <name> …]

Writes pictures of the console with the demo data into src/docs/images: ${pictures.map(({ name }) => name).join(', ')}.
`;
const args = process.argv.slice(2);
const answered = answerArguments(args, { usage, options: pictures.map(({ name }) => name) });
if (answered === undefined) await main(args);
else process.exitCode = answered;

async function main(names: readonly string[]): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const url = await startProduct(resources);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  resources.defer(() => browser.close());
  await mkdir(folder, { recursive: true });
  for (const picture of pictures.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const { name, path, prepare, part, isDark = false, isSmall = false } = picture;
    const context = await browser.newContext({
      viewport: isSmall ? { width: 360, height: 740 } : { width: 1040, height: part === undefined ? 650 : 1200 },
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
    await isWhole(page);
    await page.mouse.move(0, 0);
    const bytes = await (part?.(page) ?? page).screenshot({ animations: 'disabled' });
    if (bytes.length > maxBytes) throw new Error(`${name}.png has ${bytes.length} bytes, more than ${maxBytes}`);
    await writeFile(join(folder, `${name}.png`), bytes);
    process.stdout.write(`src/docs/images/${name}.png: ${Math.round(bytes.length / 1_000)} KB\n`);
    await context.close();
  }
}

/** Waits until everything that the page shows has come: what was read, and its pictures. */
async function isWhole(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(
    `document.querySelector('main [data-shape]') === null &&
      [...document.images].every((one) => one.complete || one.getBoundingClientRect().bottom < 0)`,
  );
}

/** @returns the product's address, once it says that it is ready */
async function startProduct(resources: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-screenshots-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await steadyPort();
  const env = { ...runEnvironment, PORT: String(port), DATA_DIR: dataDir, SIMULATOR_CUSTOMERS: '0' };
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

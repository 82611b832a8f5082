// The console in Chromium: what it loads, how soon it shows a key, a click and an inbound message, and whether its memory stays flat.

import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { findBrowser } from '../console/installed-browser.js';
import { confirmRows, type ConfirmedRows } from './console-rows.js';
import { inboundPath, randomExternalId, signedHeaders } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { startProduct, type Product } from './product.js';
import { percentile, type Bench, type BenchContext, type Listing } from './side-by-side.js';
import { storeConversations } from './stored-conversations.js';

const stored = { leadCount: 10_000, messageCount: 100_000, days: 30 };
const furtherPages = [
  '/leads',
  '/bulk',
  '/templates',
  '/dashboards',
  '/instances',
  '/calls',
  '/settings',
  '/settings/sending',
  '/settings/users',
  '/settings/webhooks',
  '/settings/audit',
  '/docs',
];
const arrivals = 150;
const arrivalEveryMs = 200;
const reloadCount = 12;
/** The wait for every answer of the API at a reload. */
const delayedMs = 2_000;
const memoryMinutes = 3;
const messagesPerSecond = 10;
const heapEveryMs = 5_000;
/** The wait until a page has requested all that it shows. */
const settleMs = 1_500;
const lookEveryMs = 20;
const kilobyte = 1_000;

export const consoleBench: Bench = { name: 'console', run: runConsole };

async function runConsole(context: BenchContext): Promise<Listing[]> {
  const { signal, progress, resources, minutes = memoryMinutes } = context;
  const product = await startProduct(context);
  progress(`storing ${stored.messageCount} messages`);
  await storeConversations(product.databaseUrl, { ...stored, tenantId: product.tenant.id, signal });
  await settle([product.databaseUrl]);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  resources.defer(() => browser.close());
  const openContext = async (serviceWorkers: 'allow' | 'block' = 'allow') =>
    signedIn(product, await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers }));

  progress('loading');
  // An answer of the service worker has no size of its own.
  const first = await measureFirstLoad(product, await openContext('block'));
  const further = await measureFurtherPages(product, await openContext('block'));
  progress('keys and clicks');
  const waits = await measureInteractions(product, await openContext());
  progress('reloads');
  const reloads = await measureReloads(product, await openContext());
  progress('arrivals');
  const latency = await measureArrivals(product, await openContext(), signal);
  progress(`memory, ${minutes} min`);
  const memory = await measureMemory(product, await openContext(), { signal, minutes });

  const largest = further.toSorted((one, other) => other.bytes - one.bytes)[0];
  const kilobytes = (bytes: number) => `${(bytes / kilobyte).toFixed(1)} KB`;
  const rows = [
    ['first load of the inbox', kilobytes(first), '160 KB'],
    [`largest further page (${largest?.path})`, kilobytes(largest?.bytes ?? 0), '60 KB'],
    ...Object.entries(waits).map(([name, sorted]) => [`${name}, p95 of ${sorted.length}`, p95(sorted), '50 ms']),
    [
      `a reload shows the kept list, answers delayed by ${delayedMs / 1_000} s, median of ${reloads.length}`,
      `${percentile(reloads, 0.5).toFixed(0)} ms (at most ${Math.max(...reloads).toFixed(0)} ms)`,
      '300 ms',
    ],
    [`from a webhook's 2xx to the screen, p95 of ${latency.length}`, p95(latency), '150 ms'],
    [
      `memory, ${minutes} min: last third ÷ first`,
      `${((memory.last / memory.first) * 100).toFixed(1)} % (${(memory.last / 1e6).toFixed(1)} MB)`,
      '105 %',
    ],
    [
      'rows shown afterwards: missing, doubled or misplaced',
      `0 of ${memory.messages} messages and ${memory.conversations} conversations`,
      '0',
    ],
  ];
  return [
    {
      title: 'Console',
      columns: ['what', 'figure', 'goal'],
      rows,
      notes: [
        `${stored.leadCount.toLocaleString('en')} leads, ${stored.messageCount.toLocaleString('en')} messages. Loads are JavaScript and ` +
          'CSS as they were transferred, by brotli, until the list or the page is shown; 1 KB is 1,000 bytes.',
        'Keys and clicks: from the event to the frame after it. Memory: the JavaScript heap after a collection, with lists as long as they get, at ' +
          `${messagesPerSecond} messages a second, one in ten of them to the open conversation.`,
        'Reloads: from the beginning of the navigation to the frame that has the first row.',
        `Further pages: ${further.map(({ path, bytes }) => `${path} ${(bytes / kilobyte).toFixed(0)}`).join(', ')} KB.`,
      ],
    },
  ];
}

const p95 = (sorted: Float64Array) => `${percentile(sorted, 0.95).toFixed(0)} ms`;

/** Every page of the context is the ADMIN's. */
async function signedIn({ tenant }: Product, context: BrowserContext): Promise<BrowserContext> {
  const claims = JSON.parse(Buffer.from(tenant.token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const { id: tenantId, accountId, token: accessToken } = tenant;
  const user = { id: claims.sub, tenantId, accountId, role: 'ADMIN', email: 'admin@bench.example' };
  const session = { accessToken, expiresIn: 3_600, expiresAt: Date.now() + 3_500_000, user };
  await context.addInitScript(`sessionStorage.setItem('leadwire.session', ${JSON.stringify(JSON.stringify(session))})`);
  return context;
}

/** Adds up the transferred bytes of JavaScript and CSS. */
function countLoads(page: Page): { bytes: () => Promise<number>; reset: () => void } {
  let loads: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!/\.(?:js|css)$/.test(new URL(request.url()).pathname)) return;
    const size = async () => {
      const [sizes, response] = await Promise.all([request.sizes(), request.response()]);
      if (response?.headers()['content-encoding'] !== 'br') throw new Error(`${request.url()} came without brotli`);
      return sizes.responseBodySize;
    };
    const load = size();
    load.catch(() => undefined);
    loads.push(load);
  });
  return {
    bytes: async () => (await Promise.all(loads)).reduce((sum, size) => sum + size, 0),
    reset: () => (loads = []),
  };
}

/** Waits for the expression. Playwright's own wait evaluates it in the page, which the console's policy forbids. */
async function untilTrue(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<boolean>(expression))) await delay(lookEveryMs);
}

const firstRow = (page: Page) => page.getByRole('option').first().waitFor();

async function openInbox({ url }: Product, context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/inbox?view=all`);
  await firstRow(page);
  await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

async function measureFirstLoad({ url }: Product, context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  const loads = countLoads(page);
  await page.goto(`${url}/inbox`);
  await firstRow(page);
  const bytes = await loads.bytes();
  await context.close();
  return bytes;
}

/** Opens each page from the inbox, with no other page visited before. */
async function measureFurtherPages(
  product: Product,
  context: BrowserContext,
): Promise<{ path: string; bytes: number }[]> {
  const measured: { path: string; bytes: number }[] = [];
  const lead = `/inbox/${await leadIdOf(product, context)}`;
  for (const path of [lead, lead.replace('/inbox', '/leads'), ...furtherPages]) {
    const page = await openInbox(product, context);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.clearBrowserCache');
    const loads = countLoads(page);
    // The script navigates as a link does, without loading the page.
    await page.evaluate(
      `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.locator('main').locator('h1, h2').first().waitFor();
    await delay(settleMs);
    const name = path.replace(/[\da-f-]{36}/, ':id');
    measured.push({ path: name, bytes: await loads.bytes() });
    await page.close();
  }
  await context.close();
  return measured;
}

async function leadIdOf(product: Product, context: BrowserContext): Promise<string> {
  const page = await openInbox(product, context);
  const id = (await page.getByRole('option').nth(1).getAttribute('id')) ?? '';
  await page.close();
  return id.replace('conversation-', '');
}

/** A script that records the time from each key and click to the frame after it. */
const watchInput = `
  window.waits = [];
  for (const type of ['keydown', 'click'])
    addEventListener(type, ({ timeStamp, isTrusted }) => {
      if (!isTrusted) return;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.waits.push(performance.now() - timeStamp);
        port2.postMessage(0);
      });
    }, { capture: true });`;

async function measureInteractions(
  product: Product,
  context: BrowserContext,
): Promise<Record<string, Float64Array<ArrayBuffer>>> {
  const page = await openInbox(product, context);
  await page.evaluate(watchInput);
  const take = async () => Float64Array.from(await page.evaluate<number[]>('window.waits.splice(0)')).sort();
  const frame = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  const press = async (key: string) => {
    await page.keyboard.press(key);
    await frame();
  };
  // A first conversation is opened unmeasured, because an operator meets the later ones all day.
  await page.getByRole('option').nth(1).click();
  await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
  await take();

  for (let step = 0; step < 60; step += 1) await press(step % 3 === 2 ? 'k' : 'j');
  const keys = await take();
  for (let step = 0; step < 25; step += 1) {
    await press('j');
    await take();
    await press('Enter');
    await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
  }
  const opened: number[] = [];
  for (let step = 0; step < 25; step += 1) {
    await page
      .getByRole('option')
      .nth(step % 6)
      .click();
    await frame();
    opened.push(...(await take()));
    await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
  }
  await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
  await take();
  for (const letter of 'a text of sixty letters that is written without any haste now.') await press(letter);
  const written = await take();
  await page.getByRole('textbox', { name: 'Search' }).focus();
  for (const letter of 'lead 42') await press(letter);
  await take();
  for (const name of ['Mine', 'All', 'Unassigned', 'Waiting', 'All', 'Closed', 'All', 'Snoozed', 'Waiting', 'All']) {
    // A number follows where the view counts its conversations.
    await page.getByRole('link', { name: new RegExp(`^${name}( \\d|$)`) }).click();
    await frame();
  }
  const views = await take();
  await context.close();
  return {
    'J and K': keys,
    'opening a conversation': Float64Array.from(opened).sort(),
    'a letter in the composer': written,
    'another view': views,
  };
}

/** A script that records when the first row of the list is painted, counted from the beginning of the navigation. */
const watchFirstRow = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('[role=option]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (window.shownAt = performance.now());
      port2.postMessage(0);
    });
  }).observe(document, { childList: true, subtree: true });`;

/** Reloads the inbox, once the browser has kept its list, while every answer of the API is late. */
async function measureReloads(product: Product, context: BrowserContext): Promise<Float64Array<ArrayBuffer>> {
  const page = await openInbox(product, context);
  // The list is kept a second after it has changed, and the service worker has the files by then.
  await delay(settleMs * 2);
  await context.route('**/graphql', async (route) => {
    await delay(delayedMs);
    await route.continue().catch(() => undefined);
  });
  await context.addInitScript(watchFirstRow);
  const shown: number[] = [];
  for (let count = 0; count < reloadCount; count += 1) {
    await page.reload({ waitUntil: 'commit' });
    await untilTrue(page, 'window.shownAt !== undefined');
    shown.push(await page.evaluate<number>('window.shownAt'));
    if ((shown.at(-1) ?? 0) >= delayedMs) throw new Error('the list came from the server, not from the browser');
    await delay(settleMs);
  }
  await context.close();
  return Float64Array.from(shown).sort();
}

/** A script that records when each text `arrival-<n>-` is first painted. */
const watchTexts = `
  window.seen = {};
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('[role=option]')) {
      const [text] = /arrival-\\d+-/.exec(row.textContent) ?? [];
      if (text === undefined || text in window.seen) continue;
      window.seen[text] = undefined;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (window.seen[text] = Date.now());
        port2.postMessage(0);
      });
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });`;

async function measureArrivals(
  product: Product,
  context: BrowserContext,
  signal: AbortSignal,
): Promise<Float64Array<ArrayBuffer>> {
  const page = await openInbox(product, context);
  await page.evaluate(watchTexts);
  const answeredAt = new Map<string, number>();
  for (let index = 0; index < arrivals; index += 1) {
    const text = `arrival-${index}-`;
    await writeAs(product, index, text);
    answeredAt.set(text, Date.now());
    await delay(arrivalEveryMs, undefined, { signal });
  }
  await untilTrue(page, `window.seen['arrival-${arrivals - 1}-'] !== undefined`);
  const seen = await page.evaluate<Record<string, number>>('window.seen');
  await context.close();
  const waits = [...answeredAt].map(([text, at]) => Math.max(0, (seen[text] ?? Number.NaN) - at));
  if (waits.some(Number.isNaN)) throw new Error('a message never came to the screen');
  return Float64Array.from(waits).sort();
}

async function measureMemory(
  product: Product,
  context: BrowserContext,
  { signal, minutes }: { signal: AbortSignal; minutes: number },
): Promise<{ first: number; last: number } & ConfirmedRows> {
  let asked = '';
  context.on('request', (request) => {
    const body = request.postData() ?? '';
    if (asked === '' && body.includes('"operationName":"Inbox"')) asked = body;
  });
  const page = await openInbox(product, context);
  await page.getByRole('option').nth(1).click();
  await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
  const openId = /\/inbox\/([\da-f-]{36})/.exec(page.url())?.[1] ?? '';
  const openNumber = await numberOf(product, openId);
  await page.mouse.move(0, 0);
  // The composer gets the focus, because the list would not change while it has the focus.
  await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
  await fillLists(product, openNumber);
  await delay(settleMs);
  const cdp = await context.newCDPSession(page);
  const heaps: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + minutes * 60_000;
  let nextHeapAt = startedAt + heapEveryMs;
  for (let index = 0; performance.now() < endsAt; index += 1) {
    const dueAt = startedAt + (index * 1_000) / messagesPerSecond;
    await delay(Math.max(0, dueAt - performance.now()), undefined, { signal });
    await writeAs(product, index % 10 === 0 ? openNumber : index % stored.leadCount, `Bom dia ${index}`);
    if (performance.now() < nextHeapAt) continue;
    nextHeapAt += heapEveryMs;
    await cdp.send('HeapProfiler.collectGarbage');
    heaps.push((await cdp.send('Runtime.getHeapUsage')).usedSize);
  }
  const confirmed = await confirmRows(page, product, openId, asked);
  await context.close();
  const third = Math.floor(heaps.length / 3);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { first: mean(heaps.slice(0, third)), last: mean(heaps.slice(-third)), ...confirmed };
}

async function numberOf({ url, tenant }: Product, leadId: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` };
  const body = JSON.stringify({ query: `{ lead(id: "${leadId}") { chat } }` });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { lead: { chat: string } } };
  return Number(data.lead.chat) - firstNumber - 1;
}

/** The most that the list and the open conversation keep: from then on, nothing has to grow. */
const filling = { messages: 600, leads: 500, perCall: 100 };

async function fillLists(product: Product, openNumber: number): Promise<void> {
  const { messages, leads, perCall } = filling;
  for (let start = 0; start < messages; start += perCall)
    await write(
      product,
      Array.from({ length: perCall }, (_, index) => [openNumber, `Boa tarde ${start + index}`]),
    );
  for (let start = 0; start < leads; start += perCall)
    await write(
      product,
      Array.from({ length: perCall }, (_, index) => [start + index, `Boa noite ${start + index}`]),
    );
}

// The stored conversations number their leads from here.
const firstNumber = 4_915_000_000_000;

/** Lets the lead of this index write; resolves with the 2xx. */
const writeAs = (product: Product, index: number, text: string) => write(product, [[index, text]]);

/** Posts the messages in a single call. */
async function write(product: Product, said: readonly (readonly [index: number, text: string])[]): Promise<void> {
  const { url, tenant, webhookSecret: secret } = product;
  const messages = said.map(([index, text]) => ({
    messageId: randomExternalId('console'),
    from: String(firstNumber + 1 + index),
    text,
  }));
  const body = JSON.stringify({ messages });
  const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret });
  const response = await fetch(`${url}${inboundPath}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`A message was answered with ${response.status}.`);
  await response.arrayBuffer();
}

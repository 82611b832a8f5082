// The build that a page runs. A service worker keeps its files for a start without a network, and a newer build of the server replaces it.

import { textsNow } from '../i18n/language.js';
import { connection } from '../live/feed.js';
import { notify } from '../parts/notices.js';
import { appTexts } from './texts.js';

const registerAfterMs = 1_000;
const minCheckPauseMs = 5_000;
const noticeForMs = 10 * 60_000;
/** A page that is older than this may be in use, so it is not loaded again without a question. */
const youngMs = 10_000;
const reloadedKey = 'leadwire.reloaded';

const scriptPattern = /<script[^>]* src="([^"]+)"/;
let checkedAt = Number.NEGATIVE_INFINITY;
let offeredBuild = '';
// The browser's own mark of use outlives a reload, so it says nothing of this page.
let isUsed = false;
for (const type of ['pointerdown', 'keydown'])
  addEventListener(type, () => (isUsed = true), { capture: true, once: true });

/** Registers the service worker, and looks for a newer build now and whenever the connection is back. */
export function followBuild(): void {
  // A browser has no service worker without https, except for this machine's own addresses.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  setTimeout(() => void start(), registerAfterMs);
  connection.subscribe(() => connection.value === 'live' && void check());
}

async function start(): Promise<void> {
  // A page that came from the browser's own copy is compared with the server first.
  if (navigator.serviceWorker.controller !== null) await check();
  // A failure leaves the console as it is without a service worker.
  await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
}

async function check(): Promise<void> {
  const now = performance.now();
  if (now - checkedAt < minCheckPauseMs) return;
  checkedAt = now;
  const build = await buildOfServer();
  if (build === undefined || build === ownBuild() || build === offeredBuild) return;
  offeredBuild = build;
  const isUnused = now < youngMs && !isUsed;
  // Processes of two builds may answer in turns, so a page is loaded again by itself once for each.
  if (isUnused && sessionStorage.getItem(reloadedKey) !== build) {
    sessionStorage.setItem(reloadedKey, build);
    await openBuild();
  } else {
    const texts = textsNow(appTexts);
    notify(texts.newVersion, { action: { label: texts.reload, run: openBuild }, forMs: noticeForMs });
  }
}

/** Returns the script that the server's page names: each build has its own. Undefined while the server cannot say. */
async function buildOfServer(): Promise<string | undefined> {
  try {
    const response = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } });
    if (response.ok) return scriptPattern.exec(await response.text())?.[1] ?? 'none';
    // The console is no longer served here.
    return response.status === 404 ? 'none' : undefined;
  } catch {
    return undefined;
  }
}

const ownBuild = () => document.querySelector('script[type=module][src]')?.getAttribute('src') ?? undefined;

/** Loads the page from the server: without its service worker, which may still have the former build. */
async function openBuild(): Promise<void> {
  await (await navigator.serviceWorker.getRegistration('/'))?.unregister();
  location.reload();
}

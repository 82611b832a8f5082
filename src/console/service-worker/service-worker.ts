// The service worker: it keeps the files of one build, so that the console opens without a network, and shows notifications while it is
// closed. It touches no answer of the API.

import { notificationOf } from './notification.js';
import { isShellPage } from './shell-paths.js';

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends LastingEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface PushEvent extends LastingEvent {
  data: { json(): unknown } | null;
}

interface NotificationEvent extends LastingEvent {
  notification: Notification;
}

interface WindowClient {
  focused: boolean;
  url: string;
  focus(): Promise<WindowClient>;
  navigate(path: string): Promise<unknown>;
  postMessage(message: unknown, transferred: Transferable[]): void;
}

interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(path: string): Promise<unknown>;
  };
}

/** The build writes this declaration before the code. */
declare const shellOfBuild: { version: string; files: readonly string[] };

const worker = self as unknown as WorkerScope;
const prefix = 'leadwire-shell-';
const ownCache = `${prefix}${shellOfBuild.version}`;
const indexPath = '/';
/** An open page of the former build still loads parts of it. */
const maxCaches = 2;
/** A browser lets a click open a window for about a second. */
const answerMs = 300;

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && isShellPage(pathname)) event.respondWith(openPage(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(readAsset(request));
});

worker.addEventListener('push', (event) => event.waitUntil(showNews(event.data)));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data as { path: string };
  event.waitUntil(openPlace(path));
});

async function install(): Promise<void> {
  const cache = await caches.open(ownCache);
  // Files are named by their content, but the index is not: the browser's own cache may have an older one.
  await Promise.all([cache.add(new Request(indexPath, { cache: 'reload' })), cache.addAll(shellOfBuild.files)]);
  await worker.skipWaiting();
}

async function activate(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== ownCache);
  await Promise.all(names.slice(0, Math.max(0, names.length - maxCaches + 1)).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function openPage(request: Request): Promise<Response> {
  const cache = await caches.open(ownCache);
  return (await cache.match(indexPath, { ignoreVary: true })) ?? fetch(request);
}

async function readAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

const windowsNow = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shows nothing while somebody looks at the console: the page itself tells of the message. An open guide or file tells nothing. */
async function showNews(data: PushEvent['data']): Promise<void> {
  const looked = (await windowsNow()).filter(({ focused }) => focused);
  if ((await firstToAnswer(looked)) !== undefined) return;
  const { title, options } = notificationOf(readPayload(data));
  await worker.registration.showNotification(title, options);
}

function readPayload(data: PushEvent['data']): unknown {
  try {
    return data?.json();
  } catch {
    return undefined;
  }
}

/** Opens a path in a window where somebody is signed in, or in a new one. */
async function openPlace(path: string): Promise<void> {
  const windows = (await windowsNow()).filter(({ url }) => isShellPage(new URL(url).pathname));
  const awake = await firstToAnswer(windows);
  if (awake !== undefined) {
    awake.postMessage({ open: path }, []);
    await awake.focus();
    return;
  }
  const [other] = windows;
  if (other === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  // A page that sleeps answers once it has the focus. The page of the sign-in never does, and leads on to the path.
  await other.focus();
  if (!(await answers(other, { open: path }))) await other.navigate(path).catch(() => worker.clients.openWindow(path));
}

async function firstToAnswer(windows: readonly WindowClient[]): Promise<WindowClient | undefined> {
  const asked = windows.map(async (one) => ((await answers(one, {})) ? one : Promise.reject(new Error('No answer'))));
  return Promise.any(asked).catch(() => undefined);
}

/** Returns true once the page has taken the message. Only a page of a user who is signed in does. */
function answers(open: WindowClient, message: { open?: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerMs);
    open.postMessage(message, [port2]);
  });
}

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
  event.waitUntil(openConversation(path));
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

/** Shows nothing while somebody looks at the console: the page itself tells of the message. */
async function showNews(data: PushEvent['data']): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.some(({ focused }) => focused)) return;
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

/** Opens the conversation in a window of the console, or in a new one. */
async function openConversation(path: string): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  open.postMessage({ open: path }, []);
  await open.focus();
}

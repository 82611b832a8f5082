// Notifications of this browser while the console is closed. The browser subscribes at its push service, and the server gets the address.
// The choice belongs to one user: after a sign-out the browser is notified of nothing.

import { ask, askAgain } from '../../api/client.js';
import { postJson } from '../../api/rest.js';
import { accessTokenNow, sessionState } from '../../app/session.js';
import { Store } from '../../app/store.js';
import { DeletePushDeviceDocument, KeepPushDeviceDocument, PushDevicesDocument } from './operations.js';

export interface PushChoice {
  mine: boolean;
  unassigned: boolean;
}

/** The choice as this browser remembers it. */
interface KeptPush extends PushChoice {
  userId: string;
  deviceId: string;
}

/** The reason why a browser could not subscribe. */
export type PushProblem = 'denied' | 'unavailable';

const key = 'leadwire.push';
const noChoice: PushChoice = { mine: false, unassigned: false };
const maxNameLength = 100;

export const pushChoice = new Store<PushChoice>(ownKept() ?? noChoice);

/** Returns false where the browser has no push, for example outside of https. */
export const isPushPossible = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Subscribes, changes the choice, or ends the subscription if nothing is chosen. @returns the browser's own obstacle, if there is one */
export async function choosePush(choice: PushChoice, publicKey: string): Promise<PushProblem | undefined> {
  if (!choice.mine && !choice.unassigned) {
    await endPush();
    return undefined;
  }
  const { user } = sessionState.value;
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const subscription = await subscribe(publicKey);
  if (subscription === undefined) return 'unavailable';
  if (user !== undefined) await keep(subscription, choice, user.id);
  return undefined;
}

/** Keeps the subscription of an earlier visit for longer, and with the server's present key. A failure leaves it as it is. */
export async function renewPush(): Promise<void> {
  const kept = ownKept();
  if (kept === undefined) return forget();
  const { pushPublicKey, pushDevices } = await askAgain(PushDevicesDocument);
  const isWanted = pushDevices.some(({ id }) => id === kept.deviceId) && Notification.permission === 'granted';
  if (pushPublicKey === null || !isWanted) return forget();
  const subscription = await subscribe(pushPublicKey);
  if (subscription !== undefined) await keep(subscription, kept, kept.userId);
}

/** Ends the notifications of one of the user's browsers, this one or another. @throws RequestError */
export async function deletePush(deviceId: string): Promise<void> {
  await ask(DeletePushDeviceDocument, { id: deviceId });
  if (ownKept()?.deviceId === deviceId) await forget();
}

async function endPush(): Promise<void> {
  const kept = ownKept();
  await forget();
  // The server may have forgotten the browser already.
  if (kept !== undefined) await ask(DeletePushDeviceDocument, { id: kept.deviceId }).catch(() => undefined);
}

async function keep(subscription: PushSubscription, { mine, unassigned }: PushChoice, userId: string): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const input = {
    endpoint: endpoint ?? subscription.endpoint,
    publicKey: keys?.['p256dh'] ?? '',
    secret: keys?.['auth'] ?? '',
    name: nameOfBrowser(),
    language: document.documentElement.lang,
    notifiesMine: mine,
    notifiesUnassigned: unassigned,
  };
  const token = accessTokenNow();
  try {
    const { keepPushDevice } = await ask(KeepPushDeviceDocument, { input });
    const kept: KeptPush = { userId, deviceId: keepPushDevice.id, mine, unassigned };
    if (!isSignedIn(userId)) return await tellDeleted(kept, token);
    localStorage.setItem(key, JSON.stringify(kept));
    pushChoice.set({ mine, unassigned });
  } finally {
    // The sign-out came first, and found nothing to end. The next user may have chosen by now, and has this subscription then.
    if (!isSignedIn(userId) && localStorage.getItem(key) === null) await subscription.unsubscribe();
  }
}

/** False from the beginning of the sign-out on, while its cleanups run. */
const isSignedIn = (userId: string): boolean =>
  accessTokenNow() !== undefined && sessionState.value.user?.id === userId;

async function subscribe(publicKey: string): Promise<PushSubscription | undefined> {
  const pushManager = (await navigator.serviceWorker.getRegistration('/'))?.pushManager;
  if (pushManager === undefined) return undefined;
  const earlier = await pushManager.getSubscription();
  if (earlier !== null && keyOf(earlier) === publicKey) return earlier;
  await earlier?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => undefined);
}

function keyOf({ options }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? new ArrayBuffer()));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Removes the subscription from the browser. Its push service then answers that the address is gone. */
async function forget(): Promise<void> {
  localStorage.removeItem(key);
  pushChoice.set(noChoice);
  const registration = await navigator.serviceWorker.getRegistration('/');
  const shown = (await registration?.getNotifications()) ?? [];
  for (const notification of shown) notification.close();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function ownKept(): KeptPush | undefined {
  const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as KeptPush | null;
  return kept !== null && kept.userId === sessionState.value.user?.id ? kept : undefined;
}

/** Names the browser and its system, as far as it tells them. */
function nameOfBrowser(): string {
  const { userAgent } = navigator;
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`));
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'].find((name) => userAgent.includes(name));
  const shown = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser;
  return (
    [shown, system]
      .filter((name) => name !== undefined)
      .join(' · ')
      .slice(0, maxNameLength) || 'Browser'
  );
}

/** Ends the notifications of this browser at a sign-out. @param lastToken of the session that ended */
export async function endPushAtSignOut(lastToken: string): Promise<void> {
  const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as KeptPush | null;
  if (kept !== null) await Promise.allSettled([tellDeleted(kept, lastToken), forget()]);
}

/** Deletes a browser of a user who has signed out. A failure leaves it to the push service, which answers that the address is gone. */
async function tellDeleted({ deviceId }: KeptPush, lastToken: string | undefined): Promise<void> {
  const operation = { query: String(DeletePushDeviceDocument), variables: { id: deviceId } };
  await postJson('/graphql', operation, lastToken).catch(() => undefined);
}

// Sound and desktop notifications for new messages, according to the user's choice.

import { onSignOut } from './session.js';
import { Store } from './store.js';

interface Alerts {
  hasSound: boolean;
  onDesktop: boolean;
  isDesktopDenied: boolean;
}

const key = 'leadwire.alerts';
const minBetweenSoundsMs = 2_000;
const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Alerts>;

export const alerts = new Store<Alerts>({
  hasSound: stored.hasSound ?? true,
  onDesktop: stored.onDesktop === true && permission() === 'granted',
  isDesktopDenied: false,
});

export function setAlerts(change: Partial<Alerts>): void {
  alerts.update((now) => ({ ...now, ...change }));
  localStorage.setItem(key, JSON.stringify(alerts.value));
}

export async function askForDesktop(wanted: boolean): Promise<void> {
  if (!wanted) return setAlerts({ onDesktop: false });
  const answer = permission() === undefined ? 'denied' : await Notification.requestPermission();
  setAlerts({ onDesktop: answer === 'granted', isDesktopDenied: answer !== 'granted' });
}

let lastSoundAt = 0;
let audio: AudioContext | undefined;
const shown = new Set<Notification>();

/** @param open runs when the user clicks the notification */
export function alertOf(message: { title: string; body: string; tag: string }, open: () => void): void {
  const { hasSound, onDesktop } = alerts.value;
  if (hasSound) playSound();
  if (!onDesktop || document.visibilityState === 'visible') return;
  const { title, body, tag } = message;
  const notification = new Notification(title, { body: body.slice(0, 200), tag });
  shown.add(notification);
  notification.addEventListener('close', () => shown.delete(notification));
  notification.addEventListener('click', () => {
    window.focus();
    open();
    notification.close();
  });
}

// Plays two short tones. The browser generates them, so that no sound file has to load first.
function playSound(): void {
  const now = Date.now();
  if (now - lastSoundAt < minBetweenSoundsMs || !navigator.userActivation.hasBeenActive) return;
  lastSoundAt = now;
  audio ??= new AudioContext();
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    const at = audio.currentTime + index * 0.12;
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0.05, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.11);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.12);
  }
}

function permission(): NotificationPermission | undefined {
  return 'Notification' in window ? Notification.permission : undefined;
}

onSignOut(() => {
  for (const notification of shown) notification.close();
});

// The dashboard that this user opened last in this browser. `/dashboards` opens it again.

import { onSignOut, sessionState } from '../../app/session.js';

const prefix = 'leadwire.dashboard.';
const key = () => prefix + (sessionState.value.user?.id ?? '');

export const lastDashboard = (): string | undefined => localStorage.getItem(key()) ?? undefined;

export const keepLastDashboard = (id: string): void => localStorage.setItem(key(), id);

/** A dashboard that was deleted is opened no more. */
export function forgetDashboard(id: string): void {
  if (lastDashboard() === id) localStorage.removeItem(key());
}

onSignOut(() => {
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
});

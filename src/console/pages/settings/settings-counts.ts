// How many users, webhooks and lead sources there are, for the list of the settings. A page that lists them all tells a change of them.

import { useEffect } from 'react';
import { askAgain } from '../../api/client.js';
import { sessionState } from '../../app/session.js';
import { Store } from '../../app/store.js';
import { SettingsCountsDocument } from './operations.js';

export type Counted = 'users' | 'webhooks' | 'sources';

export const settingsCounts = new Store<Partial<Record<Counted, number>>>({});

sessionState.subscribe(() => settingsCounts.set({}));

/** A list without counts is still a list: what cannot be read is left out. */
export async function readSettingsCounts(): Promise<void> {
  const { users, webhookEndpoints, leadSources } = await askAgain(SettingsCountsDocument);
  settingsCounts.set({ users: users.totalCount, webhooks: webhookEndpoints.length, sources: leadSources.length });
}

/** @param count undefined until it is known */
export function useSettingsCount(of: Counted, count: number | undefined): void {
  useEffect(() => {
    if (count !== undefined) settingsCounts.update((now) => ({ ...now, [of]: count }));
  }, [of, count]);
}

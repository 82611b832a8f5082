// Keeps the view of the inbox that is shown under a name, and renames or deletes a kept one.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { ask } from '../../api/client.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import { inboxQueryOf, isFiltered } from '../../live/inbox-filter.js';
import { readKeptViews, type KeptView } from '../../live/kept-views.js';
import { ViewMenu } from '../../parts/kept-views/view-menu.js';
import { DeleteViewDocument, KeepViewDocument, RenameViewDocument } from './operations.js';
import { inboxTexts } from './texts.js';

/** @param view the kept view that is shown */
export function KeptViewMenu({ view }: { view: KeptView | undefined }) {
  const texts = useTexts(inboxTexts);
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/inbox' });
  const userId = useStore(sessionState).user?.id ?? '';
  const isHere = useIsHere();
  const keep = async ({ name, filter, orderBy }: Pick<KeptView, 'name' | 'filter' | 'orderBy'>) => {
    await ask(KeepViewDocument, { input: { name, filter, orderBy } });
    await readKeptViews();
  };
  return (
    <ViewMenu
      view={view}
      canKeep={isFiltered(search)}
      group={texts.title}
      hint={texts.viewHint}
      onKeep={(name) => keep({ ...inboxQueryOf(search, userId), name })}
      onRename={async ({ id }, name) => {
        await ask(RenameViewDocument, { id, name });
        await readKeptViews();
      }}
      onDelete={async ({ id }) => {
        await ask(DeleteViewDocument, { id });
        await readKeptViews();
        if (isHere()) void navigate({ to: '/inbox' });
      }}
      onRestore={keep}
    />
  );
}

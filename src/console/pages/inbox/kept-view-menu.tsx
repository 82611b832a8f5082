// The view that is shown, to keep it under a name; and a kept one, to rename or to delete it.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { inboxQueryOf, isFiltered } from '../../live/inbox-filter.js';
import { readKeptViews, type KeptView } from '../../live/kept-views.js';
import { IconButton } from '../../parts/button.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { notify } from '../../parts/notices.js';
import { keptViewTexts } from './kept-view-texts.js';
import { DeleteViewDocument, KeepViewDocument } from './operations.js';
import { inboxTexts } from './texts.js';

const ViewDialog = lazy(async () => {
  const { ViewDialog: component } = await import('./view-dialog.js');
  return { default: component };
});

/** @param view the kept view that is shown */
export function KeptViewMenu({ view }: { view: KeptView | undefined }) {
  const texts = useTexts(keptViewTexts);
  const { title: group } = useTexts(inboxTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const userId = useStore(sessionState).user?.id ?? '';
  const [isNaming, setNaming] = useState(false);
  const remove = useDelete(view);
  const canKeep = view === undefined && isFiltered(search);
  const name = () => setTimeout(() => setNaming(true));
  useCommands([
    ...(canKeep ? [{ id: 'save-view', title: texts.saveView, group, run: name }] : []),
    ...(view === undefined ? [] : [{ id: 'rename-view', title: texts.renameView, group, run: name }]),
    ...(view === undefined ? [] : [{ id: 'delete-view', title: texts.deleteView, group, run: remove }]),
  ]);
  return (
    <>
      {canKeep && <IconButton icon="bookmark" label={texts.saveView} onClick={name} />}
      {view !== undefined && (
        <Menu trigger={<IconButton icon="more" label={texts.actions} />}>
          <MenuItem onChoose={name}>{texts.renameView}</MenuItem>
          <MenuItem isDanger onChoose={remove}>
            {texts.deleteView}
          </MenuItem>
        </Menu>
      )}
      {isNaming && (
        <Suspense>
          <ViewDialog view={view} query={inboxQueryOf(search, userId)} onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </>
  );
}

function useDelete(view: KeptView | undefined): () => void {
  const texts = useTexts(keptViewTexts);
  const navigate = useNavigate();
  const { start: restore } = useAction(async ({ name, filter, orderBy }: KeptView) => {
    await ask(KeepViewDocument, { input: { name, filter, orderBy } });
    await readKeptViews();
  });
  const { start } = useAction(async ({ id, name }: KeptView) => {
    await ask(DeleteViewDocument, { id });
    await readKeptViews();
    if (view !== undefined) notify(texts.deleted(name), { action: { label: texts.undo, run: () => restore(view) } });
    void navigate({ to: '/inbox' });
  });
  return () => view !== undefined && void start(view);
}

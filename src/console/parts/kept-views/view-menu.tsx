// The view that is shown, to keep it under a name; and a kept one, to rename or to delete it.

import { lazy, Suspense, useState } from 'react';
import { useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { IconButton } from '../button.js';
import { Menu, MenuItem } from '../menu.js';
import { notify } from '../notices.js';
import { keptViewTexts } from './texts.js';

const ViewDialog = lazy(async () => {
  const { ViewDialog: component } = await import('./view-dialog.js');
  return { default: component };
});

interface ViewMenuProps<View> {
  /** The kept view that is shown. */
  view: View | undefined;
  canKeep: boolean;
  /** The heading of the commands. */
  group: string;
  /** The sentence that says where a new view will stand. */
  hint: string;
  /** Keeps what is shown under a name. */
  onKeep: (name: string) => Promise<unknown>;
  onRename: (view: View, name: string) => Promise<unknown>;
  onDelete: (view: View) => Promise<unknown>;
  /** Keeps a view that was deleted a moment ago. */
  onRestore: (view: View) => Promise<unknown>;
}

export function ViewMenu<View extends { name: string }>(props: ViewMenuProps<View>) {
  const { view, canKeep, group, hint, onKeep, onRename, onDelete, onRestore } = props;
  const texts = useTexts(keptViewTexts);
  const [isNaming, setNaming] = useState(false);
  const { start: restore } = useAction(onRestore);
  const { start: startDelete } = useAction(async (deleted: View) => {
    await onDelete(deleted);
    notify(texts.deleted(deleted.name), { undo: () => restore(deleted) });
  });
  const remove = () => view !== undefined && void startDelete(view);
  const isNew = view === undefined && canKeep;
  const name = () => setTimeout(() => setNaming(true));
  useCommands([
    ...(isNew ? [{ id: 'save-view', title: texts.saveView, group, run: name }] : []),
    ...(view === undefined ? [] : [{ id: 'rename-view', title: texts.renameView, group, run: name }]),
    ...(view === undefined ? [] : [{ id: 'delete-view', title: texts.deleteView, group, run: remove }]),
  ]);
  return (
    <>
      {isNew && <IconButton icon="bookmark" label={texts.saveView} onClick={name} />}
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
          <ViewDialog
            name={view?.name}
            hint={hint}
            onSave={(given) => (view === undefined ? onKeep(given) : onRename(view, given))}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </>
  );
}

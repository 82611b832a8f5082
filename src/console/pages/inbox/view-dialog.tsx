// Asks for the name of a view: to keep the present filters under it, or to call a view otherwise.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import type { InboxQuery } from '../../live/inbox-filter.js';
import { readKeptViews, type KeptView } from '../../live/kept-views.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import styles from './inbox.module.css';
import { keptViewTexts } from './kept-view-texts.js';
import { KeepViewDocument, RenameViewDocument } from './operations.js';

interface ViewDialogProps {
  /** The view to rename, or the filters to keep. */
  view: KeptView | undefined;
  query: InboxQuery;
  onClose: () => void;
}

const maxName = 60;

export function ViewDialog({ view, query, onClose }: ViewDialogProps) {
  const texts = useTexts(keptViewTexts);
  const [name, setName] = useState(view?.name ?? '');
  const { isBusy, error, start, problemOf } = useAction(
    async () => {
      const { filter, orderBy } = query;
      if (view === undefined) await ask(KeepViewDocument, { input: { name, filter, orderBy } });
      else await ask(RenameViewDocument, { id: view.id, name });
      onClose();
      await readKeptViews();
    },
    { isForm: true },
  );
  return (
    <Dialog isOpen onClose={onClose} title={view === undefined ? texts.saveView : texts.renameView}>
      <form className={styles.form} action={() => void start()}>
        <TextField
          label={texts.name}
          hint={view === undefined ? texts.nameHint : undefined}
          value={name}
          maxLength={maxName}
          error={problemOf('name')}
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
        {!isSaidAtField(error) && <FormError error={error} />}
        <div className={styles.formActions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={name.trim() === ''}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

// Asks for the name of a view: to keep the present filters under it, or to call a view otherwise.

import { useState } from 'react';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';
import { TextField } from '../field.js';
import { FormError } from '../form-error.js';
import styles from './kept-views.module.css';
import { keptViewTexts } from './texts.js';

interface ViewDialogProps {
  /** The present name of the view to rename; undefined keeps a new one. */
  name: string | undefined;
  /** The sentence that says where a new view will stand. */
  hint: string;
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

const maxName = 60;

export function ViewDialog({ name: present, hint, onSave, onClose }: ViewDialogProps) {
  const texts = useTexts(keptViewTexts);
  const [name, setName] = useState(present ?? '');
  const { isBusy, error, start, problemOf } = useAction(() => onSave(name), { isForm: true, onDone: onClose });
  return (
    <Dialog isOpen onClose={onClose} title={present === undefined ? texts.saveView : texts.renameView}>
      <form className={styles.form} action={() => void start()}>
        <TextField
          label={texts.name}
          hint={present === undefined ? hint : undefined}
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

// Asks for tags that the selected leads get or lose.

import { useState } from 'react';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';
import { TextField } from '../field.js';
import { FormError } from '../form-error.js';
import type { LeadChangeInput } from './operations.js';
import styles from './selection.module.css';
import { selectionTexts } from './texts.js';

interface TagDialogProps {
  /** @param saysDone says what was done to so many leads */
  onTag: (action: LeadChangeInput, saysDone: (count: number) => string) => Promise<void>;
  onClose: () => void;
}

export function TagDialog({ onTag, onClose }: TagDialogProps) {
  const texts = useTexts(selectionTexts);
  const [written, setWritten] = useState('');
  const tags = written
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const { isBusy, error, start, problemOf } = useAction(
    (isAdded: boolean) =>
      isAdded ? onTag({ addTags: tags }, texts.tagged) : onTag({ removeTags: tags }, texts.untagged),
    { isForm: true, onDone: onClose },
  );
  const isEmpty = tags.length === 0;
  return (
    <Dialog isOpen onClose={onClose} title={texts.tag}>
      <form className={styles.form} action={() => void start(true)}>
        <TextField
          label={texts.tag}
          hint={texts.tagHint}
          value={written}
          error={problemOf('action')}
          onChange={({ target }) => setWritten(target.value)}
        />
        {!isSaidAtField(error) && <FormError error={error} />}
        <div className={styles.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button isBusy={isBusy} disabled={isEmpty} onClick={() => void start(false)}>
            {texts.remove}
          </Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={isEmpty}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

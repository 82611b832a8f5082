// Asks for the reason of a decision about consent. The consent ledger keeps it.

import { useState } from 'react';
import { isSaidAtField, useAction } from '../api/use-action.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { TextField } from './field.js';
import { FormError } from './form-error.js';
import { partTexts } from './part-texts.js';
import styles from './reason-dialog.module.css';

interface ReasonProps {
  /** The decision in words, for the title and the button. */
  title: string;
  /** A suggested reason, which the user may change. */
  suggestedReason?: string;
  decide: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

export function ReasonDialog({ title, suggestedReason = '', decide, onClose }: ReasonProps) {
  const texts = useTexts(partTexts);
  const [reason, setReason] = useState(suggestedReason);
  const { isBusy, error, start, problemOf } = useAction(() => decide(reason.trim()), { isForm: true, onDone: onClose });
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form className={styles.form} action={() => void start()}>
        <TextField
          label={texts.reason}
          hint={texts.reasonHint}
          value={reason}
          required
          maxLength={500}
          error={problemOf('reason')}
          onChange={({ target }) => setReason(target.value)}
        />
        {!isSaidAtField(error) && <FormError error={error} />}
        <div className={styles.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={reason.trim() === ''}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

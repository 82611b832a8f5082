// Erases a person for good. The user has to type the person's name first.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import styles from './lead.module.css';
import { EraseLeadDocument, type WholeLeadFragment } from './operations.js';
import { leadTexts } from './texts.js';

export function EraseDialog({ lead: { id, name }, onClose }: { lead: WholeLeadFragment; onClose: () => void }) {
  const texts = useTexts(leadTexts);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { isBusy, error, start } = useAction(
    async () => {
      await ask(EraseLeadDocument, { id });
      notify(texts.erased);
      // The user may have gone elsewhere. Only the page of the erased lead is left.
      if (location.pathname === `/leads/${id}`) await navigate({ to: '/leads', replace: true });
    },
    { isForm: true },
  );
  return (
    <Dialog isOpen onClose={onClose} title={texts.eraseTitle}>
      <form className={styles.form} action={() => void start()}>
        <p>{texts.eraseText}</p>
        <TextField
          label={texts.eraseType(name)}
          value={typed}
          autoComplete="off"
          dir="auto"
          onChange={({ target }) => setTyped(target.value)}
        />
        <FormError error={error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="danger" type="submit" isBusy={isBusy} disabled={typed.trim() !== name.trim()}>
            {texts.erase}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

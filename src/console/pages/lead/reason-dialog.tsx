// Asks for the reason before a user opts a lead out or in. The lead's page and the conversation open it.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import styles from './lead.module.css';
import { OptInDocument, OptOutDocument } from './operations.js';
import type { WholeLeadFragment } from './operations.js';
import { leadTexts } from './texts.js';

interface ReasonProps {
  lead: Pick<WholeLeadFragment, 'id' | 'optOut'>;
  /** A reason to begin with, which the user may change. */
  suggestedReason?: string;
  onClose: () => void;
  /** Gets the lead as it is after the decision. */
  onChange: (lead: WholeLeadFragment) => void;
}

export function ReasonDialog({ lead, suggestedReason = '', onClose, onChange }: ReasonProps) {
  const texts = useTexts(leadTexts);
  const [reason, setReason] = useState(suggestedReason);
  const isOptOut = lead.optOut === null;
  const { isBusy, error, start, problemOf } = useAction(
    async () => {
      const given = { id: lead.id, reason: reason.trim() };
      if (isOptOut) onChange((await ask(OptOutDocument, given)).optOutLead);
      else onChange((await ask(OptInDocument, given)).optInLead);
      onClose();
    },
    { isForm: true },
  );
  return (
    <Dialog isOpen onClose={onClose} title={isOptOut ? texts.optOut : texts.optIn}>
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
            {isOptOut ? texts.optOut : texts.optIn}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

// The bar that saves what was written over a lead's data. It stays in view, and leaving the page without it asks.

import { useBlocker } from '@tanstack/react-router';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Keys } from '../../parts/keys.js';
import type { Details } from './details-form.js';
import styles from './lead.module.css';
import { leadTexts } from './texts.js';

export function SaveBar({ formId, details }: { formId: string; details: Details }) {
  const texts = useTexts(leadTexts);
  const { changes, isBusy, start, discard } = details;
  const isDirty = changes > 0;
  const leaving = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true });
  const save = { id: 'save', title: texts.save, keys: '$mod+s', group: texts.lead, run: () => start() };
  useCommands(isDirty ? [save] : []);
  return (
    <>
      {isDirty && (
        <div className={styles.save}>
          <b role="status">{texts.changes(changes)}</b>
          <Button kind="quiet" onClick={discard}>
            {texts.discard}
          </Button>
          <Button kind="primary" type="submit" form={formId} isBusy={isBusy}>
            {texts.save}
            <span aria-hidden>
              <Keys keys="$mod+s" />
            </span>
          </Button>
        </div>
      )}
      {leaving.status === 'blocked' && (
        <ConfirmDialog
          title={texts.leaveTitle}
          text={texts.leaveText}
          confirmLabel={texts.leave}
          onConfirm={() => {
            leaving.proceed();
            return Promise.resolve();
          }}
          onClose={leaving.reset}
        />
      )}
    </>
  );
}

// The bar that saves the changes of a form. It stays in view, names what changed, and leaving the page without it asks.

import { useCommands } from '../app/commands.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import { Keys } from './keys.js';
import { LeaveQuestion, type LeaveQuestionProps } from './leave-question.js';
import styles from './save-bar.module.css';
import { saveBarTexts } from './save-bar-texts.js';

interface SaveBarProps {
  formId: string;
  /** The labels of what was changed; empty: nothing to save, and no bar. */
  changes: readonly string[];
  isBusy: boolean;
  onDiscard: () => void;
  isKept?: LeaveQuestionProps['isKept'];
}

export function SaveBar({ formId, changes, isBusy, onDiscard, isKept }: SaveBarProps) {
  const texts = useTexts(saveBarTexts);
  const isChanged = changes.length > 0;
  const submit = () => {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  };
  const save = { id: 'save', title: texts.save, keys: '$mod+s', group: texts.page, run: submit };
  useCommands(isChanged ? [save] : []);
  return (
    <>
      {isChanged && (
        <div className={styles.bar} data-bar-of-acts>
          <p role="status">
            <b>{texts.changes(changes.length)}</b>
            <span>{changes.join(', ')}</span>
          </p>
          <Button kind="quiet" onClick={onDiscard}>
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
      <LeaveQuestion hasChanges={() => isChanged} {...(isKept !== undefined && { isKept })} />
    </>
  );
}

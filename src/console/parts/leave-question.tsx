// The question before a page with unsaved changes is left. The browser asks by itself before the window is closed or reloaded.

import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { saveBarTexts } from './save-bar-texts.js';

interface Place {
  pathname: string;
  search: object;
}

export interface LeaveQuestionProps {
  hasChanges: () => boolean;
  /** Tells whether a navigation keeps the form open, as a search beside it does. By default, none does. */
  isKept?: (current: Place, next: Place) => boolean;
}

export function LeaveQuestion({ hasChanges, isKept = () => false }: LeaveQuestionProps) {
  const texts = useTexts(saveBarTexts);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => hasChanges() && !isKept(current, next),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return (
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
  );
}

// Asks for confirmation of an action that cannot be undone. It stays open if the action fails.

import type { ReactNode } from 'react';
import { useAction } from '../api/use-action.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { FormError } from './form-error.js';
import { partTexts } from './part-texts.js';

interface ConfirmDialogProps {
  title: string;
  /** A description of the consequences. */
  text: string;
  confirmLabel: string;
  /** The label of the button that changes nothing. Without one it is "Cancel". */
  keepLabel?: string;
  kind?: 'primary' | 'danger';
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}

export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  keepLabel,
  kind = 'danger',
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const texts = useTexts(partTexts);
  const action = useAction(onConfirm, { isForm: true, onDone: onClose });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{keepLabel ?? texts.cancel}</Button>
          <Button kind={kind} isBusy={action.isBusy} onClick={() => void action.start()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {children}
      <FormError error={action.error} />
    </Dialog>
  );
}

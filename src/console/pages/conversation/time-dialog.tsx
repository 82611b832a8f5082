// Asks for a future time, in the user's zone.

import { useState } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { composerTexts } from './composer-texts.js';
import { localInputAhead, snoozeTimes, toLocalInput } from '../../parts/snooze-times.js';

interface TimeDialogProps {
  title: string;
  label: string;
  confirm: string;
  onClose: () => void;
  onChoose: (at: Date) => void;
}

const yearMs = 365 * 86_400_000;

export function TimeDialog({ title, label, confirm, onClose, onChoose }: TimeDialogProps) {
  const texts = useTexts(composerTexts);
  const [value, setValue] = useState(() => toLocalInput(snoozeTimes().tomorrow));
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    const at = new Date(value);
    const ahead = at.getTime() - Date.now();
    if (!(ahead > 0 && ahead < yearMs)) return setProblem(texts.past);
    onChoose(at);
    onClose();
  };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const actions = (
    <>
      <Button onClick={onClose}>{texts.dismiss}</Button>
      <Button kind="primary" onClick={submit}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={actions}>
      <TextField
        type="datetime-local"
        label={label}
        hint={texts.zone(timeZone)}
        error={problem}
        value={value}
        min={localInputAhead(0)}
        max={localInputAhead(yearMs)}
        autoFocus
        onChange={({ target }) => setValue(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && submit()}
      />
    </Dialog>
  );
}

// Asks for a future time, in the user's zone; with proposals, if they are wanted.

import { useRef, useState, type KeyboardEvent } from 'react';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog, type DialogProps } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { localInputAhead, snoozeTimes, toLocalInput } from '../../parts/snooze-times.js';
import { composerTexts } from './composer-texts.js';
import { conversationTexts } from './texts.js';
import styles from './time-dialog.module.css';

interface TimeDialogProps {
  title: string;
  label: string;
  confirm: string;
  /** Offers the usual times as buttons, which choose at once. */
  hasProposals?: boolean;
  returnTo?: DialogProps['returnTo'];
  onClose: () => void;
  /** @returns false if the time is not taken: the dialog stays, with the time in it */
  onChoose: (at: Date) => boolean;
}

const yearMs = 365 * 86_400_000;

export function TimeDialog({
  title,
  label,
  confirm,
  hasProposals = false,
  returnTo,
  onClose,
  onChoose,
}: TimeDialogProps) {
  const texts = useTexts(composerTexts);
  const [value, setValue] = useState(() => toLocalInput(snoozeTimes().tomorrow));
  const [problem, setProblem] = useState<string>();
  const choose = (at: Date) => {
    if (onChoose(at)) onClose();
    else setValue(toLocalInput(at));
  };
  const submit = () => {
    const at = new Date(value);
    const ahead = at.getTime() - Date.now();
    if (!(ahead > 0 && ahead < yearMs)) return setProblem(texts.past);
    choose(at);
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
    <Dialog isOpen onClose={onClose} returnTo={returnTo} title={title} actions={actions}>
      {hasProposals && <Proposals onChoose={choose} />}
      <TextField
        type="datetime-local"
        label={label}
        hint={texts.zone(timeZone)}
        error={problem}
        value={value}
        min={localInputAhead(0)}
        max={localInputAhead(yearMs)}
        autoFocus={!hasProposals}
        onChange={({ target }) => setValue(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The dialog gives the focus back at once, and the key would begin a line in the text.
          event.preventDefault();
          submit();
        }}
      />
    </Dialog>
  );
}

function Proposals({ onChoose }: { onChoose: (at: Date) => void }) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const { hour, evening, tomorrow, monday } = snoozeTimes();
  const timeOf = (at: Date) => formats.time(at.toISOString());
  const typed = useRef('');
  // The arrow keys and the first letters choose, as in a menu.
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, currentTarget, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey) return;
    const all = [...currentTarget.querySelectorAll('button')];
    const place = all.findIndex((one) => one === document.activeElement);
    const step = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 && (key.length !== 1 || key === ' ')) return;
    event.preventDefault();
    if (step !== 0) return all[(place + step + all.length) % all.length]?.focus();
    const begins = (letters: string) => all.find(({ innerText }) => innerText.toLowerCase().startsWith(letters));
    const letters = typed.current + key.toLowerCase();
    typed.current = begins(letters) === undefined ? key.toLowerCase() : letters;
    begins(typed.current)?.focus();
  };
  return (
    <div role="group" className={styles.proposals} onKeyDown={onKeyDown}>
      <Button kind="line" autoFocus onClick={() => onChoose(hour)}>
        {texts.inAnHour}
      </Button>
      {evening !== undefined && (
        <Button kind="line" onClick={() => onChoose(evening)}>
          {texts.evening(timeOf(evening))}
        </Button>
      )}
      <Button kind="line" onClick={() => onChoose(tomorrow)}>
        {texts.tomorrow(timeOf(tomorrow))}
      </Button>
      <Button kind="line" onClick={() => onChoose(monday)}>
        {texts.monday(timeOf(monday))}
      </Button>
    </div>
  );
}

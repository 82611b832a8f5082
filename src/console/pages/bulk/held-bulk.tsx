// A bulk send to many people, held before it leaves: it says how many and how long, and can be taken back. Leaving the page keeps it from
// leaving by itself; the page then asks before it goes on.

import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Keys } from '../../parts/keys.js';
import { partTexts } from '../../parts/part-texts.js';
import styles from './bulk.module.css';
import { keepSending, type Sending } from './sending.js';
import { summaryTexts } from './summary-texts.js';
import { bulkTexts } from './texts.js';

/** Above this many recipients a send is asked about and held. */
export const askedAbove = 20;
const holdMs = 30_000;
const tickMs = 250;

interface HeldProps {
  sending: Sending;
  count: number;
  onLeave: () => void;
  onUndo: () => void;
}

export function HeldBulk({ sending, count, onLeave, onUndo }: HeldProps) {
  const texts = useTexts(summaryTexts);
  const parts = useTexts(partTexts);
  const formats = useFormats();
  const { title } = useTexts(bulkTexts);
  const { user } = useStore(sessionState);
  const userId = user?.id ?? '';
  const [dueAt] = useState(() => Date.now() + holdMs);
  const [leftMs, setLeftMs] = useState(holdMs);
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    keepSending(userId, sending);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    const timer = setInterval(() => {
      const left = dueAt - Date.now();
      setLeftMs(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer);
      latest.current();
    }, tickMs);
    return () => {
      clearInterval(timer);
      removeEventListener('beforeunload', warn);
    };
  }, [userId, sending, dueAt]);
  const undo = () => {
    keepSending(userId, undefined);
    onUndo();
  };
  useCommands([{ id: 'undo-bulk', title: parts.undo, keys: 'z', group: title, run: undo }]);
  const seconds = Math.ceil(leftMs / 1_000);
  return (
    <div className={styles.held} role="status">
      <svg viewBox="0 0 22 22" aria-hidden>
        <circle cx="11" cy="11" r="9" />
        <circle cx="11" cy="11" r="9" pathLength="1" strokeDasharray="1" strokeDashoffset={1 - leftMs / holdMs} />
      </svg>
      {/* The countdown is seen, and not said each second. */}
      <b aria-live="off">{texts.leaves(formats.number(count), formats.span(seconds * 1_000))}</b>
      <Button icon="undo" onClick={undo}>
        {parts.undo}
        <Keys keys="z" />
      </Button>
    </div>
  );
}

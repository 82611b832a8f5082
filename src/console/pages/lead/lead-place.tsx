// The place of the lead in the table from which it was opened, with the ways to the leads before and behind it.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { useStore } from '../../app/store.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { leadBeside, leadList } from '../../live/lead-list.js';
import { IconButton } from '../../parts/button.js';
import styles from './lead.module.css';
import { placeTexts } from './place-texts.js';

/** The step whose button takes the focus on the page that it opens. */
let steppedBy: 1 | -1 | undefined;

export function LeadPlace({ id }: { id: string }) {
  const texts = useTexts(placeTexts);
  const formats = useFormats();
  const navigate = useNavigate();
  const list = useStore(leadList);
  const place = list?.ids.indexOf(id) ?? -1;
  const isHere = useIsHere();
  const { isBusy, start } = useAction(async (by: 1 | -1) => {
    const next = await leadBeside(id, by);
    // The user may have gone elsewhere before the answer.
    if (next !== undefined && isHere()) await navigate({ to: '/leads/$id', params: { id: next } });
  });
  const cameBy = useRef(steppedBy);
  useEffect(() => {
    steppedBy = undefined;
  }, []);
  const step = (by: 1 | -1, button?: 1 | -1) => {
    if (by === 1 ? isLast : isFirst) return;
    steppedBy = button;
    void start(by);
  };
  const isIn = list !== undefined && place !== -1;
  const isFirst = place === 0;
  const isLast = isIn && place === list.ids.length - 1 && list.readOn === undefined;
  const group = texts.table;
  useCommands(
    isIn
      ? [
          { id: 'next', title: texts.next, keys: 'j', group, run: () => step(1) },
          { id: 'previous', title: texts.previous, keys: 'k', group, run: () => step(-1) },
        ]
      : [],
  );
  if (!isIn) return null;
  const count = Math.max(list.count ?? 0, list.ids.length);
  return (
    <div role="group" aria-label={texts.table} className={styles.place}>
      <span>{texts.placeOf(formats.number(place + 1), formats.number(count))}</span>
      <IconButton
        icon="up"
        label={texts.previous}
        autoFocus={cameBy.current === -1}
        aria-disabled={isFirst || undefined}
        onClick={() => step(-1, -1)}
      />
      <IconButton
        icon="down"
        label={texts.next}
        isBusy={isBusy}
        autoFocus={cameBy.current === 1}
        aria-disabled={isLast || undefined}
        onClick={() => step(1, 1)}
      />
    </div>
  );
}

/** Leads back to the table as it was, else to all leads. */
export function BackToLeads() {
  const texts = useTexts(placeTexts);
  const navigate = useNavigate();
  const list = useStore(leadList);
  return (
    <IconButton
      icon="back"
      label={texts.back}
      onClick={() => void navigate({ to: '/leads', search: list?.search ?? {} })}
    />
  );
}

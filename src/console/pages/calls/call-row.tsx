// A row of the journal, which opens into the details of its call.

import type { ReactNode } from 'react';
import { useIsPhone, useMedia } from '../../app/use-media.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Icon } from '../../parts/icon.js';
import { messageWordTexts } from '../../parts/message-word-texts.js';
import { LeadName } from '../../parts/phone-number.js';
import { wordsOfCall, type CallWords } from './call-words.js';
import styles from './calls.module.css';
import type { CallRowFragment } from './operations.js';
import { callRowTexts } from './row-texts.js';

/** The columns for which there is room. */
export function useCallColumns(): readonly CallColumn[] {
  const isNarrow = useMedia('(max-width: 1000px)');
  const isPhone = useIsPhone();
  if (isPhone) return ['whole'];
  return isNarrow ? ['at', 'who', 'what', 'result', 'took'] : ['at', 'who', 'what', 'through', 'result', 'took'];
}

/** On a phone a single column has the whole call in two lines. */
export type CallColumn = 'at' | 'who' | 'what' | 'through' | 'result' | 'took' | 'whole';

/** Says a call in the user's language. */
export function useCallWords(): (call: CallRowFragment) => CallWords {
  const texts = useTexts(callRowTexts);
  const messageTexts = useTexts(messageWordTexts);
  const formats = useFormats();
  return (call) => wordsOfCall(call, { texts, messageTexts, formatNumber: (value) => formats.number(value) });
}

interface CallRowProps {
  call: CallRowFragment;
  columns: readonly CallColumn[];
  isOpen: boolean;
  onToggle: () => void;
}

export function CallRow({ call, columns, isOpen, onToggle }: CallRowProps) {
  const texts = useTexts(callRowTexts);
  const formats = useFormats();
  const { receivedAt, route, reason, tookMs } = call;
  const { who, icon, what, through, result, tone } = useCallWords()(call);
  const time = formats.clock(receivedAt);
  const said = (
    <>
      {icon !== undefined && <Icon name={icon} size={14} />}
      <bdi>{what === route ? <code>{what}</code> : what}</bdi>
    </>
  );
  const became = (
    <>
      {tone !== undefined && <i aria-hidden />}
      {result}
    </>
  );
  const cells: Record<CallColumn, ReactNode> = {
    whole: (
      <td key="whole" className={styles.whole}>
        <bdi className={styles.who}>
          <LeadName name={who} />
        </bdi>
        <small className={styles.what}>
          {time} ·{' '}
          <span className={styles.result} data-tone={tone}>
            {became}
          </span>{' '}
          · {said}
        </small>
      </td>
    ),
    at: (
      <td key="at" title={formats.full(receivedAt)}>
        {time}
      </td>
    ),
    who: (
      <td key="who" className={styles.who}>
        <bdi>
          <LeadName name={who} />
        </bdi>
      </td>
    ),
    what: (
      <td key="what" className={styles.what} title={what}>
        {said}
      </td>
    ),
    through: <td key="through">{through}</td>,
    result: (
      <td key="result" className={styles.result} data-tone={tone} title={reason ?? undefined}>
        {became}
      </td>
    ),
    took: (
      <td key="took" className={styles.took}>
        {tookMs === null ? '–' : formats.seconds(tookMs)}
      </td>
    ),
  };
  return (
    <tr className={styles.row} data-open={isOpen || undefined}>
      <td>
        <button type="button" aria-expanded={isOpen} aria-label={texts.details(time)} onClick={onToggle}>
          <Icon name={isOpen ? 'down' : 'next'} size={14} />
        </button>
      </td>
      {columns.map((column) => cells[column])}
    </tr>
  );
}

// The progress of a bulk send: a bar by status, and each status with its number in words.

import { useNow } from '../../app/now.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import styles from './bulk.module.css';
import type { BulkLineFragment } from './operations.js';
import { bulkTexts } from './texts.js';

export const statuses = ['read', 'delivered', 'sent', 'sending', 'queued', 'failed', 'canceled'] as const;

const wordOf = (status: (typeof statuses)[number]) => (status === 'canceled' ? 'canceledStatus' : status);

/** Counts the messages that were sent or have a final status. */
const doneOf = ({ total, progress }: Pick<BulkLineFragment, 'total' | 'progress'>): number =>
  total - progress.queued - progress.sending;

/** The time at which everything that waits is expected to have left. */
export interface ExpectedEnd {
  at: string;
  /** More messages wait than were counted, so the end is later. */
  isLater: boolean;
}

interface ProgressProps {
  name: string;
  send: Pick<BulkLineFragment, 'total' | 'progress'>;
  /** When the last message is expected to leave; undefined where nothing waits, or nobody asked. */
  end?: ExpectedEnd | undefined;
}

export function BulkProgress({ name, send, end }: ProgressProps) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const now = useNow();
  const { total, progress } = send;
  const done = doneOf(send);
  const shown = statuses.filter((status) => progress[status] > 0);
  const words = shown.map((status) => `${texts[wordOf(status)]} ${formats.number(progress[status])}`);
  const endText = end?.isLater === true ? texts.doneAfter : texts.doneAbout;
  const text = texts.done(formats.number(done), formats.number(total));
  return (
    <div className={styles.progress}>
      <div
        role="progressbar"
        aria-label={texts.progressOf(name)}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, total)}
        aria-valuenow={done}
        aria-valuetext={[text, ...words].join(', ')}
        className={styles.bar}
      >
        {shown.map((status) => (
          <i key={status} data-status={status} style={{ flexGrow: progress[status] }} />
        ))}
      </div>
      <ul className={styles.legend}>
        <li>
          {text}
          {end !== undefined && `, ${endText(formats.timeBeside(new Date(now).toISOString(), end.at))}`}
        </li>
        {shown.map((status) => (
          <li key={status}>
            <i data-status={status} aria-hidden />
            {texts[wordOf(status)]} {formats.number(progress[status])}
          </li>
        ))}
      </ul>
    </div>
  );
}

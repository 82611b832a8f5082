// How long a lead waits for an answer, in one of three colors: under ten minutes, under an hour, more.

import { useFormats } from '../i18n/format.js';
import { useTexts } from '../i18n/language.js';
import { partTexts } from './part-texts.js';
import styles from './wait-age.module.css';

const minute = 60_000;
const hour = 60 * minute;

interface WaitAgeProps {
  /** Since when it waits. */
  since: string;
  now: number;
}

export function WaitAge({ since, now }: WaitAgeProps) {
  const texts = useTexts(partTexts);
  const formats = useFormats();
  const waited = now - Date.parse(since);
  const age = waited < 10 * minute ? 'short' : waited < hour ? 'long' : 'late';
  // Seconds would be outdated as soon as they are shown.
  const span = waited < minute ? `<${formats.span(minute)}` : formats.span(waited);
  return (
    <time dateTime={since} data-age={age} className={styles.age}>
      <span aria-hidden>{waited < minute ? texts.now : formats.age(waited)}</span>
      <span className="visually-hidden">{texts.waitsFor(span)}</span>
    </time>
  );
}

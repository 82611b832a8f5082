// How long a lead waits for an answer, in one of three colors: under ten minutes, under an hour, more.

import { useFormats } from '../i18n/format.js';
import { useTexts } from '../i18n/language.js';
import { Badge, type BadgeKind } from './badge.js';
import { partTexts } from './part-texts.js';
import styles from './wait-age.module.css';

const minute = 60_000;
const hour = 60 * minute;

interface WaitAgeProps {
  /** Since when it waits. */
  since: string;
  now: number;
}

export function WaitAge(props: WaitAgeProps) {
  const texts = useTexts(partTexts);
  const formats = useFormats();
  const { since } = props;
  const { waited, age, span } = useWait(props);
  return (
    <time dateTime={since} data-age={age} className={styles.age}>
      <span aria-hidden>{waited < minute ? texts.now : formats.age(waited)}</span>
      <span className="visually-hidden">{texts.waitsFor(span)}</span>
    </time>
  );
}

const kinds = { short: 'good', long: 'warning', late: 'danger' } as const satisfies Record<string, BadgeKind>;

/** The same in words, beside the name of a lead. */
export function WaitBadge(props: WaitAgeProps) {
  const texts = useTexts(partTexts);
  const { age, span } = useWait(props);
  return (
    <Badge kind={kinds[age]}>
      <time dateTime={props.since}>{texts.waitsFor(span)}</time>
    </Badge>
  );
}

function useWait({ since, now }: WaitAgeProps) {
  const formats = useFormats();
  const waited = now - Date.parse(since);
  const age = waited < 10 * minute ? ('short' as const) : waited < hour ? ('long' as const) : ('late' as const);
  // Seconds would be outdated as soon as they are shown.
  return { waited, age, span: waited < minute ? `<${formats.span(minute)}` : formats.span(waited) };
}

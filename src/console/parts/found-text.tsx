// A text, or a name, in which what was found is marked.

import type { TextMatch } from '../live/found-words.js';
import styles from './found-text.module.css';
import { isNumber } from './number-groups.js';
import { LeadName } from './phone-number.js';

/** The name of a lead. One that is a number is marked whole: its groups begin elsewhere than what was found in it. */
export function FoundName({ name, matches }: { name: string; matches: readonly TextMatch[] }) {
  if (!isNumber(name)) return <FoundText text={name} matches={matches} />;
  const number = <LeadName name={name} />;
  return matches.length === 0 ? number : <mark className={styles.found}>{number}</mark>;
}

export function FoundText({ text, matches }: { text: string; matches: readonly TextMatch[] }) {
  const pieces = matches.map(({ start, length }, index) => {
    const before = matches[index - 1];
    const from = before === undefined ? 0 : before.start + before.length;
    return { start, plain: text.slice(from, start), found: text.slice(start, start + length) };
  });
  const last = matches.at(-1);
  return (
    <>
      {pieces.map(({ start, plain, found }) => (
        <span key={start}>
          {plain}
          <mark className={styles.found}>{found}</mark>
        </span>
      ))}
      {text.slice(last === undefined ? 0 : last.start + last.length)}
    </>
  );
}

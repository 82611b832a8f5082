// A text in which what was found is marked.

import type { TextMatch } from '../live/found-words.js';
import styles from './found-text.module.css';
import { isNumber } from './number-groups.js';
import { LeadName } from './phone-number.js';

export function FoundText({ text, matches }: { text: string; matches: readonly TextMatch[] }) {
  // The groups of a number begin elsewhere than what was found in it.
  if (isNumber(text)) {
    const name = <LeadName name={text} />;
    return matches.length === 0 ? name : <mark className={styles.found}>{name}</mark>;
  }
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

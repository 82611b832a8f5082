// The tags of a lead as chips, each with a button that takes it away, and a field for the next one. The form around it says what Enter
// does.

import type { ComponentProps } from 'react';
import { useTexts } from '../i18n/language.js';
import { Icon } from './icon.js';
import { partTexts } from './part-texts.js';
import styles from './tag-chips.module.css';

interface TagChipsProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  tags: readonly string[];
  onTakeAway: (tag: string) => void;
  onWrite: (written: string) => void;
}

export function TagChips({ tags, onTakeAway, onWrite, ...field }: TagChipsProps) {
  const texts = useTexts(partTexts);
  return (
    <div className={styles.tags}>
      {tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          <span dir="auto">{tag}</span>
          <button type="button" aria-label={texts.takeTagAway(tag)} onClick={() => onTakeAway(tag)}>
            <Icon name="close" size={11} />
          </button>
        </span>
      ))}
      <input
        maxLength={50}
        placeholder={texts.nextTag}
        aria-label={texts.nextTag}
        {...field}
        className={styles.add}
        onChange={({ target }) => onWrite(target.value)}
      />
    </div>
  );
}

// The place of a face in a list. A click on it selects the row; a box takes its place while the row is pointed at or selected.

import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Icon } from '../icon.js';
import styles from './selection.module.css';
import { clickOf } from './use-selection.js';
import { selectionTexts } from './texts.js';

interface PickBoxProps {
  name: string;
  isSelected: boolean;
  onSelect: (way: 'toggle' | 'extendTo') => void;
  /** The face. */
  children: ReactNode;
}

export function PickBox({ name, isSelected, onSelect, children }: PickBoxProps) {
  const texts = useTexts(selectionTexts);
  return (
    // A finger cannot point at a row, and touches the face itself.
    <span
      className={styles.pick}
      data-selected={isSelected || undefined}
      onClick={(event) => {
        event.stopPropagation();
        onSelect(clickOf(event) ?? 'toggle');
      }}
    >
      {children}
      {/* The keyboard selects by X, because the row itself has the focus, and an option may hold nothing that takes it. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <span role="checkbox" aria-checked={isSelected} aria-label={texts.select(name)} className={styles.box}>
        <Icon name="check" size={14} />
      </span>
    </span>
  );
}

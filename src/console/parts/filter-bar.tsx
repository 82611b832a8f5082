// The filters of a list: fields of which each is drawn as one chip.

import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.js';
import { IconButton } from './button.js';
import styles from './filter-bar.module.css';
import { partTexts } from './part-texts.js';

/** @param isInForm the filters are a part of a form: they wrap also on a phone */
export function FilterBar({ isInForm = false, children }: { isInForm?: boolean; children: ReactNode }) {
  return (
    <div className={styles.filters} data-in-form={isInForm || undefined}>
      {children}
    </div>
  );
}

interface FilterChipProps {
  /** By which its field is found. */
  id: string;
  /** The filter's name, for its button to remove it. */
  name: string;
  onRemove: () => void;
  /** A field, or the name alone where the filter has no value. */
  children: ReactNode;
}

/** A filter that is there only while it is used. */
export function FilterChip({ id, name, onRemove, children }: FilterChipProps) {
  const texts = useTexts(partTexts);
  return (
    <div className={styles.chip} data-filter={id}>
      {children}
      <IconButton icon="close" label={texts.removeFilter(name)} onClick={onRemove} />
    </div>
  );
}

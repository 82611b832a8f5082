// The search field of a page. It takes the key `/`, and its text is kept in the address.

import { useRef, type KeyboardEvent } from 'react';
import { useCommands } from '../app/commands.js';
import { useWritten } from '../app/use-written.js';
import { useTexts } from '../i18n/language.js';
import { Icon } from './icon.js';
import { Keys } from './keys.js';
import { partTexts } from './part-texts.js';
import styles from './search-box.module.css';

const pauseMs = 200;

interface SearchBoxProps {
  /** The accessible name, which is also the name of its command. */
  label: string;
  placeholder: string;
  /** The heading for its command in the list of shortcuts. */
  group: string;
  /** The address's text. */
  value: string;
  onApply: (text: string) => void;
  /** Leads from the field to what was found. */
  onDown?: () => void;
  /** Opens what is found for the text. */
  onEnter?: (text: string) => void;
}

export function SearchBox({ label, placeholder, group, value, onApply, onDown, onEnter }: SearchBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const { text, write, apply } = useWritten(value, onApply, pauseMs);
  useCommands([{ id: 'search', title: label, keys: '/', group, run: () => box.current?.select() }]);
  const { clearSearch } = useTexts(partTexts);
  const clear = () => {
    apply('');
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // An Enter of an input method ends a word, and not the search.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      apply(event.currentTarget.value);
      onEnter?.(event.currentTarget.value);
    }
    if (event.key === 'ArrowDown' && onDown !== undefined) {
      event.preventDefault();
      onDown();
    }
    if (event.key !== 'Escape' || event.currentTarget.value === '') return;
    event.preventDefault();
    apply('');
  };
  return (
    <label className={styles.search}>
      <Icon name="search" />
      <input
        ref={box}
        type="text"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        value={text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? (
        <Keys keys="/" />
      ) : (
        // A finger has no Escape.
        <button type="button" aria-label={clearSearch} title={clearSearch} onClick={clear}>
          <Icon name="close" size={14} />
        </button>
      )}
    </label>
  );
}

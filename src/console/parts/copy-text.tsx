// A value to copy, such as an address, token or key. The focus selects it.

import { useId, useState } from 'react';
import { useTexts } from '../i18n/language.js';
import { Button, IconButton } from './button.js';
import styles from './copy-text.module.css';
import { notify } from './notices.js';
import { partTexts } from './part-texts.js';

export function CopyText({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.row}>
        <input id={id} readOnly value={value} onFocus={({ target }) => target.select()} />
        <CopyButton value={value} label={label} />
      </div>
      {hint !== undefined && <small>{hint}</small>}
    </div>
  );
}

/** @param label names the copied value for screen readers */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const texts = useTexts(partTexts);
  const { isCopied, copy } = useCopy(value);
  return (
    <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? texts.copied : texts.copy}</span>
      <span className="visually-hidden">{label}</span>
    </Button>
  );
}

/** The same as an icon, beside a value that is shown. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  const texts = useTexts(partTexts);
  const { isCopied, copy } = useCopy(value);
  return (
    <>
      <IconButton icon={isCopied ? 'check' : 'copy'} label={label} onClick={() => void copy()} />
      <span role="status" className="visually-hidden">
        {isCopied && texts.copied}
      </span>
    </>
  );
}

function useCopy(value: string): { isCopied: boolean; copy: () => Promise<void> } {
  const texts = useTexts(partTexts);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), 2_000);
    } catch {
      notify(texts.copyFailed);
    }
  };
  return { isCopied, copy };
}

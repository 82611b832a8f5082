// A choice of few, of which one is always chosen: words side by side in one field.

import { useId } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** The accessible name. */
  label: string;
  options: readonly { value: Value; label: string; count?: string | undefined }[];
  /** Undefined where none of the options is chosen. */
  value: Value | undefined;
  onChoose: (value: Value) => void;
}

export function Segments<Value extends string>({ label, options, value, onChoose }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChoose(option.value)} />
          {option.label}
          {option.count !== undefined && <small>{option.count}</small>}
        </label>
      ))}
    </div>
  );
}

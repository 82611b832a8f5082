// A labelled input with its hint and error. The API's errors are found by their path.

import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isLabelHidden?: boolean;
}

function Frame({
  id,
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : ''}>
        {label}
      </label>
      {children}
      {hint !== undefined && error === undefined && <small id={`${id}-hint`}>{hint}</small>}
      {error !== undefined && (
        <small id={`${id}-hint`} className={styles.error} role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

function described(id: string, { hint, error }: FieldProps) {
  const isDescribed = hint !== undefined || error !== undefined;
  return {
    id,
    ...(isDescribed && { 'aria-describedby': `${id}-hint` }),
    ...(error !== undefined && { 'aria-invalid': true }),
  };
}

export function TextField({ label, hint, error, isLabelHidden, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  const frame = { label, hint, error, ...(isLabelHidden !== undefined && { isLabelHidden }) };
  return (
    <Frame id={id} {...frame}>
      <input type="text" {...rest} {...described(id, frame)} className={styles.input} />
    </Frame>
  );
}

export function TextArea({ label, hint, error, isLabelHidden, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  const frame = { label, hint, error, ...(isLabelHidden !== undefined && { isLabelHidden }) };
  return (
    <Frame id={id} {...frame}>
      <textarea rows={4} {...rest} {...described(id, frame)} className={styles.input} />
    </Frame>
  );
}

interface SelectProps extends FieldProps, Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly { value: string; label: string; isDisabled?: boolean }[];
  onChoose: (value: string) => void;
}

/** The browser's own select element, whose role is combobox. */
export function Select({ label, hint, error, isLabelHidden, options, onChoose, ...rest }: SelectProps) {
  const id = useId();
  const frame = { label, hint, error, ...(isLabelHidden !== undefined && { isLabelHidden }) };
  return (
    <Frame id={id} {...frame}>
      <select
        {...rest}
        {...described(id, frame)}
        className={styles.input}
        onChange={({ target }) => onChoose(target.value)}
      >
        {options.map(({ value, label: text, isDisabled = false }) => (
          <option key={value} value={value} disabled={isDisabled}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function Checkbox({ label, hint, error, ...rest }: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input type="checkbox" {...rest} {...described(id, { label, hint, error })} />
      <label htmlFor={id}>{label}</label>
      {(error ?? hint) !== undefined && (
        <small id={`${id}-hint`} className={error === undefined ? '' : styles.error}>
          {error ?? hint}
        </small>
      )}
    </div>
  );
}

// The progress of long work. Without a value the work runs and its progress is unknown.

import styles from './progress.module.css';

export function Progress({ label, value, text }: { label: string; value?: number; text?: string }) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className={styles.progress}>
      <progress aria-label={label} max={100} {...(percent !== undefined && { value: percent })} />
      {text !== undefined && <small>{text}</small>}
    </div>
  );
}

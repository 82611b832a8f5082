// JSON or another text of machines, to read and to copy.

import styles from './json-text.module.css';

/** With line breaks where it is JSON; as it is where it is not. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function JsonText({ label, text }: { label: string; text: string }) {
  return (
    <pre className={styles.text} tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  );
}

// JSON or another machine-readable text, to read and to copy.

import styles from './json-text.module.css';

/** Formats JSON with line breaks, and returns other texts unchanged. */
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

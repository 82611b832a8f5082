// The product's mark.

import styles from './mark.module.css';

export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 28 28" aria-hidden focusable={false}>
      <rect width="28" height="28" rx="8" />
      <path d="M8.5 18.5h2c4.5 0 2.5-9 7-9h2" />
      <circle cx="8" cy="18.5" r="2.4" />
      <circle cx="20" cy="9.5" r="2.4" />
    </svg>
  );
}

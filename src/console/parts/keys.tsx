// A keyboard shortcut, shown beside its command. Keys that are pressed together stand side by side.

import { printKeys } from '../app/commands.js';
import styles from './keys.module.css';

export function Keys({ keys }: { keys: string | undefined }) {
  if (keys === undefined) return null;
  const all = printKeys(keys).split(' ');
  return (
    <kbd className={styles.keys}>
      {all.map((key, index) => (
        <span key={key}>
          {index > 0 && ' '}
          <kbd>{key}</kbd>
        </span>
      ))}
    </kbd>
  );
}

// A keyboard shortcut, shown beside its command.

import { printKeys } from '../app/commands.js';
import styles from './keys.module.css';

export function Keys({ keys }: { keys: string | undefined }) {
  return keys === undefined ? null : <kbd className={styles.keys}>{printKeys(keys)}</kbd>;
}

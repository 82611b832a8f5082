// The reason why a form was refused, unless its fields show it.

import { explain, requestLine } from '../api/request-error.js';
import styles from './form-error.module.css';

export function FormError({ error, text }: { error: unknown; text?: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p role="alert" className={styles.error}>
      {text ?? explain(error)} <small>{requestLine(error)}</small>
    </p>
  );
}

// Why a form was refused, where that is not said beside its fields.

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

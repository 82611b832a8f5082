// The replacement for data that is loading or failed to load: bars in the shape of lines, or the reason and the next step.

import { explain, requestLine } from '../api/request-error.js';
import { appTexts } from '../app/texts.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import { EmptyState } from './empty-state.js';
import styles from './status-of-load.module.css';

export function Loading() {
  const texts = useTexts(appTexts);
  return (
    <div className={styles.loading} role="status">
      <i aria-hidden />
      <i aria-hidden />
      <i aria-hidden />
      <span className="visually-hidden">{texts.loading}</span>
    </div>
  );
}

export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const texts = useTexts(appTexts);
  return (
    <EmptyState title={texts.pageFailed} hint={explain(error)} role="alert">
      <small>{requestLine(error)}</small>
      <Button onClick={onRetry}>{texts.tryAgain}</Button>
    </EmptyState>
  );
}

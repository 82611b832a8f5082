// The replacement for data that is loading or failed to load: bars in the shape of lines, or the reason and the next step.

import { useEffect, useState } from 'react';
import { explain, requestLine } from '../api/request-error.js';
import { useStore } from '../app/store.js';
import { appTexts } from '../app/texts.js';
import { useTexts } from '../i18n/language.js';
import { connection } from '../live/feed.js';
import { Button } from './button.js';
import { EmptyState } from './empty-state.js';
import styles from './status-of-load.module.css';

/** The number of bars for each shape. */
const shapes = { lines: 3, rows: 8, bubbles: 5, table: 10 };

export function Loading({ shape = 'lines' }: { shape?: keyof typeof shapes }) {
  const texts = useTexts(appTexts);
  if (useIsLongOffline())
    return <EmptyState icon="offline" title={texts.notKept} hint={texts.notKeptHint} role="status" />;
  return (
    <div className={styles.loading} data-shape={shape} role="status">
      {Array.from({ length: shapes[shape] }, (_, index) => (
        <i key={index} aria-hidden />
      ))}
      <span className="visually-hidden">{texts.loading}</span>
    </div>
  );
}

/** The browser reads what it has kept within this time. */
const readWithinMs = 1_000;

/** Returns true if nothing will come until the network is back. */
function useIsLongOffline(): boolean {
  const isOffline = useStore(connection) === 'offline';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isOffline) return setLong(false);
    const timer = setTimeout(() => setLong(true), readWithinMs);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return isLong;
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

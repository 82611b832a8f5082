// Says that the page has no connection, so that nobody takes what is shown for the newest. What is written is kept.

import { useEffect, useState } from 'react';
import { limitedUntil } from '../api/call-limit.js';
import { connection } from '../live/feed.js';
import { useTexts } from '../i18n/language.js';
import { Icon } from '../parts/icon.js';
import { useStore } from './store.js';
import styles from './shell.module.css';
import { appTexts } from './texts.js';

/** A connection that is back before this has passed is not worth a sentence. A page that opens has none yet. */
const saidAfterMs = 4_000;

export function ConnectionBanner() {
  const texts = useTexts(appTexts);
  const state = useStore(connection);
  const isLimited = useStore(limitedUntil) !== undefined;
  const isLive = state === 'live';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isLive) return setLong(false);
    const timer = setTimeout(() => setLong(true), saidAfterMs);
    return () => clearTimeout(timer);
  }, [isLive]);
  // The server that refuses calls does answer, and its own line says when it takes the next.
  if (isLive || (state === 'reconnecting' && (!isLong || isLimited))) return null;
  return (
    <p className={styles.banner} role="status">
      <Icon name="warning" />
      {state === 'offline' ? texts.offlineNow : texts.noAnswer}
    </p>
  );
}

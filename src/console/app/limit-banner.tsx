// Says that the user has made too many calls, and when the next one is taken. Reads wait for that time by themselves.

import { useEffect, useState } from 'react';
import { limitedUntil } from '../api/call-limit.js';
import { useTexts } from '../i18n/language.js';
import { Icon } from '../parts/icon.js';
import { useStore } from './store.js';
import styles from './shell.module.css';
import { appTexts } from './texts.js';

const tickMs = 1_000;

export function LimitBanner() {
  const texts = useTexts(appTexts);
  const until = useStore(limitedUntil);
  const [leftMs, setLeftMs] = useState(0);
  useEffect(() => {
    if (until === undefined) return undefined;
    const tick = () => {
      const left = until - Date.now();
      setLeftMs(left);
      if (left <= 0) limitedUntil.set(undefined);
    };
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [until]);
  if (until === undefined) return null;
  return (
    <p className={styles.banner} role="status">
      <Icon name="warning" />
      {texts.tooManyCalls} {/* The countdown is seen, and not said each second. */}
      <span aria-live="off">{texts.triedAgainIn(Math.max(1, Math.ceil(leftMs / 1_000)))}</span>
    </p>
  );
}

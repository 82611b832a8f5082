// The text of a field whose search stands in the address. The address takes a while to change: what is typed meanwhile stays.

import { useEffect, useRef, useState } from 'react';
import { AskedTexts } from '../live/asked-texts.js';
import { useStable } from './use-stable.js';

interface Written {
  text: string;
  /** As it is typed. */
  write: (text: string) => void;
  /** At once, as by Enter. */
  apply: (text: string) => void;
}

/** @param value as the address has it @param onApply puts a text into the address @param pauseMs without it, only `apply` does */
export function useWritten(value: string, onApply: (text: string) => void, pauseMs?: number): Written {
  const [text, setText] = useState(value);
  const asked = useRef<AskedTexts>(undefined);
  asked.current ??= new AskedTexts(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (asked.current?.takes(value) !== true) return;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  // Of a page that was left, nothing is searched on the next one.
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = useStable((wanted: string) => {
    clearTimeout(timer.current);
    setText(wanted);
    asked.current?.ask(wanted);
    onApply(wanted);
  });
  const write = useStable((wanted: string) => {
    setText(wanted);
    clearTimeout(timer.current);
    if (pauseMs !== undefined) timer.current = setTimeout(() => apply(wanted), pauseMs);
  });
  return { text, write, apply };
}

// The text of a search field whose value is kept in the address. The address changes with a delay, and text typed meanwhile stays.

import { useEffect, useRef, useState } from 'react';
import { AskedTexts } from '../live/asked-texts.js';
import { useStable } from './use-stable.js';

interface Written {
  text: string;
  /** Takes the text while the user types. */
  write: (text: string) => void;
  /** Applies the text at once, for example by Enter. */
  apply: (text: string) => void;
}

/**
 * @param value the address's text
 * @param onApply puts a text into the address
 * @param pauseMs if undefined, only `apply` changes the address
 */
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
  // A pending search is dropped when its page is left, so that it does not run on the next page.
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

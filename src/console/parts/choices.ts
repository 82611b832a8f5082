// Keys between a field that searches and the list of buttons below it.

import type { KeyboardEvent } from 'react';

/** Moves the focus by the arrow keys from the field through the choices and back. Enter in the field takes the first. */
export function moveThroughChoices(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, target, key, nativeEvent } = event;
  const field = currentTarget.querySelector('input');
  const choices = [...currentTarget.querySelectorAll<HTMLElement>('li > button:enabled')];
  const place = [field, ...choices].findIndex((one) => one === target);
  // An Enter of an input method ends a word.
  if (field === null || place === -1 || nativeEvent.isComposing) return;
  const next = key === 'ArrowDown' ? choices[place] : key === 'ArrowUp' ? (choices[place - 2] ?? field) : undefined;
  if (next !== undefined) next.focus();
  else if (key === 'Enter' && place === 0) choices[0]?.click();
  else return;
  event.preventDefault();
}

// What the user can do here and now: the command palette lists it, and single keys run it outside of text fields.

import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { Store } from './store.js';

export interface Command {
  /** Unique among what is shown. */
  id: string;
  title: string;
  /** As tinykeys reads it: `e`, `Shift+?`, `$mod+k`. */
  keys?: string;
  /** Under which heading the list of shortcuts shows it. */
  group: string;
  run: () => unknown;
  /** Also inside text fields; for keys with a modifier. */
  isEverywhere?: boolean;
  /** Again and again while its key is held down. */
  canRepeat?: boolean;
  /** In the list of shortcuts alone. */
  isHidden?: boolean;
  /** Of every page: listed last, and its keys are the page's where both have them. */
  isGlobal?: boolean;
}

export const commands = new Store<readonly Command[]>([]);

/** Offers commands while the component is shown. */
export function useCommands(offered: readonly Command[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const shape = offered.map(({ id, title, keys }) => `${id} ${title} ${keys}`).join('\n');
  useEffect(() => {
    const own = latest.current.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() }));
    commands.update((all) => [...all, ...own]);
    return () => commands.update((all) => all.filter((command) => !own.includes(command)));
  }, [shape]);
}

export function bindKeys(): () => void {
  let unbind = () => {};
  const bind = () => {
    unbind();
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    // Of two with the same keys the later counts.
    for (const { keys, run, isEverywhere = false, canRepeat = false } of commands.value.toSorted(byPlace).reverse()) {
      if (keys === undefined) continue;
      bindings[keys] = (event) => {
        if (event.defaultPrevented || event.isComposing || (!isEverywhere && isTaken(event))) return;
        if (event.repeat && !canRepeat) return;
        event.preventDefault();
        run();
      };
    }
    // Each says by itself whether it acts in text fields: the library would leave out all of them.
    unbind = tinykeys(window, bindings, { ignore: () => false });
  };
  let isPlanned = false;
  let isOver = false;
  // A page that takes another's place changes them several times: they are bound once, before the next key.
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(() => {
      isPlanned = false;
      if (!isOver) bind();
    });
  };
  bind();
  const unsubscribe = commands.subscribe(plan);
  return () => {
    isOver = true;
    unsubscribe();
    unbind();
  };
}

/** What the page offers comes before what every page offers. */
export const byPlace = (one: Command, other: Command): number =>
  Number(one.isGlobal ?? false) - Number(other.isGlobal ?? false);

/** Whether a key belongs to what has the focus: a text field, a dialog or menu that is open, and Enter to buttons and links. */
export function isTaken({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const element = target instanceof Element ? target : undefined;
  if (element === undefined) return false;
  if (key === 'Enter' && element.matches('a, button, summary, audio, video')) return true;
  const isText = element.matches(
    'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])',
  );
  return isText || element.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}

const isMac = navigator.platform.startsWith('Mac');

/** As it is printed: `⌘ K`, `Ctrl K`, `J`. */
export function printKeys(keys: string): string {
  return keys
    .split('+')
    .filter((key) => key !== 'Shift')
    .map((key) => (key === '$mod' ? (isMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key))
    .join(' ');
}

// The commands of the current page. The command palette lists them, and single keys run them outside text fields.

import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { Store } from './store.js';

export interface Command {
  /** Unique among the commands that are offered at the same time. */
  id: string;
  title: string;
  /** Keys in the notation of tinykeys: `e`, `Shift+?`, `$mod+k`. */
  keys?: string;
  /** The heading for this command, in the list of shortcuts and in the palette. */
  group: string;
  run: () => unknown;
  /** The path that the command only leads to: the palette can open it in a new tab. */
  path?: string;
  /** The keys also work inside text fields. Use it for keys with a modifier. */
  isEverywhere?: boolean;
  /** The command runs repeatedly while its key is held down. */
  canRepeat?: boolean;
  /** The list of shortcuts shows the command, and the palette does not. */
  isHidden?: boolean;
  /** Every page offers the command. It is listed last, and a page's own command wins if both have the same keys. */
  isGlobal?: boolean;
  /** The command acts on what is selected. It wins over the page's own command with the same keys, and is listed first. */
  isOfSelection?: boolean;
}

export const commands = new Store<readonly Command[]>([]);

/** Offers commands while the component is shown. */
export function useCommands(offered: readonly Command[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const shape = offered.map(({ id, title, keys, path }) => `${id} ${title} ${keys} ${path}`).join('\n');
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
    // If two commands have the same keys, the later one in this order wins.
    for (const { keys, run, isEverywhere = false, canRepeat = false } of commands.value.toSorted(byPlace).reverse()) {
      if (keys === undefined) continue;
      bindings[keys] = (event) => {
        if (event.defaultPrevented || event.isComposing || (!isEverywhere && isTaken(event))) return;
        if (event.repeat && !canRepeat) return;
        event.preventDefault();
        run();
      };
    }
    // Each command decides by itself if it acts in text fields. By default the library would ignore all keys there.
    unbind = tinykeys(window, bindings, { ignore: () => false });
  };
  let isPlanned = false;
  let isOver = false;
  // A page change updates the commands several times. The keys are bound once, before the next key can arrive.
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(() => {
      isPlanned = false;
      if (!isOver) bind();
    });
  };
  bind();
  addEventListener('keydown', leaveText);
  const unsubscribe = commands.subscribe(plan);
  return () => {
    isOver = true;
    removeEventListener('keydown', leaveText);
    unsubscribe();
    unbind();
  };
}

/** Sorts commands: those of a selection come before the page's own, and these before the global ones. */
export const byPlace = (one: Command, other: Command): number => placeOf(one) - placeOf(other);

const placeOf = ({ isGlobal = false, isOfSelection = false }: Command): number =>
  Number(isGlobal) - Number(isOfSelection);

/** The parts above the page that use keys themselves, also while they are still to come. */
export const layers = '[role=dialog], [role=alertdialog], [role=menu], [data-ahead]';
const texts = 'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])';

/**
 * Returns true if the focused element uses the key itself: a dialog or menu that is open or comes, and for keys without a modifier a text
 * field, or Enter on a button or link.
 */
export function isTaken({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const element = target instanceof Element ? target : undefined;
  if (element === undefined) return false;
  if (element.closest(layers) !== null) return true;
  if (ctrlKey || metaKey || altKey) return false;
  if (key === 'Enter' && element.matches('a, button, summary, audio, video')) return true;
  return element.matches(`select, ${texts}`);
}

/** Escape leaves a text, so that the single keys act again. A dialog closes by it, and a field may do something else first. */
function leaveText({ target, key, isComposing, defaultPrevented }: KeyboardEvent): void {
  if (key !== 'Escape' || isComposing || defaultPrevented || !(target instanceof HTMLElement)) return;
  if (target.closest(layers) === null && target.matches(texts)) target.blur();
}

const isMac = navigator.platform.startsWith('Mac');

/** Returns the keys as the user reads them: `⌘ K`, `Ctrl K`, `J`. */
export function printKeys(keys: string): string {
  return keys
    .split('+')
    .filter((key) => key !== 'Shift')
    .map((key) => (key === '$mod' ? (isMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key))
    .join(' ');
}

// Keeps the letters that follow a key into a text field until that field is here. Without it they would act as keys.

import { Store } from './store.js';

/** The lead whose conversation can be written in. */
export const writable = new Store<string | undefined>(undefined);

let field: HTMLInputElement | undefined;
let before: Element | null = null;
/** The lines that an Enter has ended. */
let lines = '';

/**
 * Takes what is typed from now on, until a text field takes it over, Escape, or another focus.
 * @returns a function that ends it, unless it has ended already
 */
export function typeAhead(name: string, onEscape: () => void = () => {}): () => void {
  if (field !== undefined) return () => {};
  before = document.activeElement;
  lines = '';
  const own = document.createElement('input');
  own.className = 'visually-hidden';
  own.ariaLabel = name;
  // Keys of the page act here as little as in a dialog.
  own.dataset['ahead'] = '';
  own.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      takeTyped();
      onEscape();
    } else if (event.key === 'Enter') {
      lines += `${own.value}\n`;
      own.value = '';
    } else return;
    event.preventDefault();
  });
  // A dialog may give the focus to its field before it takes what was typed.
  own.addEventListener('blur', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Element) || relatedTarget.closest('[role=dialog]') === null) leave();
  });
  document.body.append(own);
  field = own;
  own.focus({ preventScroll: true });
  return () => field === own && void takeTyped();
}

/** Gives the focus back to where it was. @returns what was typed; undefined if nothing waited for a field */
export function takeTyped(): string | undefined {
  const typed = take();
  if (typed !== undefined && before instanceof HTMLElement) before.focus({ preventScroll: true });
  return typed;
}

/** Gives an element the focus, and what was typed before it was here. */
export function typeOn(element: HTMLElement): void {
  const [first = '', ...others] = (take() ?? '').split('\n');
  element.focus();
  insertText(first);
  for (const line of others) {
    const isTaken = !element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    if (!isTaken && element instanceof HTMLInputElement) submit(element);
    insertText(!isTaken && element instanceof HTMLTextAreaElement ? `\n${line}` : line);
  }
}

/** Does what Enter does in a field. Unlike a key of the user, one that a script sends does not do it. */
function submit({ form }: HTMLInputElement): void {
  // The text has to be drawn before it, because the button may be disabled without one.
  setTimeout(() => {
    const button = [...(form?.elements ?? [])].find((one) => one.matches('[type=submit]'));
    if (button instanceof HTMLButtonElement) button.click();
  });
}

/** Unlike a change of the value, this can be undone by the browser's own key. */
export function insertText(text: string): void {
  if (text !== '') document.execCommand('insertText', false, text);
}

function take(): string | undefined {
  const typed = field === undefined ? undefined : lines + field.value;
  leave();
  return typed;
}

function leave(): void {
  const gone = field;
  field = undefined;
  gone?.remove();
}

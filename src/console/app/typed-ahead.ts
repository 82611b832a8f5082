// Keeps the letters that follow a key into a text field until that field is here. Without it they would act as keys.

import { Store } from './store.js';

/** The lead whose conversation can be written in. */
export const writable = new Store<string | undefined>(undefined);

let field: HTMLInputElement | undefined;
let before: Element | null = null;

/** Takes what is typed from now on, until a text field takes it over, Escape, or another focus. */
export function typeAhead(name: string): void {
  if (field !== undefined) return;
  before = document.activeElement;
  field = document.createElement('input');
  field.className = 'visually-hidden';
  field.ariaLabel = name;
  field.addEventListener('keydown', ({ key }) => key === 'Escape' && takeTyped());
  field.addEventListener('blur', leave);
  document.body.append(field);
  field.focus({ preventScroll: true });
}

/** Gives the focus back to where it was. @returns what was typed; undefined if nothing waited for a field */
export function takeTyped(): string | undefined {
  const typed = field?.value;
  leave();
  if (typed !== undefined && before instanceof HTMLElement) before.focus({ preventScroll: true });
  return typed;
}

function leave(): void {
  const gone = field;
  field = undefined;
  gone?.remove();
}

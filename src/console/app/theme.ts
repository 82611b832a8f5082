// The theme: light, dark, or the system's choice.

import { Store } from './store.js';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'leadwire.theme';

export const theme = new Store<Theme>(themes.find((one) => one === localStorage.getItem(key)) ?? 'system');

export function setTheme(next: Theme): void {
  localStorage.setItem(key, next);
  theme.set(next);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value;
  // The system's choice is in the page itself. A choice of the user's own holds for both.
  const isChosen = theme.value !== 'system';
  for (const color of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    given.set(color, given.get(color) ?? color.content);
    const chosen = [...given].find(([{ media }]) => media.includes(theme.value))?.[1];
    color.content = (isChosen ? chosen : undefined) ?? given.get(color) ?? '';
  }
}

/** The colors of the browser's own bar that the page came with. */
const given = new Map<HTMLMetaElement, string>();

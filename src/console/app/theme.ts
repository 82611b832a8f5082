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
}

// The choice of the theme, on the page of the profile and in the navigation of a phone.

import { defineTexts, useTexts } from '../i18n/language.js';
import { Segments } from '../parts/segments.js';
import { useStore } from './store.js';
import { setTheme, theme, themes } from './theme.js';

export const themeTexts = defineTexts({
  en: {
    theme: 'Theme',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  pt: {
    theme: 'Tema',
    system: 'Como o sistema',
    light: 'Claro',
    dark: 'Escuro',
  },
  es: {
    theme: 'Tema',
    system: 'Como el sistema',
    light: 'Claro',
    dark: 'Oscuro',
  },
});

export function ThemeChoice() {
  const texts = useTexts(themeTexts);
  return (
    <Segments
      label={texts.theme}
      options={themes.map((one) => ({ value: one, label: texts[one] }))}
      value={useStore(theme)}
      onChoose={setTheme}
    />
  );
}

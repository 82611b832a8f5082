// The console's language: the user's choice, else the browser's. The texts of each part are kept in its `texts.ts`.

import { useSyncExternalStore } from 'react';
import { Store } from '../app/store.js';

export const languages = ['en', 'pt', 'es'] as const;
export type Language = (typeof languages)[number];

/** The language tags for the `lang` attribute and for `Intl`. */
export const localeOf: Record<Language, string> = { en: 'en', pt: 'pt-BR', es: 'es' };
export const languageNames: Record<Language, string> = { en: 'English', pt: 'Português (Brasil)', es: 'Español' };

const key = 'leadwire.language';
const current = new Store<Language>(chosen() ?? preferred());
apply(current.value);
// A choice in one tab applies to all tabs.
addEventListener('storage', (event) => {
  if (event.key !== key) return;
  const language = chosen() ?? preferred();
  apply(language);
  current.set(language);
});

export function setLanguage(language: Language): void {
  localStorage.setItem(key, language);
  apply(language);
  current.set(language);
}

export function useLanguage(): Language {
  return useSyncExternalStore(current.subscribe, current.read);
}

type Text = string | ((...values: never[]) => string);
type Catalogue = Record<string, Text>;
type Translated<Source> = {
  [Key in keyof Source]: Source[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

export type Texts<English> = Record<Language, Translated<English>>;

/** Defines the texts of a part in every language. English determines the keys, and the compiler rejects a missing one. */
export function defineTexts<const English extends Catalogue>(texts: {
  en: English;
  pt: Translated<NoInfer<English>>;
  es: Translated<NoInfer<English>>;
}): Texts<English> {
  return texts as unknown as Texts<English>;
}

export function useTexts<English>(texts: Texts<English>): Translated<English> {
  return texts[useLanguage()];
}

/** The language at this moment, for code outside of components. */
export const languageNow = (): Language => current.value;

/** Returns the texts in the current language, for code outside of components. */
export function textsNow<English>(texts: Texts<English>): Translated<English> {
  return texts[current.value];
}

function chosen(): Language | undefined {
  const stored = localStorage.getItem(key);
  return languages.find((language) => language === stored);
}

function preferred(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? 'en';
}

function apply(language: Language): void {
  document.documentElement.lang = localeOf[language];
}

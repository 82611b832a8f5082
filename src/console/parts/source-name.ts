// The sources that the service gives to the leads of ads, posts and products, in the user's words. Any other source is the tenant's own
// word and stays unchanged.

import { defineTexts, languages, textsNow } from '../i18n/language.js';

const sourceTexts = defineTexts({
  en: { ad: 'Ad', post: 'Post', product: 'Product' },
  pt: { ad: 'Anúncio', post: 'Publicação', product: 'Produto' },
  es: { ad: 'Anuncio', post: 'Publicación', product: 'Producto' },
});

type KnownSource = keyof (typeof sourceTexts)['en'];

const knownSources: readonly KnownSource[] = ['ad', 'post', 'product'];

export function nameOfSource(source: string): string {
  const known = knownSources.find((one) => one === source);
  return known === undefined ? source : textsNow(sourceTexts)[known];
}

/** Returns the sources that a person means by a name: the name itself, and the source that is shown under it. */
export function sourcesNamed(name: string): string[] {
  const meant = knownSources.filter(
    (source) => source !== name && languages.some((language) => sameWord(sourceTexts[language][source], name)),
  );
  return [name, ...meant];
}

const sameWord = (one: string, other: string) => one.toLocaleLowerCase() === other.toLocaleLowerCase();

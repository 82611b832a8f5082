import { defineTexts } from '../../i18n/language.js';

export const foundPlaceTexts = defineTexts({
  en: {
    hits: 'Hits of the search',
    hitOf: (place: string, count: string) => `${place} of ${count}`,
    previousHit: 'Previous hit',
    nextHit: 'Next hit',
    newest: 'Newest',
  },
  pt: {
    hits: 'Resultados da busca',
    hitOf: (place, count) => `${place} de ${count}`,
    previousHit: 'Resultado anterior',
    nextHit: 'Próximo resultado',
    newest: 'Mais novas',
  },
  es: {
    hits: 'Resultados de la búsqueda',
    hitOf: (place, count) => `${place} de ${count}`,
    previousHit: 'Resultado anterior',
    nextHit: 'Resultado siguiente',
    newest: 'Más nuevos',
  },
});

import { defineTexts } from '../../i18n/language.js';

export const placeTexts = defineTexts({
  en: {
    table: 'Table of leads',
    placeOf: (place: string, count: string) => `${place} of ${count}`,
    previous: 'Previous lead',
    next: 'Next lead',
    back: 'Back to the leads',
  },
  pt: {
    table: 'Tabela de leads',
    placeOf: (place, count) => `${place} de ${count}`,
    previous: 'Lead anterior',
    next: 'Próximo lead',
    back: 'Voltar aos leads',
  },
  es: {
    table: 'Tabla de leads',
    placeOf: (place, count) => `${place} de ${count}`,
    previous: 'Lead anterior',
    next: 'Lead siguiente',
    back: 'Volver a los leads',
  },
});

import { defineTexts } from '../../i18n/language.js';

export const duplicateTexts = defineTexts({
  en: {
    likelySame: 'Likely the same person',
    compare: 'Compare',
    compareWith: (name: string) => `Compare with ${name}`,
    SAME_EMAIL: 'same e-mail',
    SAME_NUMBER: 'same number, written otherwise',
    HIDDEN_NUMBER: 'same name, hidden number',
    SAME_NAME: 'same name, same days',
  },
  pt: {
    likelySame: 'Provavelmente a mesma pessoa',
    compare: 'Comparar',
    compareWith: (name) => `Comparar com ${name}`,
    SAME_EMAIL: 'mesmo e-mail',
    SAME_NUMBER: 'mesmo número, escrito de outro modo',
    HIDDEN_NUMBER: 'mesmo nome, número oculto',
    SAME_NAME: 'mesmo nome, mesmos dias',
  },
  es: {
    likelySame: 'Probablemente la misma persona',
    compare: 'Comparar',
    compareWith: (name) => `Comparar con ${name}`,
    SAME_EMAIL: 'mismo correo',
    SAME_NUMBER: 'mismo número, escrito de otro modo',
    HIDDEN_NUMBER: 'mismo nombre, número oculto',
    SAME_NAME: 'mismo nombre, mismos días',
  },
});

// The names of a lead's fields that users and files write, by the API's name: for forms, lists and the columns of files.

import { defineTexts } from '../i18n/language.js';

export const leadFieldTexts = defineTexts({
  en: { chat: 'Phone number', name: 'Name', source: 'Source', country: 'Country', tags: 'Tags' },
  pt: { chat: 'Telefone', name: 'Nome', source: 'Origem', country: 'País', tags: 'Etiquetas' },
  es: { chat: 'Teléfono', name: 'Nombre', source: 'Origen', country: 'País', tags: 'Etiquetas' },
});

// A sample file in the user's language. The API knows its headers, and its numbers stay text in a spreadsheet.

import type { Language } from '../../i18n/language.js';

const samples: Record<Language, readonly (readonly string[])[]> = {
  en: [
    ['Phone', 'Name', 'Source', 'Country', 'Tags', 'City'],
    ['+1 415 555 2671', 'Ana Example', 'fair', '', 'vip, newsletter', 'San Francisco'],
    ['(415) 555-2672', 'Bo Example', 'website', 'US', 'newsletter', 'Oakland'],
  ],
  pt: [
    ['Telefone', 'Nome', 'Origem', 'País', 'Etiquetas', 'Cidade'],
    ['+55 11 98888-7777', 'Ana Exemplo', 'feira', '', 'vip, boletim', 'São Paulo'],
    ['(21) 97777-6666', 'Rui Exemplo', 'site', 'BR', 'boletim', 'Rio de Janeiro'],
  ],
  es: [
    ['Teléfono', 'Nombre', 'Origen', 'País', 'Etiquetas', 'Ciudad'],
    ['+34 612 34 56 78', 'Ana Ejemplo', 'feria', '', 'vip, boletín', 'Madrid'],
    ['612 34 56 79', 'Luis Ejemplo', 'web', 'ES', 'boletín', 'Sevilla'],
  ],
};

/** The byte order mark lets Excel read the letters correctly. */
export function sampleFile(language: Language): string {
  const lines = samples[language].map((cells) => cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join());
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

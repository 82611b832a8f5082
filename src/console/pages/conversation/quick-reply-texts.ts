import { defineTexts } from '../../i18n/language.js';

export const quickReplyTexts = defineTexts({
  en: {
    quickReplies: 'Quick replies',
    none: 'No template has this shortcut or name.',
    hint: 'Enter inserts, Esc closes.',
    files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  },
  pt: {
    quickReplies: 'Respostas rápidas',
    none: 'Nenhum modelo tem este atalho ou nome.',
    hint: 'Enter insere, Esc fecha.',
    files: (count) => (count === 1 ? '1 arquivo' : `${count} arquivos`),
  },
  es: {
    quickReplies: 'Respuestas rápidas',
    none: 'Ninguna plantilla tiene este atajo o nombre.',
    hint: 'Enter inserta, Esc cierra.',
    files: (count) => (count === 1 ? '1 archivo' : `${count} archivos`),
  },
});

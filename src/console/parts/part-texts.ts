import { defineTexts } from '../i18n/language.js';

export const partTexts = defineTexts({
  en: {
    cancel: 'Cancel',
    save: 'Save',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'The browser did not copy it. Select the text and copy it.',
    showMore: 'Show more',
    answer: 'Answer',
    answeredIn: (ms: number) => `Answered in ${ms} ms.`,
    request: (id: string) => `Request ${id}`,
  },
  pt: {
    cancel: 'Cancelar',
    save: 'Salvar',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'O navegador não copiou. Selecione o texto e copie.',
    showMore: 'Mostrar mais',
    answer: 'Resposta',
    answeredIn: (ms) => `Respondida em ${ms} ms.`,
    request: (id) => `Requisição ${id}`,
  },
  es: {
    cancel: 'Cancelar',
    save: 'Guardar',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'El navegador no lo copió. Seleccione el texto y cópielo.',
    showMore: 'Mostrar más',
    answer: 'Respuesta',
    answeredIn: (ms) => `Respondida en ${ms} ms.`,
    request: (id) => `Solicitud ${id}`,
  },
});

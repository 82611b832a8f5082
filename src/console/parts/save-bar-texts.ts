import { defineTexts } from '../i18n/language.js';

export const saveBarTexts = defineTexts({
  en: {
    page: 'Page',
    save: 'Save',
    discard: 'Discard',
    changes: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
    leaveTitle: 'Leave without saving?',
    leaveText: 'The changes on this page are lost.',
    leave: 'Leave',
  },
  pt: {
    page: 'Página',
    save: 'Salvar',
    discard: 'Descartar',
    changes: (count) => (count === 1 ? '1 alteração' : `${count} alterações`),
    leaveTitle: 'Sair sem salvar?',
    leaveText: 'As alterações desta página se perdem.',
    leave: 'Sair',
  },
  es: {
    page: 'Página',
    save: 'Guardar',
    discard: 'Descartar',
    changes: (count) => (count === 1 ? '1 cambio' : `${count} cambios`),
    leaveTitle: '¿Salir sin guardar?',
    leaveText: 'Los cambios de esta página se pierden.',
    leave: 'Salir',
  },
});

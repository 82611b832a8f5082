import { defineTexts } from '../../i18n/language.js';

export const keptViewTexts = defineTexts({
  en: {
    saveView: 'Save view',
    renameView: 'Rename view',
    deleteView: 'Delete view',
    actions: 'Actions of the view',
    name: 'Name',
    save: 'Save',
    cancel: 'Cancel',
    deleted: (name: string) => `The view ${name} is deleted.`,
  },
  pt: {
    saveView: 'Salvar visão',
    renameView: 'Renomear visão',
    deleteView: 'Excluir visão',
    actions: 'Ações da visão',
    name: 'Nome',
    save: 'Salvar',
    cancel: 'Cancelar',
    deleted: (name) => `A visão ${name} foi excluída.`,
  },
  es: {
    saveView: 'Guardar vista',
    renameView: 'Renombrar vista',
    deleteView: 'Eliminar vista',
    actions: 'Acciones de la vista',
    name: 'Nombre',
    save: 'Guardar',
    cancel: 'Cancelar',
    deleted: (name) => `La vista ${name} está eliminada.`,
  },
});

// The reasons why a call, or a part of it, brought nothing. The English texts are the API's own.

import { defineTexts } from '../../i18n/language.js';
import { translatorOf } from '../../i18n/known-sentences.js';

const ignoredTexts = defineTexts({
  en: {
    ownCall: 'a call of the line itself',
    callOrNotice: 'a call or notice of the line',
    group: 'a group',
    statusUpdate: 'a status update',
    announcement: 'an announcement of the network',
    ownNote: 'a note of the line to itself',
    erased: 'a person who was erased',
    noContent: 'a message without content',
    noTextEdit: 'an edit without a text',
    noStatus: 'a record without a status',
    noChanges: 'a call without changes',
    noLeads: 'a call without leads',
    emptyList: 'an empty list',
    otherNumber: (id: string) => `for another phone number: ${id}`,
    event: (name: string) => `an event that is not handled: ${name}`,
    templateEvent: (name: string) => `an event of a template that is not handled: ${name}`,
    field: (name: string) => `a field that is not handled: ${name}`,
    object: (name: string) => `an object that is not handled: ${name}`,
    preference: (name: string) => `a preference that is not handled: ${name}`,
    status: (name: string) => `a status that is not handled: ${name}`,
    emptyStatus: (name: string) => `a status that says nothing: ${name}`,
    state: (name: string) => `a state that is not known: ${name}`,
  },
  pt: {
    ownCall: 'uma chamada da própria linha',
    callOrNotice: 'uma chamada ou um aviso da linha',
    group: 'um grupo',
    statusUpdate: 'uma publicação no status',
    announcement: 'um comunicado da rede',
    ownNote: 'uma nota da linha para si mesma',
    erased: 'uma pessoa que foi apagada',
    noContent: 'uma mensagem sem conteúdo',
    noTextEdit: 'uma edição sem texto',
    noStatus: 'um registro sem status',
    noChanges: 'uma chamada sem mudanças',
    noLeads: 'uma chamada sem leads',
    emptyList: 'uma lista vazia',
    otherNumber: (id) => `para outro número: ${id}`,
    event: (name) => `um evento que não é tratado: ${name}`,
    templateEvent: (name) => `um evento de modelo que não é tratado: ${name}`,
    field: (name) => `um campo que não é tratado: ${name}`,
    object: (name) => `um objeto que não é tratado: ${name}`,
    preference: (name) => `uma preferência que não é tratada: ${name}`,
    status: (name) => `um status que não é tratado: ${name}`,
    emptyStatus: (name) => `um status que não diz nada: ${name}`,
    state: (name) => `um estado desconhecido: ${name}`,
  },
  es: {
    ownCall: 'una llamada de la propia línea',
    callOrNotice: 'una llamada o un aviso de la línea',
    group: 'un grupo',
    statusUpdate: 'una publicación en el estado',
    announcement: 'un anuncio de la red',
    ownNote: 'una nota de la línea para sí misma',
    erased: 'una persona que fue borrada',
    noContent: 'un mensaje sin contenido',
    noTextEdit: 'una edición sin texto',
    noStatus: 'un registro sin estado',
    noChanges: 'una llamada sin cambios',
    noLeads: 'una llamada sin leads',
    emptyList: 'una lista vacía',
    otherNumber: (id) => `para otro número: ${id}`,
    event: (name) => `un evento que no se trata: ${name}`,
    templateEvent: (name) => `un evento de plantilla que no se trata: ${name}`,
    field: (name) => `un campo que no se trata: ${name}`,
    object: (name) => `un objeto que no se trata: ${name}`,
    preference: (name) => `una preferencia que no se trata: ${name}`,
    status: (name) => `un estado de mensaje que no se trata: ${name}`,
    emptyStatus: (name) => `un estado de mensaje que no dice nada: ${name}`,
    state: (name) => `un estado desconocido: ${name}`,
  },
});

const translate = translatorOf(ignoredTexts);
/** The API marks so what is known and says nothing to a conversation. */
const quiet = 'quiet: ';

/** Returns the reason in the user's language. A reason of the future stays as it is. */
export const ignoredBecause = (reason: string): string =>
  translate(reason.startsWith(quiet) ? reason.slice(quiet.length) : reason);

import { defineTexts } from '../i18n/language.js';

export const paletteTexts = defineTexts({
  en: {
    hint: 'Type what you want to do, or a name',
    people: 'People',
    recent: 'Recent',
    CLOSED: 'Closed',
    SNOOZED: 'Snoozed',
    move: 'move',
    open: 'open',
    allKeys: 'all keys',
    none: 'No command and nobody has this name.',
  },
  pt: {
    hint: 'Escreva o que deseja fazer, ou um nome',
    people: 'Pessoas',
    recent: 'Recentes',
    CLOSED: 'Encerrada',
    SNOOZED: 'Adiada',
    move: 'mover',
    open: 'abrir',
    allKeys: 'todas as teclas',
    none: 'Nenhum comando e ninguém tem esse nome.',
  },
  es: {
    hint: 'Escriba lo que quiere hacer, o un nombre',
    people: 'Personas',
    recent: 'Recientes',
    CLOSED: 'Cerrada',
    SNOOZED: 'Pospuesta',
    move: 'mover',
    open: 'abrir',
    allKeys: 'todas las teclas',
    none: 'Ningún comando y nadie tiene ese nombre.',
  },
});

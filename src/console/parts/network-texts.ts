// The server's sentences for network calls and notices that come without words.

import { withReadableDates } from '../i18n/dates-in-text.js';
import { translatorOf } from '../i18n/known-sentences.js';
import { defineTexts } from '../i18n/language.js';

const networkTexts = defineTexts({
  en: {
    voiceCall: 'Voice call',
    videoCall: 'Video call',
    numberChangedTo: (number: string) => `The number has changed to +${number}`,
    numberChanged: 'The number has changed',
    identityChanged: 'The security code has changed',
    callPermission: 'The permission to call has changed',
    mayCallUntil: (day: string) => `May be called until ${day}`,
    mayCall: 'May be called',
    mayNotCall: 'May not be called',
    other: 'A notice of the network',
  },
  pt: {
    voiceCall: 'Chamada de voz',
    videoCall: 'Chamada de vídeo',
    numberChangedTo: (number) => `O número mudou para +${number}`,
    numberChanged: 'O número mudou',
    identityChanged: 'O código de segurança mudou',
    callPermission: 'A permissão para ligar mudou',
    mayCallUntil: (day) => `Pode receber ligações até ${day}`,
    mayCall: 'Pode receber ligações',
    mayNotCall: 'Não pode receber ligações',
    other: 'Um aviso da rede',
  },
  es: {
    voiceCall: 'Llamada de voz',
    videoCall: 'Videollamada',
    numberChangedTo: (number) => `El número cambió a +${number}`,
    numberChanged: 'El número cambió',
    identityChanged: 'El código de seguridad cambió',
    callPermission: 'El permiso para llamar cambió',
    mayCallUntil: (day) => `Se le puede llamar hasta el ${day}`,
    mayCall: 'Se le puede llamar',
    mayNotCall: 'No se le puede llamar',
    other: 'Un aviso de la red',
  },
});

const inUsersWords = translatorOf(networkTexts);

/** @param body the text of a call or a notice; a text that is not the server's stays unchanged */
export const inNetworkWords = (body: string): string => withReadableDates(inUsersWords(body));

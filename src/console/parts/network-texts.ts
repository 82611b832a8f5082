// The server's sentences for network calls and notices that come without words.

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
    other: 'A notice of the network',
  },
  pt: {
    voiceCall: 'Chamada de voz',
    videoCall: 'Chamada de vídeo',
    numberChangedTo: (number) => `O número mudou para +${number}`,
    numberChanged: 'O número mudou',
    identityChanged: 'O código de segurança mudou',
    callPermission: 'A permissão para ligar mudou',
    other: 'Um aviso da rede',
  },
  es: {
    voiceCall: 'Llamada de voz',
    videoCall: 'Videollamada',
    numberChangedTo: (number) => `El número cambió a +${number}`,
    numberChanged: 'El número cambió',
    identityChanged: 'El código de seguridad cambió',
    callPermission: 'El permiso para llamar cambió',
    other: 'Un aviso de la red',
  },
});

/** @param body the text of a call or a notice; a text that is not the server's stays unchanged */
export const inNetworkWords = translatorOf(networkTexts);

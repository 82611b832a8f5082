// The code of a refusal decides what the user is told to do about a message that the network did not take.

import { defineTexts } from '../i18n/language.js';

export const failureTexts = defineTexts({
  en: {
    otherNumber: 'Ask for a number that has WhatsApp',
    template: 'Use a template: 24 hours have passed',
    wait: 'Wait a little, then retry',
    otherFile: 'Send another file, or a smaller one',
    call: 'Reach this person another way',
    unsure: 'See whether it arrived before you retry',
    retry: 'Try it once more',
  },
  pt: {
    otherNumber: 'Peça um número que tenha WhatsApp',
    template: 'Use um modelo: 24 horas se passaram',
    wait: 'Espere um pouco e tente de novo',
    otherFile: 'Envie outro arquivo, ou um menor',
    call: 'Fale com esta pessoa por outro meio',
    unsure: 'Veja se chegou antes de tentar de novo',
    retry: 'Tente mais uma vez',
  },
  es: {
    otherNumber: 'Pida un número que tenga WhatsApp',
    template: 'Use una plantilla: pasaron 24 horas',
    wait: 'Espere un poco y vuelva a intentarlo',
    otherFile: 'Envíe otro archivo, o uno más pequeño',
    call: 'Contacte a esta persona por otro medio',
    unsure: 'Vea si llegó antes de volver a intentarlo',
    retry: 'Inténtelo una vez más',
  },
});

type Advice = keyof (typeof failureTexts)['en'];

const adviceByCode: Readonly<Record<string, Advice>> = {
  // Leadwire's own codes. The numbers are the network's.
  NUMBER_NOT_ON_NETWORK: 'otherNumber',
  WINDOW_CLOSED: 'template',
  FILE_UNAVAILABLE: 'otherFile',
  OPTED_OUT: 'call',
  SEND_UNCONFIRMED: 'unsure',
  not_on_network: 'otherNumber',
  '131026': 'otherNumber',
  '131047': 'template',
  '470': 'template',
  '131048': 'wait',
  '131056': 'wait',
  '130429': 'wait',
  '131051': 'otherFile',
  '131052': 'otherFile',
  '131053': 'otherFile',
  '131049': 'call',
  '131050': 'call',
};

export function adviceFor(code: string | undefined, texts: Readonly<Record<Advice, string>>): string {
  return texts[adviceByCode[code ?? ''] ?? 'retry'];
}

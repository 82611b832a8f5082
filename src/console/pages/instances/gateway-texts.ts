// The words of a gateway decide what the user is told to do about an instance. They come in English, and stand behind it.

import { defineTexts } from '../../i18n/language.js';

export const gatewayTexts = defineTexts({
  en: {
    loggedOut: 'The phone has logged this number out. Connect it again, and scan the code.',
    blocked: 'WhatsApp has blocked this number. Open WhatsApp on its phone to see why and for how long.',
    replaced: 'Another connection has taken this number over. End that one, then connect it again.',
    notScanned: 'Nobody scanned the code in time. Connect it again, and scan the new code.',
    oldPhone: 'WhatsApp on the phone is too old. Update it there, then connect again.',
    token: 'The token is not valid any more. Enter a new one under Edit.',
    account: 'Meta has restricted the account. Read why in its business support, and ask for a review.',
    payment: 'Payment is not in order. Put it in order in Meta’s billing hub.',
    passing: 'The network was not reached. The gateway tries again; if it stays so, connect it again.',
    restart: 'The session has ended at the gateway. Restart it there, or connect it again.',
    other: 'It is not connected. Connect it again; if that fails, ask who runs the gateway.',
    MESSAGES_MISSED: 'Messages came that no webhook brought. Check the webhook at the gateway.',
    SENDS_LOST: 'Messages were accepted and did not leave. See whether the phone is online.',
    SILENT: 'Unusually long, no lead has written. Write to the number yourself to try it.',
    UNREACHABLE: 'The gateway does not answer. Messages wait and leave by themselves; see whether it runs.',
  },
  pt: {
    loggedOut: 'O telefone desconectou este número. Conecte de novo e escaneie o código.',
    blocked: 'O WhatsApp bloqueou este número. Abra o WhatsApp no telefone para ver por quê e por quanto tempo.',
    replaced: 'Outra conexão assumiu este número. Encerre a outra e conecte de novo.',
    notScanned: 'Ninguém escaneou o código a tempo. Conecte de novo e escaneie o código novo.',
    oldPhone: 'O WhatsApp do telefone é antigo demais. Atualize-o e conecte de novo.',
    token: 'O token não vale mais. Informe um novo em Editar.',
    account: 'A Meta restringiu a conta. Leia o motivo no suporte para empresas e peça uma revisão.',
    payment: 'O pagamento não está em ordem. Regularize na central de cobrança da Meta.',
    passing: 'A rede não foi alcançada. O gateway tenta de novo; se continuar assim, conecte de novo.',
    restart: 'A sessão terminou no gateway. Reinicie-a lá ou conecte de novo.',
    other: 'Não está conectado. Conecte de novo; se falhar, pergunte a quem cuida do gateway.',
    MESSAGES_MISSED: 'Chegaram mensagens que nenhum webhook trouxe. Confira o webhook no gateway.',
    SENDS_LOST: 'Mensagens foram aceitas e não saíram. Veja se o telefone está on-line.',
    SILENT: 'Há um tempo incomum nenhum lead escreve. Escreva você para o número, para testar.',
    UNREACHABLE: 'O gateway não responde. As mensagens esperam e saem sozinhas; veja se ele está ativo.',
  },
  es: {
    loggedOut: 'El teléfono cerró la sesión de este número. Conéctelo de nuevo y escanee el código.',
    blocked: 'WhatsApp bloqueó este número. Abra WhatsApp en su teléfono para ver por qué y por cuánto tiempo.',
    replaced: 'Otra conexión tomó este número. Cierre la otra y conéctelo de nuevo.',
    notScanned: 'Nadie escaneó el código a tiempo. Conéctelo de nuevo y escanee el código nuevo.',
    oldPhone: 'El WhatsApp del teléfono es demasiado antiguo. Actualícelo y conéctelo de nuevo.',
    token: 'El token ya no es válido. Escriba uno nuevo en Editar.',
    account: 'Meta restringió la cuenta. Lea el motivo en su soporte para empresas y pida una revisión.',
    payment: 'El pago no está en orden. Regularícelo en el centro de facturación de Meta.',
    passing: 'No se alcanzó la red. El gateway lo intenta de nuevo; si sigue así, conéctelo de nuevo.',
    restart: 'La sesión terminó en el gateway. Reiníciela allí o conéctela de nuevo.',
    other: 'No está conectado. Conéctelo de nuevo; si falla, pregunte a quien administra el gateway.',
    MESSAGES_MISSED: 'Llegaron mensajes que ningún webhook trajo. Revise el webhook en el gateway.',
    SENDS_LOST: 'Se aceptaron mensajes que no salieron. Vea si el teléfono está en línea.',
    SILENT: 'Hace un tiempo inusual que ningún lead escribe. Escriba usted al número para probarlo.',
    UNREACHABLE: 'El gateway no responde. Los mensajes esperan y salen solos; vea si está en marcha.',
  },
});

export type GatewayAdvice = keyof (typeof gatewayTexts)['en'];

/** The first that matches counts. A number stands alone, or before the words of the network. */
const adviceByWords: readonly (readonly [RegExp, GatewayAdvice])[] = [
  [/logged .*\bout\b|unlinked|device.removed/i, 'loggedOut'],
  [/\b190\b|token/i, 'token'],
  [/\b131042\b|payment/i, 'payment'],
  [/\b(368|131031)\b|restricted|locked/i, 'account'],
  [/\b40[236]\b|banned|blocked|forbidden by|not accepted/i, 'blocked'],
  [/\b440\b|replaced|conflict/i, 'replaced'],
  [/not scanned|\b408\b|timed out/i, 'notScanned'],
  [/\b411\b|several devices|multi.?device/i, 'oldPhone'],
  [/\b(428|503)\b|unavailable/i, 'passing'],
  [/\b5(00|15)\b|session|restart/i, 'restart'],
  [/\b401\b/, 'loggedOut'],
];

export function adviceOnGateway(words: string): GatewayAdvice {
  return adviceByWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
}

import { defineTexts } from '../../i18n/language.js';

export const figureTexts = defineTexts({
  en: {
    span: 'In the last 24 hours',
    lastIn: 'Last in',
    lastOut: 'Last out',
    waiting: 'Waiting',
    notSent: 'Not sent, 24\u00A0h',
    none: '–',
    share: (percent: string, count: string) => `${percent} (${count})`,
    noMessages: 'No messages in 24 hours',
    busiest: (count: string, time: string) => `At most ${count} messages in an hour, from ${time}`,
  },
  pt: {
    span: 'Nas últimas 24 horas',
    lastIn: 'Entrou',
    lastOut: 'Saiu',
    waiting: 'Aguardando',
    notSent: 'Não enviadas, 24\u00A0h',
    none: '–',
    share: (percent, count) => `${percent} (${count})`,
    noMessages: 'Nenhuma mensagem em 24 horas',
    busiest: (count, time) => `No máximo ${count} mensagens em uma hora, a partir de ${time}`,
  },
  es: {
    span: 'En las últimas 24 horas',
    lastIn: 'Entró',
    lastOut: 'Salió',
    waiting: 'En espera',
    notSent: 'No enviados, 24\u00A0h',
    none: '–',
    share: (percent, count) => `${percent} (${count})`,
    noMessages: 'Ningún mensaje en 24 horas',
    busiest: (count, time) => `Como máximo ${count} mensajes en una hora, desde las ${time}`,
  },
});

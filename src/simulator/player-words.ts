// Owns the words of players, in the languages of the customers.

import type { Language } from './customer-phrases.js';

export interface PlayerWords {
  readonly button: string;
  readonly row: { readonly title: string; readonly description: string };
  readonly form: Readonly<Record<string, string | number>>;
  readonly sent: string;
  readonly ad: { readonly headline: string; readonly body: string };
  readonly interest: string;
  readonly album: string;
  readonly forwarded: string;
  readonly late: string;
  readonly moved: string;
  readonly stop: string;
  readonly mayStop: string;
}

export const PLAYER_WORDS: Readonly<Record<Language, PlayerWords>> = {
  en: {
    button: 'Yes, book a visit',
    row: { title: 'Weekend', description: 'Saturday or Sunday, from 10:00' },
    form: { arrival: '2027-05-12', guests: 4, message: 'With a cot, please' },
    sent: 'Sent',
    ad: { headline: 'Houses by the sea, open now', body: 'Book by Sunday and stay a night longer' },
    interest: 'Hi, is this still available?',
    album: 'Three of them, which one is it?',
    forwarded: 'Look, they write that the road is closed until Friday.',
    late: 'Did you get my message from this morning?',
    moved: 'This is my new number.',
    stop: 'STOP',
    mayStop: 'please stop, thanks',
  },
  pt: {
    button: 'Sim, quero visitar',
    row: { title: 'Fim de semana', description: 'Sábado ou domingo, a partir das 10h' },
    form: { chegada: '2027-05-12', pessoas: 4, mensagem: 'Com berço, por favor' },
    sent: 'Enviado',
    ad: { headline: 'Casas junto ao mar', body: 'Reserve até domingo e fique mais uma noite' },
    interest: 'Oi, ainda está disponível?',
    album: 'São três, qual delas é?',
    forwarded: 'Olha, dizem que a estrada está fechada até sexta.',
    late: 'Recebeu a minha mensagem de hoje cedo?',
    moved: 'Este é o meu novo número.',
    stop: 'SAIR',
    mayStop: 'quero sair, obrigado',
  },
  es: {
    button: 'Sí, quiero visitar',
    row: { title: 'Fin de semana', description: 'Sábado o domingo, desde las 10 h' },
    form: { llegada: '2027-05-12', personas: 4, mensaje: 'Con cuna, por favor' },
    sent: 'Enviado',
    ad: { headline: 'Casas junto al mar', body: 'Reserve antes del domingo y quédese una noche más' },
    interest: 'Hola, ¿sigue disponible?',
    album: 'Son tres, ¿cuál es?',
    forwarded: 'Miren, dicen que la carretera está cerrada hasta el viernes.',
    late: '¿Recibieron mi mensaje de esta mañana?',
    moved: 'Este es mi número nuevo.',
    stop: 'BAJA',
    mayStop: 'quiero la baja, gracias',
  },
};

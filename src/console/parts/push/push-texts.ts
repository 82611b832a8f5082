import { defineTexts } from '../../i18n/language.js';

export const pushTexts = defineTexts({
  en: {
    title: 'While the console is closed',
    about: 'This browser tells you who wrote, and what only if your company allows it.',
    mine: 'Notify of messages in my conversations',
    unassigned: 'Notify of messages in unassigned conversations',
    denied: 'The browser has forbidden it: allow notifications in its settings.',
    unavailable: 'This browser could not subscribe. On an iPhone or iPad, add the console to the home screen first.',
    browsers: 'Notified browsers',
    seen: (time: string) => `last opened ${time}`,
    here: 'this browser',
    remove: (name: string) => `Remove ${name}`,
    removed: 'The browser is no longer notified.',
  },
  pt: {
    title: 'Com o console fechado',
    about: 'Este navegador diz quem escreveu, e o que foi escrito só se a sua empresa permitir.',
    mine: 'Notificar mensagens das minhas conversas',
    unassigned: 'Notificar mensagens de conversas sem responsável',
    denied: 'O navegador proibiu: permita notificações nas configurações dele.',
    unavailable:
      'Não foi possível assinar neste navegador. No iPhone ou iPad, adicione antes o console à tela de início.',
    browsers: 'Navegadores notificados',
    seen: (time) => `aberto pela última vez ${time}`,
    here: 'este navegador',
    remove: (name) => `Remover ${name}`,
    removed: 'O navegador não é mais notificado.',
  },
  es: {
    title: 'Con la consola cerrada',
    about: 'Este navegador le dice quién escribió, y qué solo si su empresa lo permite.',
    mine: 'Avisar de mensajes en mis conversaciones',
    unassigned: 'Avisar de mensajes en conversaciones sin asignar',
    denied: 'El navegador lo ha prohibido: permita las notificaciones en sus ajustes.',
    unavailable:
      'Este navegador no pudo suscribirse. En un iPhone o iPad, agregue antes la consola a la pantalla de inicio.',
    browsers: 'Navegadores avisados',
    seen: (time) => `abierto por última vez ${time}`,
    here: 'este navegador',
    remove: (name) => `Quitar ${name}`,
    removed: 'El navegador ya no recibe avisos.',
  },
});

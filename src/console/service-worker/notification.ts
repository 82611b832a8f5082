// The notification of a message, in the language that the browser was kept with. The server sends no sentences.

import { isIdentifier } from './shell-paths.js';

export interface ShownNotification {
  title: string;
  options: { body: string; tag: string; icon: string; renotify: boolean; data: { path: string } };
  /** The path that a click opens. */
  path: string;
}

const product = 'Leadwire';
const icon = '/assets/icon-192.png';

const sentences = {
  en: {
    message: (count: number) => (count === 1 ? 'New message' : `${count} new messages`),
    further: (count: number) =>
      count === 1 ? 'Messages in 1 more conversation' : `Messages in ${count} more conversations`,
  },
  pt: {
    message: (count: number) => (count === 1 ? 'Nova mensagem' : `${count} novas mensagens`),
    further: (count: number) => (count === 1 ? 'Mensagens em mais 1 conversa' : `Mensagens em mais ${count} conversas`),
  },
  es: {
    message: (count: number) => (count === 1 ? 'Mensaje nuevo' : `${count} mensajes nuevos`),
    further: (count: number) =>
      count === 1 ? 'Mensajes en 1 conversación más' : `Mensajes en ${count} conversaciones más`,
  },
};

/** @param payload what the server sent; what cannot be read still becomes a notification, because browsers require one */
export function notificationOf(payload: unknown): ShownNotification {
  const { kind, leadId, name, count, language, text } = (payload ?? {}) as Record<string, unknown>;
  const { message, further } = sentences[languageOf(language)];
  const number = typeof count === 'number' ? count : 1;
  if (kind === 'message' && typeof leadId === 'string' && isIdentifier(leadId)) {
    const title = typeof name === 'string' && name !== '' ? name : product;
    return show({ title, body: bodyOf(number, message(number), text), tag: leadId, path: `/inbox/${leadId}` });
  }
  const body = kind === 'further' ? further(number) : message(1);
  return show({ title: product, body, tag: 'further', path: '/inbox' });
}

/** The newest text, where the company tells it; behind the number, where there are more. */
function bodyOf(count: number, sentence: string, text: unknown): string {
  if (typeof text !== 'string' || text === '') return sentence;
  return count === 1 ? text : `${sentence}\n${text}`;
}

function show({
  title,
  body,
  tag,
  path,
}: {
  title: string;
  body: string;
  tag: string;
  path: string;
}): ShownNotification {
  return { title, path, options: { body, tag, icon, renotify: true, data: { path } } };
}

function languageOf(tag: unknown): keyof typeof sentences {
  const language = String(tag).slice(0, 2);
  return language === 'pt' || language === 'es' ? language : 'en';
}

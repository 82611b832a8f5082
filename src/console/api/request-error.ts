// The error that every failed call becomes, and the sentence that the page shows for it.

import { withReadableDates } from '../i18n/dates-in-text.js';
import { defineTexts, textsNow } from '../i18n/language.js';
import { inUsersLanguage } from './field-problems.js';

export interface FieldProblem {
  /** A path in dot notation, such as `input.chat`. */
  path: string;
  message: string;
}

export class RequestError extends Error {
  constructor(
    /** A code from the API's list, or `NETWORK` if no answer came. */
    readonly code: string,
    message: string,
    /** The id that the user names to the administrator. */
    readonly requestId?: string,
    readonly extensions: Record<string, unknown> = {},
  ) {
    super(message);
  }

  /** The field problems, in the user's language where the sentence is known. */
  get fields(): FieldProblem[] {
    const problems = (this.extensions['errors'] as FieldProblem[] | undefined) ?? [];
    return problems.map(({ path, message }) => ({ path, message: withReadableDates(inUsersLanguage(message)) }));
  }

  /** No call of this kind succeeds earlier; 0 where the server did not say. */
  get retryAfterSeconds(): number {
    return Number(this.extensions['retryAfterSeconds'] ?? 0);
  }

  /** True if the same call may succeed soon. */
  get isTemporary(): boolean {
    return this.code === 'NETWORK' || this.code === 'UNAVAILABLE' || this.code === 'RATE_LIMITED';
  }
}

const texts = defineTexts({
  en: {
    network: 'The server does not answer. Check the connection and try again.',
    unavailable: 'The server cannot do this now. Try again in a moment.',
    limited: 'Too many calls. Wait a moment and try again.',
    forbidden: 'Only administrators may do this.',
    internal: 'Something went wrong on the server. Try again; if it goes on, name the request to your administrator.',
    optedOut: 'The lead has opted out.',
    windowClosed: 'The reply window is closed: only a template may be sent now.',
    fields: (list: string) => `Please check: ${list}`,
    request: (id: string) => `Request ${id}`,
  },
  pt: {
    network: 'O servidor não responde. Verifique a conexão e tente de novo.',
    unavailable: 'O servidor não pode fazer isso agora. Tente de novo em instantes.',
    limited: 'Chamadas demais. Espere um momento e tente de novo.',
    forbidden: 'Somente administradores podem fazer isso.',
    internal: 'Algo deu errado no servidor. Tente de novo; se continuar, informe a requisição ao administrador.',
    optedOut: 'O lead pediu para não receber mensagens.',
    windowClosed: 'A janela de resposta está fechada: agora só um modelo pode ser enviado.',
    fields: (list) => `Verifique: ${list}`,
    request: (id) => `Requisição ${id}`,
  },
  es: {
    network: 'El servidor no responde. Revise la conexión e intente de nuevo.',
    unavailable: 'El servidor no puede hacerlo ahora. Intente de nuevo en un momento.',
    limited: 'Demasiadas llamadas. Espere un momento e intente de nuevo.',
    forbidden: 'Solo los administradores pueden hacer esto.',
    internal: 'Algo falló en el servidor. Intente de nuevo; si sigue, indique la solicitud a su administrador.',
    optedOut: 'El lead se dio de baja.',
    windowClosed: 'La ventana de respuesta está cerrada: ahora solo se puede enviar una plantilla.',
    fields: (list) => `Revise: ${list}`,
    request: (id) => `Solicitud ${id}`,
  },
});

/** Returns the sentence to show for a failure: in the user's language for known codes, else the server's own. */
export function explain(error: unknown): string {
  const all = textsNow(texts);
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'NETWORK') return all.network;
  if (error.code === 'UNAVAILABLE') return all.unavailable;
  if (error.code === 'RATE_LIMITED') return all.limited;
  if (error.code === 'FORBIDDEN') return all.forbidden;
  if (error.code === 'INTERNAL') return all.internal;
  if (error.code === 'OPTED_OUT' && error.fields.length === 0) return all.optedOut;
  if (error.code === 'WINDOW_CLOSED' && error.fields.length === 0) return all.windowClosed;
  if (error.code !== 'VALIDATION_FAILED' || error.fields.length === 0) return withReadableDates(error.message);
  const shown = error.fields.slice(0, maxShown).map(({ path, message }) => `${nameOf(path)}${message}`);
  return all.fields(shown.join('; '));
}

const maxShown = 5;
const nameOf = (path: string) => (path === '' ? '' : `${path.replace(/^input\./, '')}: `);

export function requestLine(error: unknown): string | undefined {
  const id = error instanceof RequestError ? error.requestId : undefined;
  return id === undefined ? undefined : textsNow(texts).request(id);
}

// Every failure of a call as one kind of error, with what the page says of it.

import { defineTexts, textsNow } from '../i18n/language.js';

export interface FieldProblem {
  /** In dots, as `input.chat`. */
  path: string;
  message: string;
}

export class RequestError extends Error {
  constructor(
    /** As in the API's list of codes; `NETWORK` where no answer came. */
    readonly code: string,
    message: string,
    /** To name to the administrator. */
    readonly requestId?: string,
    readonly extensions: Record<string, unknown> = {},
  ) {
    super(message);
  }

  get fields(): FieldProblem[] {
    return (this.extensions['errors'] as FieldProblem[] | undefined) ?? [];
  }

  /** Whether the same call may succeed soon. */
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
    request: (id: string) => `Request ${id}`,
  },
  pt: {
    network: 'O servidor não responde. Verifique a conexão e tente de novo.',
    unavailable: 'O servidor não pode fazer isso agora. Tente de novo em instantes.',
    limited: 'Chamadas demais. Espere um momento e tente de novo.',
    forbidden: 'Somente administradores podem fazer isso.',
    request: (id) => `Requisição ${id}`,
  },
  es: {
    network: 'El servidor no responde. Revise la conexión e intente de nuevo.',
    unavailable: 'El servidor no puede hacerlo ahora. Intente de nuevo en un momento.',
    limited: 'Demasiadas llamadas. Espere un momento e intente de nuevo.',
    forbidden: 'Solo los administradores pueden hacer esto.',
    request: (id) => `Solicitud ${id}`,
  },
});

/** What to tell the user: a sentence in their language where we have one, else the server's own. */
export function explain(error: unknown): string {
  const all = textsNow(texts);
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'NETWORK') return all.network;
  if (error.code === 'UNAVAILABLE') return all.unavailable;
  if (error.code === 'RATE_LIMITED') return all.limited;
  if (error.code === 'FORBIDDEN') return all.forbidden;
  return error.message;
}

export function requestLine(error: unknown): string | undefined {
  const id = error instanceof RequestError ? error.requestId : undefined;
  return id === undefined ? undefined : textsNow(texts).request(id);
}

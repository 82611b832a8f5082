// REST calls: JSON requests and answers, problems as RequestError, and uploads that report their progress.

import { RequestError, type FieldProblem } from './request-error.js';

interface Problem {
  code?: string;
  detail?: string;
  title?: string;
  requestId?: string;
  errors?: FieldProblem[];
}

/** @throws RequestError */
export async function callJson<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  return (await (await respond(path, init)).json()) as Answer;
}

/** Reads a whole file from the API. @throws RequestError */
export async function readFile(path: string, accessToken: string): Promise<Blob> {
  return (await respond(path, { headers: { authorization: `Bearer ${accessToken}` } })).blob();
}

async function respond(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new RequestError('NETWORK', 'No answer');
  }
  if (!response.ok) throw toRequestError(await readProblem(response), response.headers.get('x-request-id'));
  return response;
}

/** @throws RequestError */
export function postJson<Answer>(path: string, body: object, accessToken?: string): Promise<Answer> {
  return callJson(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(body),
  });
}

export interface Upload {
  path: string;
  body: Blob | FormData;
  headers?: Record<string, string>;
  accessToken: string;
  /** Receives the sent share, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** @throws RequestError, or an AbortError if `signal` ended the upload */
export function upload<Answer>({ path, body, headers = {}, accessToken, onProgress, signal }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // It may have ended while the caller waited for a token: no event says so any more.
    signal?.throwIfAborted();
    const call = new XMLHttpRequest();
    call.open('POST', path);
    call.setRequestHeader('authorization', `Bearer ${accessToken}`);
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total));
    call.addEventListener('error', () => reject(new RequestError('NETWORK', 'No answer')));
    call.addEventListener('abort', () => reject(new DOMException('The upload was canceled', 'AbortError')));
    call.addEventListener('load', () => {
      const answer = parse(call.responseText);
      if (call.status < 300) resolve(answer as Answer);
      else reject(toRequestError(answer ?? {}, call.getResponseHeader('x-request-id')));
    });
    signal?.addEventListener('abort', () => call.abort(), { once: true });
    call.send(body);
  });
}

async function readProblem(response: Response): Promise<Problem> {
  return parse(await response.text()) ?? {};
}

function toRequestError({ code, detail, title, requestId, errors }: Problem, headerId: string | null): RequestError {
  const id = requestId ?? headerId ?? undefined;
  return new RequestError(code ?? 'UNAVAILABLE', detail ?? title ?? 'The call failed', id, { errors });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Sends a call the way another system does, with the tenant's key. The answer is returned unchanged, even if the server refuses the call.

import { RequestError } from './request-error.js';

export interface TriedCall {
  status: number;
  ms: number;
  requestId: string | undefined;
  body: string;
}

/** @throws RequestError with the code NETWORK if no answer came */
export async function tryCall(path: string, headers: Record<string, string>, body: string): Promise<TriedCall> {
  const startedAt = performance.now();
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      credentials: 'omit',
    });
    const text = await response.text();
    const requestId = response.headers.get('x-request-id') ?? undefined;
    return { status: response.status, ms: Math.round(performance.now() - startedAt), requestId, body: text };
  } catch {
    throw new RequestError('NETWORK', 'No answer');
  }
}

// A call as another system would make it, with the tenant's key: the answer is shown as it came, refusals too.

import { RequestError } from './request-error.js';

export interface TriedCall {
  status: number;
  ms: number;
  requestId: string | undefined;
  body: string;
}

/** @throws RequestError NETWORK, where no answer came */
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

// HTTP as no polite client speaks it: any body bytes under any headers, or none. `fetch` would correct most of what the
// hostile-input tests send.

import { request, type IncomingMessage } from 'node:http';
import type { TestApp } from '../support/test-app.js';
import type { ProblemAnswer } from './problem.js';

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string | undefined;
  /** Leaves out Content-Length, so that the receiver learns the size by reading. */
  chunked?: boolean;
}

/** Sends exactly this request. The answer counts even where the server gives it before it has read the whole body. */
export function rawRequest(
  app: TestApp,
  { method = 'POST', path, headers = {}, body, chunked = false }: RawRequest,
): Promise<ProblemAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      `${app.url}${path}`,
      { method, headers: { ...headers, ...length }, agent: false },
      (incoming) => {
        readAll(incoming)
          .then((text) => resolve(toAnswer(incoming, text)), reject)
          .finally(() => outgoing.destroy());
      },
    );
    outgoing.on('error', reject);
    if (chunked) outgoing.setHeader('transfer-encoding', 'chunked');
    outgoing.end(body);
  });
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function toAnswer(incoming: IncomingMessage, text: string): ProblemAnswer {
  const get = (name: string) => {
    const value = incoming.headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return { status: incoming.statusCode ?? 0, headers: { get }, text: () => Promise.resolve(text) };
}

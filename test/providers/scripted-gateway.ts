// A gateway that answers as a test says, request by request, and keeps the requests.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OutgoingMessage } from '../../src/providers/chat-gateway.js';

/** A message as drivers get it. */
export const outgoingText: OutgoingMessage = {
  idempotencyKey: '0198c0de-0000-7000-8000-000000000001',
  to: '5511988887777',
  type: 'text',
  text: 'Olá 👋',
  media: null,
  replyTo: null,
};

export interface ScriptedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON, or the bytes of a form. */
  body: unknown;
}

export type Script = (request: ScriptedRequest, response: ServerResponse) => void;

export class ScriptedGateway {
  readonly requests: ScriptedRequest[] = [];

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  /**
   * @param answer plays the gateway; a script that does nothing leaves the caller waiting
   * @param atPort the port where it listens; any free one by default
   */
  static async start(answer: Script, atPort = 0): Promise<ScriptedGateway> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const bytes = Buffer.concat(chunks);
        const isForm = headers['content-type']?.startsWith('multipart/') === true;
        const body: unknown = isForm ? bytes : JSON.parse(bytes.toString('utf8') || 'null');
        const received = { method, path, headers, body };
        gateway.requests.push(received);
        answer(received, response);
      });
    });
    server.listen(atPort, '127.0.0.1');
    await once(server, 'listening');
    const gateway = new ScriptedGateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    return gateway;
  }
}

/** Matches a detail that names the instance and the host and quotes the gateway's words. `rest` is a pattern. */
export function saying(words: string, rest = ''): unknown {
  return expect.stringMatching(new RegExp(`^${namePattern} says: ${words}${rest}$`));
}

/** The start of every sentence about a gateway of these tests, as a pattern. */
export const namePattern = 'The gateway of the instance "acme" \\(127\\.0\\.0\\.1:\\d+\\)';

/** Answers every request alike. */
export function answering(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

// A server that has files at plain addresses, as gateways give them. The test sets the answer of each path.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export class FileServer {
  readonly requests: string[] = [];
  private readonly answers = new Map<string, Answer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FileServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const files = new FileServer(server);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      files.requests.push(path);
      const answer = files.answers.get(path) ?? status(404);
      answer(response, request);
    });
    return files;
  }

  /** @returns the address */
  give(path: string, answer: Answer | Buffer, type = 'application/octet-stream'): string {
    const bytes = answer;
    this.answers.set(
      path,
      typeof bytes === 'function'
        ? bytes
        : (response) => response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes),
    );
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(code, headers).end();
}

// An HTTP/1.1 connection that costs the load generator next to nothing: it writes a message and reads its answer. It knows
// only answers with a Content-Length, which every side gives.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadRequest } from './load.js';

const answerTimeoutMs = 30_000;
const headEnd = '\r\n\r\n';

export interface Answer {
  status: number;
  /** Its bytes as Latin-1. */
  body: string;
}

interface Asked {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

export class Connection {
  private received = '';
  private asked: Asked | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true).setEncoding('latin1').setTimeout(answerTimeoutMs);
    socket.on('data', (chunk: string) => this.read(chunk));
    socket.on('timeout', () => socket.destroy(new Error('There was no answer in time.')));
    socket.on('error', (error) => this.asked?.reject(error));
    socket.on('close', () => this.asked?.reject(new Error('The connection was closed before the answer.')));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** A request as it goes over the wire. */
  static serialise(
    url: string,
    { method, path, body, headers }: LoadRequest & { method: string; path: string },
  ): Buffer {
    const length = Buffer.byteLength(body);
    const lines = Object.entries({ host: new URL(url).host, ...headers, 'content-length': length });
    const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
    return Buffer.from(`${head.join('\r\n')}${headEnd}${body}`);
  }

  /** Sends one message and waits for its answer; one at a time. @throws Error when the connection broke meanwhile */
  async exchange(message: Buffer): Promise<Answer> {
    if (this.socket.destroyed) throw new Error('The connection was closed.');
    return new Promise((resolve, reject) => {
      this.asked = { resolve, reject };
      this.socket.write(message);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: string): void {
    this.received += chunk;
    const headLength = this.received.indexOf(headEnd);
    if (headLength < 0) return;
    const head = this.received.slice(0, headLength);
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length === undefined) return void this.socket.destroy(new Error('An answer has no Content-Length.'));
    const end = headLength + headEnd.length + Number(length);
    if (this.received.length < end) return;
    const answer = {
      status: Number(head.split(' ', 2)[1]),
      body: this.received.slice(headLength + headEnd.length, end),
    };
    this.received = this.received.slice(end);
    this.asked?.resolve(answer);
    this.asked = undefined;
  }
}

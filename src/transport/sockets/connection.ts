// WebSockets under graphql-ws: text in both directions, and the end of clients that are gone without a close. The protocol belongs to
// graphql-ws.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server as GraphqlServer } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../../platform/observability/logger.js';
import { withRequestId } from '../../platform/observability/request-scope.js';
import type { UnsentBytes } from './unsent-bytes.js';

const internalError = 4500;
/** Bytes that may wait in a socket's buffer while more is read from it. */
const maxUnsentBytes = 256 * 1024;

/** Gets reports of what happens to sockets. */
export interface ConnectionObserver {
  log: Pick<Logger, 'warn' | 'debug'>;
  /** Counts the bytes that are sent, for the socket's user. */
  unsent: Pick<UnsentBytes, 'add'>;
  /** Called with the code that a socket was closed with; `other` stands for a code that nobody here gives. */
  onClosed: (code: string) => void;
}

// A client may close with any code it likes. 1005 stands for a close without a code, and 1006 for an end without a close.
const knownCodes = new Set([1000, 1001, 1005, 1006, 1009, 1013, 4400, 4401, 4403, 4406, 4408, 4409, 4413, 4429, 4500]);

/** Joins every socket that is opened to the protocol. */
export function serveConnections(
  sockets: WebSocketServer,
  protocol: GraphqlServer<Extra>,
  { log, unsent, onClosed }: ConnectionObserver,
): void {
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    // ws has closed a socket that breaks the protocol of WebSockets (by a frame too large, say) already, with its own code.
    socket.on('error', (error) => log.debug({ err: error }, 'a socket broke'));
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text, unsent),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) =>
          socket.on('message', (data) => {
            // Each message is a request of its own, as the log and the answers name it.
            withRequestId(randomUUID(), () => handle(textOf(data))).catch((error: unknown) => {
              log.warn({ err: error }, 'a message of a socket could not be handled');
              socket.close(internalError, 'Internal server error');
            });
          }),
      },
      { socket, request },
    );
    readAsTaken(socket);
    socket.once('close', (code, reason) => {
      onClosed(knownCodes.has(code) ? String(code) : 'other');
      Promise.resolve(closed(code, reason.toString())).catch((error: unknown) =>
        log.warn({ err: error }, 'the state of a closed socket could not be removed'),
      );
    });
  });
}

// Each message may ask for an answer. A client that takes no answers is not read from until what waits has left.
function readAsTaken(socket: WebSocket): void {
  socket.on('message', () => {
    if (socket.isPaused || socket.bufferedAmount <= maxUnsentBytes) return;
    socket.pause();
    // The ping waits behind all that is buffered.
    socket.ping('', false, () => socket.resume());
  });
}

/** Pings all sockets, and ends those that have not answered since the last time. @returns a function that stops it */
export function keepAlive(sockets: WebSocketServer, intervalMs: number): () => void {
  const unanswered = new WeakSet<WebSocket>();
  const look = () => {
    for (const socket of sockets.clients) {
      if (unanswered.has(socket)) socket.terminate();
      else if (socket.readyState === socket.OPEN) {
        unanswered.add(socket);
        socket.ping();
      }
    }
  };
  const answered = function (this: WebSocket) {
    unanswered.delete(this);
  };
  sockets.on('connection', (socket: WebSocket) => socket.on('pong', answered).on('message', answered));
  const timer = setInterval(look, intervalMs);
  return () => clearInterval(timer);
}

// A socket that is closing takes nothing, which is no error.
function send(socket: WebSocket, text: string, unsent: Pick<UnsentBytes, 'add'>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, (error) => (error == null ? resolve() : reject(error)));
    unsent.add(socket, text.length);
  });
}

function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as ArrayBuffer).toString();
}

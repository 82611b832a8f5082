// Lets users' uploads take longer than other requests may. The server has one time limit for the requests of all connections. Where it
// passes during an upload, the upload goes on, and its route bounds it.

import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { hasCode } from '../../platform/observability/fault.js';
import { leaveUnread } from './body-reader.js';

const uploading = new WeakSet<object>();

/** Express middleware for a route that reads the body itself, within times of its own. */
export const allowLongUpload: RequestHandler = (req, res, next) => {
  leaveUnread(req, res);
  if (req.user === undefined) return next();
  const { socket } = req;
  uploading.add(socket);
  res.once('finish', () => uploading.delete(socket));
  next();
};

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Listener for `clientError`: it does what Node does without a listener, except for uploads, which have a time limit of their own. */
export function endBrokenConnection(error: Error, connection: Pick<Socket, 'writable' | 'write' | 'destroy'>): void {
  if (hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT') && uploading.has(connection)) return;
  const { _httpMessage: answer } = connection as { _httpMessage?: { _headerSent?: boolean } | null };
  if (connection.writable && answer?._headerSent !== true) {
    const { code = '' } = error as NodeJS.ErrnoException;
    connection.write(`HTTP/1.1 ${statusLines[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
  }
  connection.destroy(error);
}

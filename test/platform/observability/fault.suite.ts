// The error that a caller receives when a dependency is down, whichever layer reports it.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { NobodyWaits } from '../../../src/platform/database/operation.js';
import { AppError, NotConfigured, retryAfterOf, type ErrorCode } from '../../../src/platform/errors.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { logFault } from '../../../src/transport/http/error-to-http.js';
import { reasonOf, toAppError } from '../../../src/platform/observability/fault.js';

/** Connects to a server that resets the connection, or to a closed port, which the machine itself refuses. */
async function failToConnect(options: { listening: boolean }): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (!options.listening) await closeServer(server);
  const failure: unknown = await new Promise((resolve) => connect(port, '127.0.0.1').on('error', resolve));
  if (options.listening) await closeServer(server);
  return failure;
}

async function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  server.close();
  await once(server, 'close');
}

export function describeFault(): void {
  test('the log tells of a dependency that is down, and not of a caller who has gone', () => {
    const lines: string[] = [];
    const log = createLogger('info', { destination: { write: (line: string) => void lines.push(line) } });
    logFault(log, new NobodyWaits());
    logFault(log, new AppError('VALIDATION_FAILED', 'wrong'));
    logFault(log, new NotConfigured('Sign-in is not configured'));
    expect(lines).toEqual([]);
    logFault(log, new AppError('UNAVAILABLE', 'The identity provider does not answer'));
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'a request found a dependency down',
    ]);
  });

  test('every answer that may be repeated says when', () => {
    const secondsOf = (code: ErrorCode, options = {}) => retryAfterOf(new AppError(code, 'x', options));
    for (const code of ['UNAVAILABLE', 'RATE_LIMITED'] as const) {
      expect(secondsOf(code)).toBeGreaterThan(0);
      expect(secondsOf(code, { retryAfterSeconds: 7 })).toBe(7);
    }
    expect(retryAfterOf(new NotConfigured('x'))).toBeGreaterThan(60);
    for (const code of ['CONFLICT', 'INTERNAL', 'VALIDATION_FAILED'] as const) expect(secondsOf(code)).toBeUndefined();
  });

  test.each([true, false])(
    'a connection that fails in the operating system is retryable (somebody listens: %s)',
    async (listening) => {
      const error = await failToConnect({ listening });
      expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error });
      expect(toAppError(new Error('a layer above', { cause: error })).code).toBe('UNAVAILABLE');
      expect(reasonOf(error)).toMatch(/ECONN/);
    },
  );

  test.each([
    ['57P01', 'UNAVAILABLE'],
    ['53300', 'UNAVAILABLE'],
    ['08006', 'UNAVAILABLE'],
    ['40P01', 'UNAVAILABLE'],
    ['25006', 'UNAVAILABLE'],
    ['25P03', 'UNAVAILABLE'],
    ['25P04', 'UNAVAILABLE'],
    ['57014', 'UNAVAILABLE'],
    ['57P05', 'UNAVAILABLE'],
    ['25001', 'INTERNAL'],
    ['23505', 'INTERNAL'],
    ['42703', 'INTERNAL'],
  ])('SQLSTATE %s is %s', (state, code) => {
    const error = new pg.DatabaseError('refused', 0, 'error');
    error.code = state;
    expect(toAppError(error).code).toBe(code);
  });

  test.each([
    'EAI_AGAIN',
    'ECONNABORTED',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'ENETDOWN',
    'ENETUNREACH',
    'ENOTFOUND',
    'ETIMEDOUT',
  ])('%s of the network is retryable', (code) => {
    const error = Object.assign(new Error(`connect ${code}`), { code });
    expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error });
  });

  test.each(['Connection terminated unexpectedly', 'LISTEN/NOTIFY connection ended', 'Query read timeout'])(
    '“%s”, which comes without a code, is retryable',
    (message) => expect(toAppError(new Error(message)).code).toBe('UNAVAILABLE'),
  );

  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])('%s of the disk is retryable', (code) => {
    const error = Object.assign(new Error(`${code}: no room`), { code });
    expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error });
    expect(toAppError(new Error('a layer above', { cause: error })).message).toMatch(/room for files/);
  });

  test('what is nobody else’s fault is ours, and an error that a caller may see stays', () => {
    expect(toAppError(new TypeError('x is not a function')).code).toBe('INTERNAL');
    expect(toAppError('thrown text').code).toBe('INTERNAL');
    const own = new AppError('NOT_FOUND', 'There is no such lead');
    expect(toAppError(own)).toBe(own);
  });

  test('a host of several addresses fails with all its reasons', () => {
    expect(reasonOf(new AggregateError([new Error('v4 refused'), new Error('v6 refused')]))).toBe(
      'v4 refused, v6 refused',
    );
  });
}

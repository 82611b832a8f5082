// Sends CSV as it is read: no faster than the caller takes it, and never all of it in memory.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import './express-request.js';
import { hasCode } from '../observability/fault.js';
import { Operation, currentOperation, inOperation } from '../database/operation.js';

/**
 * Reads a file of the user's tenant page by page, each in the queue of searches and exports. An error before the first page is answered as
 * an error. A later one breaks the connection: a cut file never looks whole.
 */
export async function sendCsv(
  { req, res }: { req: Request; res: Response },
  fileName: string,
  open: () => Promise<AsyncGenerator<string>>,
): Promise<void> {
  const operation = new Operation({ tenantId: req.user?.tenantId ?? '', kind: 'search', isReading: true });
  // The request's own operation ends when its caller goes away.
  const forget = currentOperation()?.whileRunning(() => operation.end());
  try {
    const text = pagesIn(operation, await inOperation(operation, open));
    const first = await text.next();
    res.type('text/csv; charset=utf-8').attachment(fileName);
    await pipeline(Readable.from(startingWith(first, text), { highWaterMark: 1 }), res);
  } catch (error) {
    // The caller went away: nobody is left to answer.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  } finally {
    forget?.();
    operation.end();
  }
}

// A stream asks for the next page in the call chain that emptied its buffer, so each page enters the operation again.
async function* pagesIn(operation: Operation, text: AsyncGenerator<string>): AsyncGenerator<string> {
  for (;;) {
    const page = await inOperation(operation, () => text.next());
    if (page.done === true) return;
    yield page.value;
  }
}

async function* startingWith(first: IteratorResult<string, unknown>, rest: AsyncIterable<string>) {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

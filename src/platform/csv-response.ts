// Sends CSV as it is read: no faster than the caller takes it, and never all of it in memory.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { hasCode } from './fault.js';

/** What fails before the first page is answered as an error; later, the connection breaks: a cut file never looks whole. */
export async function sendCsv(res: Response, fileName: string, text: AsyncGenerator<string>): Promise<void> {
  const first = await text.next();
  res.type('text/csv; charset=utf-8').attachment(fileName);
  try {
    await pipeline(Readable.from(startingWith(first, text)), res);
  } catch (error) {
    // The caller went away: nobody is left to be told.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}

async function* startingWith(first: IteratorResult<string, unknown>, rest: AsyncIterable<string>) {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

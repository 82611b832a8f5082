// Reads a file out of a JSON answer that carries it as Base64 text: the fields before it at once, its bytes as they come. No more than a
// chunk of the file is in memory at a time.

import { isPlainObject } from '../platform/input/input.js';

export interface Base64File {
  /** The fields before the file. */
  fields: Record<string, unknown>;
  /** Throws where the text ends early or is no Base64. */
  body: AsyncIterable<Uint8Array>;
}

/** The most bytes that may stand before the file: names, a caption. */
const maxHeadBytes = 128 * 1024;
const quote = 0x22;
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/** @returns undefined where the answer has no such field, or too much before it; the rest is not read then */
export async function readBase64File(answer: AsyncIterable<Uint8Array>): Promise<Base64File | undefined> {
  const chunks = answer[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (done === true) return undefined;
    head = Buffer.concat([head, value]);
    const start = startOfFile(head);
    if (start !== undefined) {
      const fields = parseFields(head.subarray(0, start));
      if (fields !== undefined) return { fields, body: decode(head.subarray(start), chunks) };
      break;
    }
    if (head.length > maxHeadBytes) break;
  }
  await chunks.return?.();
  return undefined;
}

/** Finds the start of the Base64 text, behind the quotation mark that opens it. */
function startOfFile(head: Buffer): number | undefined {
  const text = head.toString('latin1', 0, Math.min(head.length, maxHeadBytes));
  for (const found of text.matchAll(/"base64"\s*:\s*"/g)) {
    // A caption may hold these very characters, but then with backslashes before its quotation marks.
    const end = found.index + found[0].length;
    if (text[found.index - 1] === '\\') continue;
    // The prefix of a data URL can be skipped only once all of it is there.
    const rest = text.slice(end, end + 256);
    if ('data:'.startsWith(rest.slice(0, 5)) && !rest.includes(';base64,') && rest.length < 256) return undefined;
    const skipped = /^data:[^",]{0,200};base64,/.exec(rest)?.[0].length ?? 0;
    return end + skipped;
  }
  return undefined;
}

function parseFields(head: Buffer): Record<string, unknown> | undefined {
  const text = head.toString('utf8');
  const start = text.lastIndexOf('"base64"');
  try {
    const parsed: unknown = JSON.parse(`${text.slice(0, start)}"base64":""}`);
    return isPlainObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

async function* decode(first: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let kept = '';
  let chunk: Uint8Array | undefined = first;
  try {
    while (chunk !== undefined) {
      const end = chunk.indexOf(quote);
      const text = kept + Buffer.from(end === -1 ? chunk : chunk.subarray(0, end)).toString('latin1');
      // Four characters are three bytes: the remainder waits for the next chunk.
      const whole = end === -1 ? text.length - (text.length % 4) : text.length;
      kept = text.slice(whole);
      const part = text.slice(0, whole);
      if (!alphabet.test(part)) throw new Error('the file is not Base64');
      if (part !== '') yield Buffer.from(part, 'base64');
      if (end !== -1) return;
      const next: IteratorResult<Uint8Array> = await chunks.next();
      chunk = next.done === true ? undefined : next.value;
    }
    throw new Error('the answer ended within the file');
  } finally {
    await chunks.return?.();
  }
}

// Reads an answer of a foreign server without letting it fill our memory or hold the process.

/** The answer has more bytes or more values than we read. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

// A parser needs up to 130 ns for a value, whatever its size: 50,000 of them stay below 10 ms.
const maxValues = 50_000;
/** No answer of up to this many bytes has enough values to matter. */
const uncountedLength = 64 * 1024;

/** @throws AnswerTooLargeError when the body exceeds `maxBytes`; the rest is not read */
export async function readLimited(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLargeError(`the answer exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @returns undefined where the text is no JSON. @throws AnswerTooLargeError before parsing more than 50,000 values */
export function parseLimited(text: string): unknown {
  if (text.length > uncountedLength && hasTooManyValues(text))
    throw new AnswerTooLargeError(`the answer has more than ${maxValues} values`);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Each value but the first follows a comma or an opening bracket. Those inside of strings count too: that is few in a real answer.
function hasTooManyValues(text: string): boolean {
  let values = 1;
  for (let at = 0; at < text.length && values <= maxValues; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === openingBracket || code === openingBrace) values += 1;
  }
  return values > maxValues;
}

const [comma, openingBracket, openingBrace] = [0x2c, 0x5b, 0x7b];

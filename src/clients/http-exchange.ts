// The common part of calls to other servers. Requests go to addresses that the outbound address policy judges, which needs a look-up of its
// own: `fetch` takes none. Answers neither fill our memory nor hold the process.

import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuseInDryRun } from '../platform/database/dry-run.js';

// An idle connection is kept for this time, as by Node's own agents.
const idleTimeoutMs = 5_000;

/** Keeps connections of its own: one that was opened without this look-up is never used. */
export class AgentPair {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  /** @param lookup the system's where none is given */
  constructor(lookup: LookupFunction | undefined) {
    const options = { keepAlive: true, timeout: idleTimeoutMs, ...(lookup === undefined ? {} : { lookup }) };
    this.http = new HttpAgent(options);
    this.https = new HttpsAgent(options);
  }

  for({ protocol }: URL): HttpAgent {
    return protocol === 'https:' ? this.https : this.http;
  }
}

/**
 * Resolves with the answer's head. A redirect, which would carry tokens on, is an answer. Rejects within a dry run.
 * @param body chunks go out as the other side takes them
 * @param watch gets the request before it is sent
 */
export function requestHead(
  url: URL,
  options: RequestOptions,
  body: string | Buffer | AsyncIterable<Uint8Array> | undefined,
  watch: (request: ClientRequest) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    refuseInDryRun();
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
    watch(request);
    request.on('response', resolve);
    request.on('error', reject);
    // An answer that asks for another protocol fires neither of these events.
    request.on('close', () => reject(new Error('the connection was closed')));
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) request.end(body);
    // The answer may come before the whole body has left: then the answer counts.
    else pipeline(body, request).catch(reject);
  });
}

/** The limits that end a call before its answer does. */
export interface CallEnds {
  /** The time limit of the call, its answer's body included, in milliseconds. */
  limitMs?: number | undefined;
  onLate?: () => void;
  signal?: AbortSignal | undefined;
}

/**
 * Destroys the request when its time is over, or when the signal says so. An AbortSignal for each call would cost more: Node.js keeps one
 * with a time until that has passed.
 */
export function endInTime(request: ClientRequest, { limitMs, onLate, signal }: CallEnds): void {
  const endLate = () => {
    onLate?.();
    request.destroy(new Error('the call took too long'));
  };
  const end = () => request.destroy(new CallEndedError(signal?.reason));
  const timer = limitMs === undefined ? undefined : setTimeout(endLate, limitMs);
  // The request closes in any case, and after the answer's body.
  request.once('close', () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  });
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end);
}

/** The caller's signal ended the call, for its `cause`. */
class CallEndedError extends Error {
  override readonly name = 'CallEndedError';
  readonly code = 'ABORT_ERR';

  constructor(cause: unknown) {
    super('the call was ended', { cause });
  }
}

/** Whole seconds from now, above 0, from either form of `Retry-After`. */
export function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

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
  const limited = new LimitedChunks(maxBytes);
  if (body instanceof Readable) await readStream(body, limited);
  else for await (const chunk of body) limited.add(chunk);
  return limited.text();
}

class LimitedChunks {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength;
    if (this.size > this.maxBytes) throw new AnswerTooLargeError(`the answer exceeds ${this.maxBytes} bytes`);
    this.chunks.push(chunk);
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

// An iterator would cost more than reading all of a small answer.
function readStream(body: Readable, limited: LimitedChunks): Promise<void> {
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      try {
        limited.add(chunk);
      } catch (error) {
        reject(error);
        body.destroy();
      }
    });
    body.on('end', resolve);
    body.on('error', reject);
    // A body that closes without an end or an error was destroyed, maybe before this began.
    body.on('close', () => reject(new Error('the answer was cut off')));
    if (body.closed) reject(new Error('the answer was cut off'));
  });
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

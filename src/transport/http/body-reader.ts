// Reads bodies into memory as bytes, not JSON: signatures and the journal need them as they came. Authenticated callers may compress them.
// From all others a bounded number of bytes is held at a time, uncompressed.

import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../platform/errors.js';
import { bodyTooLarge } from '../../platform/http/json-body.js';
import { Tally } from '../../platform/jobs/tally.js';
import { requestAddress } from './client-address.js';
import { subjectKey } from './rate-limit.js';

const firstCapacity = 16 * 1024;
/** The time for callers to send the rest of a body that nobody reads, before their connection is closed. */
const leftoverTimeoutMs = 5_000;
const retryAfterSeconds = 1;

/** Called for each growth of a body that is being read. @returns the reason why no more of it may be held */
type OnGrowth = (bytes: number) => AppError | undefined;

/** Express middleware for callers who have been authenticated: sets `req.rawBody`. */
export function readBody(limit: number): RequestHandler {
  const inflate = express.raw({ type: () => true, limit });
  return async (req, res, next) => {
    if (!hasBody(req)) return next();
    if (!isCompressed(req)) {
      req.rawBody = await collect(req, limit);
      return next();
    }
    inflate(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      if (Buffer.isBuffer(req.body)) req.rawBody = req.body;
      next();
    });
  };
}

export interface UnverifiedBodiesOptions {
  /** The limit of all bodies that are being read. */
  maxBytes: number;
  maxBytesPerAddress: number;
}

/** The bodies of callers who have not been authenticated, or not yet. */
export class UnverifiedBodies {
  private readonly held = new Tally();

  constructor(private readonly options: UnverifiedBodiesOptions) {}

  /** Express middleware: sets `req.rawBody`, which is never inflated. */
  read(limit: number): RequestHandler {
    return async (req, _res, next) => {
      if (hasBody(req)) req.rawBody = await this.take(req, limit);
      next();
    };
  }

  /** @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST; RATE_LIMITED or UNAVAILABLE beyond the bounds */
  async take(req: Request, limit: number): Promise<Buffer> {
    if (isCompressed(req)) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without Content-Encoding');
    }
    const address = subjectKey({ kind: 'address' }, requestAddress(req));
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      return this.hold(address, bytes);
    };
    try {
      return await collect(req, limit, hold);
    } finally {
      this.held.add(address, -held);
    }
  }

  private hold(address: string, bytes: number): AppError | undefined {
    if (this.held.add(address, bytes) > this.options.maxBytesPerAddress) {
      const detail = 'Too many bytes of this address are being read without a valid credential: try again';
      return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
    }
    if (this.held.total <= this.options.maxBytes) return undefined;
    const detail = 'Too many bytes are being read without a valid credential: try again';
    return new AppError('UNAVAILABLE', detail, { retryAfterSeconds });
  }
}

/** Call it where a body is left unread: its sender gets the answer, and a few seconds to come to an end. */
export function leaveUnread(req: Request, res: Response): void {
  res.on('finish', () => {
    if (req.complete) return;
    const cut = () => {
      if (!req.complete) req.socket.destroy();
    };
    setTimeout(cut, leftoverTimeoutMs).unref();
  });
}

function hasBody({ headers }: Request): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isCompressed({ headers }: Request): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

function cutOff(): AppError {
  return new AppError('BAD_REQUEST', 'The request ended before its body did');
}

function collect(req: Request, limit: number, onGrowth: OnGrowth = () => undefined): Promise<Buffer> {
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  if (length > limit) return Promise.reject(bodyTooLarge(limit));
  if (req.destroyed) return Promise.reject(cutOff());
  const bytes = new GrowingBytes(Number.isNaN(length) ? limit : length, onGrowth);
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      req.off('data', take).off('end', finish).off('error', abort).off('close', abort);
      settle();
    };
    const finish = () => end(() => resolve(bytes.all));
    const abort = () => end(() => reject(cutOff()));
    const take = (chunk: Buffer) => {
      const refusal = bytes.size + chunk.length > limit ? bodyTooLarge(limit) : bytes.append(chunk);
      if (refusal !== undefined) end(() => reject(refusal));
    };
    req.on('data', take).on('end', finish).on('error', abort).on('close', abort);
  });
}

/** Chunks in one buffer: a list of them would hold hundreds of bytes for each chunk of a single one. */
class GrowingBytes {
  private buffer: Buffer = Buffer.alloc(0);
  size = 0;

  constructor(
    private readonly maxSize: number,
    private readonly onGrowth: OnGrowth,
  ) {}

  get all(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** @returns the reason why the chunk may not be held */
  append(chunk: Buffer): AppError | undefined {
    const size = this.size + chunk.length;
    if (size > this.buffer.length) {
      // Most bodies are one chunk, which is kept as it came.
      const isWhole = size === chunk.length && size === this.maxSize;
      const capacity = isWhole ? size : Math.min(this.maxSize, Math.max(size, 2 * this.buffer.length, firstCapacity));
      const refusal = this.onGrowth(capacity - this.buffer.length);
      if (refusal !== undefined) return refusal;
      if (isWhole) this.buffer = chunk;
      else this.grow(capacity);
    }
    if (this.buffer !== chunk) chunk.copy(this.buffer, this.size);
    this.size = size;
    return undefined;
  }

  private grow(capacity: number): void {
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(larger, 0, 0, this.size);
    this.buffer = larger;
  }
}

// REST of files: a file is read at its signed address, in whole or by one range, at the caller's pace and for a bounded time. The answer
// never runs in a page: browsers show pictures, sound, video and PDF, and save other types.

import { pipeline } from 'node:stream/promises';
import { Router, type Request, type Response } from 'express';
import type { ByteRange } from '../../clients/object-store/object-store.js';
import { AppError, notFound } from '../../platform/errors.js';
import { hasCode } from '../../platform/observability/fault.js';
import { Operation, inOperation } from '../../platform/database/operation.js';
import { Tally } from '../../platform/jobs/tally.js';
import type { MediaAddresses } from './media-address.js';
import type { MediaService } from './media.service.js';
import type { StoredFileRow } from './media.sql.js';
import type { MediaObjects } from './media-objects.js';
import { baseTypeOf, isShownInline } from './media-type.js';

/** The most files of one tenant that a process sends at a time. */
const maxReadsPerTenant = 128;
/** The slowest rate at which a caller can read a file to its end. */
const minBytesPerSecond = 16 * 1024;
const minLimitMs = 60_000;
const keptSeconds = 3_600;
const retryAfterSeconds = 1;

export interface DownloadServices {
  media: MediaService;
  mediaAddresses: MediaAddresses;
  mediaObjects: MediaObjects;
}

export function downloadRoutes({ media, mediaAddresses, mediaObjects }: DownloadServices): Router {
  const router = Router();
  const downloads = new Downloads(mediaObjects);
  // Express answers HEAD by this route too.
  router.get('/media/:id', async (req, res) => {
    const address = mediaAddresses.verify(req.params.id, req.query);
    if (address.outcome === 'expired')
      throw new AppError('FORBIDDEN', 'This address of a file has expired: read a new one from the message');
    if (address.outcome === 'invalid') throw new AppError('FORBIDDEN', 'The signature of this address is wrong');
    const { tenantId, id } = address;
    // The read takes a connection from the tenant's share, like the reads of its users.
    const file = await inOperation(new Operation({ tenantId }), () => media.findStored(tenantId, id));
    if (file === undefined) throw notFound('file');
    await downloads.send({ req, res }, tenantId, file);
  });
  return router;
}

class Downloads {
  private readonly underWay = new Tally();

  constructor(private readonly objects: MediaObjects) {}

  /** @throws AppError UNAVAILABLE beyond the tenant's share, or if the store fails; NOT_FOUND if the store has lost the file */
  async send({ req, res }: { req: Request; res: Response }, tenantId: string, file: StoredFileRow): Promise<void> {
    const etag = `"${file.sha256.slice(0, 32)}"`;
    setHead(res, file, etag);
    if (
      req
        .get('if-none-match')
        ?.split(/\s*,\s*/)
        .some((tag) => tag === etag || tag === '*' || tag === `W/${etag}`) === true
    )
      return void res.status(304).end();
    const range = rangeOf(req, file.size, etag);
    if (range === 'unsatisfiable') {
      dropHead(res);
      return void res.status(416).set('Content-Range', `bytes */${file.size}`).end();
    }
    const { first, last } = range ?? { first: 0, last: file.size - 1 };
    const length = last - first + 1;
    if (range !== undefined) res.status(206).set('Content-Range', `bytes ${first}-${last}/${file.size}`);
    res.set('Content-Length', String(length));
    if (req.method === 'HEAD') return void res.end();
    if (this.underWay.of(tenantId) >= maxReadsPerTenant) {
      dropHead(res);
      throw new AppError('UNAVAILABLE', 'Too many files of this tenant are being read: try again', {
        retryAfterSeconds,
      });
    }
    this.underWay.add(tenantId, 1);
    try {
      await this.stream(res, tenantId, file, range, length);
    } finally {
      this.underWay.add(tenantId, -1);
    }
  }

  private async stream(
    res: Response,
    tenantId: string,
    { objectId }: StoredFileRow,
    range: ByteRange | undefined,
    length: number,
  ): Promise<void> {
    const bytes = await this.objects.open(tenantId, objectId, range).catch((error: unknown) => {
      dropHead(res);
      throw error;
    });
    if (bytes === undefined) {
      dropHead(res);
      throw notFound('file');
    }
    const limitMs = minLimitMs + (length / minBytesPerSecond) * 1_000;
    const cutOff = setTimeout(() => res.destroy(), limitMs);
    try {
      const paced = (source: AsyncIterable<Uint8Array>) => this.objects.atPace(tenantId, source);
      await pipeline(bytes, paced, res);
    } catch (error) {
      // The caller went away or was cut off, so there is no answer to send.
      if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE') && !res.headersSent) throw error;
      res.destroy();
    } finally {
      clearTimeout(cutOff);
    }
  }
}

function setHead(res: Response, { mimeType, fileName }: StoredFileRow, etag: string): void {
  const isInline = isShownInline(mimeType);
  // Express would add a charset, which is not known.
  res.setHeader('Content-Type', mimeType);
  res.set({
    'Content-Disposition': dispositionOf(isInline ? 'inline' : 'attachment', fileName),
    'Content-Security-Policy': baseTypeOf(mimeType) === 'application/pdf' ? pdfPolicy : `${policy}; sandbox`,
    'Cache-Control': `private, max-age=${keptSeconds}, immutable`,
    'Accept-Ranges': 'bytes',
    // Pages of other origins show files too: the address itself is the permission.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
  });
}

// The policy permits what browsers need to show the file itself. PDF viewers do not start in a sandbox, so PDF has a policy of its own.
const policy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

function dropHead(res: Response): void {
  for (const name of [
    'Content-Type',
    'Content-Disposition',
    'Content-Length',
    'Content-Range',
    'ETag',
    'Accept-Ranges',
  ])
    res.removeHeader(name);
  res.status(200).set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" });
}

/** Returns the one range to send; undefined for the whole file, also for several ranges, or a range of another version. */
function rangeOf(req: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const wanted = req.range(size);
  const condition = req.get('if-range');
  if (wanted === undefined || wanted === -2 || (condition !== undefined && condition !== etag)) return undefined;
  if (wanted === -1) return 'unsatisfiable';
  const [range, ...others] = wanted;
  if (wanted.type !== 'bytes' || range === undefined || others.length > 0) return undefined;
  return { first: range.start, last: range.end };
}

/** Returns the header by RFC 6266, which gives the name twice: in ASCII for old clients, and unchanged. */
function dispositionOf(kind: 'inline' | 'attachment', fileName: string | null): string {
  if (fileName === null) return kind;
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

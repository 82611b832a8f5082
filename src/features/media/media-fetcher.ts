// Fetches files of messages, with a lane for each tenant: one tenant's slow servers or large files delay no other tenant.
// fetch-result.service.ts stores the results.

import type { FetchedMedia } from '../../providers/media-source.js';
import { FileTooLargeError, type StagedFile } from '../../clients/object-store/staging-folder.js';
import type { UrlMediaSource } from '../../providers/url-media-source.js';
import { AppError } from '../../platform/errors.js';
import { toAppError } from '../../platform/observability/fault.js';
import { LeasedLanes, type LeasedLanesOptions } from '../../platform/jobs/leased-lanes.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { FetchOutcome, FetchResultService } from './fetch-result.service.js';
import {
  claimFiles,
  releaseFiles,
  selectFilesThere,
  selectNextFileDue,
  selectTenantsWithFiles,
  type ClaimedFile,
} from './media-fetcher.sql.js';
import type { MediaObjects } from './media-objects.js';
import { maxAnyFileBytes, maxFileBytes } from './file-size.js';
import { judgeType, kindOf } from './media-type.js';

export interface MediaFetcherOptions extends LeasedLanesOptions {
  objects: MediaObjects;
  endpoints: GatewayEndpoints;
  results: FetchResultService;
  /** The source for gateways whose driver has none of its own. */
  plainSource: UrlMediaSource;
  /** The time limit of one file, in milliseconds. */
  timeoutMs: number;
}

/** The time between two checks for erased messages. A fetch goes on at most this long after the erasure. */
const erasedIntervalMs = 20_000;

/** The content is of another type than the gateway said. */
class TypeMismatchError extends Error {
  override readonly name = 'TypeMismatchError';
}

export class MediaFetcher extends LeasedLanes<ClaimedFile> {
  private readonly underWay = new Set<{ tenantId: string; id: string; erased: AbortController }>();
  private watching: NodeJS.Timeout | undefined;

  constructor(private readonly options: MediaFetcherOptions) {
    super(options, {
      name: 'files of messages',
      selectTenants: selectTenantsWithFiles,
      claim: claimFiles,
      selectNextDue: selectNextFileDue,
      release: releaseFiles,
      keysOf: (files) => [files.map(({ id }) => id)],
    });
  }

  override start(): void {
    super.start();
    this.watching = setInterval(() => void this.stopErased(), erasedIntervalMs);
  }

  /** Ends the fetches of files whose messages have been erased, in one statement for each tenant. Never rejects. */
  async stopErased(): Promise<void> {
    const { database, log } = this.options;
    for (const [tenantId, fetches] of Map.groupBy(this.underWay, (fetch) => fetch.tenantId)) {
      try {
        const rows = await database.query<{ id: string }>(selectFilesThere, [tenantId, fetches.map(({ id }) => id)]);
        const there = new Set(rows.map(({ id }) => id));
        fetches.filter(({ id }) => !there.has(id)).forEach(({ erased }) => erased.abort());
      } catch (err) {
        log.warn({ err, tenantId }, 'files of erased messages could not be looked for: the next round tries again');
      }
    }
  }

  /** The number of files that this process is fetching. */
  get count(): number {
    return this.underWay.size;
  }

  override stop(timeoutMs: number): Promise<void> {
    clearInterval(this.watching);
    return super.stop(timeoutMs);
  }

  protected override async work(tenantId: string, file: ClaimedFile): Promise<void> {
    const { log, results } = this.options;
    const about = { tenantId, messageId: file.id };
    const fetching = { tenantId, id: file.id, erased: new AbortController() };
    this.underWay.add(fetching);
    const outcome = await this.attempt(tenantId, file, fetching.erased.signal).catch((error: unknown): FetchOutcome => {
      if (toAppError(error).code === 'INTERNAL') log.error({ err: error, ...about }, 'fetching a file failed');
      return { outcome: 'temporary', detail: 'The file could not be stored right now.' };
    });
    if (outcome.outcome === 'temporary' && this.signal.aborted)
      await this.release(tenantId, [file]).catch(() => undefined);
    else
      await results
        .settle(tenantId, file, outcome)
        .catch((error: unknown) => log.warn({ err: error, ...about }, 'the result of a fetch could not be stored'));
    this.underWay.delete(fetching);
  }

  private async attempt(tenantId: string, file: ClaimedFile, erased: AbortSignal): Promise<FetchOutcome> {
    const limit = AbortSignal.timeout(this.options.timeoutMs);
    const found = await this.open(file, AbortSignal.any([limit, this.signal, erased]));
    return found.outcome === 'fetched' ? this.receive(tenantId, file, found, limit) : found;
  }

  private async open(file: ClaimedFile, signal: AbortSignal): Promise<FetchedMedia> {
    const { endpoints, plainSource } = this.options;
    const { source: origin, externalId, mimeType, isSentHere, content } = file;
    if (content !== null) return { outcome: 'fetched', body: inOnePiece(content), sizeBytes: content.length };
    const url = origin?.url ?? null;
    const instance = isSentHere ? undefined : endpoints.find(file);
    if (instance?.outcome === 'reachable' && instance.gateway.media !== undefined) {
      const reference = { url, providerId: origin?.providerId ?? null, externalId, mimeType };
      return instance.gateway.media.open(instance.endpoint, reference, signal);
    }
    if (url === null) return { outcome: 'failed', detail: 'The gateway gave no address of the file.' };
    return plainSource.open(url, signal);
  }

  private async receive(
    tenantId: string,
    file: ClaimedFile,
    found: Extract<FetchedMedia, { outcome: 'fetched' }>,
    limit: AbortSignal,
  ): Promise<FetchOutcome> {
    const { objects } = this.options;
    const declared = file.mimeType ?? found.mimeType ?? null;
    const saidBytes = saidSizeOf(found);
    let mimeType = '';
    const judge = async (head: Buffer) => {
      const judged = await judgeType(head, declared);
      if (judged === null) throw new TypeMismatchError();
      mimeType = judged;
      const { received: maxBytes } = maxFileBytes[kindOf(judged)];
      if (saidBytes > maxBytes) throw new FileTooLargeError(maxBytes);
      return { maxBytes };
    };
    if (saidBytes > maxAnyFileBytes) {
      await endBody(found.body);
      return tooLarge(maxAnyFileBytes);
    }
    let staged;
    try {
      staged = await objects.receive(tenantId, wholeBody(found), judge);
    } catch (error) {
      await endBody(found.body);
      if (error instanceof FileTooLargeError) return tooLarge(error.maxBytes);
      if (error instanceof TypeMismatchError)
        return {
          outcome: 'failed',
          detail: `The content of the file is not ${declared ?? 'of the type that was said'}.`,
        };
      // An error of this machine's disk is not reported as the network's fault.
      if (error instanceof AppError) throw error;
      const why = limit.aborted ? `did not come within ${this.options.timeoutMs / 1_000} s` : 'broke off';
      return { outcome: 'temporary', detail: `The file ${why}.` };
    }
    try {
      const problem = problemOf(staged, found);
      if (problem !== undefined) return { outcome: 'failed', detail: problem };
      const objectId = await objects.put(tenantId, staged);
      const fileName = file.fileName ?? found.fileName ?? null;
      return { outcome: 'stored', objectId, mimeType, fileName, size: staged.size, sha256: staged.sha256 };
    } finally {
      await objects.staging.discard(staged);
    }
  }
}

function saidSizeOf({ sizeBytes, aboutBytes }: Extract<FetchedMedia, { outcome: 'fetched' }>): number {
  return sizeBytes ?? aboutBytes ?? 0;
}

function problemOf(staged: StagedFile, { sha256 }: Extract<FetchedMedia, { outcome: 'fetched' }>): string | undefined {
  if (staged.size === 0) return 'The file is empty.';
  if (sha256 === undefined || sha256 === staged.sha256.toString('hex')) return undefined;
  return 'The SHA-256 of the file is not the one that the network gave, so that its bytes are not those that were sent.';
}

const mebibyte = 1024 * 1024;

function tooLarge(maxBytes: number): FetchOutcome {
  return { outcome: 'tooLarge', detail: `The file has more than ${maxBytes / mebibyte} MiB.` };
}

// A broken connection ends the body with an error. A body that ends early without an error shows by its length.
async function* wholeBody({ body, sizeBytes }: Extract<FetchedMedia, { outcome: 'fetched' }>) {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    yield chunk;
  }
  if (sizeBytes !== undefined && size !== sizeBytes) throw new Error('the file has another length than was said');
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function endBody(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

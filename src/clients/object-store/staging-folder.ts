// Receives files from the network into a folder of this machine, chunk by chunk, so that their size does not count in memory. Files that a
// killed process has left there are removed by age.

import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { reasonOf } from '../../platform/observability/fault.js';
import { makeFolder } from '../../platform/folder.js';
import { FilePace } from './file-pace.js';
import { ObjectStoreError } from './object-store-error.js';

/** A file that has come whole, in the folder until it is stored or discarded. */
export interface StagedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
}

/** The file has more bytes than it may have. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`the file exceeds ${maxBytes} bytes`);
  }
}

/** So many bytes from the beginning tell a file's type. */
const headBytes = 4_100;

/** So many bytes go to the disk at a time. Left to the system, gigabytes would, and the database's commits would wait for them. */
const sliceBytes = 2 * 1024 * 1024;
/** The most slices that are written at a time. One owner gets half of them. */
const maxSlicesAtOnce = 2;

/** Called once, with the first bytes or all of a smaller file. Throws where such a file is not accepted. */
export type JudgeHead = (head: Buffer) => Promise<{ maxBytes: number }>;

export class StagingFolder {
  /** The pace of all files that come to this machine, or leave it. */
  readonly pace = new FilePace();
  private readonly slices = new FairSemaphore(maxSlicesAtOnce);

  constructor(readonly folder: string) {}

  async start(): Promise<void> {
    await makeFolder(this.folder);
  }

  /**
   * Reads a file to its end. After a failure, nothing of it is left. The store makes it outlive a power cut.
   * @throws FileTooLargeError as soon as it is, ObjectStoreError where the disk takes nothing, what `judge` throws, and what `source`
   * throws
   */
  async receive(source: AsyncIterable<Uint8Array>, judge: JudgeHead): Promise<StagedFile> {
    const path = join(this.folder, randomUUID());
    const handle = await onDisk(() => open(path, 'wx', 0o600));
    try {
      const received = await this.write(handle, source, judge);
      await onDisk(() => handle.close());
      return { path, ...received };
    } catch (error) {
      await handle.close().catch(() => undefined);
      await this.discard({ path });
      throw error;
    }
  }

  /** Safe to repeat, and after the file was stored. */
  async discard({ path }: Pick<StagedFile, 'path'>): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes files that have not been written to for so long: their process is gone. @returns how many files were removed */
  async sweep(olderThanMs: number): Promise<number> {
    const before = Date.now() - olderThanMs;
    let count = 0;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.mtimeMs >= before) continue;
      await this.discard({ path });
      count += 1;
    }
    return count;
  }

  private async write(
    handle: FileHandle,
    source: AsyncIterable<Uint8Array>,
    judge: JudgeHead,
  ): Promise<Omit<StagedFile, 'path'>> {
    const hash = createHash('sha256');
    let head = Buffer.alloc(0);
    let maxBytes: number | undefined;
    let size = 0;
    let unsynced = 0;
    const take = async (bytes: Uint8Array) => {
      hash.update(bytes);
      size += bytes.byteLength;
      if (maxBytes !== undefined && size > maxBytes) throw new FileTooLargeError(maxBytes);
      await onDisk(() => writeAll(handle, bytes));
      unsynced += bytes.byteLength;
      if (unsynced < sliceBytes) return;
      await onDisk(() => this.slices.run('', () => handle.datasync()));
      unsynced = 0;
    };
    const decide = async () => {
      ({ maxBytes } = await judge(head.subarray(0, headBytes)));
      await take(head);
      head = Buffer.alloc(0);
    };
    for await (const chunk of source) {
      if (maxBytes !== undefined) {
        await take(chunk);
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length >= headBytes) await decide();
    }
    if (maxBytes === undefined) await decide();
    return { size, sha256: hash.digest() };
  }
}

// A full disk, or too many open files, is the store's failure, and not the sender's.
async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new ObjectStoreError(`MEDIA_STORE: a file cannot be received: ${reasonOf(cause)}`, { cause });
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.byteLength;)
    written += (await handle.write(bytes, written, bytes.byteLength - written)).bytesWritten;
}

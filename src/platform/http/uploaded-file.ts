// A file that is uploaded: it is kept on disk under no name while it is read, as often as wanted.

import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.js';

/** The chunks are small, because a reader works through a whole chunk without a pause: one of 64 KiB can be 32,000 rows. */
const chunkBytes = 8 * 1024;

export class UploadedFile {
  private constructor(private readonly handle: FileHandle) {}

  /**
   * Keeps an upload on disk, as fast as the disk takes it.
   * @throws AppError PAYLOAD_TOO_LARGE beyond `maxBytes`
   */
  static async receive(upload: Readable, maxBytes: number): Promise<UploadedFile> {
    const path = join(tmpdir(), `leadwire-upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
      let bytes = 0;
      // The stream stays open when this ends early: the caller still has to get the error.
      for await (const chunk of upload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw new AppError('PAYLOAD_TOO_LARGE', `The file exceeds ${maxBytes / (1_024 * 1_024)} MiB`);
        await handle.appendFile(chunk);
      }
      return new UploadedFile(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Reads its bytes from the beginning; safe to repeat. */
  read(): AsyncIterable<Uint8Array> {
    return this.handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes });
  }

  /** Closes the file, which is gone then. */
  async close(): Promise<void> {
    await this.handle.close();
  }
}

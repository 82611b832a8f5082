// Keeps objects as files below one folder. An object appears by a rename, which shows all of it or nothing, also after a power cut.

import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { hasCode, reasonOf } from '../../platform/observability/fault.js';
import { ObjectStoreError } from './object-store-error.js';
import type { ByteRange, ObjectKey, ObjectStore } from './object-store.js';
import { makeFolder } from '../../platform/folder.js';
import { StagingFolder, type StagedFile } from './staging-folder.js';

const stagingName = '.incoming';
const chunkBytes = 64 * 1024;
/** Each put waits for the disk: more at a time would keep the database's commits waiting. */
const maxPutsAtOnce = 4;

export class FileStore implements ObjectStore {
  readonly staging: StagingFolder;
  private readonly puts = new FairSemaphore(maxPutsAtOnce);

  constructor(private readonly folder: string) {
    // The staging folder is in the same file system, which a rename cannot leave.
    this.staging = new StagingFolder(join(folder, stagingName));
  }

  async start(): Promise<void> {
    await attempt(`the folder ${this.folder} cannot be written`, async () => {
      await makeFolder(this.folder, 0o700);
      await this.staging.start();
      await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
    });
  }

  async put(key: ObjectKey, { path }: StagedFile): Promise<void> {
    await this.puts.run(key.tenantId, () => this.move(path, this.pathOf(key)));
  }

  private async move(path: string, target: string): Promise<void> {
    await attempt('a file cannot be stored', async () => {
      await syncFile(path);
      const created = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target);
      await syncFolder(dirname(target));
      if (created !== undefined) await syncFolder(dirname(created));
    });
  }

  async open(key: ObjectKey, range?: ByteRange): Promise<Readable | undefined> {
    return attempt('a file cannot be read', async () => {
      const handle = await open(this.pathOf(key), 'r').catch(orMissing);
      const part = range === undefined ? {} : { start: range.first, end: range.last };
      return handle?.createReadStream({ ...part, highWaterMark: chunkBytes });
    });
  }

  async delete(key: ObjectKey): Promise<void> {
    await attempt('a file cannot be deleted', () => rm(this.pathOf(key), { force: true }));
  }

  // Folders are named by the end of the id, which is random: each holds a share of a tenant's files.
  private pathOf({ tenantId, objectId }: ObjectKey): string {
    return join(this.folder, tenantId, objectId.slice(-2), objectId);
  }
}

function orMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}

async function attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new ObjectStoreError(`MEDIA_STORE: ${what}: ${reasonOf(cause)}`, { cause });
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

// A new name in a folder outlives a power cut once the folder was written.
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

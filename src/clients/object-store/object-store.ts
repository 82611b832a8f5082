// Keeps the bytes of files. A file is staged on this machine first: its size and hash are then known before it is stored, and a store never
// shows half of it. features/media knows which files there are, and who may read them.

import type { Readable } from 'node:stream';
import type { StagedFile, StagingFolder } from './staging-folder.js';

/** The first and the last byte, from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The name of an object, which is written once, under an id that nothing had before. */
export interface ObjectKey {
  tenantId: string;
  objectId: string;
}

/** All keys begin with the tenant. Every failure rejects with ObjectStoreError, and may be retried. */
export interface ObjectStore {
  /** The folder in which files are received before they are stored. */
  readonly staging: StagingFolder;

  /** Makes sure that the store can be used. @throws ObjectStoreError naming the variable that is wrong */
  start(): Promise<void>;

  /** Stores a staged file, which is gone afterwards. Nobody sees the object before all of it is there. */
  put(key: ObjectKey, file: StagedFile): Promise<void>;

  /**
   * The bytes of an object, read no faster than they are taken. Destroy the stream where they are not all read.
   * @returns undefined where there is no such object
   */
  open(key: ObjectKey, range?: ByteRange): Promise<Readable | undefined>;

  /** Safe to repeat, also for an object that is not there. */
  delete(key: ObjectKey): Promise<void>;
}

// Where the bytes of files are kept. A file is staged on this machine first, so that its size and hash are known before it is stored and
// a store never shows half of one. Which files there are, and who may read them, belongs to features/media.

import type { Readable } from 'node:stream';
import type { StagedFile, StagingFolder } from './staging-folder.js';

/** The first and the last byte, from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** What names an object: it is written once, under an id that nothing had before. */
export interface ObjectKey {
  tenantId: string;
  objectId: string;
}

/** All keys begin with the tenant. Whatever fails rejects with ObjectStoreError, and may be tried again. */
export interface ObjectStore {
  /** Where files are received before they are stored. */
  readonly staging: StagingFolder;

  /** Makes sure that it can be used. @throws ObjectStoreError naming the variable that is wrong */
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

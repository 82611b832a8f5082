// Makes the folders that the service writes to, and says in a sentence why one cannot be used.

import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, reasonOf } from './observability/fault.js';

/**
 * Makes a folder, and those above it that are missing. Safe to repeat, and beside others that make the same ones. Node's own
 * `recursive` goes on for ever where a folder exists and takes none.
 * @throws Error of the file system
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await makeOne(path, mode);
  }
}

async function makeOne(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await isFolder(path))) throw error;
  }
}

/** @throws Error in a sentence that names DATA_DIR, where it is no folder that this process can write to */
export async function requireDataFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const sentence = `DATA_DIR ${path} cannot be used: ${problemOf(cause)}. Choose a folder that this user can write to.`;
    throw new Error(sentence, { cause });
  }
}

function problemOf(error: unknown): string {
  if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOTDIR')) return 'it is a file, or lies below one';
  if (hasCode(error, 'EROFS')) return 'its disk is read-only';
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) return 'this user may not write there';
  return reasonOf(error);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

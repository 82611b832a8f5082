// Keeps the temporary files of a run in memory. A database of the tests is some 730 files, and ext4 spends a third of a second of the
// processor on a copy: for each new file, it looks through those that were deleted within the last seconds.

import { existsSync, readFileSync, statfsSync } from 'node:fs';

const memoryFolder = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/** The facts that decide whether a run keeps its files in memory. */
export interface MemoryPlace {
  /** `/proc/self/mounts`: tests start programs out of these files, which a mount can forbid. */
  mounts: string;
  /** The bytes that the folder may still take. */
  freeBytes: number;
  /** The bytes of memory that this process may still take. */
  availableBytes: number;
}

/**
 * Returns the environment of a run whose temporary files stand in memory. It is empty where `TMPDIR` names another folder, and where the
 * machine has no such folder with 4 GiB for it and as much for the run: a container often has 64 MB.
 */
export function filesInMemory(given: NodeJS.ProcessEnv, place = findPlace()): Record<string, string> {
  if (given['TMPDIR'] !== undefined || place === undefined) return {};
  const mount = place.mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, folder]) => folder === memoryFolder);
  const [, , type, options = ''] = mount ?? [];
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return {};
  return place.freeBytes >= neededBytes && place.availableBytes >= 2 * neededBytes ? { TMPDIR: memoryFolder } : {};
}

function findPlace(): MemoryPlace | undefined {
  if (!existsSync(memoryFolder) || !existsSync('/proc/self/mounts')) return undefined;
  const { bavail, bsize } = statfsSync(memoryFolder);
  return {
    mounts: readFileSync('/proc/self/mounts', 'utf8'),
    freeBytes: bavail * bsize,
    availableBytes: process.availableMemory(),
  };
}

// The folder that a run of the tests takes for its temporary files.

import { filesInMemory, type MemoryPlace } from '../support/memory-folder.js';

const gib = 1024 ** 3;
const disk = '/dev/vda / ext4 rw,relatime 0 0\n';
const memory = `${disk}tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n`;
const place: MemoryPlace = { mounts: memory, freeBytes: 4 * gib, availableBytes: 8 * gib };

export function describeMemoryFolder(): void {
  it('is in memory where the machine has enough of it', () => {
    expect(filesInMemory({}, place)).toEqual({ TMPDIR: '/dev/shm' });
  });

  it.each<[string, NodeJS.ProcessEnv, Partial<MemoryPlace>]>([
    ['TMPDIR names another', { TMPDIR: '/var/tmp' }, {}],
    ['the folder is small', {}, { freeBytes: 4 * gib - 1 }],
    ['memory is short', {}, { availableBytes: 8 * gib - 1 }],
    ['the folder is on a disk', {}, { mounts: disk }],
    ['no program may start in it', {}, { mounts: `${disk}tmpfs /dev/shm tmpfs rw,noexec 0 0\n` }],
    ['another folder was mounted above it', {}, { mounts: `${memory}/dev/vda /dev/shm ext4 rw 0 0\n` }],
  ])('is that of the machine where %s', (_, given, changed) => {
    expect(filesInMemory(given, { ...place, ...changed })).toEqual({});
  });
}

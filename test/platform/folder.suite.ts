// Processes that start at once, on a machine where nothing is yet, make the same folders side by side.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../src/platform/folder.js';

export function describeFolder(): void {
  let place: string;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'leadwire-folders-'));
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  test('many make the same folders at once, and each succeeds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const paths = Array.from({ length: 40 }, (_, index) =>
        join(place, `round ${round}`, 'a', 'b', `${index % 4}`, 'c'),
      );
      await Promise.all(paths.map((path) => makeFolder(path, 0o700)));
      for (const path of paths) expect((await stat(path)).isDirectory()).toBe(true);
    }
  });

  test('a folder that takes none is refused at once, however deep the path below it', async () => {
    await expect(makeFolder('/proc/leadwire/a/b/c')).rejects.toMatchObject({ code: 'ENOENT' });
  });
}

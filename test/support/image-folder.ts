// The files of the image, as the Dockerfile copies them: the built product without what is of development, and no packages.

import { cp, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** Copies the image's files into a folder, and returns its path; the caller removes it. */
export async function copyImageFolder(): Promise<string> {
  const dockerfile = await readFile(join(repository, 'Dockerfile'), 'utf8');
  const [, removed = ''] = /^RUN rm -r (.*)$/m.exec(dockerfile) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-test-image-'));
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  for (const [, part = ''] of lastStage.matchAll(/^COPY (?:--from=build \/app\/)?(\S+) \S+$/gm))
    await cp(join(repository, part), join(folder, part), { recursive: true });
  for (const pattern of removed.split(' '))
    for await (const path of glob(pattern, { cwd: folder })) await rm(join(folder, path), { recursive: true });
  return folder;
}

// Builds the version before this one, from the history of the repository, with the packages that are installed here.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const migrationsFolder = 'prisma/migrations';

export interface VersionBefore {
  /** The version's name in reports. */
  name: string;
  /** The folder of the built version. */
  folder: string;
}

/**
 * Builds the release before, by its tag `v…`, or the commit that began the history of migrations. UPGRADE_FROM names an installed and
 * built checkout to use instead.
 * @param resources removes the build
 * @returns a sentence if there is no such version: the checkout is shallow, or packages are not installed here
 */
export async function buildVersionBefore(resources: AsyncDisposableStack): Promise<VersionBefore | string> {
  const given = process.env['UPGRADE_FROM'];
  if (given !== undefined) return { name: given, folder: given };
  const name = await findVersionBefore();
  if (name === undefined) return 'the history has no version before: the checkout may be shallow';
  const missing = await missingPackages(name);
  if (missing.length > 0)
    return `${name} needs other packages (${missing.join(', ')}): install and build it in a folder, and name that in UPGRADE_FROM`;
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-version-before-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await build(name, folder);
  return { name, folder };
}

async function findVersionBefore(): Promise<string | undefined> {
  // On a tagged commit, the search finds the release before that commit.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', '--exclude', '*-*', 'HEAD^');
  if (tag !== undefined) return tag;
  // In a shallow checkout, the oldest commit that is there seems to have begun it.
  if ((await git('rev-parse', '--is-shallow-repository')) !== 'false') return undefined;
  const [first = ''] = (await readdir(join(root, migrationsFolder))).toSorted();
  const commit = await git('log', '-1', '--format=%h', '--', join(migrationsFolder, first));
  return commit === '' ? undefined : commit;
}

/** @returns the output, or undefined if git failed */
async function git(...args: string[]): Promise<string | undefined> {
  return run('git', args, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

async function missingPackages(version: string): Promise<string[]> {
  interface Manifest {
    dependencies: Record<string, string>;
  }
  const before = JSON.parse((await git('show', `${version}:package.json`)) ?? '') as Manifest;
  const here = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  const needed = Object.entries(before.dependencies);
  return needed.filter(([name, wanted]) => here.dependencies[name] !== wanted).map(([name]) => name);
}

/** Builds without the console, because no process of a test serves it. */
async function build(version: string, folder: string): Promise<void> {
  const archive = join(folder, 'source.tar');
  await run(
    'git',
    [
      'archive',
      '--output',
      archive,
      version,
      'src',
      'prisma',
      'prisma.config.ts',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
    ],
    { cwd: root },
  );
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bin = join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  await run(process.execPath, ['src/dev/build.ts', '--server'], { cwd: folder, env });
}

// The version before this one, built from the history of the repository with the packages that are installed here.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where no release is tagged: the second edition before its last three migrations. */
const commitWithoutRelease = 'ea3048c2e01ae44b49751837d93bb045c30466df';

export interface VersionBefore {
  /** What it is called in reports. */
  name: string;
  /** It is built there. */
  folder: string;
}

/**
 * The checkout that UPGRADE_FROM names, installed and built; otherwise the release before, by its tag `v…`, or a recorded commit.
 * @param resources removes what was built
 * @returns a sentence where there is none: a shallow checkout, or packages that are not installed here
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
  // Of a tagged commit it is the release before that one.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', '--exclude', '*-*', 'HEAD^');
  if (tag !== undefined) return tag;
  const isThere = (await git('cat-file', '-t', commitWithoutRelease)) === 'commit';
  return isThere ? commitWithoutRelease.slice(0, 7) : undefined;
}

/** @returns what it printed, or undefined where it failed */
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

/** Without the console, which no process of a test serves. */
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
      'tsconfig.json',
      'tsconfig.build.json',
    ],
    { cwd: root },
  );
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bin = join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  await run(join(bin, 'prisma'), ['generate'], { cwd: folder, env });
  await run(join(bin, 'tsc'), ['-p', 'tsconfig.build.json'], { cwd: folder, env });
}

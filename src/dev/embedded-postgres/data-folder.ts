// The data folder of the embedded PostgreSQL: who may use it, its password, and the first initialisation. A server that
// runs in it belongs to server.ts.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../platform/folder.js';
import { ensurePostgresUser, findClosedFolder, mayPass, type OsUser } from './binaries.js';
import { isAlive } from './postmaster-file.js';

const run = promisify(execFile);

/** The major version the installed programs write and read. */
const majorVersion = '18';
const initialisationLimitMs = 120_000;

/** The superuser of the embedded server. */
export const superuser = 'leadwire';

export interface SentenceLog {
  info(sentence: string): void;
  warn(sentence: string): void;
}

export interface PostgresFolder {
  /** The path without symbolic links. */
  readonly dataDir: string;
  /** PostgreSQL's own folder inside it. */
  readonly cluster: string;
  readonly logFile: string;
  readonly password: string;
  /** The operating-system user that PostgreSQL runs as; undefined for the user of this process. */
  readonly user: OsUser | undefined;
}

/**
 * Makes the folder and its password where they are missing, and finds the user to run as. Safe to repeat, also at the
 * same moment.
 * @param fallbackDir used instead, with a warning, when PostgreSQL's user cannot reach `dataDir`
 * @throws Error in a sentence naming the closed folder
 */
export async function openFolder(
  dataDir: string,
  fallbackDir: string | undefined,
  log: SentenceLog,
): Promise<PostgresFolder> {
  await makeFolder(dataDir);
  const real = await realpath(dataDir);
  const cluster = join(real, 'postgres');
  const user = await userFor(cluster);
  const closed = user && (await findClosedFolder(dirname(real), user));
  if (closed) {
    if (fallbackDir === undefined)
      throw new Error(
        `PostgreSQL's user cannot enter ${closed}, so its data cannot be in ${real}. Choose another DATA_DIR, or open that folder (chmod o+x).`,
      );
    log.warn(`PostgreSQL's user cannot enter ${closed}: its data goes to ${fallbackDir} instead of ${real}.`);
    return openFolder(fallbackDir, undefined, log);
  }
  if (user && !(await mayPass(real, user))) await chown(real, user.uid, user.gid);
  const password = await ensurePassword(join(real, 'postgres-password'));
  return { dataDir: real, cluster, logFile: join(real, 'postgres.log'), password, user };
}

/** The error for a server that refuses our password. */
export function wrongPassword({ dataDir }: PostgresFolder): Error {
  return new Error(`The password in ${dataDir}/postgres-password is not the password of the database in that folder.`);
}

// Data that exists keeps its owner, so that a start as root and one as an ordinary user can follow each other.
async function userFor(cluster: string): Promise<OsUser | undefined> {
  const owner = await stat(cluster).catch(() => undefined);
  if (process.getuid?.() === 0)
    return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : ensurePostgresUser();
  if (owner && process.getuid && owner.uid !== process.getuid()) {
    throw new Error(
      `${cluster} belongs to another user of this system: start as that user, or choose another DATA_DIR.`,
    );
  }
  return undefined;
}

async function ensurePassword(file: string): Promise<string> {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  const existing = await readFile(file, 'utf8').catch(() => '');
  if (existing !== '') return existing.trim();
  await writeFile(draft, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  // A link appears whole or not at all, and never replaces what another start has written meanwhile.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(file, 'utf8')).trim();
}

/**
 * Runs initdb unless the folder holds a complete cluster. It works in a folder next to the final one and renames it at the end, so an
 * interruption leaves nothing half-made. Safe to repeat, also at the same moment.
 * @param durable false skips waiting for the disk
 * @throws Error in a sentence, with initdb's output, or when the data is of another major version
 */
export async function initialiseCluster(
  folder: PostgresFolder,
  binDir: string,
  durable: boolean,
  log: SentenceLog,
): Promise<void> {
  await removeAbandonedDrafts(folder.dataDir);
  if (await hasCluster(folder.cluster)) return;
  const draft = join(folder.dataDir, `postgres.init-${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await runInitdb(folder, binDir, durable, draft);
    await setIncompleteAside(folder.cluster, log);
    await rename(join(draft, 'data'), folder.cluster).catch(async (error: Error) => {
      if (!(await hasCluster(folder.cluster))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function hasCluster(cluster: string): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) return false;
  if (version.trim() === majorVersion) return true;
  throw new Error(
    `${cluster} was written by PostgreSQL ${version.trim()}, and the embedded one is ${majorVersion}: choose another DATA_DIR, or set DATABASE_URL.`,
  );
}

async function runInitdb(
  { password, user }: PostgresFolder,
  binDir: string,
  durable: boolean,
  draft: string,
): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid);
  const parameters = [
    `--pgdata=${join(draft, 'data')}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in C.UTF-8 sorts and folds the same on every system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  const options = { ...user, cwd: draft, timeout: initialisationLimitMs, env: serverEnvironment() };
  await run(join(binDir, 'initdb'), parameters, options).catch((cause: Error & { stderr?: string }) => {
    throw new Error(`PostgreSQL could not initialise its data folder.\n${cause.stderr?.trim()}`, { cause });
  });
}

/** The environment of PostgreSQL's programs, without variables that change their folder, port or language. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

// The folder is never deleted: a cluster that lost its PG_VERSION may still have data to recover.
async function setIncompleteAside(cluster: string, log: SentenceLog): Promise<void> {
  const entries = await readdir(cluster).catch(() => []);
  if (entries.length === 0 || (await hasCluster(cluster))) return;
  const aside = `${cluster}.incomplete-${Date.now()}`;
  await rename(cluster, aside);
  log.warn(`${cluster} held no complete PostgreSQL data: it was moved to ${aside}, and a new one was initialised.`);
}

async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = /^postgres\.init-(\d+)-/.exec(name)?.[1];
    if (pid === undefined) continue;
    const draft = join(dataDir, name);
    const ageMs = Date.now() - ((await stat(draft).catch(() => undefined))?.mtimeMs ?? 0);
    if (!isAlive(Number(pid)) || ageMs > initialisationLimitMs) await rm(draft, { recursive: true, force: true });
  }
}

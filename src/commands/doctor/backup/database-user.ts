// Programs of PostgreSQL and pgBackRest refuse to run as root: there they run as the user postgres.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

export interface DatabaseUser {
  uid: number;
  gid: number;
}

/** The user of the programs; undefined where this process may run them itself. @throws Error where root finds no user postgres */
export async function findDatabaseUser(): Promise<DatabaseUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined) throw new Error('There is no user postgres on this machine');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Programs get no secret of Leadwire, only what they need of the environment. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => /^(?:PATH|LANG|TZ|TMPDIR|PGBACKREST_\w+)$/.test(name));
  return Object.fromEntries(kept);
}

const maxOutputBytes = 64 * 1_024 * 1_024;

/** A program that does not end when it is told to is killed after this time. */
const endWithinMs = 10_000;

/**
 * Runs a program to its end, which the signal brings about.
 * @returns what it printed
 * @throws Error with the last sentences that it complained with
 */
export function runProgram(
  program: string,
  options: readonly string[],
  { user, signal }: { user: DatabaseUser | undefined; signal?: AbortSignal },
): Promise<string> {
  const settings = { env: programEnvironment(), cwd: '/', maxBuffer: maxOutputBytes, ...user };
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const child = execFile(program, options, settings, (error, stdout, stderr) => {
      signal?.removeEventListener('abort', end);
      if (error === null) return resolve(stdout);
      const said = `${stderr}\n${stdout}`.trim();
      reject(said === '' ? error : new Error(complaintsOf(said), { cause: error }));
    });
    // The option of execFile does not wait for the end of the program.
    const end = () => {
      child.kill();
      setTimeout(() => child.kill('SIGKILL'), endWithinMs).unref();
    };
    signal?.addEventListener('abort', end);
  });
}

const complaintLines = 4;

// pgBackRest warns of much before it says what went wrong.
function complaintsOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => /^(?:P\d\d +)?ERROR: /.test(line));
  return lines.slice(Math.max(0, first)).slice(0, complaintLines).join(' ');
}

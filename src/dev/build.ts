// `npm run build`: Prisma's client, the server and, without `--server`, the console. Plain Node runs it, without built files.
// A part whose sources have not changed since its last build stays as it is: a second build takes nothing from a running server.

import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { link, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const usage = `Usage: npm run build [-- --server]

Builds the server and the console into dist. With --server the console is left out.
`;
const options = process.argv.slice(2);
const unknown = options.find((argument) => argument !== '--server' && argument !== '--help');
if (options.includes('--help')) {
  process.stdout.write(usage);
  process.exit(0);
}
if (unknown !== undefined) {
  process.stderr.write(`There is no argument ${unknown}.\n\n${usage}`);
  process.exit(2);
}

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const lockFile = join(dist, '.building');
const lockCheckMs = 100;

interface Part {
  name: string;
  /** The files and folders that the part is built from. */
  sources: readonly string[];
  /** A file or folder that the command creates; without it, the part is built again. */
  result: string;
  /** The folder that the command fills, and whose place it takes when it is whole: a process that starts meanwhile finds the former one. */
  staged?: { from: string; to: string };
  command: readonly [string, ...string[]];
  environment?: NodeJS.ProcessEnv;
  /** True if only what it writes to standard error is shown. */
  isQuiet?: boolean;
}

const prismaClient: Part = {
  name: 'prisma',
  sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  result: 'src/platform/prisma',
  command: ['prisma', 'generate'],
};

const serverBundle: Part = {
  name: 'server',
  sources: ['dist/modules', 'src/dev/bundle.ts', 'package-lock.json'],
  result: 'dist/main.js',
  command: ['node', 'src/dev/bundle.ts'],
};

const operations: Part = {
  name: 'operations',
  sources: [
    'schema.graphql',
    'codegen.ts',
    ...globSync(['src/console/**/*.graphql', 'test/support/*.graphql'], { cwd: root }).toSorted(),
    'package-lock.json',
  ],
  result: 'src/console/api/operations.ts',
  command: ['graphql-codegen', '--config', 'codegen.ts', '--errors-only'],
  isQuiet: true,
};

const browserConsole: Part = {
  name: 'console',
  sources: ['src/console', 'src/docs', 'package.json', 'package-lock.json'],
  result: 'dist/console/index.html',
  staged: { from: 'dist/console-new', to: 'dist/console' },
  command: ['vite', 'build', '--config', 'src/console/vite.config.ts', '--logLevel', 'warn'],
  // The shell's own NODE_ENV would make a console for development.
  environment: { NODE_ENV: 'production' },
};

await mkdir(dist, { recursive: true });
await takeLock();
try {
  await buildIfChanged(prismaClient);
  const parts = [buildServer()];
  if (!options.includes('--server')) parts.push(buildConsole());
  const built = await Promise.allSettled(parts);
  for (const part of built) if (part.status === 'rejected') throw part.reason;
} catch (error) {
  // The command that failed has printed why.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(lockFile, { force: true });
}

async function buildServer(): Promise<void> {
  // TypeScript itself skips files that have not changed.
  await run(['tsc', '-p', 'tsconfig.build.json']);
  await buildIfChanged(serverBundle);
}

async function buildConsole(): Promise<void> {
  await buildIfChanged(operations);
  await buildIfChanged(browserConsole);
}

/** Waits until no other build of this checkout runs. The lock of a build that was killed is taken over. */
async function takeLock(): Promise<void> {
  const own = `${lockFile}-${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    // A link appears with its content, or not at all.
    while (!(await linkOnce(own))) {
      const holder = Number(await readFile(lockFile, 'utf8').catch(() => ''));
      if (holder > 0 && !isAlive(holder)) await rm(lockFile, { force: true });
      else await sleep(lockCheckMs);
    }
  } finally {
    await rm(own, { force: true });
  }
}

async function linkOnce(own: string): Promise<boolean> {
  try {
    await link(own, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function buildIfChanged({ name, sources, result, staged, command, environment, isQuiet }: Part): Promise<void> {
  const stamp = join(dist, `.built-${name}`);
  const state = await hashOf(sources);
  const isBuilt = existsSync(join(root, result)) && (await readFile(stamp, 'utf8').catch(() => '')) === state;
  if (isBuilt) return;
  await rm(stamp, { force: true });
  await run(command, environment, isQuiet);
  if (staged !== undefined) await putInPlace(staged);
  await writeFile(stamp, state);
}

async function putInPlace({ from, to }: { from: string; to: string }): Promise<void> {
  const former = join(root, `${to}-old`);
  await rm(former, { recursive: true, force: true });
  if (existsSync(join(root, to))) await rename(join(root, to), former);
  await rename(join(root, from), join(root, to));
  await rm(former, { recursive: true, force: true });
}

/** SHA-256 of the names and contents of all files. */
async function hashOf(sources: readonly string[]): Promise<string> {
  const paths = await Promise.all(sources.map((source) => filesOf(source)));
  const files = await Promise.all(
    paths.flat().map(async (path) => `${path} ${hash('sha256', await readFile(join(root, path)))}`),
  );
  return hash('sha256', files.join('\n'));
}

async function filesOf(source: string): Promise<string[]> {
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [source];
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((path) => path.slice(root.length + 1)).toSorted();
}

async function run(
  [command, ...given]: readonly [string, ...string[]],
  environment = {},
  isQuiet = false,
): Promise<void> {
  // Programs of packages are found as npm finds them, also where no npm script has set the path.
  const path = `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  const child = spawn(command, given, {
    cwd: root,
    stdio: ['inherit', isQuiet ? 'ignore' : 'inherit', 'inherit'],
    env: { ...process.env, PATH: path, ...environment },
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  if (code !== 0) throw new Error(`${command} failed (${String(code)})`);
}

// An entry of the built product whose start fails.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runEnvironment } from './support/run-environment.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const secrets = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: '0123456789abcdef'.repeat(4) };

/** @returns the entry's output on stderr, after it has ended with 1 */
export async function failureOf(entry: string, environment: Record<string, string>): Promise<string> {
  const env = { ...runEnvironment, NODE_ENV: 'development', HOST: '127.0.0.1', ...secrets, ...environment };
  const started = promisify(execFile)(process.execPath, [`dist/${entry}.js`], { cwd: root, env, timeout: 100_000 });
  const { code, stderr } = await started.then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
  expect(code).toBe(1);
  return stderr;
}

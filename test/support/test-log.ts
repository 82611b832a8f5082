// What the suite's applications log, in a folder of the run, and the secrets that they were given meanwhile. log-search.ts looks for
// the one in the other when the run ends.

import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Set by the global setup; unset for benches, whose logs nobody keeps. */
export const logFolderVariable = 'LEADWIRE_TEST_LOG_FOLDER';
/** In the folder: a JSON text a line. */
export const secretsFileName = 'secrets';

const testsFolder = fileURLToPath(new URL('..', import.meta.url));
/** What is shorter cannot be told from other text. */
const minSecretLength = 8;
const secretNames = /(?:SECRET|TOKEN|KEY)(?:_PREVIOUS)?$/;
const noted = new Set<string>();
/** Kept: a line may still come when Jest has taken its globals away. */
let logName: string | undefined;

/** Keeps the line under the name of the test file that is running. */
export function keepLogLine(line: string): void {
  const folder = process.env[logFolderVariable];
  if (folder === undefined) return;
  appendFileSync(join(folder, logFileName()), line.endsWith('\n') ? line : `${line}\n`);
}

/** In the folder: what the applications of the running test file log. */
export function logFileName(): string {
  logName ??= `${relative(testsFolder, expect.getState().testPath ?? 'unknown').replaceAll(/[\\/]/g, '.')}.log`;
  return logName;
}

/** No line of the run's logs may hold it, before this moment or after. Of 8 characters at least: others are left out. */
export function noteSecret(secret: string): void {
  const folder = process.env[logFolderVariable];
  if (folder === undefined || secret.length < minSecretLength || noted.has(secret)) return;
  noted.add(secret);
  appendFileSync(join(folder, secretsFileName), `${JSON.stringify(secret)}\n`);
}

/** Those among an application's settings, passwords in URLs included. */
export function noteSecretsOf(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (secretNames.test(name)) noteSecret(value);
    else if (URL.canParse(value)) noteSecret(decodeURIComponent(new URL(value).password));
  }
}

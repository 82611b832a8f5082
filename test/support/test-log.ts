// Keeps the logs of the suite's applications in a folder of the run, and the secrets that they received. At the end of the run,
// log-search.ts looks for these secrets in the logs.

import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Set by the global setup; unset for benches, whose logs are not kept. */
export const logFolderVariable = 'LEADWIRE_TEST_LOG_FOLDER';
/** A file in the folder, with one JSON text a line. */
export const secretsFileName = 'secrets';

const testsFolder = fileURLToPath(new URL('..', import.meta.url));
/** A shorter secret cannot be told from other text. */
const minSecretLength = 8;
const secretNames = /(?:SECRET|TOKEN|KEY)(?:_PREVIOUS)?$/;
const noted = new Set<string>();
/** Kept in a variable: a line may still arrive after Jest has taken its globals away. */
let logName: string | undefined;

/** Keeps the line under the name of the test file that is running. */
export function keepLogLine(line: string): void {
  const folder = process.env[logFolderVariable];
  if (folder === undefined) return;
  appendFileSync(join(folder, logFileName()), line.endsWith('\n') ? line : `${line}\n`);
}

/** Reads what the applications of the running test file have logged. */
export function readLog(): Promise<string> {
  return readFile(join(process.env[logFolderVariable] ?? '', logFileName()), 'utf8');
}

/** The name of the running test file's log in the folder. */
export function logFileName(): string {
  logName ??= `${relative(testsFolder, expect.getState().testPath ?? 'unknown').replaceAll(/[\\/]/g, '.')}.log`;
  return logName;
}

/**
 * Records a secret that no line of the run's logs may hold, before this moment or after. Secrets of fewer than 8 characters are left out.
 */
export function noteSecret(secret: string): void {
  const folder = process.env[logFolderVariable];
  if (folder === undefined || secret.length < minSecretLength || noted.has(secret)) return;
  noted.add(secret);
  appendFileSync(join(folder, secretsFileName), `${JSON.stringify(secret)}\n`);
}

/** Records the secrets among an application's settings, passwords in URLs included. */
export function noteSecretsOf(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (secretNames.test(name)) noteSecret(value);
    else if (URL.canParse(value)) noteSecret(decodeURIComponent(new URL(value).password));
  }
}

// Looks for secrets in the logs of a run: those that the suite used, and any text that has the shape of a secret. A finding names the place
// and the kind, and never repeats the secret.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Leak {
  /** `<path>:<line>`, lines from 1. */
  place: string;
  kind: string;
}

/** Known shapes of secrets. The product's redaction has patterns of its own, so that neither list is judged by itself. */
const shapes: Record<string, RegExp> = {
  'an API key': /\blw_[\w-]{20,}/,
  'a JSON Web Token': /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/,
  'the credentials of an Authorization header': /\b(?:Bearer|Basic) +(?!\[redacted\])[\w.~+/=-]{8,}/,
  'a signature': /\bsha(?:256|512)=[\da-f]{32,}/i,
  'a password in a URL': /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@"\\]*:[^\s/@"\\]+@/i,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a field of a secret name':
    /\\*"[\w-]*(?:authorization|cookie|password|secret|token|api[-_]?key|tenant[-_]?key|signature)\\*":\\*"(?!\[redacted\]|\\*")/i,
};

/** @param folder the folder of test-log.ts: `*.log`, and a file of secrets, which may be missing */
export async function findLeaks(folder: string, secretsFileName: string): Promise<Leak[]> {
  const secrets = await readSecrets(join(folder, secretsFileName));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).toSorted();
  const leaks: Leak[] = [];
  for (const name of names)
    leaks.push(...findIn(join(folder, name), await readFile(join(folder, name), 'utf8'), secrets));
  return leaks;
}

/** A sentence for each leak, or for the first 20 of them. */
export function describeLeaks(leaks: readonly Leak[]): string {
  const told = leaks.slice(0, 20).map(({ place, kind }) => `${place}: ${kind}`);
  const rest = leaks.length > told.length ? [`and ${leaks.length - told.length} more`] : [];
  return ['Secrets stand in what the tests have logged:', ...told, ...rest].join('\n');
}

function findIn(path: string, text: string, secrets: readonly string[]): Leak[] {
  const used = secrets.filter((secret) => text.includes(secret));
  const kinds = Object.entries(shapes).filter(([, shape]) => shape.test(text));
  if (used.length === 0 && kinds.length === 0) return [];
  return text.split('\n').flatMap((line, index) => {
    const place = `${path}:${index + 1}`;
    const shaped = kinds.filter(([, shape]) => shape.test(line)).map(([kind]) => ({ place, kind }));
    return used.some((secret) => line.includes(secret))
      ? [...shaped, { place, kind: 'a secret that the suite used' }]
      : shaped;
  });
}

// Reads each secret in two forms: plain, and escaped as within JSON.
async function readSecrets(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const secrets = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string);
  return [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
}

// Values that stand in files, as Docker and Kubernetes hand out secrets: NAME_FILE is the path of a file with the value of NAME.

import { readFileSync } from 'node:fs';
import { configVariables } from './variables.js';

/** A variable that is missing or wrong. */
export interface ConfigProblem {
  readonly name: string;
  readonly sentence: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const suffix = '_FILE';
const maxBytes = 64 * 1024;

/** The environment with the values of its files, and a sentence for each file that cannot be used. */
export function withFiles(environment: Environment): { environment: Environment; problems: ConfigProblem[] } {
  const filled: Record<string, string | undefined> = { ...environment };
  const problems: ConfigProblem[] = [];
  for (const name of Object.keys(configVariables)) {
    const path = environment[`${name}${suffix}`];
    if (path === undefined || path === '') continue;
    if (environment[name]) {
      problems.push({ name, sentence: `${name} and ${name}${suffix} are both set: remove one.` });
      continue;
    }
    try {
      filled[name] = readValue(path);
    } catch (error) {
      const { message } = error as Error;
      problems.push({ name, sentence: `${name}${suffix} names a file that cannot be used: ${message}.` });
    }
  }
  return { environment: filled, problems };
}

/** Reads a value without the line break that editors put at the end. */
function readValue(path: string): string {
  const content = readFileSync(path);
  if (content.length > maxBytes) throw new Error(`it has more than ${maxBytes / 1024} KiB`);
  const value = content.toString('utf8').replace(/\r?\n$/, '');
  if (value === '') throw new Error('it is empty');
  return value;
}

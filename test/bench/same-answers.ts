// Checks that two servers answer a call with the same content, apart from the ids that each made and the times.

import { isDeepStrictEqual } from 'node:util';
import type { LoadRequest } from './load.js';

const id = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

export interface AskedServer {
  name: string;
  url: string;
  /** The calls, one after the other; each server gets the same ones under its own key. */
  calls: readonly LoadRequest[];
}

/** @throws Error when a server answers a call with another status or other content than the first */
export async function confirmSameAnswers(path: string, servers: readonly AskedServer[]): Promise<void> {
  const answers = await Promise.all(servers.map((server) => askAll(path, server)));
  for (const [index, { name }] of servers.entries()) {
    const [own, first] = [answers[index], answers[0]];
    if (!isDeepStrictEqual(own, first))
      throw new Error(`${name} answers ${JSON.stringify(own)}, the first one ${JSON.stringify(first)}.`);
  }
}

async function askAll(path: string, { url, calls }: AskedServer): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { headers, body } of calls) {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    answers.push({ status: response.status, body: contentOf(await response.json()) });
  }
  return answers;
}

/** The value with a placeholder for each id and each time. */
export function contentOf(value: unknown): unknown {
  if (typeof value === 'string') return id.test(value) ? 'an id' : time.test(value) ? 'a time' : value;
  if (Array.isArray(value)) return value.map(contentOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, contentOf(part)]));
}

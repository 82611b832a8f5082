// Asks DNS for the addresses of names that anybody may have entered. The system's look-up is not used: it takes one of the
// process's four threads for as long as DNS is silent. A few names of a dead server would hold up everybody else's.

import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Resolve } from './outbound-address-policy.js';

export interface NameResolverOptions {
  /** The time in milliseconds that one question waits for its answer before it is asked again. The second time it waits twice as long. */
  timeoutMs: number;
  /** `address:port` of the servers to ask; the system's where none are given. */
  servers?: readonly string[];
}

const tries = 2;
// Some networks drop questions for one kind of address. Once there is an address of the other kind, this is the longest wait for it.
const secondKindMs = 500;

/** The answer of DNS for one kind of address. */
interface Answer {
  addresses: LookupAddress[];
  isUnknown: boolean;
}

const noAnswer: Answer = { addresses: [], isUnknown: false };

// Addresses are kept for this time, so that few of the many calls to one name ask DNS. A record that changes counts within this time.
const keptMs = 10_000;
// A name without an address may get one, and a silent server may come back.
const missKeptMs = 2_000;
const maxKeptNames = 1_000;

/**
 * Fails with the code ENOTFOUND for a name that DNS does not know, and with EAI_AGAIN where it does not answer. Each name has one question
 * at a time. Its addresses hold for 10 s, and the answer that there are none for 2 s. Does not read /etc/hosts.
 */
export function createNameResolver({ timeoutMs: timeout, servers }: NameResolverOptions): Resolve {
  const resolver = new Resolver({ timeout, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const names = new LRUCache<string, Found>({
    max: maxKeptNames,
    ttl: keptMs,
    // The look-up goes on for a name that falls out of the cache while DNS is asked.
    ignoreFetchAbort: true,
    fetchMethod: async (name, _stale, { options }) => {
      const found = await findAddresses(resolver, name);
      if (found.error !== null) options.ttl = missKeptMs;
      return found;
    },
  });
  return (hostname, _options, callback) => {
    const tell = ({ error, addresses }: Found) => callback(error === null ? null : noAddress(error), [...addresses]);
    void names.forceFetch(hostname.toLowerCase()).then(tell);
  };
}

interface Found {
  error: 'ENOTFOUND' | 'EAI_AGAIN' | null;
  addresses: readonly LookupAddress[];
}

/** Never rejects. */
async function findAddresses(resolver: Resolver, hostname: string): Promise<Found> {
  const four = ask(resolver.resolve4(hostname), 4);
  const six = ask(resolver.resolve6(hostname), 6);
  const answers = await Promise.all([orWithout(four, six), orWithout(six, four)]);
  const addresses = answers.flatMap((answer) => answer.addresses);
  if (addresses.length > 0) return { error: null, addresses };
  return { error: answers.every((answer) => answer.isUnknown) ? 'ENOTFOUND' : 'EAI_AGAIN', addresses };
}

async function ask(question: Promise<string[]>, family: 4 | 6): Promise<Answer> {
  try {
    return { addresses: (await question).map((address) => ({ address, family })), isUnknown: false };
  } catch (error) {
    return { addresses: [], isUnknown: saysUnknown(error) };
  }
}

/** The answer, or none where the other kind has brought addresses and this one keeps waiting. */
async function orWithout(answer: Promise<Answer>, other: Promise<Answer>): Promise<Answer> {
  const { addresses } = await Promise.race([answer, other]);
  if (addresses.length === 0) return answer;
  const patience = new AbortController();
  try {
    return await Promise.race([answer, delay(secondKindMs, noAnswer, { signal: patience.signal })]);
  } finally {
    patience.abort();
  }
}

function noAddress(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error('the name has no address'), { code });
}

function saysUnknown(reason: unknown): boolean {
  const { code } = Object(reason) as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

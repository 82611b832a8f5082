// Asks DNS for the addresses of names that anybody may have entered. Not by the system's look-up, which takes one of the process's four
// threads for as long as DNS is silent: a few names of a dead server would hold up everybody else's.

import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Resolve } from './gateway-address.js';

export interface NameResolverOptions {
  /** How long one question waits for its answer, in milliseconds, before it is asked again; the second time it waits twice as long. */
  timeoutMs: number;
  /** `address:port` of the servers to ask; the system's where none are given. */
  servers?: readonly string[];
}

const tries = 2;

/** Fails with the code ENOTFOUND for a name that DNS does not know, and with EAI_AGAIN where it does not answer. */
export function createNameResolver({ timeoutMs: timeout, servers }: NameResolverOptions): Resolve {
  const resolver = new Resolver({ timeout, tries });
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname, _options, callback) => void tellAddresses(resolver, hostname, callback);
}

async function tellAddresses(resolver: Resolver, hostname: string, tell: Parameters<Resolve>[2]): Promise<void> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = answers.flatMap((answer, index): LookupAddress[] =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  const isUnknown = answers.every((answer) => answer.status === 'fulfilled' || saysUnknown(answer.reason));
  tell(found.length > 0 ? null : noAddress(isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN'), found);
}

function noAddress(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error('the name has no address'), { code });
}

function saysUnknown(reason: unknown): boolean {
  const { code } = Object(reason) as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

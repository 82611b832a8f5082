// Judges which addresses (gateways, webhook endpoints) tenants may have us call: public ones, and those that the administrator has allowed.
// A URL is judged when it is stored and again when it is called. A name is also judged by what DNS gives at that moment, as its tenant
// could point it inwards afterwards. Calling is left to others.

import { lookup as lookupSystem, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Finds the addresses of a name, all of them. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

export interface OutboundAddressOptions {
  /** Host names, IP addresses and CIDR ranges that may be called although they are not public. */
  allowedHosts: readonly string[];
  /** True if this machine itself may be called. */
  allowLoopback: boolean;
  /** The variable that `allowedHosts` comes from, for sentences; GATEWAY_ALLOWED_HOSTS where none is given. */
  setting?: string;
  /** Asks DNS; the system's resolver where none is given. */
  resolve?: Resolve;
  /** Asks DNS for names that are not on the list; `resolve` where none is given. */
  resolveUnlisted?: Resolve;
}

/** Every address that a name leads to is refused. Holds no address: a tenant must not learn what our DNS knows. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [base: Address, bits: number];

// All that IANA has given out for unicast.
const globalUnicast = ipaddr.parseCIDR('2000::/3');
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

const loopbackAddresses: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** Resolves loopback names without DNS (RFC 6761, section 6.3). */
const resolveLoopback: Resolve = (_hostname, _options, callback) => process.nextTick(callback, null, loopbackAddresses);

const loopbackName = /^(?:.+\.)?localhost$/;
// A name without a dot is only ever known inside of a network.
const internalName = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

export class OutboundAddressPolicy {
  private readonly allowedNames: ReadonlySet<string>;
  private readonly allowedRanges: readonly Range[];
  private readonly notPublic: string;

  constructor(private readonly options: OutboundAddressOptions) {
    const isRange = (entry: string) => isIP(entry.replace(/\/\d+$/, '')) !== 0;
    const { allowedHosts, setting = 'GATEWAY_ALLOWED_HOSTS' } = options;
    this.notPublic = `has to be a public address: a private one has to be on ${setting}`;
    this.allowedNames = new Set(allowedHosts.filter((entry) => !isRange(entry)).map(canonicalName));
    this.allowedRanges = allowedHosts.filter(isRange).map(rangeOf);
  }

  /** @returns what is wrong with calling this URL, as far as the URL itself tells; undefined where nothing is */
  checkUrl(url: string): string | undefined {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return 'has to be an http or https URL';
    const host = hostOf(parsed);
    const isPermitted = isIP(host) === 0 ? this.permitsName(host) : this.permitsAddress(host);
    return isPermitted ? undefined : this.notPublic;
  }

  /** True if the URL's host, as it is written, may be called by the operator's leave alone. */
  isSpeciallyAllowed(url: URL): boolean {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.isAllowedAddress(host);
    return this.isAllowedName(host) || (this.options.allowLoopback && loopbackName.test(canonicalName(host)));
  }

  /**
   * Looks a host name up for a connection, and gives the addresses that may be called. Fails with AddressRefusedError where none of them
   * may.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolverOf(hostname)(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const permitted = this.isAllowedName(hostname)
        ? found
        : found.filter((entry) => this.permitsAddress(entry.address));
      const [first] = permitted;
      if (first === undefined) callback(new AddressRefusedError(this.notPublic), '');
      else if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };

  // The operator has listed the name: the system knows more than DNS of it.
  private resolverOf(hostname: string): Resolve {
    const { resolve = lookupSystem, resolveUnlisted = resolve } = this.options;
    if (loopbackName.test(canonicalName(hostname))) return resolveLoopback;
    return this.isAllowedName(hostname) ? resolve : resolveUnlisted;
  }

  // A public-looking name may still lead inwards: `lookup` sees to that.
  private permitsName(name: string): boolean {
    if (this.isAllowedName(name)) return true;
    const canonical = canonicalName(name);
    if (loopbackName.test(canonical)) return this.options.allowLoopback;
    return !internalName.test(canonical);
  }

  private isAllowedName(name: string): boolean {
    return this.allowedNames.has(canonicalName(name));
  }

  private permitsAddress(address: string): boolean {
    return this.isAllowedAddress(address) || isPublic(ipaddr.process(address));
  }

  private isAllowedAddress(written: string): boolean {
    const address = ipaddr.process(written);
    if (this.options.allowLoopback && address.range() === 'loopback') return true;
    return this.allowedRanges.some((range) => isIn(address, range));
  }
}

// The URL parser has turned octal, hexadecimal and shortened writings into dotted decimals.
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  // An address that NAT64 translates is judged by the address behind it.
  if (isIn(address, nat64)) return isPublic(ipaddr.fromByteArray(address.toByteArray().slice(12)));
  return isIn(address, globalUnicast) && address.range() === 'unicast';
}

function isIn(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function rangeOf(entry: string): Range {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

// Asks DNS for the addresses of names that anybody may have entered. The system's look-up is not used: it takes one of the
// process's four threads for as long as DNS is silent. A few names of a dead server would hold up everybody else's.

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

// Judges which addresses (gateways, webhook endpoints) tenants may have us call: public ones, and those that the administrator has allowed.
// A URL is judged when it is stored and again when it is called. A name is also judged by what DNS gives at that moment, as its tenant
// could point it inwards afterwards. Calling is left to others.

import { lookup as lookupSystem, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

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

// Which writings of an address mean one gateway. For the rule that a name at the shared gateway is one tenant's; where a token may go is
// judged by the exact address.

import { isIPv4 } from 'node:net';
import { isLoopback } from '../../config/value-formats.js';

const loopback = 'localhost';
const mappedAddress = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * Equal for all writings of one address, as far as that can be told without DNS: letter case, a dot at the host's end, forms of an IP
 * address, names and addresses of this machine, the scheme where the port is its usual one, slashes and encodings in the path.
 */
export function placeOf(url: string): string {
  const { port, pathname } = new URL(url);
  const path = pathname
    .replace(/%[0-9a-f]{2}/gi, decoded)
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
  return `${hostOf(url)}:${port}${path}`;
}

/** `LIKE` patterns that every address of that place fits, as it is stored; others may fit too. */
export function patternsOf(url: string): string[] {
  const host = hostOf(url);
  if (host === loopback) return ['%localhost%', '%//127.%', '%//0.0.0.0%', '%//[::%'];
  const literal = `%//${host.replace(/[\\%_]/g, '\\$&')}%`;
  return isIPv4(host) ? [literal, '%//[::ffff:%'] : [literal];
}

function hostOf(url: string): string {
  const host = new URL(url).hostname.replace(/\.$/, '');
  const [, high, low] = mappedAddress.exec(host) ?? [];
  const name =
    high === undefined || low === undefined ? host : dotted(Number.parseInt(high, 16), Number.parseInt(low, 16));
  // Connecting to no address in particular connects to this machine.
  const isHere = isLoopback(name) || name.endsWith('.localhost') || name === '0.0.0.0' || name === '[::]';
  return isHere ? loopback : name;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function decoded(code: string): string {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : code.toUpperCase();
}

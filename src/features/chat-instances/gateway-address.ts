// Tells whether two addresses of gateways mean one place, in whatever form they are written.

import { isIPv4 } from 'node:net';
import { isLoopback } from '../../config/value-formats.js';

const loopback = 'localhost';
const mappedAddress = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * Returns the same text for all ways to write one address, as far as that is known without DNS. In the host, it evens out letter case, a
 * dot at the end, forms of an IP address, and names and addresses of this machine. It also evens out a scheme's usual port, and slashes and
 * encodings in the path.
 */
export function placeOf(url: string): string {
  const { port, pathname } = new URL(url);
  const path = pathname
    .replace(/%[0-9a-f]{2}/gi, decoded)
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
  return `${hostOf(url)}:${port}${path}`;
}

/** Returns `LIKE` patterns that match every stored way to write this address; they may match others too. */
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
  // Connecting to the unspecified address reaches this machine.
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

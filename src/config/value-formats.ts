// The formats of environment variables, with the values that are refused. Their meanings are in variables.ts.

import { createECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';

export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const secret = (minLength: number) =>
  z.string().min(minLength, `has to be at least ${minLength} characters long`);
export const encryptionKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'has to be 32 bytes written as 64 hexadecimal digits')
  .transform((digits) => Buffer.from(digits, 'hex'));
/** The private half of a key pair of Web Push, on the curve P-256. */
export const pushKey = z
  .string()
  .regex(/^[\w-]{43}$/, 'has to be 32 bytes written as 43 characters of Base64 for URLs')
  .refine(isPrivateKey, 'has to be a private key of the curve P-256');
export const contactUrl = z
  .string()
  .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'has to be a mailto: address or an https URL');
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
export const hosts = list.refine(
  (entries) => entries.every(isHost),
  'has to name hosts, IP addresses or CIDR ranges, without ports, separated by commas (`gateway.internal,10.1.0.0/16`)',
);
/** Origins in the form in which browsers send them: `https://app.example`, or one of an application's own scheme. */
export const origins = list
  .refine(
    (entries) => entries.every((entry) => originOf(entry) !== undefined),
    'has to name origins such as `https://app.example`, without a path, separated by commas; `*` is none',
  )
  .transform((entries) => entries.flatMap((entry) => originOf(entry) ?? []));
export const headerToken = z
  .string()
  .regex(
    /^[\x21-\x7E]+(?: +[\x21-\x7E]+)*$/,
    'has to consist of printable ASCII characters, without blanks at its ends',
  );
export const postgresUrls = list.refine(
  (urls) => urls.every((url) => z.url({ protocol: /^postgres(ql)?$/ }).safeParse(url).success),
  'has to be postgresql:// URLs, separated by commas',
);
export const redisUrls = z
  .string()
  .refine(
    (urls) => urls.split(',').every((url) => z.url({ protocol: /^rediss?$/ }).safeParse(url.trim()).success),
    'has to be a redis:// URL, or several, separated by commas',
  );
export const httpUrl = z.url({ protocol: /^https?$/, error: 'has to be an http or https URL' }).refine(
  // Refinements also run on values that are not URLs.
  (url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''),
  'has to come without credentials in it',
);
/** The address of an API, to which paths are appended. */
export const apiUrl = httpUrl.refine((url) => !/[?#]/.test(url), 'has to come without query or fragment');
export const issuerUrl = httpUrl.refine(
  isIssuer,
  'has to be an https URL (http only on loopback) without query or fragment',
);

export const headerList = list
  .refine((pairs) => pairs.every(isHeader), 'has to be `name=value` pairs of HTTP headers, separated by commas')
  .transform((pairs) => Object.fromEntries(pairs.map(headerOf)));

/** Returns whether Express accepts the value as `trust proxy`. */
export function isProxyList(value: false | number | string): boolean {
  if (typeof value !== 'string') return true;
  const named = new Set(['loopback', 'linklocal', 'uniquelocal']);
  return value.split(',').every((entry) => {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    if (named.has(entry.trim())) return true;
    const bits = isIP(address) === 6 ? 128 : isIP(address) === 4 ? 32 : -1;
    return (
      bits > 0 && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
    );
  });
}

function isPrivateKey(written: string): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(written, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** Returns undefined where the entry is no origin. A slash at its end, capitals and the scheme's own port are no difference. */
function originOf(entry: string): string | undefined {
  if (entry === 'null') return entry;
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@\s*]+\/?$/i.test(entry) || !URL.canParse(entry)) return undefined;
  const { origin, protocol, host } = new URL(entry);
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

function isIssuer(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, search, hash } = new URL(url);
  return (protocol === 'https:' || isLoopback(hostname)) && search === '' && hash === '';
}

function headerOf(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.split('=');
  return [name.trim(), decodeURIComponent(value.join('=').trim())];
}

function isHeader(pair: string): boolean {
  try {
    const [name, value] = headerOf(pair);
    return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~]+$/.test(value);
  } catch {
    return false;
  }
}

// The last part of a name is never a number: such an entry is a mistyped address.
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+\.?$|0x)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;

function isHost(entry: string): boolean {
  const [, address = entry, prefix] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const bits = { 0: undefined, 4: 32, 6: 128 }[isIP(address)];
  return bits === undefined ? prefix === undefined && hostName.test(address) : Number(prefix ?? 0) <= bits;
}

/** Returns whether a URL's host is a loopback name or address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

// Finds out for a dry run in which way a call's signature differs from the expected one: it tests the known habits of senders.
// signature-check.ts decides which signatures are accepted.

import { createHash, createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonOf } from '../../platform/http/json-body.js';
import { isPlainObject } from '../../platform/input/input.js';
import { signatureMatches } from '../../platform/http/hmac-signature.js';
import { metaSignatureMatches } from '../../providers/meta/reported-call.js';
import type { OwnSignature } from '../../providers/provider.js';

/** Every way with its meaning. */
export const signatureDifferences = {
  missing: 'The header is missing.',
  form: 'The header is not `sha256=` and 64 lower-case hexadecimal digits; of WAHA: 128 such digits; of a form: what its lead source says.',
  algorithm: 'It was made with another algorithm, or without the secret.',
  time: 'The time of the call is missing, or lies too far from ours.',
  body: 'It fits another writing of the body: the body was changed after it was signed.',
  secret: 'It fits nothing that was tried: another secret, or another body.',
} as const;

export type SignatureDifference = keyof typeof signatureDifferences;

export interface SignatureComparison {
  /** The header's name in lower case. */
  header: string;
  /** The right value of the header: the current secret's signature of the bytes as they came. */
  expected: string;
  /** The header as it came, cut at 500 characters; null where it is missing. */
  given: string | null;
  /** Null where the signature is accepted. */
  differs: SignatureDifference | null;
  /** The advice to the sender, as a sentence. */
  detail: string | null;
}

/** A key that a call has within its body. It is never shown, neither the given one nor the expected one. */
export interface KeyComparison {
  /** The field of the body. */
  field: string;
  /** Null where the key is accepted. */
  differs: Extract<SignatureDifference, 'missing' | 'form' | 'secret'> | null;
  /** The advice to the sender, as a sentence. */
  detail: string | null;
}

export interface SignatureRule {
  header: string;
  algorithm: 'sha1' | 'sha256' | 'sha512';
  encoding: 'hex' | 'base64';
  /** The text in front of the expected digest. */
  prefix: string;
  /** The text that is signed in front of the body: the time of the call. */
  signedPrefix?: string;
  /** Extracts the digits from a header that says more. Left out where the whole header is the digits. */
  digitsIn?: (given: string) => string;
  /** The form of an accepted signature. */
  form: RegExp;
  /** The form in words, to follow "send". */
  shape: string;
  /** The accepted secrets, the current one first. None is empty. */
  secrets: readonly [string, ...string[]];
  /** True where a signature over `JSON.stringify` of the body is accepted as well. */
  takesJson: boolean;
  /** Returns whether the header is accepted. @param parse reads the body as JSON, where `takesJson` */
  matches: (secret: string, given: string, body: Buffer, parse: (() => unknown) | undefined) => boolean;
}

const spelled = {
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: 'sha256=',
  form: /^sha256=[0-9a-f]{64}$/,
  shape: 'sha256= and the 64 digits of the HMAC-SHA256, in lower-case hexadecimal',
} as const;

/** The rule of the gateway's paths. */
export function spelledRuleOf(secrets: SignatureRule['secrets']): SignatureRule {
  return { ...spelled, header: 'x-signature', secrets, takesJson: true, matches: signatureMatches };
}

/** The rule of Meta's calls. */
export function metaRuleOf(secret: string): SignatureRule {
  return {
    ...spelled,
    header: 'x-hub-signature-256',
    secrets: [secret],
    takesJson: false,
    matches: metaSignatureMatches,
  };
}

/** The rule of a provider whose calls are signed with the secret of their instance. */
export function ownRuleOf({ header, ...signature }: OwnSignature, secret: string): SignatureRule {
  return { ...signature, header: header.toLowerCase(), secrets: [secret], takesJson: false };
}

type Finding = Pick<SignatureComparison, 'differs' | 'detail'>;

const maxGivenLength = 500;
/** A larger body takes a few milliseconds for each writing, so other work gets its turn in between. */
const largeBytes = 32 * 1024;

/** Never rejects because of the given signature. */
export async function diagnoseSignature(
  rule: SignatureRule,
  given: string | undefined,
  body: Buffer,
): Promise<SignatureComparison> {
  const [secret] = rule.secrets;
  const header = given?.trim();
  const finding = await findDifference(rule, header, body);
  const shown = header === undefined ? null : header.slice(0, maxGivenLength);
  const digest = createHmac(rule.algorithm, secret)
    .update(rule.signedPrefix ?? '')
    .update(body)
    .digest(rule.encoding);
  return { header: rule.header, expected: `${rule.prefix}${digest}`, given: shown, ...finding };
}

async function findDifference(rule: SignatureRule, given: string | undefined, body: Buffer): Promise<Finding> {
  if (given === undefined || given === '')
    return { differs: 'missing', detail: `Send the header ${rule.header} with each call.` };
  const parsed = jsonOf(body);
  const parse = rule.takesJson ? () => parsed : undefined;
  if (rule.secrets.some((secret) => rule.matches(secret, given, body, parse))) return { differs: null, detail: null };
  const value = readValue(rule.digitsIn?.(given) ?? given);
  return (
    findOtherForm(rule, value, body, parsed) ??
    findOtherAlgorithm(rule, value, body) ??
    (await findOtherWriting(rule, value, body, parsed)) ??
    nothingFits(rule, given)
  );
}

const names = { sha1: 'HMAC-SHA1', sha256: 'HMAC-SHA256', sha512: 'HMAC-SHA512' } as const;
const hexadecimal = /^(?:[0-9a-f]{2})+$/i;
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** The digits of a signature without its prefix, in lower-case hexadecimal; undefined where it is none. */
function readValue(given: string): string | undefined {
  const value = given.replace(/^["']|["']$/g, '').replace(/^(?:hmac[-_]?)?sha-?\d{1,3}[=: ]\s*/i, '');
  if (hexadecimal.test(value)) return value.toLowerCase();
  return base64.test(value) ? Buffer.from(value, 'base64').toString('hex') : undefined;
}

function nothingFits({ form, shape }: SignatureRule, given: string): Finding {
  if (!form.test(given)) return { differs: 'form', detail: `Send ${shape}.` };
  return {
    differs: 'secret',
    detail: 'Check the secret of the sender, and that nothing on the way changes the body.',
  };
}

// Finds the right digits in another form.
function findOtherForm(rule: SignatureRule, value: string | undefined, body: Buffer, parsed: unknown) {
  const json = rule.takesJson && parsed !== undefined ? [JSON.stringify(parsed)] : [];
  const isRight = rule.secrets.some((secret) =>
    [body, ...json].some((signed) => digitsOf(rule, secret, signed) === value),
  );
  if (!isRight) return undefined;
  const detail = `Its value is right. Write it as ${rule.shape}.`;
  return { differs: 'form', detail } as const;
}

function findOtherAlgorithm(
  { secrets, algorithm: own, signedPrefix = '' }: SignatureRule,
  value: string | undefined,
  body: Buffer,
): Finding | undefined {
  for (const algorithm of ['sha1', 'sha256', 'sha384', 'sha512', 'md5'].filter((each) => each !== own))
    if (
      secrets.some((secret) => createHmac(algorithm, secret).update(signedPrefix).update(body).digest('hex') === value)
    )
      return { differs: 'algorithm', detail: `It is the HMAC with ${algorithm.toUpperCase()}: use ${names[own]}.` };
  const hashed = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  };
  if (hashed(body) === value)
    return { differs: 'algorithm', detail: `It is the SHA-256 of the body without the secret: use ${names[own]}.` };
  if (secrets.some((secret) => [hashed(secret, body), hashed(body, secret)].includes(value ?? '')))
    return { differs: 'algorithm', detail: `It is the SHA-256 of secret and body together: use ${names[own]}.` };
  return undefined;
}

async function findOtherWriting(
  rule: SignatureRule,
  value: string | undefined,
  body: Buffer,
  parsed: unknown,
): Promise<Finding | undefined> {
  for (const { what, text } of writingsOf(body, parsed)) {
    if (body.length > largeBytes) await nextTurn();
    const written = text();
    if (rule.secrets.some((secret) => digitsOf(rule, secret, written) === value)) {
      const detail = `It signs the body ${what}. Sign the bytes that you send, and let nothing write them again.`;
      return { differs: 'body', detail };
    }
  }
  return undefined;
}

function digitsOf({ algorithm, signedPrefix = '' }: SignatureRule, secret: string, content: Buffer | string): string {
  return createHmac(algorithm, secret).update(signedPrefix).update(content).digest('hex');
}

interface Writing {
  /** The writing in words, to follow "the body". */
  what: string;
  text: () => string;
}

function writingsOf(body: Buffer, parsed: unknown): Writing[] {
  const text = body.toString('utf8');
  const ends: Writing[] = [
    { what: 'with a line feed at its end', text: () => `${text}\n` },
    { what: 'with CR LF at its end', text: () => `${text}\r\n` },
    { what: 'without white space around it', text: () => text.trim() },
    { what: 'with CR LF for each line feed', text: () => text.replaceAll(/\r?\n/g, '\r\n') },
    { what: 'with a line feed for each CR LF', text: () => text.replaceAll('\r\n', '\n') },
    { what: 'without its byte order mark', text: () => text.replace(/^\uFEFF/, '') },
    { what: 'as if it were empty', text: () => '' },
  ];
  if (parsed === undefined) return ends;
  const minified = () => JSON.stringify(parsed);
  return [
    { what: 'minified, as JSON.stringify writes it', text: minified },
    { what: 'minified, with a line feed at its end', text: () => `${minified()}\n` },
    ...ends,
    { what: 'indented by two blanks', text: () => JSON.stringify(parsed, null, 2) },
    { what: 'indented by four blanks', text: () => JSON.stringify(parsed, null, 4) },
    { what: 'indented by tabs', text: () => JSON.stringify(parsed, null, '\t') },
    { what: 'minified, with letters beyond ASCII escaped', text: () => escapeLetters(minified()) },
    {
      what: 'minified, with slashes and letters beyond ASCII escaped, as PHP writes it',
      text: () => escapeLetters(minified()).replaceAll('/', String.raw`\/`),
    },
    { what: 'with blanks behind commas and colons, as Python writes it', text: () => escapeLetters(spaced(parsed)) },
    { what: 'with blanks behind commas and colons', text: () => spaced(parsed) },
    { what: 'minified, with its fields in alphabetical order', text: () => JSON.stringify(sorted(parsed)) },
  ];
}

function escapeLetters(json: string): string {
  return json.replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON on one line, with a blank behind each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`);
  return `{${fields.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

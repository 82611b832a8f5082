// The signature of a form's calls: an HMAC over the body, alone or behind the time of the call. The time stands in a header of its own, or
// beside the signature as `t=…,v1=…`.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacAlgorithm, HmacEncoding, HmacScheme } from '../lead-source.schema.js';

/** Returns a header's value by its name. */
export type Header = (name: string) => string | undefined;

export interface FormSignature {
  header: string;
  algorithm: HmacAlgorithm;
  encoding: HmacEncoding;
  secret: string;
  scheme: HmacScheme;
  /** The header of the time; undefined if the time stands in `header`, as `t=…`. */
  timestampHeader: string | undefined;
  /** The largest difference between the call's time and this machine's, in seconds. */
  toleranceSeconds: number;
}

/** The part of a proof that is wrong, with a sentence for the sender. */
export interface ProofFault {
  part: 'missing' | 'time' | 'signature';
  detail: string;
}

/** The proof in a call's headers. Missing headers leave empty values. */
export interface WrittenProof {
  /** The time's text as it was sent, because it is signed too. */
  timestamp: string | undefined;
  /** The signatures. A sender that changes its secret signs with both secrets for a while. */
  signatures: readonly string[];
}

const maxHeaderLength = 4_096;
const maxSignatures = 10;
const separators: Record<HmacScheme, string> = { BODY: '', TIMESTAMP_DOT_BODY: '.', TIMESTAMP_COLON_BODY: ':' };
const digestForms: Record<HmacEncoding, RegExp> = { hex: /^[\da-f]+$/i, base64: /^[\w+/-]+={0,2}$/ };
/** The smallest time that is read as milliseconds. In seconds, it would be the year 5138. */
const leastMilliseconds = 1e11;

export function readProof(signature: FormSignature, header: Header): WrittenProof {
  const value = header(signature.header)?.trim().slice(0, maxHeaderLength) ?? '';
  if (signature.scheme === 'BODY') return { timestamp: undefined, signatures: listed(value) };
  if (signature.timestampHeader !== undefined)
    return {
      timestamp: header(signature.timestampHeader)?.trim() ?? '',
      signatures: listed(value.replace(/^v1=/, '')),
    };
  const parts = value.split(',').map((part) => part.trim());
  const named = (name: string) =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
  return { timestamp: named('t')[0] ?? '', signatures: named('v1').slice(0, maxSignatures) };
}

const listed = (value: string) => (value === '' ? [] : [value]);

/** Returns the bytes that are signed in front of the body. */
export function signedPrefix({ scheme }: Pick<FormSignature, 'scheme'>, { timestamp }: WrittenProof): string {
  return scheme === 'BODY' ? '' : `${timestamp ?? ''}${separators[scheme]}`;
}

/** Returns the first fault in the headers alone; undefined if there is none. */
export function faultOfHeaders(signature: FormSignature, header: Header, nowMs = Date.now()): ProofFault | undefined {
  const { header: name, scheme, timestampHeader, toleranceSeconds } = signature;
  const proof = readProof(signature, header);
  const isJoined = scheme !== 'BODY' && timestampHeader === undefined;
  if (header(name) === undefined) return { part: 'missing', detail: `${name} is missing` };
  if (proof.signatures.length === 0)
    return { part: 'missing', detail: isJoined ? `${name} has no v1=…` : `${name} is empty` };
  if (scheme === 'BODY') return undefined;
  const place = timestampHeader ?? `t=… in ${name}`;
  if (proof.timestamp === '') return { part: 'missing', detail: `${place} is missing` };
  const timeMs = timeOf(proof.timestamp ?? '');
  if (timeMs === undefined) return { part: 'time', detail: `${place} is no time in seconds or milliseconds` };
  const seconds = Math.round((nowMs - timeMs) / 1_000);
  if (Math.abs(nowMs - timeMs) <= toleranceSeconds * 1_000) return undefined;
  const distance = seconds > 0 ? `${seconds} s old` : `${-seconds} s ahead`;
  return { part: 'time', detail: `${place} is ${distance}, and ${toleranceSeconds} s are allowed` };
}

/** Checks the headers and the signature of a call. @returns undefined if the call is genuine */
export function faultOfCall(
  signature: FormSignature,
  header: Header,
  body: Buffer,
  nowMs = Date.now(),
): ProofFault | undefined {
  const fault = faultOfHeaders(signature, header, nowMs);
  if (fault !== undefined) return fault;
  const proof = readProof(signature, header);
  const expected = createHmac(signature.algorithm, signature.secret)
    .update(signedPrefix(signature, proof))
    .update(body)
    .digest();
  if (proof.signatures.some((given) => isDigest(signature, given, expected))) return undefined;
  const signed = signature.scheme === 'BODY' ? 'the body' : 'the time and the body';
  return { part: 'signature', detail: `${signature.header} does not match ${signed}` };
}

// A value may begin with the name of the algorithm: `sha256=…`.
function isDigest({ algorithm, encoding }: FormSignature, given: string, expected: Buffer): boolean {
  const prefix = `${algorithm}=`;
  const value = given.toLowerCase().startsWith(prefix) ? given.slice(prefix.length) : given;
  if (!digestForms[encoding].test(value)) return false;
  const digest = Buffer.from(value, encoding);
  return digest.length === expected.length && timingSafeEqual(digest, expected);
}

function timeOf(written: string): number | undefined {
  if (!/^\d{1,16}$/.test(written)) return undefined;
  const value = Number(written);
  return value >= leastMilliseconds ? value : value * 1_000;
}

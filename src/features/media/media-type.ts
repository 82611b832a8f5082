// The type and kind of a file. The type is found by the first bytes, and compared with the declared type.

import { fileTypeFromBuffer } from 'file-type';
import type { MediaKind } from '../../providers/chat-gateway.js';

const unknownType = 'application/octet-stream';
const vector = 'image/svg+xml';
const pdf = 'application/pdf';
// Formats that hold other formats, whose type shows only further inside than the first bytes.
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);
// Networks take types under the names that are registered for them.
const registeredTypes: ReadonlyMap<string, string> = new Map([['audio/x-m4a', 'audio/mp4']]);
const mimeTypePattern = /^[a-z]+\/[\w!#$&^.+-]{1,80}$/;

/** Returns a type without its parameters, in lower case; undefined if the text is no type. */
export function baseTypeOf(written: string | null | undefined): string | undefined {
  const base = written?.split(';')[0]?.trim().toLowerCase();
  return base !== undefined && mimeTypePattern.test(base) ? base : undefined;
}

/** Returns the kind of a type. SVG is a document, because it may hold scripts. */
export function kindOf(mimeType: string): MediaKind {
  const base = baseTypeOf(mimeType);
  const family = familyOf(base ?? unknownType);
  return base !== vector && (family === 'image' || family === 'audio' || family === 'video') ? family : 'document';
}

/** True if a file of a known type is of the type that a network takes, its parameters included if the network names any. */
export function isTaken(mimeType: string, type: string): boolean {
  return mayBeTaken(mimeType, type) && (!type.includes(';') || compact(mimeType) === compact(type));
}

/** Compares types like `isTaken`, for a type that a person wrote: without parameters it may stand for the type with parameters. */
export function mayBeTaken(mimeType: string, type: string): boolean {
  return (
    baseTypeOf(mimeType) === baseTypeOf(type) &&
    (!mimeType.includes(';') || !type.includes(';') || compact(mimeType) === compact(type))
  );
}

function compact(mimeType: string): string {
  return mimeType.toLowerCase().replaceAll(/[\s"]/g, '');
}

/** True if browsers may show a file of this type instead of saving it. */
export function isShownInline(mimeType: string): boolean {
  return kindOf(mimeType) !== 'document' || baseTypeOf(mimeType) === pdf;
}

/**
 * Returns the type of a file by its content. The declared type is returned if it is more exact, or if the content has no known type.
 * @param head the first 4,100 bytes, or all of a shorter file
 * @returns null if the content contradicts the declared type
 */
export async function judgeType(head: Uint8Array, declared: string | null | undefined): Promise<string | null> {
  const wanted = baseTypeOf(declared) ?? unknownType;
  const { mime } = (await fileTypeFromBuffer(head).catch(() => undefined)) ?? {};
  const found = mime === undefined ? undefined : (registeredTypes.get(mime) ?? mime);
  if (wanted === vector) return isVector(head, found) ? vector : null;
  if (found === undefined) return isKnownByContent(wanted) ? null : wanted;
  return moreExact(found, wanted);
}

/** Returns the found type, or the wanted one if it says the same more exactly, or null for a contradiction. */
function moreExact(found: string, wanted: string): string | null {
  const base = baseTypeOf(found) ?? unknownType;
  if (wanted === unknownType || wanted === base) return found;
  const [family, wantedFamily] = [familyOf(base), familyOf(wanted)];
  if (family === 'image' && wantedFamily === 'image') return found;
  // A container of one format carries sound, pictures, or both.
  if (isTimed(family) && isTimed(wantedFamily)) return family === wantedFamily ? found : wanted;
  if (containers.has(base) && !isKnownByContent(wanted)) return wanted;
  return family === 'application' && wantedFamily === 'application' && wanted !== pdf ? found : null;
}

/** True for types that are shown inline: their content has to prove them. */
function isKnownByContent(type: string): boolean {
  return isShownInline(type);
}

function isVector(head: Uint8Array, found: string | undefined): boolean {
  return (found === undefined || found === 'application/xml') && Buffer.from(head).includes('<svg');
}

function isTimed(family: string): boolean {
  return family === 'audio' || family === 'video';
}

function familyOf(base: string): string {
  return base === 'application/ogg' ? 'audio' : (base.split('/')[0] ?? '');
}

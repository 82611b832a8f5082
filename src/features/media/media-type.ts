// What a file is: its type by its first bytes, held against the declared one, its kind, and how large files of a kind may be.

import { fileTypeFromBuffer } from 'file-type';
import type { MediaKind } from '../../clients/chat-gateway.js';

const mebibyte = 1024 * 1024;

/** The largest files of each kind, in bytes: those that we send, as Meta takes them, and those that leads send. */
export const maxFileBytes: Readonly<Record<MediaKind, { sent: number; received: number }>> = {
  image: { sent: 5 * mebibyte, received: 16 * mebibyte },
  audio: { sent: 16 * mebibyte, received: 64 * mebibyte },
  video: { sent: 16 * mebibyte, received: 100 * mebibyte },
  document: { sent: 100 * mebibyte, received: 100 * mebibyte },
};

/** The largest file of any kind. */
export const maxAnyFileBytes = 100 * mebibyte;

const unknownType = 'application/octet-stream';
const vector = 'image/svg+xml';
const pdf = 'application/pdf';
// Formats that others are made of: what is in them shows further inside than we look.
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);
// Networks take types under the names that are registered for them.
const registeredTypes: ReadonlyMap<string, string> = new Map([['audio/x-m4a', 'audio/mp4']]);
const mimeTypePattern = /^[a-z]+\/[\w!#$&^.+-]{1,80}$/;

/** A type without its parameters, in lower case; undefined where it is none. */
export function baseTypeOf(written: string | null | undefined): string | undefined {
  const base = written?.split(';')[0]?.trim().toLowerCase();
  return base !== undefined && mimeTypePattern.test(base) ? base : undefined;
}

/** SVG is a document: it may hold scripts. */
export function kindOf(mimeType: string): MediaKind {
  const base = baseTypeOf(mimeType);
  const family = familyOf(base ?? unknownType);
  return base !== vector && (family === 'image' || family === 'audio' || family === 'video') ? family : 'document';
}

/** Whether a file whose content is known is of a type, its parameters included where the type has any. */
export function isTaken(mimeType: string, type: string): boolean {
  return mayBeTaken(mimeType, type) && (!type.includes(';') || compact(mimeType) === compact(type));
}

/** As `isTaken`, for a type that somebody wrote: without parameters it may mean these. */
export function mayBeTaken(mimeType: string, type: string): boolean {
  return (
    baseTypeOf(mimeType) === baseTypeOf(type) &&
    (!mimeType.includes(';') || !type.includes(';') || compact(mimeType) === compact(type))
  );
}

function compact(mimeType: string): string {
  return mimeType.toLowerCase().replaceAll(/[\s"]/g, '');
}

/** Whether browsers may show it in place of saving it. */
export function isShownInline(mimeType: string): boolean {
  return kindOf(mimeType) !== 'document' || baseTypeOf(mimeType) === pdf;
}

/**
 * The type of a file by its content; the declared one where that is more exact, or where the content has no type that is known.
 * @param head its first 4,100 bytes, or all of it
 * @returns null where the content is not what was declared
 */
export async function judgeType(head: Uint8Array, declared: string | null | undefined): Promise<string | null> {
  const wanted = baseTypeOf(declared) ?? unknownType;
  const { mime } = (await fileTypeFromBuffer(head).catch(() => undefined)) ?? {};
  const found = mime === undefined ? undefined : (registeredTypes.get(mime) ?? mime);
  if (wanted === vector) return isVector(head, found) ? vector : null;
  if (found === undefined) return isKnownByContent(wanted) ? null : wanted;
  return moreExact(found, wanted);
}

/** What was found, what is wanted where that is the same in more exact words, or null for a contradiction. */
function moreExact(found: string, wanted: string): string | null {
  const base = baseTypeOf(found) ?? unknownType;
  if (wanted === unknownType || wanted === base) return found;
  const [family, wantedFamily] = [familyOf(base), familyOf(wanted)];
  if (family === 'image' && wantedFamily === 'image') return found;
  // One container carries sound, pictures, or both.
  if (isTimed(family) && isTimed(wantedFamily)) return family === wantedFamily ? found : wanted;
  if (containers.has(base) && !isKnownByContent(wanted)) return wanted;
  return family === 'application' && wantedFamily === 'application' && wanted !== pdf ? found : null;
}

/** Types that are shown inline: their content has to be what they say. */
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

// Reads the events of messages: `messages.upsert`, `send.message`, `messages.edited` and `messages.delete`. reported-content.ts reads the
// content of a message.

import { z } from 'zod';
import type { FieldError } from '../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../platform/input/input.js';
import type { ReadReport, ReportedMessage } from '../reported.js';
import { readContent, readProtocol, readTarget, type Change, type Content } from './reported-content.js';
import { contactOf, readJid, type ReadContact } from '../whatsapp/jid.js';
import { toCall } from '../whatsapp/call.js';
import { readShownName } from '../../platform/input/shown-name.js';
import { readTime, valueAt } from '../whatsapp/written-value.js';

export interface MessageOrigin {
  /** True where the event itself says that our chat instance wrote the message. */
  sent: boolean;
  /** The chat instance's own jid as the call names it. It is no lead's, and part of no result. */
  ownJid: unknown;
}

const fromMe = z.boolean('has to be true or false').nullish();

// Evolution fills a missing name with the author's jid.
const jidEnding = /@(?:s\.whatsapp\.net|c\.us|lid)$/;

/** @param path where `data` stands in the call, for errors */
export function readMessage(data: unknown, path: string, origin: MessageOrigin): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const { key } = data;
  const keyPath = `${path}.key`;
  if (!isPlainObject(key)) {
    return { errors: [{ path: keyPath, message: key === undefined ? 'is required' : 'has to be an object' }] };
  }
  const own = fromMe.safeParse(key.fromMe);
  const direction = origin.sent || own.data === true ? 'OUTBOUND' : 'INBOUND';
  const who = readContact(key, keyPath, direction, origin.ownJid);
  if ('ignored' in who) return { item: { kind: 'ignored', reason: who.ignored } };
  const said = readContent(data, path);
  if ('ignored' in said) return { item: { kind: 'ignored', reason: said.ignored } };
  if ('change' in said) return toChange(said.change, own, keyPath, who, direction, data.messageTimestamp);
  const id = externalId.safeParse(key.id);
  if ('call' in said) return toLoggedCall(said.call, { id, keyPath, who, direction, written: data.messageTimestamp });
  if (id.success && own.success && 'contact' in who && 'content' in said) {
    const name = readName(direction, data.pushName, who.contact);
    const { contact } = who;
    const timestamp = readTime(data.messageTimestamp);
    const content = writtenBy(direction, said.content);
    return { item: { kind: 'message', direction, externalId: id.data, contact, name, timestamp, ...content } };
  }
  return {
    errors: [
      ...errorsOf(id, `${keyPath}.id`),
      ...errorsOf(own, `${keyPath}.fromMe`),
      ...errorsIn(who),
      ...errorsIn(said),
    ],
  };
}

interface LoggedCall {
  id: z.ZodSafeParseResult<string>;
  keyPath: string;
  who: Exclude<ReadContact, { ignored: string }>;
  direction: ReportedMessage['direction'];
  /** The time of the phone call, as the webhook call writes it. */
  written: unknown;
}

/** Turns a phone call that stands among the messages, as in a history, into a report. */
function toLoggedCall(
  { isVideo }: { isVideo: boolean },
  { id, keyPath, who, direction, written }: LoggedCall,
): ReadReport {
  if (direction === 'OUTBOUND') return { item: { kind: 'ignored', reason: 'quiet: a call of the line itself' } };
  if (!id.success || !('contact' in who)) return { errors: [...errorsOf(id, `${keyPath}.id`), ...errorsIn(who)] };
  return toCall(id.data, { contact: who.contact, isVideo, at: readTime(written) });
}

/** Our own messages came through no ad. */
function writtenBy(direction: ReportedMessage['direction'], content: Content): Content {
  return direction === 'INBOUND' ? content : { ...content, referral: undefined };
}

/** @param written the time of the change, as the webhook call writes it */
function toChange(
  change: Change,
  own: z.ZodSafeParseResult<unknown>,
  keyPath: string,
  who: Exclude<ReadContact, { ignored: string }>,
  direction: ReportedMessage['direction'],
  written: unknown,
): ReadReport {
  const errors = [...errorsOf(own, `${keyPath}.fromMe`), ...errorsIn(who)];
  if (errors.length > 0 || !('contact' in who)) return { errors };
  return { item: { kind: 'change', direction, contact: who.contact, timestamp: readTime(written), ...change } };
}

/**
 * Reads `messages.edited` and `send.message.update`: a protocol message by itself. Its key shows the conversation as its author sees it. So
 * the key names neither the author nor the lead: the change counts as one by the message's own writer.
 * @param path where it stands in the call, for errors
 */
export function readEdited(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const jid = readJid(valueAt(data, ['key', 'remoteJid']));
  if ('ignored' in jid) return { item: { kind: 'ignored', reason: jid.ignored } };
  const read = readProtocol(data, path);
  if ('ignored' in read) return { item: { kind: 'ignored', reason: read.ignored } };
  if ('errors' in read) return read;
  return { item: { kind: 'change', timestamp: readTime(data.timestampMs), ...read.change } };
}

/**
 * Reads `messages.delete`, which holds the key of the deleted message, or the message with its key. Evolution gives no time.
 * @param path where it stands in the call, for errors
 */
export function readDeleted(data: unknown, path: string, ownJid: unknown): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const [key, keyPath] = isPlainObject(data.key) ? [data.key, `${path}.key`] : [data, path];
  const own = fromMe.safeParse(key.fromMe);
  const direction = own.data === true ? 'OUTBOUND' : 'INBOUND';
  const who = readContact(key, keyPath, direction, ownJid);
  if ('ignored' in who) return { item: { kind: 'ignored', reason: who.ignored } };
  const id = readTarget(key, keyPath);
  if ('errors' in id) return id;
  return toChange({ change: 'DELETION', ...id }, own, keyPath, who, direction, undefined);
}

// The name on an outbound message is our own.
function readName(
  direction: ReportedMessage['direction'],
  value: unknown,
  contact: ReportedMessage['contact'],
): string | undefined {
  const name = direction === 'INBOUND' ? readShownName(value) : undefined;
  if (name === undefined || jidEnding.test(name)) return undefined;
  return contact.some((identity) => identity.value === name) ? undefined : name;
}

function errorsOf(parsed: z.ZodSafeParseResult<unknown>, path: string): FieldError[] {
  return parsed.success ? [] : fieldErrors(parsed.error, path);
}

function errorsIn(part: { errors: FieldError[] } | object): FieldError[] {
  return 'errors' in part ? part.errors : [];
}

// `previousRemoteJid` is the hidden jid that Evolution 2.3.1 to 2.3.4 replaced by a number.
const partnerFields = ['remoteJid', 'remoteJidAlt', 'previousRemoteJid'];
// These fields name the author: the lead of an inbound message, and our own chat instance of an outbound one. Read as the lead's on
// outbound messages, they would merge all leads into one.
const authorFields = ['senderPn', 'senderLid', 'participant', 'participantAlt', 'participantPn', 'participantLid'];

/**
 * Returns every identity of the lead that the key reveals, numbers first.
 * @param path the key's path, for errors
 * @param ownJid the chat instance's own jid, if known: on outbound messages it is never taken for a lead's
 */
function readContact(
  key: Record<string, unknown>,
  path: string,
  direction: ReportedMessage['direction'],
  ownJid: unknown,
): ReadContact {
  const fields = direction === 'INBOUND' ? [...partnerFields, ...authorFields] : partnerFields;
  const candidates = fields.map((field) => key[field]);
  const own = direction === 'INBOUND' ? [] : [ownJid];
  return contactOf({ partner: key.remoteJid, candidates, own }, `${path}.remoteJid`);
}

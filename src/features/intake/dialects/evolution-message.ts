// `messages.upsert` and `send.message`: one message with its key. Who it is about is read in evolution-message.ts, what it
// says in evolution-content.ts.

import { z } from 'zod';
import type { FieldError } from '../../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../../platform/input.js';
import { matchKeyOfNumber } from '../../leads/identity/lead-identity.js';
import { parseChatNumber } from '../../leads/identity/written-number.js';
import type { ContactIdentity, ReadReport, ReportedMessage } from './dialect.js';
import { readContent } from './evolution-content.js';
import { readLabel, readTime } from './evolution-value.js';

export interface MessageOrigin {
  /** The event says by itself that our line wrote the message. */
  sent: boolean;
  /** The line's own jid as the call names it: no lead's, and part of no result. */
  ownJid: unknown;
}

const maxNameLength = 200;

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
  const id = externalId.safeParse(key.id);
  if (id.success && own.success && 'contact' in who && 'content' in said) {
    const name = direction === 'INBOUND' ? readName(data.pushName, who.contact) : undefined;
    const { contact } = who;
    const timestamp = readTime(data.messageTimestamp);
    return { item: { kind: 'message', direction, externalId: id.data, contact, name, timestamp, ...said.content } };
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

function readName(value: unknown, contact: ReportedMessage['contact']): string | undefined {
  const name = readLabel(value, maxNameLength);
  if (name === undefined || jidEnding.test(name)) return undefined;
  return contact.some((identity) => identity.value === name) ? undefined : name;
}

function errorsOf(parsed: z.ZodSafeParseResult<unknown>, path: string): FieldError[] {
  return parsed.success ? [] : fieldErrors(parsed.error, path);
}

function errorsIn(part: { errors: FieldError[] } | object): FieldError[] {
  return 'errors' in part ? part.errors : [];
}

// Who the other side of a conversation is: the identities that a message's key reveals, and the conversations that are no
// lead's. Whose name belongs to them is left to the message.

/** A jid names one identity, or a conversation that means nothing to us, or nothing that can be read. */
export type ReadJid = { identity: ContactIdentity } | { ignored: string } | { problem: string };

export type ReadContact = { contact: ReportedMessage['contact'] } | { ignored: string } | { errors: FieldError[] };

/** An identity of at most 255 characters with its device, its agent and its domain. */
const maxJidLength = 300;

const numberDomains = new Set(['', 's.whatsapp.net', 'c.us', 'hosted']);
const hiddenDomains = new Set(['lid', 'hosted.lid']);
const ignoredDomains: ReadonlyMap<string, string> = new Map([
  ['g.us', 'a group'],
  ['newsletter', 'a newsletter'],
  ['broadcast', 'a broadcast list'],
  ['bot', "the network's own assistant"],
]);

// `previousRemoteJid` is the hidden one that Evolution 2.3.1 to 2.3.4 replaced by a number.
const partnerFields = ['remoteJid', 'remoteJidAlt', 'previousRemoteJid'];
// These name who wrote the message: the lead where it is inbound, and our own line where it is not. Taken for the lead's
// there, they would make all leads one.
const authorFields = ['senderPn', 'senderLid', 'participant', 'participantAlt', 'participantPn', 'participantLid'];

/**
 * Every identity of the lead that the key reveals, numbers first.
 * @param path the key's, for errors
 * @param ownJid the line's own, if known: it is never taken for a lead's on what the line wrote
 */
export function readContact(
  key: Record<string, unknown>,
  path: string,
  direction: ReportedMessage['direction'],
  ownJid: unknown,
): ReadContact {
  const partner = readJid(key.remoteJid);
  if ('ignored' in partner) return partner;
  const fields = direction === 'INBOUND' ? [...partnerFields, ...authorFields] : partnerFields;
  const found = distinct(fields.flatMap((field) => identityIn(key[field])));
  const own = direction === 'INBOUND' ? undefined : numberIn(ownJid);
  const identities = found.filter((identity) => own === undefined || matchKey(identity) !== own);
  const [first, ...others] = [...ofKind(identities, 'PHONE'), ...ofKind(identities, 'LID')];
  if (first !== undefined) return { contact: [first, ...others] };
  if (found.length > 0) return { ignored: 'a note of the line to itself' };
  const message = 'problem' in partner ? partner.problem : 'is required';
  return { errors: [{ path: `${path}.remoteJid`, message }] };
}

/** Reads `5511…@s.whatsapp.net`, `…@c.us`, `…@lid`, each with or without a device (`:12`), and a bare number. */
export function readJid(value: unknown): ReadJid {
  if (value === undefined || value === null) return { problem: 'is required' };
  if (typeof value !== 'string') return { problem: 'has to be text' };
  if (value.length > maxJidLength) return { problem: `must not exceed ${maxJidLength} characters` };
  const [written = '', domain = ''] = value.trim().split('@', 2);
  const user = written.split(/[:_]/, 1)[0] ?? '';
  if (domain === 'broadcast' && user === 'status') return { ignored: 'a status update' };
  const reason = ignoredDomains.get(domain);
  if (reason !== undefined) return { ignored: reason };
  if (hiddenDomains.has(domain)) return readHidden(user);
  return numberDomains.has(domain) ? readNumbered(user) : { problem: 'has to end in a domain of the network' };
}

function readHidden(user: string): ReadJid {
  const value = externalId.safeParse(user);
  if (!value.success) return { problem: 'has to name a person before the @' };
  return { identity: { kind: 'LID', value: value.data } };
}

function readNumbered(user: string): ReadJid {
  if (user === '0') return { ignored: 'an announcement of the network' };
  const number = parseChatNumber(user);
  return 'problem' in number ? number : { identity: { kind: 'PHONE', value: number.digits } };
}

function identityIn(value: unknown): ContactIdentity[] {
  const jid = readJid(value);
  return 'identity' in jid ? [jid.identity] : [];
}

function numberIn(value: unknown): string | undefined {
  return identityIn(value).map(matchKey)[0];
}

// Two writings of one number are one person.
function matchKey({ kind, value }: ContactIdentity): string {
  return `${kind}:${kind === 'PHONE' ? matchKeyOfNumber(value) : value}`;
}

function distinct(identities: readonly ContactIdentity[]): ContactIdentity[] {
  const seen = new Map<string, ContactIdentity>();
  for (const identity of identities) {
    const key = `${identity.kind}:${identity.value}`;
    if (!seen.has(key)) seen.set(key, identity);
  }
  return [...seen.values()];
}

function ofKind(identities: readonly ContactIdentity[], kind: ContactIdentity['kind']): ContactIdentity[] {
  return identities.filter((identity) => identity.kind === kind);
}

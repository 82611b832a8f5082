// `messages.upsert` and `send.message`: one message with its key. Who it is about is read in evolution-contact.ts, what it
// says in evolution-content.ts.

import { z } from 'zod';
import type { FieldError } from '../../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../../platform/input.js';
import type { ReadReport, ReportedMessage } from './dialect.js';
import { readContact } from './evolution-contact.js';
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

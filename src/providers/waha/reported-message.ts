// Reads WAHA's events of messages: new messages, and reactions, edits and revocations of earlier ones. reported-content.ts reads the
// content. `_data` holds the engine's knowledge in each engine's own shape, and only helps. All other fields are WAHA's own.

import { parseWahaMessageId } from './message-id.js';
import type { FieldError } from '../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../platform/input/input.js';
import type { ReadReport, ReportedMessage } from '../reported.js';
import { contactOf, type ReadContact } from '../whatsapp/jid.js';
import { findPart } from '../whatsapp/message-part.js';
import { readCardReferral } from '../whatsapp/referral.js';
import { toCall } from '../whatsapp/call.js';
import { readShownName } from '../../platform/input/shown-name.js';
import { readContent, readWords } from './reported-content.js';
import { objectAt, readLabel, readTime, valueAt } from '../whatsapp/written-value.js';
import { maxEmojiLength } from '../reported.schema.js';

/** An event without its envelope. */
export interface WahaEvent {
  payload: Record<string, unknown>;
  /** The instance's own jids, where the envelope names them. */
  own: readonly unknown[];
  /** The time of WAHA's first report, by its clock. */
  reportedAt: Date | undefined;
}

/** The id of a message, and its conversation where the id names it. */
export interface WahaKey {
  externalId: string;
  fromMe: boolean | undefined;
  chatId: string | undefined;
}

type Problem = { errors: FieldError[] };

interface Sender {
  direction: ReportedMessage['direction'];
  contact: ReportedMessage['contact'];
}

const jidEnding = /@(?:s\.whatsapp\.net|c\.us|lid)$/;

export function readMessage({ payload, own }: WahaEvent): ReadReport {
  const key = readKey(payload.id, 'payload.id');
  const sender = readSender(payload, key, own, 'payload');
  if ('ignored' in sender) return ignored(sender.ignored);
  const said = readContent(payload, 'payload');
  if ('ignored' in said) return ignored(said.ignored);
  if ('errors' in key || 'errors' in sender || 'errors' in said) return problemsIn(key, sender, said);
  const { direction, contact } = sender;
  if ('call' in said) {
    if (direction === 'OUTBOUND') return ignored('quiet: a call of the line itself');
    return toCall(key.externalId, { contact, isVideo: said.call.isVideo, at: readTime(payload.timestamp) });
  }
  return {
    item: {
      kind: 'message',
      direction,
      externalId: key.externalId,
      contact,
      name: direction === 'INBOUND' ? readName(payload, contact) : undefined,
      timestamp: readTime(payload.timestamp),
      ...said.content,
      referral: direction === 'INBOUND' ? readReferral(payload) : undefined,
    },
  };
}

export function readReaction({ payload, own }: WahaEvent): ReadReport {
  const reaction = objectAt(payload.reaction);
  const key = readKey(payload.id, 'payload.id');
  const target = readKey(reaction.messageId, 'payload.reaction.messageId');
  const sender = readSender(payload, key, own, 'payload');
  if ('ignored' in sender) return ignored(sender.ignored);
  const { text } = reaction;
  // A reaction that was taken back has an empty text, which one engine leaves out.
  const emoji = text == null ? null : (readLabel(text, maxEmojiLength) ?? null);
  const wrong: Problem | object =
    text != null && typeof text !== 'string'
      ? { errors: [{ path: 'payload.reaction.text', message: 'has to be text' }] }
      : {};
  if ('errors' in target || 'errors' in sender || 'errors' in wrong) return problemsIn(target, sender, wrong);
  const timestamp = readTime(payload.timestamp);
  const { externalId: id } = target;
  return { item: { kind: 'change', change: 'REACTION', externalId: id, emoji, timestamp, ...sender } };
}

export function readEdit({ payload, own, reportedAt }: WahaEvent): ReadReport {
  const target = readKey(payload.editedMessageId, 'payload.editedMessageId');
  const sender = readWriter(payload, own, 'payload');
  if ('ignored' in sender) return ignored(sender.ignored);
  const words = readWords(payload.body, 'payload.body');
  if ('errors' in target || 'errors' in sender || 'errors' in words) return problemsIn(target, sender, words);
  // An edit that the engine cannot read comes as an empty text. It must not empty the message.
  if (words.text === undefined) return ignored('an edit without a text');
  const { externalId: id } = target;
  // In one engine, `timestamp` is the time of the message and not of the edit.
  const timestamp = reportedAt ?? readTime(payload.timestamp);
  return { item: { kind: 'change', change: 'EDIT', externalId: id, text: words.text, timestamp, ...sender } };
}

export function readDeletion({ payload, own, reportedAt }: WahaEvent): ReadReport {
  const { after, before, revokedMessageId } = payload;
  const [message, path] = isPlainObject(after) ? [after, 'payload.after'] : [objectAt(before), 'payload.before'];
  const sender = readWriter(message, own, path);
  if ('ignored' in sender) return ignored(sender.ignored);
  const id = revokedMessageId ?? valueAt(before, ['id']);
  const target = readKey(id, 'payload.revokedMessageId');
  if ('errors' in target || 'errors' in sender) return problemsIn(target, sender);
  return {
    item: { kind: 'change', change: 'DELETION', externalId: target.externalId, timestamp: reportedAt, ...sender },
  };
}

/** @param path the id's path, for errors */
export function readKey(id: unknown, path: string): WahaKey | Problem {
  // The engine of the browser writes an object around the text.
  const written = externalId.safeParse(isPlainObject(id) ? id._serialized : id);
  if (!written.success) return { errors: fieldErrors(written.error, path) };
  const { id: name, fromMe, chatId } = parseWahaMessageId(written.data);
  return { externalId: name, fromMe, chatId };
}

/** Reads the direction of a message or a change, and the lead's identities. */
function readSender(
  message: Record<string, unknown>,
  key: WahaKey | Problem,
  own: readonly unknown[],
  path: string,
): Sender | { ignored: string } | Problem {
  const { fromMe, chatId }: Partial<WahaKey> = 'errors' in key ? {} : key;
  const said = message.fromMe;
  const wrong: FieldError[] =
    said == null || typeof said === 'boolean' ? [] : [{ path: `${path}.fromMe`, message: 'has to be true or false' }];
  const direction = (typeof said === 'boolean' ? said : fromMe) === true ? 'OUTBOUND' : 'INBOUND';
  const who = readContact(message, chatId, direction, own, path);
  if ('ignored' in who) return who;
  if ('errors' in who || wrong.length > 0) return { errors: [...wrong, ...('errors' in who ? who.errors : [])] };
  return { direction, contact: who.contact };
}

// An edit or a revocation that does not name its author counts as one by the message's own writer.
function readWriter(
  message: Record<string, unknown>,
  own: readonly unknown[],
  path: string,
): Partial<Sender> | { ignored: string } | Problem {
  const key = readKey(message.id, `${path}.id`);
  const isNamed = message.from != null || message.to != null || ('chatId' in key && key.chatId !== undefined);
  return isNamed ? readSender(message, key, own, path) : {};
}

/**
 * Finds the lead's identities. The chat stands in the id, else in `from`; only one engine writes the chat of our own messages into `to`.
 * Other identities of the lead (a number beside a hidden one) stand in `_data`, under each engine's own names.
 */
function readContact(
  message: Record<string, unknown>,
  chatId: string | undefined,
  direction: ReportedMessage['direction'],
  own: readonly unknown[],
  path: string,
): ReadContact {
  const { from, to } = message;
  const data = objectAt(message._data);
  const [key, info] = [objectAt(data.key), objectAt(data.Info)];
  const isInbound = direction === 'INBOUND';
  const partner = chatId ?? (isInbound ? from : (to ?? from));
  const shared = [partner, info.Chat, key.remoteJid, key.remoteJidAlt];
  const candidates = isInbound
    ? [...shared, from, info.Sender, info.SenderAlt, key.senderPn, key.senderLid, key.participantAlt]
    : [...shared, info.RecipientAlt];
  return contactOf({ partner, candidates, own }, chatId === undefined ? `${path}.from` : `${path}.id`);
}

function readName(payload: Record<string, unknown>, contact: ReportedMessage['contact']): string | undefined {
  const data = objectAt(payload._data);
  const written = [objectAt(data.Info).PushName, data.pushName, data.notifyName];
  const name = written.map((value) => readShownName(value)).find((value) => value !== undefined);
  if (name === undefined || jidEnding.test(name)) return undefined;
  return contact.some(({ value }) => value === name) ? undefined : name;
}

// The browser engine names the card's fields in its own way, beside the message.
function readReferral({ _data }: Record<string, unknown>): ReportedMessage['referral'] {
  const data = objectAt(_data);
  const message = isPlainObject(data.message) ? data.message : objectAt(data.Message);
  const part = findPart(message, '_data.message');
  const contexts = [part?.value, part?.message, message, data].map((value) => valueAt(value, ['contextInfo']));
  const { description: body, conversionSource, ...card } = objectAt(data.ctwaContext);
  const { isForwarded } = data;
  return readCardReferral([...contexts, { externalAdReply: { ...card, body }, conversionSource, isForwarded }]);
}

export function ignored(reason: string): ReadReport {
  return { item: { kind: 'ignored', reason } };
}

function problemsIn(...parts: readonly (Problem | object)[]): Problem {
  return { errors: parts.flatMap((part) => ('errors' in part ? part.errors : [])) };
}

// The dialect of WAHA: one event of one session in a call. Recognised by its shape, dispatched by the event's name.
// reported-message.ts reads messages and their changes. Pure: the instance and the lead are found later.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { isPlainObject, storableText, text } from '../../platform/input/input.js';
import type { ReadCall, ReadReport, ReportedConnection, ReportedStatus } from '../reported.js';
import { ownNumberOf, readJid } from '../whatsapp/jid.js';
import {
  ignored,
  readDeletion,
  readEdit,
  readKey,
  readMessage,
  readReaction,
  type WahaEvent,
} from './reported-message.js';
import { readCallEvent } from '../whatsapp/call.js';
import { objectAt, readLabel, readNumber, readTime } from '../whatsapp/written-value.js';

const sessionName = text(100);

/** Top-level fields of other dialects' bodies, which WAHA's bodies never have. */
const foreignFields = ['messageId', 'messages', 'statuses', 'entry', 'instance', 'data'];

/** A body of WAHA's shape. `readWaha` judges its other fields. */
export type WahaBody = Record<string, unknown> & { event: string; session: string };

export function isWaha(body: unknown): body is WahaBody {
  if (!isPlainObject(body) || foreignFields.some((field) => Object.hasOwn(body, field))) return false;
  return typeof body.event === 'string' && typeof body.session === 'string';
}

/** Never throws: unreadable parts are reported with their fields' paths from the body's root. */
export function readWaha(body: WahaBody): ReadCall {
  const session = sessionName.safeParse(body.session);
  // Without a session name, the event would count as the default instance's.
  if (!session.success)
    return {
      instance: null,
      reports: [{ errors: [{ path: 'session', message: 'has to be text of 1 to 100 characters' }] }],
    };
  return { instance: session.data, ownNumber: ownNumberOf(ownJidsOf(body)), reports: [readEvent(body)] };
}

/** Reads a message of WAHA's history, which has the shape of the payload of `message.any`. */
export function readWahaRecord(record: unknown): ReadReport {
  if (!isPlainObject(record)) return { errors: [{ path: 'payload', message: 'has to be an object' }] };
  return readMessage({ payload: record, own: [], reportedAt: undefined });
}

function readEvent(body: WahaBody): ReadReport {
  const read = readers.get(body.event.trim().toLowerCase());
  if (read === undefined) {
    const name = storableText(body.event.trim(), 100);
    if (name === '') return { errors: [{ path: 'event', message: 'has to be the name of an event' }] };
    return ignored(quietEvents.has(name.toLowerCase()) ? `quiet: ${name}` : `an event that is not handled: ${name}`);
  }
  const { payload } = body;
  if (!isPlainObject(payload))
    return { errors: [{ path: 'payload', message: payload === undefined ? 'is required' : 'has to be an object' }] };
  return read({ payload, own: ownJidsOf(body), reportedAt: readTime(body.timestamp) });
}

function ownJidsOf(body: WahaBody): unknown[] {
  const me = objectAt(body.me);
  return [me.id, me.lid, me.jid];
}

/** Events of WAHA that say nothing to a conversation with a lead. */
const quietEvents: ReadonlySet<string> = new Set([
  'state.change',
  'group.join',
  'group.leave',
  'group.v2.join',
  'group.v2.leave',
  'group.v2.update',
  'group.v2.participants',
  'presence.update',
  'poll.vote',
  'poll.vote.failed',
  'chat.archive',
  'label.upsert',
  'label.deleted',
  'label.chat.added',
  'label.chat.deleted',
  'event.response',
  'event.response.failed',
  'message.ack.group',
  'engine.event',
]);

const readers: ReadonlyMap<string, (event: WahaEvent) => ReadReport> = new Map([
  ['message', readMessage],
  ['message.any', readMessage],
  ['message.ack', readStatus],
  ['message.reaction', readReaction],
  ['message.edited', readEdit],
  ['message.revoked', readDeletion],
  ['call.received', readCall],
  ['call.accepted', readCall],
  ['call.rejected', readCall],
  ['message.waiting', readMessage],
  ['session.status', readSession],
]);

function readCall({ payload, own }: WahaEvent): ReadReport {
  return readCallEvent(payload, own, 'payload');
}

/** The network's words for a status, in the order of its numbers from -1. */
const ackNames = ['ERROR', 'PENDING', 'SERVER', 'DEVICE', 'READ', 'PLAYED'];

const statuses: ReadonlyMap<string, ReportedStatus['status']> = new Map([
  ['ERROR', 'FAILED'],
  ['SERVER', 'SENT'],
  ['DEVICE', 'DELIVERED'],
  ['READ', 'READ'],
  ['PLAYED', 'READ'],
]);

function readStatus({ payload, reportedAt }: WahaEvent): ReadReport {
  const key = readKey(payload.id, 'payload.id');
  const word = readAck(payload);
  if ('errors' in key || word === undefined) {
    const message = payload.ack == null && payload.ackName == null ? 'is required' : 'has to be a status';
    const problems = word === undefined ? [{ path: 'payload.ack', message }] : [];
    return { errors: [...('errors' in key ? key.errors : []), ...problems] };
  }
  const status = statuses.get(word);
  if (status === undefined) return ignored(`a status that says nothing: ${word}`);
  const chat = readJid(key.chatId);
  if ('ignored' in chat) return ignored(chat.ignored);
  if ((key.fromMe ?? payload.fromMe) === false) return ignored("a status of the lead's own message");
  const error = status === 'FAILED' ? { code: word } : undefined;
  return { item: { kind: 'status', externalId: key.externalId, status, timestamp: reportedAt, error } };
}

/** Returns the delivery status of one of our messages, by its record in the history. */
export function readWahaRecordStatus(record: unknown): Pick<ReportedStatus, 'status' | 'error'> | undefined {
  const word = isPlainObject(record) ? readAck(record) : undefined;
  const status = statuses.get(word ?? '');
  if (word === undefined || status === undefined) return undefined;
  return { status, error: status === 'FAILED' ? { code: word } : undefined };
}

// The number `ack` decides. The word `ackName` counts only without it.
function readAck({ ack, ackName }: Record<string, unknown>): string | undefined {
  const number = ack === '-1' ? -1 : readNumber(ack);
  if (number !== undefined) return ackNames[number + 1] ?? String(number);
  return readLabel(ackName, 50)?.toUpperCase();
}

const sessionStates: ReadonlyMap<string, Pick<ReportedConnection, 'status' | 'lastError'>> = new Map([
  ['STOPPED', { status: 'DISCONNECTED', lastError: 'the session was stopped' }],
  ['STARTING', { status: 'CONNECTING' }],
  ['SCAN_QR_CODE', { status: 'CONNECTING' }],
  ['WORKING', { status: 'CONNECTED' }],
  ['FAILED', { status: 'ERROR', lastError: 'the session failed: restart it, or connect it again' }],
]);

function readSession({ payload, own, reportedAt }: WahaEvent): ReadReport {
  const state = readLabel(payload.status, 50)?.toUpperCase();
  if (state === undefined) {
    const message = payload.status == null ? 'is required' : 'has to be a state';
    return { errors: [{ path: 'payload.status', message }] };
  }
  // The phone asks for a passkey while it is being linked, in several steps.
  const known = state.startsWith('PASSKEY_') ? ({ status: 'CONNECTING' } as const) : sessionStates.get(state);
  if (known === undefined) return ignored(`a state that is not known: ${state}`);
  const number = known.status === 'CONNECTED' ? ownNumberOf(own) : undefined;
  return { item: { kind: 'connection', ...known, number, reportedAt } };
}

/** The digits in lower case. A caller may write hexadecimal in either case. */
const hmacForm = /^[\da-f]{128}$/;

/**
 * Returns whether `X-Webhook-Hmac` signs exactly these bytes with HMAC-SHA512. The comparison takes constant time. An empty secret matches
 * nothing.
 */
export function wahaSignatureMatches(secret: string, header: string | undefined, rawBody: Buffer): boolean {
  const given = header?.trim().toLowerCase();
  if (secret === '' || given === undefined || !hmacForm.test(given)) return false;
  return timingSafeEqual(createHmac('sha512', secret).update(rawBody).digest(), Buffer.from(given, 'hex'));
}

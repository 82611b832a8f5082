// The dialect of Evolution API v2: one event of one instance in a call. Recognised by its shape, dispatched by the event's
// name; each kind of event has its reader in a file beside this one. Pure: the instance and the lead are found later.

import type { FieldError } from '../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject, storableText, text } from '../../platform/input/input.js';
import {
  furthestStatus,
  type ReadCall,
  type ReadReport,
  type ReportedConnection,
  type ReportedStatus,
} from '../reported.js';
import { readDeleted, readEdited, readMessage } from './reported-message.js';
import { readCallEvent } from '../whatsapp/call.js';
import { ownNumberOf } from '../whatsapp/jid.js';
import { objectAt, readLabel, readNumber, readTime } from '../whatsapp/written-value.js';

/** At most this many items in one call's `data`; Evolution itself sends one. */
export const maxEvolutionItems = 1_000;

const instanceName = text(100);

/** Top-level fields of other dialects' bodies, which Evolution's bodies never have. */
const foreignFields = ['messageId', 'messages', 'statuses', 'entry'];

type EntryReader = (data: unknown, path: string) => ReadReport;

/** Returns whether the body has the shape of an Evolution API call. */
export function isEvolution(body: unknown): boolean {
  if (!isPlainObject(body) || body.data === undefined) return false;
  if (foreignFields.some((field) => Object.hasOwn(body, field))) return false;
  return typeof body.event === 'string' && typeof body.instance === 'string';
}

/**
 * Reads any JSON value and never throws. Unreadable parts are reported with their fields' paths from the body's root.
 * @param event the event by the called path (`messages-upsert`), used where the body names none
 */
export function readEvolution(body: unknown, event?: string): ReadCall {
  if (!isPlainObject(body)) return refusedCall('', 'has to be a JSON object');
  const instance = body.instance == null ? undefined : instanceName.safeParse(body.instance);
  // Without an instance name, the event would count as the default instance's.
  if (instance?.success === false) return refusedCall('instance', 'has to be text of 1 to 100 characters');
  const ownNumber = ownNumberOf([body.sender]);
  return { instance: instance?.data ?? null, ownNumber, reports: readEvent(body, nameOf(body.event) ?? nameOf(event)) };
}

/**
 * Reads a message of Evolution's history, which has the shape of a message in `messages.upsert`.
 * @param path where it stands, for errors
 */
export function readEvolutionRecord(record: unknown, path: string): ReadReport {
  return readMessage(record, path, { sent: false, ownJid: undefined });
}

function readEvent(body: Record<string, unknown>, name: string | undefined): ReadReport[] {
  if (name === undefined) {
    const message = body.event == null ? 'is required' : 'has to be the name of an event';
    return [{ errors: [{ path: 'event', message }] }];
  }
  const readEntry = readerOf(name, body.sender);
  if (readEntry !== undefined)
    return readEntries(body.data, readEntry).map((report) => stamped(report, body.date_time));
  const reason = `an event that is not handled: ${storableText(name, 100)}`;
  return [{ item: { kind: 'ignored', reason } }];
}

// `date_time` is local time with a false Z: good for comparing two calls of one gateway, and for nothing else.
function stamped(report: ReadReport, dateTime: unknown): ReadReport {
  if (!('item' in report) || report.item.kind !== 'connection' || typeof dateTime !== 'string') return report;
  const reportedAt = new Date(dateTime);
  return Number.isNaN(reportedAt.getTime()) ? report : { item: { ...report.item, reportedAt } };
}

// Evolution writes one name as `messages.upsert`, `messages-upsert` or `MESSAGES_UPSERT`.
function readerOf(name: string, ownJid: unknown): EntryReader | undefined {
  switch (name.toLowerCase().replace(/[-_]/g, '.')) {
    case 'messages.upsert':
      return (data, path) => readMessage(data, path, { sent: false, ownJid });
    case 'send.message':
      return (data, path) => readMessage(data, path, { sent: true, ownJid });
    case 'call':
      return (data, path) => readCallEvent(data, [ownJid], path);
    case 'messages.edited':
    case 'send.message.update':
      return readEdited;
    case 'messages.delete':
      return (data, path) => readDeleted(data, path, ownJid);
    case 'messages.update':
      return readStatus;
    case 'connection.update':
      return readConnection;
    case 'qrcode.updated':
      return readQrCode;
    default:
      return undefined;
  }
}

function readEntries(data: unknown, readEntry: EntryReader): ReadReport[] {
  if (data === undefined) return [{ errors: [{ path: 'data', message: 'is required' }] }];
  const list = Array.isArray(data) ? data : isPlainObject(data) && Array.isArray(data.messages) ? data.messages : null;
  if (list === null) return [readEntry(data, 'data')];
  const path = Array.isArray(data) ? 'data' : 'data.messages';
  if (list.length > maxEvolutionItems) {
    return [{ errors: [{ path, message: `must not hold more than ${maxEvolutionItems} items` }] }];
  }
  if (list.length === 0) return [{ item: { kind: 'ignored', reason: 'an empty list' } }];
  return list.map((entry: unknown, index) => readEntry(entry, `${path}.${index}`));
}

function nameOf(event: unknown): string | undefined {
  return typeof event === 'string' && event.trim() !== '' ? event.trim() : undefined;
}

function refusedCall(path: string, message: string): ReadCall {
  return { instance: null, reports: [{ errors: [{ path, message }] }] };
}

/** The reasons for a closed connection, by the network's numbers. */
const reasons: ReadonlyMap<number, string> = new Map([
  [401, 'logged out'],
  [402, 'banned for a time'],
  [403, 'forbidden by the network'],
  [406, 'not accepted by the network'],
  [408, 'timed out'],
  [411, 'the phone does not support several devices'],
  [428, 'the connection was closed'],
  [440, 'replaced by another connection'],
  [500, 'the session is damaged'],
  [503, 'the network is unavailable'],
  [515, 'a restart is required'],
]);

// After these reasons, another attempt to connect cannot help.
const lastingReasons = new Set([402, 403, 406]);

/** @param path where `data` stands in the call, for errors */
function readConnection(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const state = readLabel(data.state, 50)?.toLowerCase();
  if (state === 'open') return { item: { kind: 'connection', status: 'CONNECTED', number: ownNumberOf([data.wuid]) } };
  if (state === 'connecting') return { item: { kind: 'connection', status: 'CONNECTING' } };
  const reason = readNumber(data.statusReason);
  const status = statusOf(state, reason);
  if (status !== undefined) return { item: { kind: 'connection', status, lastError: describe(state, reason) } };
  if (state !== undefined) return { item: { kind: 'ignored', reason: `a state that is not known: ${state}` } };
  const message = data.state === undefined ? 'is required' : 'has to be a state';
  return { errors: [{ path: `${path}.state`, message }] };
}

/** Reads a QR code event: a code was shown, or was not scanned in time. After a timeout the call carries a message in place of the code. */
function readQrCode(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const expired = data.qrcode === undefined && data.statusCode !== undefined;
  if (!expired) return { item: { kind: 'connection', status: 'CONNECTING' } };
  return { item: { kind: 'connection', status: 'ERROR', lastError: 'the QR code was not scanned in time' } };
}

function statusOf(state: string | undefined, reason: number | undefined): ReportedConnection['status'] | undefined {
  if (state === 'refused' || (reason !== undefined && lastingReasons.has(reason))) return 'ERROR';
  return state === 'close' || reason === 401 ? 'DISCONNECTED' : undefined;
}

// Evolution writes 200 where it knows no reason.
function describe(state: string | undefined, reason: number | undefined): string {
  const what = state === 'refused' ? 'the line was refused' : 'the line was closed';
  if (reason === undefined || reason === 200 || !Number.isInteger(reason) || reason > 9_999) return what;
  const words = reasons.get(reason);
  return words === undefined ? `${what} (${reason})` : `${what} (${reason}: ${words})`;
}

/** The network's words for a status, in the order of its numbers from 0. */
const numbered = ['ERROR', 'PENDING', 'SERVER_ACK', 'DELIVERY_ACK', 'READ', 'PLAYED'];

const statuses: ReadonlyMap<string, ReportedStatus['status']> = new Map([
  ['ERROR', 'FAILED'],
  ['SERVER_ACK', 'SENT'],
  ['DELIVERY_ACK', 'DELIVERED'],
  ['READ', 'READ'],
  ['PLAYED', 'READ'],
  ['SENT', 'SENT'],
  ['DELIVERED', 'DELIVERED'],
  ['FAILED', 'FAILED'],
]);

// Only the business mode uses these words, and this beginning of message ids.
const businessWords = new Set(['SENT', 'DELIVERED', 'FAILED']);
const businessId = /^wamid\./;

/** @param path where `data` stands in the call, for errors */
export function readStatus(data: unknown, path: string): ReadReport {
  if (!isPlainObject(data)) return { errors: [{ path, message: 'has to be an object' }] };
  const written = data.status ?? objectAt(data, 'update').status;
  const word =
    typeof written === 'number' ? (numbered[written] ?? String(written)) : readLabel(written, 50)?.toUpperCase();
  const id = readId(data, path);
  if (word === undefined) {
    const message = written === undefined ? 'is required' : 'has to be a status';
    return { errors: [...('errors' in id ? id.errors : []), { path: `${path}.status`, message }] };
  }
  const status = statuses.get(word);
  if (status === undefined) return { item: { kind: 'ignored', reason: `a status that says nothing: ${word}` } };
  if (isOfLead(data, word, 'id' in id ? id.id : '')) {
    return { item: { kind: 'ignored', reason: "a status of the lead's own message" } };
  }
  if ('errors' in id) return id;
  const error = status === 'FAILED' ? { code: word } : undefined;
  const timestamp = readTime(data.receiptTimestamp);
  return { item: { kind: 'status', externalId: id.id, status, timestamp, error } };
}

const maxUpdates = 100;

/**
 * Returns the delivery status of one of our messages, by its record in the history: the words of all `messages.update` that Evolution has
 * kept.
 */
export function readEvolutionRecordStatus(record: unknown): Pick<ReportedStatus, 'status' | 'error'> | undefined {
  const updates = isPlainObject(record) ? record.MessageUpdate : undefined;
  if (!Array.isArray(updates)) return undefined;
  const words = (updates as unknown[])
    .slice(-maxUpdates)
    .flatMap((update) => readLabel(objectAt(update).status, 50)?.toUpperCase() ?? []);
  const status = furthestStatus(words.flatMap((word) => statuses.get(word) ?? []));
  if (status === undefined) return undefined;
  return {
    status,
    error: status === 'FAILED' ? failedAs(words.find((word) => statuses.get(word) === status)) : undefined,
  };
}

function failedAs(word: string | undefined): ReportedStatus['error'] {
  return word === undefined ? undefined : { code: word };
}

function readId(data: Record<string, unknown>, path: string): { id: string } | { errors: FieldError[] } {
  const key = objectAt(data, 'key');
  const older = data.keyId === undefined && key.id !== undefined;
  const id = externalId.safeParse(older ? key.id : data.keyId);
  if (id.success) return { id: id.data };
  return { errors: fieldErrors(id.error, older ? `${path}.key.id` : `${path}.keyId`) };
}

// The business mode writes `fromMe: false` on all that it reports, and reports on our messages only.
function isOfLead(data: Record<string, unknown>, word: string, id: string): boolean {
  const fromMe = data.fromMe ?? objectAt(data, 'key').fromMe;
  return fromMe === false && !businessWords.has(word) && !businessId.test(id);
}

// The dialect of Evolution API v2: one event of one instance in a call. Recognised by its shape, dispatched by the event's
// name; each kind of event has its reader in a file beside this one. Pure: the instance and the lead are found later.

import { isPlainObject, storableText, text } from '../../../platform/input.js';
import type { ReadCall, ReadReport } from './dialect.js';
import { readConnection, readQrCode } from './evolution-connection.js';
import { readMessage } from './evolution-message.js';
import { readStatus } from './evolution-status.js';

/** At most this many items in one call's `data`; Evolution itself sends one. */
export const maxEvolutionItems = 1_000;

const instanceName = text(100);

/** What stands at the top of other dialects' bodies, and never of Evolution's. */
const foreignFields = ['messageId', 'messages', 'statuses', 'entry'];

type EntryReader = (data: unknown, path: string) => ReadReport;

/** Whether the body has the shape of an Evolution API call. */
export function isEvolution(body: unknown): boolean {
  if (!isPlainObject(body) || body.data === undefined) return false;
  if (foreignFields.some((field) => Object.hasOwn(body, field))) return false;
  return typeof body.event === 'string' && typeof body.instance === 'string';
}

/**
 * Reads any JSON value and never throws: what cannot be read is reported with its fields' paths from the body's root.
 * @param event the event by the called path (`messages-upsert`), used where the body names none
 */
export function readEvolution(body: unknown, event?: string): ReadCall {
  if (!isPlainObject(body)) return refusedCall('', 'has to be a JSON object');
  const instance = body.instance == null ? undefined : instanceName.safeParse(body.instance);
  // Without its name the event would be taken for the default instance's.
  if (instance?.success === false) return refusedCall('instance', 'has to be text of 1 to 100 characters');
  return { instance: instance?.data ?? null, reports: readEvent(body, nameOf(body.event) ?? nameOf(event)) };
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

// Written `messages.upsert`, `messages-upsert` and `MESSAGES_UPSERT`, all of them meaning the same.
function readerOf(name: string, ownJid: unknown): EntryReader | undefined {
  switch (name.toLowerCase().replace(/[-_]/g, '.')) {
    case 'messages.upsert':
      return (data, path) => readMessage(data, path, { sent: false, ownJid });
    case 'send.message':
      return (data, path) => readMessage(data, path, { sent: true, ownJid });
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

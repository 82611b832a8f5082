// Meta's Cloud API: a call holds entries, an entry changes, a change the messages and statuses of one phone number. They are
// walked here in their order; each is read by itself, so that what is wrong with one never spoils its neighbours.

import { isPlainObject } from '../../../platform/input.js';
import { readContacts } from './meta-contact.js';
import type { Contacts } from './meta-contact.js';
import { fieldsOf, idIn, ignored, listIn, shapeProblem, unreadable, wordIn } from './meta-fields.js';
import type { Fields } from './meta-fields.js';
import { readCloudEcho, readCloudMessage } from './meta-message.js';
import { readCloudStatus } from './meta-status.js';
import type { ReadReport } from './dialect.js';

/** What was read, and the phone number's id at Meta that it is about: null where the call names none. */
export type CloudReport = ReadReport & { phoneNumberId: string | null };

export interface ReadCloudCall {
  /** Each id once, in the order of the reports. */
  phoneNumberIds: string[];
  /** At least one. */
  reports: CloudReport[];
}

/** At most this many reports in one call; a call with more is refused as a whole. */
export const maxCloudReports = 1_000;

interface List {
  key: string;
  read: (item: Fields, path: string, contacts: Contacts) => ReadReport;
}

// The fields of a subscription that mean something to us, and the lists that each may carry.
const listsOf = new Map<string, readonly List[]>([
  [
    'messages',
    [
      { key: 'messages', read: readCloudMessage },
      { key: 'statuses', read: readCloudStatus },
    ],
  ],
  ['smb_message_echoes', [{ key: 'message_echoes', read: readCloudEcho }]],
]);

/** Reads any JSON value and never throws. What means nothing to us is `ignored` with its reason, never left out. */
export function readCloud(body: unknown): ReadCloudCall {
  const reports: CloudReport[] = [];
  for (const report of readBody(body)) {
    if (reports.length === maxCloudReports) {
      const refusal = unreadable('entry', `must not hold more than ${maxCloudReports} messages and statuses`);
      return { phoneNumberIds: [], reports: [{ ...refusal, phoneNumberId: null }] };
    }
    reports.push(report);
  }
  if (reports.length === 0) reports.push({ ...ignored('a call without changes'), phoneNumberId: null });
  const ids = reports.map(({ phoneNumberId }) => phoneNumberId).filter((id) => id !== null);
  return { phoneNumberIds: [...new Set(ids)], reports };
}

function* readBody(body: unknown): Generator<CloudReport> {
  if (!isPlainObject(body)) {
    yield { ...unreadable('', 'has to be a JSON object'), phoneNumberId: null };
    return;
  }
  const subject = wordIn(body, 'object', 100) ?? 'whatsapp_business_account';
  if (subject !== 'whatsapp_business_account') {
    yield { ...ignored(`an object that is not handled: ${subject}`), phoneNumberId: null };
    return;
  }
  yield* readEach(body.entry, 'entry', (entry, path) => readEach(entry.changes, `${path}.changes`, readChange));
}

function* readChange(change: Fields, path: string): Generator<CloudReport> {
  const value = fieldsOf(change.value);
  const phoneNumberId = idIn(fieldsOf(value.metadata), 'phone_number_id') ?? null;
  let isEmpty = true;
  for (const report of readField(change, path)) {
    isEmpty = false;
    yield { ...report, phoneNumberId };
  }
  if (isEmpty) yield { ...ignored(reasonForNothing(value)), phoneNumberId };
}

function* readField(change: Fields, path: string): Generator<ReadReport> {
  const { field, value } = change;
  const lists = typeof field === 'string' ? listsOf.get(field) : undefined;
  if (lists === undefined) {
    const name = wordIn(change, 'field', 100);
    yield name === undefined
      ? unreadable(`${path}.field`, shapeProblem(field, 'text'))
      : ignored(`a field that is not handled: ${name}`);
  } else if (isPlainObject(value)) {
    yield* readLists(value, `${path}.value`, lists);
  } else {
    yield unreadable(`${path}.value`, shapeProblem(value, 'an object'));
  }
}

function* readLists(value: Fields, path: string, lists: readonly List[]): Generator<ReadReport> {
  const contacts = readContacts(value);
  for (const { key, read } of lists) {
    if (value[key] != null) yield* readEach(value[key], `${path}.${key}`, (item, at) => [read(item, at, contacts)]);
  }
}

// Meta reports a fault of the number or the account as a change that holds nothing but errors.
function reasonForNothing(value: Fields): string {
  const error = fieldsOf(listIn(value, 'errors')[0]);
  const words = [wordIn(error, 'code', 64), wordIn(error, 'title', 200)].filter((word) => word !== undefined);
  return words.length === 0
    ? 'a change without messages and statuses'
    : `an error without a message: ${words.join(' ')}`;
}

/** Reads a list's objects in their order; a list or an element of another shape is a report of its own. */
function* readEach<Report extends ReadReport>(
  list: unknown,
  path: string,
  read: (element: Fields, path: string) => Iterable<Report>,
): Generator<Report | (ReadReport & { phoneNumberId: null })> {
  if (!Array.isArray(list)) {
    yield { ...unreadable(path, shapeProblem(list, 'a list')), phoneNumberId: null };
    return;
  }
  for (const [index, element] of list.entries()) {
    const elementPath = `${path}.${index}`;
    if (isPlainObject(element)) yield* read(element, elementPath);
    else yield { ...unreadable(elementPath, 'has to be an object'), phoneNumberId: null };
  }
}

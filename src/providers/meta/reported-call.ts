// Reads a call of Meta's Cloud API: it holds entries, an entry holds changes, a change holds the messages and statuses of one phone number.
// Each is read by itself, in its order, so that an error in one never spoils its neighbours.

import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../platform/errors.js';
import { z } from 'zod';
import { withAdvice } from '../answer.js';
import { adviceOnFailure } from './error.js';
import { externalId, fieldErrors, isPlainObject } from '../../platform/input/input.js';
import { signatureMatches } from '../../platform/http/hmac-signature.js';
import type { NamedReport, ReadReport, ReportedStatus } from '../reported.js';
import {
  fieldsOf,
  identitiesOf,
  idIn,
  ignored,
  listIn,
  personIn,
  readContacts,
  shapeProblem,
  shownNumberOf,
  timestampIn,
  unreadable,
  wordIn,
  type Contacts,
  type Fields,
} from './contact.js';
import { assistant, isAssistantNumber } from '../whatsapp/jid.js';
import { toCall } from '../whatsapp/call.js';
import { readMetaTemplateStatus } from './template-status.js';
import { readMetaEcho, readMetaMessage } from './reported-message.js';
import { readMetaPreference } from './preference.js';

const statuses = new Map<string, ReportedStatus['status']>([
  ['sent', 'SENT'],
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['played', 'READ'],
  ['failed', 'FAILED'],
]);

const identified = z.object({ id: externalId });

/** Errors name the field from the body's root. */
function readMetaStatus(report: Fields, path: string, contacts: Contacts): ReadReport {
  if (report.recipient_type === 'group') return ignored('a group');
  // A payment has statuses under its message's id: a failed payment must not fail the message.
  const subject = wordIn(report, 'type', 32) ?? 'message';
  if (subject !== 'message') return ignored(`a status that is not a message's: ${subject}`);
  const word = wordIn(report, 'status', 32);
  if (word === undefined) return unreadable(`${path}.status`, shapeProblem(report.status, 'text'));
  const status = statuses.get(word);
  if (status === undefined) return ignored(`a status that is not handled: ${word}`);
  const parsed = identified.safeParse(report);
  if (!parsed.success) return { errors: fieldErrors(parsed.error, path) };
  const contact = identitiesOf(personIn(report, 'recipient_id', 'recipient_user_id', contacts));
  return {
    item: {
      kind: 'status',
      externalId: parsed.data.id,
      status,
      timestamp: timestampIn(report, 'timestamp'),
      error: status === 'FAILED' ? errorIn(report) : undefined,
      contact: contact.length === 0 ? undefined : contact,
    },
  };
}

function errorIn(report: Fields): ReportedStatus['error'] {
  const [first] = listIn(report, 'errors');
  if (first === undefined) return undefined;
  const error = fieldsOf(first);
  const code = wordIn(error, 'code', 64) ?? 'UNKNOWN';
  const words =
    wordIn(fieldsOf(error.error_data), 'details', 1_000) ??
    wordIn(error, 'message', 1_000) ??
    wordIn(error, 'title', 1_000);
  return { code, message: withAdviceOn(code, words) };
}

// Meta's titles and messages change, so the advice comes from us.
function withAdviceOn(code: string, words: string | undefined): string | undefined {
  const advice = adviceOnFailure(code);
  if (advice === undefined || words === undefined) return words ?? advice;
  return withAdvice(words.slice(0, 1_000 - advice.length - 2), advice);
}

/** A report, and Meta's id of the phone number that it is about; null where the call names none. */
export type MetaReport = ReadReport & { phoneNumberId: string | null; ownNumber?: string | undefined };

export interface ReadMetaCall {
  /** Each id once, in the order of the reports. */
  phoneNumberIds: string[];
  /** Holds at least one report. */
  reports: MetaReport[];
}

/** At most this many reports in one call; a call with more is refused as a whole. */
export const maxMetaReports = 1_000;

interface List {
  key: string;
  read: (item: Fields, path: string, contacts: Contacts) => ReadReport;
}

// The subscription fields that are read, and the lists that each may carry.
const listsOf = new Map<string, readonly List[]>([
  [
    'messages',
    [
      { key: 'messages', read: readMetaMessage },
      { key: 'statuses', read: readMetaStatus },
    ],
  ],
  ['user_preferences', [{ key: 'user_preferences', read: readMetaPreference }]],
  ['calls', [{ key: 'calls', read: readMetaCall }]],
  ['smb_message_echoes', [{ key: 'message_echoes', read: readMetaEcho }]],
]);

/** Subscription fields that say nothing to a conversation. A history of the phone's app is quiet: its messages are no news. */
const quietFields: ReadonlySet<string> = new Set([
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'automatic_events',
  'business_capability_update',
  'business_status_update',
  'flows',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'template_category_update',
  'template_correct_category_detection',
  'tracking_events',
]);

// A phone call is reported as it begins and as it ends, under one id. Calls by the business itself are no message.
function readMetaCall(call: Fields, path: string, contacts: Contacts): ReadReport {
  if (wordIn(call, 'direction', 32) === 'BUSINESS_INITIATED') return ignored('quiet: a call of the line itself');
  const id = externalId.safeParse(call.id);
  if (!id.success) return { errors: fieldErrors(id.error, `${path}.id`) };
  const person = personIn(call, 'from', 'from_user_id', contacts);
  if (isAssistantNumber(person.phone ?? '')) return ignored(assistant);
  const [first, ...others] = identitiesOf(person);
  if (first === undefined) return unreadable(`${path}.from`, shapeProblem(call.from, 'a phone number'));
  return toCall(id.data, { contact: [first, ...others], isVideo: false, at: timestampIn(call, 'timestamp') });
}

const templateStatusField = 'message_template_status_update';

/** Reads any JSON value and never throws. Items without meaning are `ignored` with a reason, never left out. */
export function readMeta(body: unknown): ReadMetaCall {
  const reports: MetaReport[] = [];
  for (const report of readBody(body)) {
    if (reports.length === maxMetaReports) {
      const refusal = unreadable('entry', `must not hold more than ${maxMetaReports} messages and statuses`);
      return { phoneNumberIds: [], reports: [{ ...refusal, phoneNumberId: null }] };
    }
    reports.push(report);
  }
  if (reports.length === 0) reports.push({ ...ignored('a call without changes'), phoneNumberId: null });
  const ids = reports.map(({ phoneNumberId }) => phoneNumberId).filter((id) => id !== null);
  return { phoneNumberIds: [...new Set(ids)], reports };
}

function* readBody(body: unknown): Generator<MetaReport> {
  if (!isPlainObject(body)) {
    yield { ...unreadable('', 'has to be a JSON object'), phoneNumberId: null };
    return;
  }
  const subject = wordIn(body, 'object', 100) ?? 'whatsapp_business_account';
  if (subject !== 'whatsapp_business_account') {
    yield { ...ignored(`an object that is not handled: ${subject}`), phoneNumberId: null };
    return;
  }
  yield* readEach(body.entry, 'entry', (entry, path) =>
    readEach(entry.changes, `${path}.changes`, (change, changePath) => readChange(change, changePath, entry)),
  );
}

function* readChange(change: Fields, path: string, entry: Fields): Generator<MetaReport> {
  const value = fieldsOf(change.value);
  const metadata = fieldsOf(value.metadata);
  const phoneNumberId = idIn(metadata, 'phone_number_id') ?? null;
  const ownNumber = shownNumberOf(metadata.display_phone_number);
  let isEmpty = true;
  for (const report of readField(change, path, entry)) {
    isEmpty = false;
    yield { ...report, phoneNumberId, ownNumber };
  }
  if (isEmpty) yield { ...ignored(reasonForNothing(value)), phoneNumberId, ownNumber };
}

function* readField(change: Fields, path: string, entry: Fields): Generator<ReadReport> {
  const { field, value } = change;
  const lists = typeof field === 'string' ? listsOf.get(field) : undefined;
  if (field === templateStatusField && isPlainObject(value)) {
    yield readMetaTemplateStatus(value, `${path}.value`, entry);
  } else if (lists === undefined && field !== templateStatusField) {
    const name = wordIn(change, 'field', 100);
    yield name === undefined
      ? unreadable(`${path}.field`, shapeProblem(field, 'text'))
      : ignored(quietFields.has(name) ? `quiet: ${name}` : `a field that is not handled: ${name}`);
  } else if (isPlainObject(value) && lists !== undefined) {
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

/** Reads a call for one instance. A report on another phone number is ignored, because another instance has that number. */
export function readMetaOf(
  { name, phoneNumberId: ownId }: { name: string; phoneNumberId: string | undefined },
  body: unknown,
): NamedReport[] {
  return readMeta(body).reports.map(({ phoneNumberId, ownNumber, ...report }): NamedReport => {
    const isOther = ownId !== undefined && phoneNumberId !== null && phoneNumberId !== ownId;
    if (isOther) return { instance: name, ...ignored(`for another phone number: ${phoneNumberId}`) };
    // Without an id of the number, the call may be about any number of the account.
    return { instance: name, ...(phoneNumberId === null ? {} : { ownNumber }), ...report };
  });
}

/** 1 to 512 printable ASCII characters: the challenge is sent back as it came. */
const challengePattern = /^[\x20-\x7e]{1,512}$/;

/**
 * Answers Meta's handshake, `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…`. The challenge goes back as plain text, with
 * nothing around it. Returns undefined where the token or another parameter is wrong. Safe to repeat.
 * @param verifyToken the token that was entered at Meta; an empty token confirms nothing
 */
export function answerHandshake(
  query: Record<string, unknown>,
  verifyToken: string,
): { challenge: string } | undefined {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
  if (typeof token !== 'string' || verifyToken === '' || !equal(token, verifyToken)) return undefined;
  if (mode !== 'subscribe' || typeof challenge !== 'string' || !challengePattern.test(challenge)) return undefined;
  return { challenge };
}

/**
 * Returns whether `X-Hub-Signature-256` signs exactly these bytes. The comparison takes constant time. Meta signs its own serialization of
 * the JSON, so a body that was serialized again never matches.
 * @param appSecret the app secret, not the access token; an empty secret matches nothing
 */
export function metaSignatureMatches(appSecret: string, header: string | undefined, rawBody: Buffer): boolean {
  return appSecret !== '' && signatureMatches(appSecret, header, rawBody);
}

/** The error for a call whose signature is missing or wrong. */
export function unsignedMetaCall(): AppError {
  return new AppError('SIGNATURE_INVALID', 'X-Hub-Signature-256 is missing or does not match the body');
}

// Compares digests, which have one length, so that the time reveals nothing of the token, not even its length.
function equal(left: string, right: string): boolean {
  return timingSafeEqual(digestOf(left), digestOf(right));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

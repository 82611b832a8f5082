// Reads the person whom a message or a status is about. A person is known by number, by business-scoped user id (BSUID), or by both. A
// change's `contacts` add what the message itself leaves out. The caller finds the leads.

import type { FieldError } from '../../platform/errors.js';
import { externalId, isPlainObject, storableText } from '../../platform/input/input.js';
import { readShownName } from '../../platform/input/shown-name.js';
import type { LeadIdentity, Ignored } from '../reported.js';
import { matchKeyOfNumber } from '../../platform/phone-numbers/match-key.js';
import { timestampSchema } from '../reported.schema.js';
import { chatNumberSchema } from '../../platform/phone-numbers/number.schema.js';

/** The number of a line as Meta shows it (`+1 555-010-0123`): digits with country code; undefined for all else. */
export function shownNumberOf(shown: unknown): string | undefined {
  if (typeof shown !== 'string' || !/^\+?[\d\s().-]{7,40}$/.test(shown)) return undefined;
  const digits = shown.replaceAll(/\D/g, '');
  return /^\d{7,15}$/.test(digits) ? digits : undefined;
}

export interface Person {
  /** Digits with country code. */
  phone?: string | undefined;
  /** The BSUID as Meta writes it: `BR.13…`. */
  userId?: string | undefined;
  name?: string | undefined;
}

/** The people of one change, under each of their identities. */
export interface Contacts {
  people: readonly Person[];
  byKey: ReadonlyMap<string, Person>;
}

// A BSUID may stand in a number's field since usernames came. Its dot would count as a separator of digits.
const userIdPattern = /^[A-Z]{2}\.[A-Za-z0-9.]{1,252}$/;

/** Contacts without any identity are left out. The first of two contacts with the same identity counts. */
export function readContacts(value: Fields): Contacts {
  const people = listIn(value, 'contacts')
    .map(readContact)
    .filter((person) => keysOf(person).length > 0);
  const byKey = new Map<string, Person>();
  for (const person of people) {
    for (const key of keysOf(person)) if (!byKey.has(key)) byKey.set(key, person);
  }
  return { people, byKey };
}

/** Returns the person whom two fields of a message or status name, completed from the contacts. */
export function personIn(parent: Fields, phoneKey: string, userIdKey: string, contacts: Contacts): Person {
  const person = readPerson(parent, phoneKey, userIdKey);
  const contact = keysOf(person)
    .map((key) => contacts.byKey.get(key))
    .find((found) => found !== undefined);
  return {
    phone: person.phone ?? contact?.phone,
    userId: person.userId ?? contact?.userId,
    name: contact?.name,
  };
}

/** Returns the person's identities, the number first; empty where there are none. */
export function identitiesOf({ phone, userId }: Person): LeadIdentity[] {
  const identities: LeadIdentity[] = [];
  if (phone !== undefined) identities.push({ kind: 'PHONE', value: phone });
  if (userId !== undefined) identities.push({ kind: 'BSUID', value: userId });
  return identities;
}

function readContact(value: unknown): Person {
  const contact = fieldsOf(value);
  const profile = fieldsOf(contact.profile);
  const name = readShownName(profile.name) ?? readShownName(profile.username);
  return { ...readPerson(contact, 'wa_id', 'user_id'), name };
}

function readPerson(parent: Fields, phoneKey: string, userIdKey: string): Person {
  const written = idIn(parent, phoneKey);
  const stray = written !== undefined && userIdPattern.test(written) ? written : undefined;
  return { phone: chatNumberSchema.safeParse(parent[phoneKey]).data, userId: idIn(parent, userIdKey) ?? stray };
}

// A contact's `wa_id` and a message's `from` may be two writings of one number (Brazil's ninth digit).
function keysOf({ phone, userId }: Person): string[] {
  const keys: string[] = [];
  if (phone !== undefined) keys.push(`PHONE:${matchKeyOfNumber(phone)}`);
  if (userId !== undefined) keys.push(`BSUID:${userId}`);
  return keys;
}

/** A JSON object whose fields are not read yet. */
export type Fields = Record<string, unknown>;

/** Returns the value as an object, or an empty object, so that its fields read as missing. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

/** Returns the list under `key`, empty where there is none. */
export function listIn(parent: Fields, key: string): unknown[] {
  const value = parent[key];
  return Array.isArray(value) ? value : [];
}

/** Text or a number under `key`: without blanks at its ends, storable, cut to `maxLength` UTF-16 units; never empty. */
export function wordIn(parent: Fields, key: string, maxLength: number): string | undefined {
  const value = parent[key];
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = storableText(String(value).trim(), maxLength);
  return word === '' ? undefined : word;
}

/** An id under `key`, 1 to 255 UTF-16 units. Never cut, and never made of a number: JSON rounds the long ones. */
export function idIn(parent: Fields, key: string): string | undefined {
  return externalId.safeParse(parent[key]).data;
}

/** Meta writes unix seconds as text. Undefined where they are unreadable or outside the years 2000 to 2100. */
export function timestampIn(parent: Fields, key: string): Date | undefined {
  const seconds = wordIn(parent, key, 20);
  if (seconds === undefined || !/^\d+$/.test(seconds)) return undefined;
  return timestampSchema.safeParse(Number(seconds)).data;
}

/** A part of the call that cannot be read, as a report. */
export function unreadable(path: string, message: string): { errors: FieldError[] } {
  return { errors: [{ path, message }] };
}

/** Returns the problem with a required value: it is missing, or has another shape. */
export function shapeProblem(value: unknown, expected: string): string {
  return value === undefined ? 'is required' : `has to be ${expected}`;
}

/** A part of the call that means nothing to us, as a report. */
export function ignored(reason: string): { item: Ignored } {
  return { item: { kind: 'ignored', reason } };
}

// Reads one element of `messages` or `message_echoes`: its direction, its person, its time and its content.

import { z } from 'zod';
import type { FieldError } from '../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../platform/input/input.js';
import type { ReadReport, ReportedMessage } from '../reported.js';
import {
  fieldsOf,
  identitiesOf,
  idIn,
  ignored,
  listIn,
  personIn,
  shapeProblem,
  timestampIn,
  unreadable,
  wordIn,
  type Contacts,
  type Fields,
  type Person,
} from './contact.js';
import { assistant, isAssistantNumber } from '../whatsapp/jid.js';
import { quietMetaTypes } from './said.js';
import { readMetaReferral } from './referral.js';
import { maxEmojiLength } from '../reported.schema.js';
import { chatNumberSchema } from '../../platform/phone-numbers/number.schema.js';
import { type MetaContent, maxTypeLength, readMetaContent, type ReadChange, readEdit } from './reported-content.js';

const identified = z.object({ id: externalId });
const writtenFrom = z.object({ from: chatNumberSchema });
const writtenTo = z.object({ to: chatNumberSchema });

/** A message from a lead. Errors name the field from the body's root. */
export function readMetaMessage(message: Fields, path: string, contacts: Contacts): ReadReport {
  return readMessage(message, path, {
    direction: 'INBOUND',
    person: senderOf(message, contacts),
    numberSchema: writtenFrom,
  });
}

/** A message that was sent with the phone's own app. */
export function readMetaEcho(message: Fields, path: string, contacts: Contacts): ReadReport {
  return readMessage(message, path, {
    direction: 'OUTBOUND',
    person: personIn(message, 'to', 'to_user_id', contacts),
    numberSchema: writtenTo,
  });
}

interface Side {
  direction: ReportedMessage['direction'];
  person: Person;
  /** Finds the problem with the number where the message names nobody. */
  numberSchema: z.ZodType;
}

function readMessage(message: Fields, path: string, side: Side): ReadReport {
  if (message.group_id != null) return ignored('a group');
  const { direction, person, numberSchema } = side;
  const type = wordIn(message, 'type', maxTypeLength) ?? '';
  if (quietMetaTypes.has(type)) return ignored(`quiet: ${type}`);
  if (isAssistantNumber(person.phone ?? '')) return ignored(assistant);
  const readChange = changeReaders.get(type);
  if (readChange !== undefined) return readAsChange(message, path, side, readChange);
  const { errors: contentErrors = [], ...content } = withLostFile(message, readMetaContent(message, path));
  const [first, ...others] = identitiesOf(person);
  const externalIdRead = identified.safeParse(message);
  const errors = [
    ...problemsIn(externalIdRead, path),
    ...(first === undefined ? problemsIn(numberSchema.safeParse(message), path) : []),
    ...contentErrors,
  ];
  if (!externalIdRead.success || first === undefined || errors.length > 0) return { errors };
  return {
    item: {
      kind: 'message',
      direction,
      externalId: externalIdRead.data.id,
      contact: [first, ...others],
      name: person.name,
      ...content,
      text: content.text ?? reasonFor(message, content),
      replyTo: idIn(fieldsOf(message.context), 'id'),
      timestamp: timestampIn(message, 'timestamp'),
      referral: direction === 'INBOUND' ? readMetaReferral(message) : undefined,
      isForwarded: wasForwarded(fieldsOf(message.context)),
      isFromPhone: direction === 'OUTBOUND' || undefined,
    },
  };
}

function wasForwarded({ forwarded, frequently_forwarded: frequently }: Fields): true | undefined {
  return forwarded === true || frequently === true || undefined;
}

// The change's own id is not read, because a change is no message.
function readAsChange(message: Fields, path: string, { direction, person }: Side, read: ChangeReader): ReadReport {
  const { name, idField } = read;
  const details = message[name];
  const detailsPath = `${path}.${name}`;
  if (!isPlainObject(details)) return unreadable(detailsPath, shapeProblem(details, 'an object'));
  const id = externalId.safeParse(details[idField]);
  if (!id.success) return { errors: fieldErrors(id.error, `${detailsPath}.${idField}`) };
  const change = read.of(details, detailsPath);
  if ('errors' in change || 'item' in change) return change;
  const contact = identitiesOf(person);
  const timestamp = timestampIn(message, 'timestamp');
  return {
    item: {
      kind: 'change',
      externalId: id.data,
      direction,
      contact: contact.length === 0 ? undefined : contact,
      timestamp,
      ...change,
    },
  };
}

interface ChangeReader {
  /** The message's type, which is also the field that holds its details. */
  name: 'reaction' | 'edit' | 'revoke';
  /** The field of the details that names the changed message. */
  idField: string;
  of: (details: Fields, path: string) => ReadChange;
}

const changes: readonly ChangeReader[] = [
  // A reaction that was taken back has an empty emoji, or none at all.
  {
    name: 'reaction',
    idField: 'message_id',
    of: (details) => ({ change: 'REACTION', emoji: wordIn(details, 'emoji', maxEmojiLength) ?? null }),
  },
  { name: 'edit', idField: 'original_message_id', of: readEdit },
  { name: 'revoke', idField: 'original_message_id', of: () => ({ change: 'DELETION' }) },
];
const changeReaders = new Map<string, ChangeReader>(changes.map((reader) => [reader.name, reader]));

// A message without a sender belongs to the call's only contact. A number that was requested by button comes this way. The notice of a
// changed user id has no contacts, and names the new id itself.
function senderOf(message: Fields, contacts: Contacts): Person {
  if (!isMissing(message.from) || !isMissing(message.from_user_id)) {
    return personIn(message, 'from', 'from_user_id', contacts);
  }
  const [only, ...others] = contacts.people;
  if (only !== undefined && others.length === 0) return only;
  return message.type === 'system' ? personIn(fieldsOf(message.system), 'wa_id', 'user_id', contacts) : {};
}

function isMissing(value: unknown): boolean {
  return value == null || value === '';
}

/** The network's code for a file that is too large for it: the message comes without the file. */
const fileTooLarge = 131_052;

function withLostFile(message: Fields, content: MetaContent): MetaContent {
  const isLost = content.media === undefined && fieldsOf(listIn(message, 'errors')[0]).code === fileTooLarge;
  return isLost ? { ...content, isPlaceholder: undefined, media: { url: null, problem: 'TOO_LARGE' } } : content;
}

// Meta gives a reason where it cannot show a message.
function reasonFor(message: Fields, { media }: MetaContent): string | undefined {
  if (media !== undefined && media.problem === undefined) return undefined;
  const error = fieldsOf(listIn(message, 'errors')[0]);
  return wordIn(error, 'title', 1_000) ?? wordIn(error, 'message', 1_000);
}

function problemsIn(parsed: z.ZodSafeParseResult<unknown>, path: string): FieldError[] {
  return parsed.success ? [] : fieldErrors(parsed.error, path);
}

// One element of `messages` or `message_echoes`: who it is from or to, and when. What it says is read by its content.

import { z } from 'zod';
import type { FieldError } from '../../../platform/errors.js';
import { externalId, fieldErrors } from '../../../platform/input.js';
import { chatNumberSchema } from '../../leads/lead.schema.js';
import { identitiesOf, personIn } from './meta-contact.js';
import type { Contacts, Person } from './meta-contact.js';
import { readCloudContent } from './meta-content.js';
import type { CloudContent } from './meta-content.js';
import { fieldsOf, idIn, ignored, listIn, timestampIn, wordIn } from './meta-fields.js';
import type { Fields } from './meta-fields.js';
import type { ReadReport, ReportedMessage } from './dialect.js';

const identified = z.object({ id: externalId });
const writtenFrom = z.object({ from: chatNumberSchema });
const writtenTo = z.object({ to: chatNumberSchema });

/** A message from a lead. Errors name the field from the body's root. */
export function readCloudMessage(message: Fields, path: string, contacts: Contacts): ReadReport {
  return readMessage(message, path, {
    direction: 'INBOUND',
    person: senderOf(message, contacts),
    numberSchema: writtenFrom,
  });
}

/** A message that was sent with the phone's own app. */
export function readCloudEcho(message: Fields, path: string, contacts: Contacts): ReadReport {
  return readMessage(message, path, {
    direction: 'OUTBOUND',
    person: personIn(message, 'to', 'to_user_id', contacts),
    numberSchema: writtenTo,
  });
}

interface Side {
  direction: ReportedMessage['direction'];
  person: Person;
  /** Says what is wrong with the number where nobody is known. */
  numberSchema: z.ZodType;
}

function readMessage(message: Fields, path: string, { direction, person, numberSchema }: Side): ReadReport {
  if (message.group_id != null) return ignored('a group');
  const { errors: contentErrors = [], ...content } = readCloudContent(message, path);
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
      replyTo: content.replyTo ?? idIn(fieldsOf(message.context), 'id'),
      timestamp: timestampIn(message, 'timestamp'),
    },
  };
}

// A message that names no sender is its only contact's: so a number comes in that was asked for by button. The notice that
// someone's user id changed has no contacts, and names the new id within itself.
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

// Where Meta has nothing to show of a message, it says why.
function reasonFor(message: Fields, { media }: CloudContent): string | undefined {
  if (media !== undefined) return undefined;
  const error = fieldsOf(listIn(message, 'errors')[0]);
  return wordIn(error, 'title', 1_000) ?? wordIn(error, 'message', 1_000);
}

function problemsIn(parsed: z.ZodSafeParseResult<unknown>, path: string): FieldError[] {
  return parsed.success ? [] : fieldErrors(parsed.error, path);
}

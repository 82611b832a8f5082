// One element of `statuses`: how far a message of ours has come.

import { z } from 'zod';
import { externalId, fieldErrors } from '../../../platform/input.js';
import { identitiesOf, personIn } from './meta-contact.js';
import type { Contacts } from './meta-contact.js';
import { fieldsOf, ignored, listIn, shapeProblem, timestampIn, unreadable, wordIn } from './meta-fields.js';
import type { Fields } from './meta-fields.js';
import type { ReadReport, ReportedStatus } from './dialect.js';

const statuses = new Map<string, ReportedStatus['status']>([
  ['sent', 'SENT'],
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['played', 'READ'],
  ['failed', 'FAILED'],
]);

const identified = z.object({ id: externalId });

/** Errors name the field from the body's root. */
export function readCloudStatus(report: Fields, path: string, contacts: Contacts): ReadReport {
  if (report.recipient_type === 'group') return ignored('a group');
  // A payment has statuses under its message's id: one that failed must not fail the message.
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
  const message =
    wordIn(fieldsOf(error.error_data), 'details', 1_000) ??
    wordIn(error, 'message', 1_000) ??
    wordIn(error, 'title', 1_000);
  return { code: wordIn(error, 'code', 64) ?? 'UNKNOWN', message };
}

// Meta's `message_template_status_update`: a change of this field is one report on one template, without a phone number.

import { languageCode } from './template-list.js';
import { isPlainObject } from '../../platform/input/input.js';
import type { ReadReport } from '../reported.js';
import { fieldsOf, idIn, ignored, shapeProblem, unreadable, wordIn, type Fields } from './contact.js';
import { timestampSchema } from '../reported.schema.js';

/** Events that name the template's status from then on. A reinstated template is approved again. */
const statuses: ReadonlyMap<string, string> = new Map([
  ...[
    'APPROVED',
    'PENDING',
    'REJECTED',
    'PAUSED',
    'DISABLED',
    'FLAGGED',
    'IN_APPEAL',
    'PENDING_DELETION',
    'DELETED',
    'LIMIT_EXCEEDED',
    'ARCHIVED',
  ].map((event) => [event, event] as const),
  ['REINSTATED', 'APPROVED'],
  ['UNARCHIVED', 'APPROVED'],
]);

const maxReasonLength = 500;
const nameField = 'message_template_name';
const languageField = 'message_template_language';

/**
 * Errors name the field from the body's root.
 * @param entry the entry that holds the change: it names the business account and the time
 */
export function readMetaTemplateStatus(value: Fields, path: string, entry: Fields): ReadReport {
  const event = wordIn(value, 'event', 64)?.toUpperCase();
  if (event === undefined) return unreadable(`${path}.event`, shapeProblem(value['event'], 'text'));
  const status = statuses.get(event);
  if (status === undefined) return ignored(`an event of a template that is not handled: ${event}`);
  const name = wordIn(value, nameField, 512);
  if (name === undefined) return unreadable(`${path}.${nameField}`, shapeProblem(value[nameField], 'text'));
  const language = wordIn(value, languageField, 35);
  if (language === undefined) return unreadable(`${path}.${languageField}`, shapeProblem(value[languageField], 'text'));
  return {
    item: {
      kind: 'templateStatus',
      wabaId: idIn(entry, 'id') ?? null,
      name,
      language: languageCode(language),
      status,
      reason: reasonIn(value),
      reportedAt: timeIn(entry),
    },
  };
}

// A rejected template has a reason, and a paused one a description. A template without a problem has the reason NONE.
function reasonIn(value: Fields): string | null {
  const reason = wordIn(value, 'reason', maxReasonLength);
  if (reason !== undefined && reason !== 'NONE') return reason;
  const info = value['other_info'];
  return isPlainObject(info) ? (wordIn(fieldsOf(info), 'description', maxReasonLength) ?? null) : null;
}

// The time is in unix seconds, and in milliseconds in some of Meta's calls.
function timeIn(entry: Fields): Date | undefined {
  const written = wordIn(entry, 'time', 20);
  if (written === undefined || !/^\d+$/.test(written)) return undefined;
  const seconds = Number(written) > 1e11 ? Number(written) / 1_000 : Number(written);
  return timestampSchema.safeParse(seconds).data;
}

// Reads a lead form of Google Ads. Its body is unsigned: a key in it proves where it comes from, and is removed here.

import { isPlainObject } from '../../../platform/input/input.js';
import { fieldsOf, idText } from './exact-json.js';
import { isTestLead } from './test-lead.js';
import { joinAnswers, timeOf, type Submission } from './submission.js';

export const googleKeyField = 'google_key';

/** @returns undefined if the body is no object */
export function readGoogleLead(body: unknown): Submission | undefined {
  if (!isPlainObject(body)) return undefined;
  const { user_column_data: columns, is_test: _isTest, ...rest } = body;
  delete rest[googleKeyField];
  const pairs = (Array.isArray(columns) ? (columns as unknown[]) : []).flatMap((column): [string, unknown][] => {
    const { column_id: id, column_name: name, string_value: value } = fieldsOf(column);
    const known = [id, name].find((one) => typeof one === 'string' && one !== '');
    return typeof known === 'string' && value !== undefined ? [[known, value]] : [];
  });
  return {
    externalId: idText(body['lead_id']),
    document: { ...withIdsAsText(rest), answers: joinAnswers(pairs) },
    formId: idText(body['form_id']),
    disclaimers: [],
    submittedAt: timeOf(body['lead_submit_time']),
    isTest: isTestLead(body),
  };
}

// Short ids become text too, so that all ids have one type.
function withIdsAsText(fields: Record<string, unknown>): Record<string, unknown> {
  const asText = ([name, value]: [string, unknown]): [string, unknown] => [
    name,
    typeof value === 'number' && name.endsWith('_id') ? String(value) : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(asText));
}

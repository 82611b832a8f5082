// Meta's Lead Ads: webhook calls that name leads, and a lead's answers from the Graph API.

import { metaId } from '../../../providers/meta/gateway.js';
import type { FieldError } from '../../../platform/errors.js';
import { isPlainObject, storableText } from '../../../platform/input/input.js';
import { fieldsOf, idText } from './exact-json.js';
import { disclaimerOf, joinAnswers, timeOf, type Submission } from './submission.js';
import { isDummyAnswer } from './test-lead.js';

/** A lead that Meta names; its answers are to be fetched. */
export interface LeadNotice {
  leadgenId: string;
  formId: string | null;
}

/** A change of a call: a named lead, or the reason why it names none. */
export type NoticedItem = { notice: LeadNotice } | { ignored: string } | { errors: FieldError[] };

/** The most changes that are read from one call. */
export const maxNotices = 1_000;

/** Reads any JSON value and never throws. */
export function readNotices(body: unknown): NoticedItem[] {
  if (!isPlainObject(body)) return [{ errors: [{ path: '', message: 'has to be a JSON object' }] }];
  const subject = body['object'] ?? 'page';
  if (subject !== 'page') return [{ ignored: `an object that is not handled: ${wordOf(subject)}` }];
  const items: NoticedItem[] = [];
  for (const [index, entry] of listOf(body['entry']).entries())
    for (const [place, change] of listOf(fieldsOf(entry)['changes']).entries()) {
      if (items.length === maxNotices)
        return [{ errors: [{ path: 'entry', message: `must not hold more than ${maxNotices} leads` }] }];
      items.push(readChange(fieldsOf(change), `entry.${index}.changes.${place}.value`));
    }
  return items.length === 0 ? [{ ignored: 'a call without leads' }] : items;
}

function readChange({ field, value }: Record<string, unknown>, path: string): NoticedItem {
  if (field !== 'leadgen') return { ignored: `a field that is not handled: ${wordOf(field)}` };
  const { leadgen_id: id, form_id: form } = fieldsOf(value);
  const [leadgenId, formId] = [idText(id), idText(form)];
  if (leadgenId === null || !metaId.test(leadgenId))
    return { errors: [{ path: `${path}.leadgen_id`, message: "has to be Meta's id of a lead" }] };
  return { notice: { leadgenId, formId: formId !== null && metaId.test(formId) ? formId : null } };
}

/** Reads a lead of the Graph API. @returns undefined if the value is no lead */
export function readMetaLead(lead: unknown): Submission | undefined {
  if (!isPlainObject(lead) || !Array.isArray(lead['field_data'])) return undefined;
  const { field_data: fields, custom_disclaimer_responses: disclaimers, ...rest } = lead;
  const pairs = (fields as unknown[]).flatMap((field): [string, unknown][] => {
    const { name, values } = fieldsOf(field);
    if (typeof name !== 'string' || name === '') return [];
    const all = Array.isArray(values) ? (values as unknown[]) : [];
    return [[name, all.length === 1 ? all[0] : all]];
  });
  return {
    externalId: idText(lead['id']),
    document: { ...rest, answers: joinAnswers(pairs) },
    formId: idText(lead['form_id']),
    disclaimers: listOf(disclaimers).flatMap((response) => {
      const { checkbox_key: key, is_checked: value } = fieldsOf(response);
      return disclaimerOf(key, value);
    }),
    submittedAt: timeOf(lead['created_time']),
    isTest: pairs.some(([, value]) => isDummyAnswer(value)),
  };
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? storableText(value, 100) : 'no name';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

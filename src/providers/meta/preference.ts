// Meta's `user_preferences`: a person stops or resumes marketing messages of a number in the chat application.

import type { ReadReport, ReportedPreference } from '../reported.js';
import {
  identitiesOf,
  ignored,
  personIn,
  shapeProblem,
  timestampIn,
  unreadable,
  wordIn,
  type Contacts,
  type Fields,
} from './contact.js';

const marketing = 'marketing_messages';

const actions = new Map<string, ReportedPreference['action']>([
  ['stop', 'OPT_OUT'],
  ['resume', 'OPT_IN'],
]);

/** Errors name the field from the body's root. */
export function readMetaPreference(preference: Fields, path: string, contacts: Contacts): ReadReport {
  const category = wordIn(preference, 'category', 64) ?? marketing;
  if (category !== marketing) return ignored(`a preference that is not handled: ${category}`);
  const value = wordIn(preference, 'value', 32);
  if (value === undefined) return unreadable(`${path}.value`, shapeProblem(preference.value, 'text'));
  const action = actions.get(value);
  if (action === undefined) return ignored(`a preference that is not handled: ${value}`);
  const [first, ...others] = identitiesOf(personIn(preference, 'wa_id', 'user_id', contacts));
  if (first === undefined) return unreadable(`${path}.wa_id`, shapeProblem(preference.wa_id, 'a phone number'));
  const timestamp = timestampIn(preference, 'timestamp');
  return { item: { kind: 'preference', contact: [first, ...others], action, timestamp } };
}

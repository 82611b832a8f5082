// Says in words what a decision on consent rests on.

import { nameOf } from '../../parts/name-of.js';
import type { StoryConsent } from './story.js';
import type { leadTexts } from './texts.js';

type LeadTexts = (typeof leadTexts)['en'];

export function saysHow({ source, keyword, message, user, evidence }: StoryConsent, texts: LeadTexts): string {
  return {
    KEYWORD: texts.keyword(message?.body ?? keyword ?? ''),
    PREFERENCE: texts.preference,
    USER: texts.byUser(user === null ? '' : nameOf(user)),
    LEAD_FORM: answersOf(evidence, texts),
    ERASURE: texts.erasedBefore,
  }[source];
}

/** Lists the boxes that the person ticked or left empty in a form. The list is empty once the person was erased. */
function answersOf(evidence: StoryConsent['evidence'], texts: Pick<LeadTexts, 'ticked' | 'notTicked'>): string {
  const answers = evidence?.['disclaimers'];
  const boxes = (Array.isArray(answers) ? answers : []) as { key: string; isChecked: boolean }[];
  const keysOf = (isChecked: boolean) => boxes.filter((box) => box.isChecked === isChecked).map(({ key }) => key);
  const [ticked, left] = [keysOf(true).join(', '), keysOf(false).join(', ')];
  return [ticked !== '' && texts.ticked(ticked), left !== '' && texts.notTicked(left)]
    .filter((part) => part !== false)
    .join('; ');
}

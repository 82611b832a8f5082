// Finds the answers of a submission as products give them: as fields of an object, as a list of questions with their answers, or under ids
// whose questions stand elsewhere.

import { isPlainObject } from '../../../platform/input/input.js';
import { isOfOthers } from '../../leads/whose-field.js';
import { escaped, type DocumentReader } from './pointer.js';

/** The most fields of one object or list, and of all together, that are looked at. Anybody who knows a form's address can send many. */
export const maxFields = 200;
const maxAllFields = 1_000;

/** Fields that stand side by side: those of an object, or the answers of a list that name their questions. */
export interface FieldGroup {
  value: Record<string, unknown> | unknown[];
  pointer: string;
}

/** The object that has the answers, and then the objects and lists in it, also those in JSON that is text: the nearest come first. */
export function groupsOf(reader: DocumentReader, document: Record<string, unknown>, root: string): FieldGroup[] {
  const start = root === '' ? document : document[root.slice(1)];
  const groups: FieldGroup[] = isPlainObject(start) ? [{ pointer: root, value: reader.whole(start) }] : [];
  let left = maxAllFields;
  for (const [place, { pointer, value }] of groups.entries()) {
    left -= Math.min(Object.keys(value).length, maxFields);
    if (left < 0 && place > 0) return groups.slice(0, place);
    // Objects in a list may be several people, and only one of them would become a lead.
    if (Array.isArray(value) && value.length > 1) continue;
    for (const [name, field] of Object.entries(value).slice(0, maxFields)) {
      const inner: unknown = typeof field === 'string' ? reader.parse(field) : field;
      if ((isPlainObject(inner) || Array.isArray(inner)) && groups.length < maxAllFields)
        groups.push({ pointer: `${pointer}/${escaped(name)}`, value: inner });
    }
  }
  return groups;
}

export type Titles = ReadonlyMap<string, readonly string[]>;

/** The titles of a form's fields by their ids, where the answers name nothing but these, as those of Typeform and LinkedIn do. */
export function titlesOf(groups: readonly FieldGroup[]): Titles {
  const elements = groups.flatMap(({ value }) => (Array.isArray(value) ? value.slice(0, maxFields) : []));
  return new Map(
    elements.flatMap((element: unknown): [string, string[]][] => {
      if (!isPlainObject(element)) return [];
      const id = questionIdOf(element);
      const { predefinedField, Title, title = Title, name, label, question } = element;
      // LinkedIn's own name of a field comes before the words of the form's author, which it gives in several languages.
      const localized = isPlainObject(question) && isPlainObject(question.localized) ? question.localized : {};
      const titles = [predefinedField, title, label, name, question, ...Object.values(localized)].filter(isFilled);
      return id === undefined || answerPlaceOf(element) !== undefined || titles.length === 0 ? [] : [[id, titles]];
    }),
  );
}

export const isText = (value: unknown): value is string => typeof value === 'string';
const isFilled = (value: unknown): value is string => isText(value) && value.trim() !== '';

const idFields = ['questionId', 'question_id', 'fieldId', 'field_id', 'id', 'ID'];

type Element = Readonly<Record<string, unknown>>;

function idFieldOf(element: Element): string | undefined {
  return idFields.find((field) => isText(element[field]) || typeof element[field] === 'number');
}

function questionIdOf(element: Element): string | undefined {
  const field = idFieldOf(element);
  if (field !== undefined && field !== 'id') return String(element[field]);
  // An item of Google's forms has its question within.
  const { questionItem } = element;
  if (isPlainObject(questionItem) && isPlainObject(questionItem.question)) return questionIdOf(questionItem.question);
  return field === undefined ? undefined : String(element[field]);
}

const questionFields = [
  'label',
  'title',
  'question',
  'pergunta',
  'pregunta',
  'frage',
  'heading',
  'column_id',
  'question_type',
  'name',
  'key',
  'fieldName',
  'field_name',
  'questionText',
  'slug',
  'field',
];
const answerFields =
  'value answer values answers response resposta respuesta antwort string_value answerDetails textAnswers display_value'.split(
    ' ',
  );
/** The places of the text in answers of LinkedIn and of Google's forms. */
const innerPlaces: Readonly<Record<string, string>> = {
  answerDetails: 'answerDetails/textQuestionAnswer/answer',
  textAnswers: 'textAnswers/answers/0/value',
};

export function answerPlaceOf(element: Element): string | undefined {
  const field = answerFields.find((name) => Object.hasOwn(element, name));
  return field === undefined ? undefined : (innerPlaces[field] ?? field);
}

/**
 * Reads where an answer stands, and its question: `{"label": "Phone", "value": "+55…"}` of Tally, with other words of Fillout, Paperform
 * and Calendly. One of LinkedIn is named by the question of its `questionId`, if that stands beside. Typeform's `{"type": "phone_number",
 * "phone_number": "+55…", "field": {"id": …}}` is named by its type and by its field's title, or else by its field's reference.
 */
export function answersOf(element: unknown, place: string, titles: Titles): [string, string][] {
  if (!isPlainObject(element)) return [];
  const answer = answerPlaceOf(element);
  const questions = answer === undefined ? [] : questionsOf(element, titles);
  if (questions.length > 0) return questions.map((question) => [question, `${place}/${answer}`]);
  if (!isTyped(element)) return [];
  const { type, field } = element;
  const named = isPlainObject(field) ? (titles.get(questionIdOf(field) ?? '') ?? [field.ref].filter(isText)) : [];
  const asked = [...questionsOf(element, titles), ...named];
  const names = asked.some(isOfOthers) ? asked : [type, ...asked];
  return names.map((name): [string, string] => [name, `${place}/${escaped(type)}`]);
}

/** An answer under the name of its type, as those of Typeform. */
export const isTyped = (element: Element): element is Element & { type: string } =>
  isText(element.type) && Object.hasOwn(element, element.type);

/** The question that an answer names, otherwise those of its id, and what else says that it is a number. */
export function questionsOf(element: Element, titles: Titles): readonly string[] {
  const { code, type } = element;
  const question = questionFields.map((field) => element[field]).find((title) => isText(title) && title.trim() !== '');
  const asked = isText(question) ? [question] : (titles.get(questionIdOf(element) ?? '') ?? []);
  if (asked.some(isOfOthers)) return asked;
  // Kommo has a code beside the words of its user. A type says less than any name, so it has the key of a mere label.
  const typed = isText(type) && numberType.test(type) ? ['phone field'] : [];
  return [...asked, ...(isText(code) ? [code] : []), ...typed];
}

const numberType = /^(?:input_?)?(?:phone|tel|telephone|mobile|whatsapp)(?:_?number)?$/i;

/** `1.3` of Gravity Forms, `r5f0c…` of Microsoft Forms, `input_5`. */
const idName = /^(?:[a-z]{1,8}[-_]?)?\d{1,6}(?:[._]\d{1,3})?$|^r?[\da-f]{10,32}$/i;

/** The answers that have the id of a question, and no name of it anywhere. */
export function unnamedIn({ value, pointer }: FieldGroup, titles: Titles): string[] {
  if (isOfOthers(pointer)) return [];
  if (!Array.isArray(value)) {
    const names = Object.keys(value).slice(0, maxFields);
    return names.flatMap((name) => {
      const answer = value[name];
      if (idName.test(name) && isFilled(answer)) return [`${pointer}/${escaped(name)}`];
      if (!isPlainObject(answer) || questionIdOf(answer) !== name || questionsOf(answer, titles).length > 0) return [];
      const place = answerPlaceOf(answer);
      return place === undefined ? [] : [`${pointer}/${escaped(name)}/${place}`];
    });
  }
  return value.slice(0, maxFields).flatMap((element: unknown) => {
    if (!isPlainObject(element) || questionsOf(element, titles).length > 0) return [];
    const answer = answerPlaceOf(element);
    const field = idFieldOf(element);
    if (answer === undefined || field === undefined) return [];
    return [`${pointer}/${escaped(`[${field}=${String(element[field])}]`)}/${answer}`];
  });
}

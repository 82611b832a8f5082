// Looks for the number and the name of a submission whose mapping leads to none: by the names that people give to such fields.

import { isPlainObject } from '../../../platform/input/input.js';
import { countryNamed } from '../../../platform/phone-numbers/country-names.js';
import type { Country } from '../../../platform/phone-numbers/country.js';
import { fieldKey, isPartOfName, mayBeTitle, rankOf, withoutRemark, type NamedField } from '../../leads/field-names.js';
import { nameKey } from '../../leads/name-key.js';
import { mayBeNumberPart, numberPartOf, withAreaCode, type NumberPart } from '../../leads/number-fields.js';
import { contactNames, namesNumber } from '../../leads/posted-field.js';
import { isOfOthers } from '../../leads/whose-field.js';
import type { LeadTarget, Mapping } from './mapping.js';
import { escaped, type DocumentReader } from './pointer.js';
import { isEmail, textAt } from './texts.js';
import { personOf, strangersAmong, type Person } from './whose.js';

/** The most fields of one object or list, and of all together, that are looked at. Anybody who knows a form's address can send many. */
const maxFields = 200;
const maxAllFields = 1_000;
const maxNameLength = 100;
/** The most texts that are judged, of which one may be the number. */
const maxJudged = 50;

/** A field of a submission that has a text. */
interface NamedText {
  pointer: string;
  key: string;
  text: string;
  /** The part of a number that it holds. */
  part: NumberPart | undefined;
  /** True where the name says that it is a number, in words that are in no list. */
  isLabelled: boolean;
}

export interface NameSearch {
  document: Record<string, unknown>;
  mapping: Mapping;
  /** Judges the text of a field that may be the number. @param country the number has to be valid there; left out, its country may be missing */
  isNumber: (text: string, country?: Country) => boolean;
}

/** A mapping with what was found by usual names. */
export interface FoundMapping {
  mapping: Mapping;
  /** The parts of the number that stand in fields beside it. These fields stay in the metadata, as answers of the person. */
  areaCode: string | undefined;
  country: Country | undefined;
  /** A sentence on fields that may hold the number, where none was found; undefined if there are none. */
  hint: string | undefined;
}

/**
 * Returns the mapping with pointers to fields of usual names, where its own pointers lead to nothing. A field that a written mapping names is
 * not looked for, nor is a name where a written mapping has names.
 */
export function withUsualNames(reader: DocumentReader, search: NameSearch): FoundMapping {
  const { mapping, isNumber } = search;
  const fields = new Map(mapping.fields);
  const isFound = (target: LeadTarget) => textAt(reader, mapping.fields.get(target) ?? []) !== undefined;
  const groups = groupsOf(reader, search);
  const titles = titlesOf(groups);
  const read = groups.map((group) => readGroup(group, textsOf(reader, group, titles)));
  const isStranger = strangersAmong(read);
  const own = read.map((group) => (isStranger(group) ? [] : group.texts));
  const mapped = mapping.fields.get('chat')?.find((pointer) => textAt(reader, [pointer]) !== undefined);
  const isSought = mapped === undefined && !mapping.written.has('chat');
  const unnamed = isSought ? groups.flatMap((group) => unnamedIn(group, titles)) : [];
  const found = isSought ? (findNumber(own, isNumber) ?? findUnnamedNumber(reader, unnamed, isNumber)) : undefined;
  if (found !== undefined) fields.set('chat', [...(fields.get('chat') ?? []), found.number.pointer]);
  const around = read.find(({ pointer }) => pointer === mapped?.replace(/\/[^/]*$/, ''));
  const beside = found?.siblings ?? around?.texts ?? [];
  const shortest = found?.number.text ?? textAt(reader, mapped === undefined ? [] : [mapped]) ?? '';
  const whole = mapping.written.has('chat') ? undefined : beside.find(({ text }) => isWholeOf(text, shortest));
  if (whole !== undefined) fields.set('chat', [whole.pointer]);
  const written = whole?.text ?? shortest;
  const areaCode = beside.find(({ part }) => part === 'area')?.text;
  const number = areaCode === undefined ? written : withAreaCode(written, areaCode);
  const countries = beside.flatMap(({ part, text }) => (part === 'country' ? (countryNamed(text) ?? []) : []));
  const country = mapping.written.has('country') ? undefined : countries.find((named) => isNumber(number, named));
  const ofOthers = () => read.flatMap((group) => numbersOfOthers(group, isStranger(group)));
  const hint = isSought && found === undefined ? hintOf(unnamed, ofOthers()) : undefined;
  const result = { mapping: { ...mapping, fields }, areaCode, country, hint };
  if (nameTargets.some((target) => mapping.written.has(target))) return result;
  const isInside = found !== undefined && found.place > 0;
  const namesBeside = findNames(found?.siblings ?? read[0]?.texts ?? []);
  const names = namesBeside.length > 0 ? namesBeside : (personOf(found?.number.pointer ?? mapped, read)?.names ?? []);
  const isWhole = names[0]?.[0] === 'name';
  // Beside the number, a name is the person's. Elsewhere it may be the form's.
  const isKnown = !isInside && (isFound('firstName') || isFound('lastName') || (isFound('name') && isWhole));
  if (!isKnown && names.length > 0) {
    for (const target of nameTargets) fields.set(target, []);
    for (const [target, { pointer }] of names) fields.set(target, [pointer]);
  }
  return result;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/** Forms send the number as it was typed, and beside it once more with its country: `600 12 34 56` and `+34600123456`. */
function isWholeOf(text: string, number: string): boolean {
  const digits = digitsOf(number).replace(/^0+/, '');
  const isNational = digits.length >= minDigits && !/^\s*(?:\+|00)/.test(number);
  return isNational && /^\s*\+[\d\s().-]+$/.test(text) && digitsOf(text).endsWith(digits);
}

type Names = [LeadTarget, NamedText][];

/** Fields that stand side by side, with their texts and the name of a person in them. */
interface ReadGroup extends FieldGroup, Person {
  texts: NamedText[];
  names: Names;
}

function readGroup(group: FieldGroup, texts: NamedText[]): ReadGroup {
  const { value } = group;
  const hasEmail = !Array.isArray(value) && Object.values(value).some(isEmail);
  // The name of an answer is its question.
  const isAnswer = Array.isArray(value) || (!hasEmail && answerPlaceOf(value) !== undefined);
  const names = isAnswer ? [] : findNames(texts);
  return {
    ...group,
    texts,
    names,
    hasEmail,
    name: nameKey(names.map(([, { text }]) => text.slice(0, maxNameLength)).join('')),
  };
}

/** A shop may write its orders as `#1001` or `ACME1001`, with their number beside. */
function isNameOfOrder(text: string, value: FieldGroup['value']): boolean {
  const number = Array.isArray(value) ? undefined : (value.order_number ?? value.orderNumber);
  const numbers: readonly string[] = text.match(/\d+/g) ?? [];
  return numbers.includes(String(number));
}

const nameTargets = ['name', 'firstName', 'lastName'] as const;

/** Fields that stand side by side: those of an object, or the answers of a list that name their questions. */
interface FieldGroup {
  value: Record<string, unknown> | unknown[];
  pointer: string;
}

/** The object that has the answers, and then the objects and lists in it, also those in JSON that is text: the nearest come first. */
function groupsOf(reader: DocumentReader, { document, mapping: { root } }: NameSearch): FieldGroup[] {
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

type Titles = ReadonlyMap<string, readonly string[]>;

/** The titles of a form's fields by their ids, where the answers name nothing but these, as those of Typeform and LinkedIn do. */
function titlesOf(groups: readonly FieldGroup[]): Titles {
  const elements = groups.flatMap(({ value }) => (Array.isArray(value) ? value.slice(0, maxFields) : []));
  return new Map(
    elements.flatMap((element: unknown): [string, string[]][] => {
      if (!isPlainObject(element)) return [];
      const id = questionIdOf(element);
      const { predefinedField, title, name, label, question } = element;
      // LinkedIn's own name of a field comes before the words of the form's author, which it gives in several languages.
      const localized = isPlainObject(question) && isPlainObject(question.localized) ? question.localized : {};
      const titles = [predefinedField, title, label, name, question, ...Object.values(localized)].filter(isText);
      return id === undefined || answerPlaceOf(element) !== undefined || titles.length === 0 ? [] : [[id, titles]];
    }),
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFilled = (value: unknown) => isText(value) && value.trim() !== '';

const idFields = ['questionId', 'question_id', 'fieldId', 'field_id', 'id'];

type Element = Readonly<Record<string, unknown>>;

function idFieldOf(element: Element): string | undefined {
  return idFields.find((field) => isText(element[field]) || typeof element[field] === 'number');
}

function questionIdOf(element: Element): string | undefined {
  const field = idFieldOf(element);
  return field === undefined ? undefined : String(element[field]);
}

function textsOf(reader: DocumentReader, group: FieldGroup | undefined, titles: Titles): NamedText[] {
  if (group === undefined || isOfOthers(group.pointer)) return [];
  const { value } = group;
  if (!Array.isArray(value) && isTyped(value) && questionsOf(value, titles).some(isOfOthers)) return [];
  const fields = Array.isArray(value)
    ? value.slice(0, maxFields).flatMap((element, index) => answersOf(element, String(index), titles))
    : Object.entries(value)
        .slice(0, maxFields)
        .flatMap(([name, field]) => [[name, escaped(name)] as const, ...answersOf(field, escaped(name), titles)]);
  return fields.flatMap(([name, place]) => {
    const plain = name.length > maxNameLength || isOfOthers(name) ? '' : plainName(name);
    const key = keyOf(plain);
    const pointer = `${group.pointer}/${place}`;
    const isLabelled = namesNumber(withoutRemark(plain)) || bareNames.has(key);
    const text = isLabelled || isUsual(key) ? textAt(reader, [pointer]) : undefined;
    if (text === undefined || (rankOf('name', key) >= 0 && isNameOfOrder(text, value))) return [];
    return [{ pointer, key, text, part: numberPartOf(key, text), isLabelled }];
  });
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
  'field',
];
const answerFields = 'value answer values answers response resposta respuesta antwort string_value answerDetails'.split(
  ' ',
);
/** The place of the text in an answer of LinkedIn. */
const detailsPlace = 'answerDetails/textQuestionAnswer/answer';

function answerPlaceOf(element: Element): string | undefined {
  const field = answerFields.find((name) => Object.hasOwn(element, name));
  return field === 'answerDetails' ? detailsPlace : field;
}

/**
 * Reads where an answer stands, and its question: `{"label": "Phone", "value": "+55…"}` of Tally, with other words of Fillout, Paperform and
 * Calendly. One of LinkedIn is named by the question of its `questionId`, if that stands beside. Typeform's `{"type": "phone_number", "phone_number": "+55…", "field": {"id": …}}` is named by its type and by its field's title.
 */
function answersOf(element: unknown, place: string, titles: Titles): [string, string][] {
  if (!isPlainObject(element)) return [];
  const answer = answerPlaceOf(element);
  const questions = answer === undefined ? [] : questionsOf(element, titles);
  if (questions.length > 0) return questions.map((question) => [question, `${place}/${answer}`]);
  if (!isTyped(element)) return [];
  const { type, field } = element;
  const named = isPlainObject(field) ? (titles.get(questionIdOf(field) ?? '') ?? []) : [];
  const asked = [...questionsOf(element, titles), ...named];
  const names = asked.some(isOfOthers) ? asked : [type, ...asked];
  return names.map((name): [string, string] => [name, `${place}/${escaped(type)}`]);
}

/** An answer under the name of its type, as those of Typeform. */
const isTyped = (element: Element): element is Element & { type: string } =>
  isText(element.type) && Object.hasOwn(element, element.type);

/** The question that an answer names, otherwise those of its id, and what else says that it is a number. */
function questionsOf(element: Element, titles: Titles): readonly string[] {
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
function unnamedIn({ value, pointer }: FieldGroup, titles: Titles): string[] {
  if (isOfOthers(pointer)) return [];
  if (!Array.isArray(value)) {
    const names = Object.keys(value).slice(0, maxFields);
    return names
      .filter((name) => idName.test(name) && isFilled(value[name]))
      .map((name) => `${pointer}/${escaped(name)}`);
  }
  return value.slice(0, maxFields).flatMap((element: unknown) => {
    if (!isPlainObject(element) || questionsOf(element, titles).length > 0) return [];
    const answer = answerPlaceOf(element);
    const field = idFieldOf(element);
    if (answer === undefined || field === undefined) return [];
    return [`${pointer}/${escaped(`[${field}=${String(element[field])}]`)}/${answer}`];
  });
}

/** Without a name, only a number that says its country or puts its area into brackets is one: other digits may be anything. */
function findUnnamedNumber(
  reader: DocumentReader,
  unnamed: readonly string[],
  isNumber: (text: string) => boolean,
): { number: NamedText; siblings: NamedText[]; place: number } | undefined {
  for (const pointer of unnamed.slice(0, maxJudged)) {
    const text = textAt(reader, [pointer])?.trim();
    if (text === undefined || !/^(?:\+|00)\s*\d|^\(0?\d{1,4}\)/.test(text) || !isNumber(text)) continue;
    return { number: { pointer, key: '', text, part: undefined, isLabelled: false }, siblings: [], place: 0 };
  }
  return undefined;
}

/** In some forms the owner or the agent is the lead: a mapping may name these numbers. */
function numbersOfOthers({ value, pointer }: FieldGroup, isStrange: boolean): string[] {
  if (Array.isArray(value)) return [];
  return Object.entries(value)
    .slice(0, maxFields)
    .flatMap(([name, text]) => {
      if (!isText(text) || name.length > maxNameLength || !(isOfOthers(name) || isStrange)) return [];
      const key = keyOf(plainName(name));
      const isNumber = (rankOf('chat', key) >= 0 || namesNumber(name)) && looksLikeNumber({ key, text });
      return isNumber ? [`${pointer}/${escaped(name)}`] : [];
    });
}

const maxHinted = 5;

function hintOf(unnamed: readonly string[], ofOthers: readonly string[]): string | undefined {
  const shown = (pointers: readonly string[]) => pointers.slice(0, maxHinted).join(', ');
  if (unnamed.length > 0) return `the answers name no questions: map that of the number, one of ${shown(unnamed)}`;
  return ofOthers.length === 0
    ? undefined
    : `${shown(ofOthers)} names somebody else: map it if it is the person who writes`;
}

function isUsual(key: string): boolean {
  if (key === '') return false;
  return usualFields.some((field) => rankOf(field, key) >= 0) || mayBeNumberPart(key);
}

const usualFields = ['chat', 'name', 'firstName', 'lastName'] as const;

/** `your-phone`, `tel-123`, `q3_phone`, `data.phone`, `Telefone *` and `Qual é o seu nome?` say the same as their word alone. */
const plainName = (name: string) => name.replace(containers, '').replace(/^(?:q\d{1,4}_|field:|et_pb_contact_)/, '');

function keyOf(plain: string): string {
  const key = fieldKey(plain);
  return rankOf('chat', key) >= 0 || rankOf('name', key) >= 0 ? key : key.replace(/\d{1,4}$/, '');
}

/** The names of objects that hold the answers, before the name of a field in them, where a product flattens what another sent. */
const containers =
  /^(?:(?:data|body|payload|form|fields?|form_?(?:data|fields|response)|responses?|submission|answers|entry|lead|contact|person|customer|user)(?:__|\.|\/))+(?=.)/i;

/** Finds the best-named field that holds a number. If none does, the best-named one of all is what the person filled in wrongly. */
function findNumber(
  groups: readonly NamedText[][],
  isNumber: (text: string) => boolean,
): { number: NamedText; siblings: NamedText[]; place: number } | undefined {
  let left = maxJudged;
  const holdsNumber = ({ text }: NamedText) => {
    left -= 1;
    return left >= 0 && isNumber(text);
  };
  for (const pass of ['named', 'bare', 'wrong'] as const)
    for (const [place, siblings] of groups.entries()) {
      const ranked = bestOf(siblings, 'chat');
      const labelled = siblings.filter(
        (one) => one.isLabelled && one.part === undefined && !ranked.includes(one) && !isId(one.key) && !isDay(one),
      );
      const number =
        pass === 'wrong'
          ? (ranked[0] ?? labelled.find((one) => !bareNames.has(one.key) && looksLikeNumber(one)))
          : [...ranked, ...labelled].find((one) => bareNames.has(one.key) === (pass === 'bare') && holdsNumber(one));
      if (number !== undefined) return { number, siblings, place };
    }
  return undefined;
}

/** Beside an order these are its number, and `Contact` may be anybody's name, so any better name elsewhere comes first. */
const bareNames = new Set([...'number numero nummer from caller callerid callernum'.split(' '), ...contactNames]);
/** `from` may be a day. */
const isDay = ({ key, text }: NamedText) =>
  bareNames.has(key) && /^\s*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:\D|$)/.test(text);
/** Ids of devices, groups and lines are digits too; the id of a person at the network is the number. */
const isId = (key: string) => key.endsWith('id') && !/^(?:wa|whatsapp)id$/.test(key);

function findNames(fields: readonly NamedText[]): Names {
  const [whole] = bestOf(fields, 'name').filter(({ key, text }) => !rolesAlone.has(key) && /\p{L}/u.test(text));
  const [first] = bestOf(fields, 'firstName');
  const [last] = bestOf(fields, 'lastName');
  if (whole === undefined || (first !== undefined && mayBeTitle(whole.key))) return partsOf(first, last);
  const keys = fields.map(({ key }) => key);
  if (first !== undefined) return isPartOfName(whole.key, keys) ? partsOf(first, whole) : [['name', whole]];
  const isFirst = isPartOfName(whole.key, keys) || whole.key === 'name';
  const hasLast = last === undefined || whole.text.toLowerCase().includes(last.text.trim().toLowerCase());
  return isFirst && !hasLast ? partsOf(whole, last) : [['name', whole]];
}

function partsOf(first: NamedText | undefined, last: NamedText | undefined): Names {
  const parts: [LeadTarget, NamedText | undefined][] = [
    ['firstName', first],
    ['lastName', last],
  ];
  return parts.flatMap(([target, field]): Names => (field === undefined ? [] : [[target, field]]));
}

/** Returns whether a field may hold a number without a country, or a wrong one. The id of a number, as `phone_number_id`, is none. */
function looksLikeNumber({ key, text }: Pick<NamedText, 'key' | 'text'>): boolean {
  return !isId(key) && digitsOf(text).length >= minDigits;
}

const minDigits = 7;

/** In a form these words may be anything about a contact; in a file they head the column of names. */
const rolesAlone = new Set(
  'contact contato contacto cliente customer kunde client comprador compradora buyer'.split(' '),
);

function bestOf(fields: readonly NamedText[], field: NamedField): NamedText[] {
  return fields
    .map((one) => ({ one, rank: rankOf(field, one.key) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

// Looks for the number and the name of a submission whose mapping leads to none: by the names that people give to such fields.

import { countryNamed } from '../../../platform/phone-numbers/country-names.js';
import type { Country } from '../../../platform/phone-numbers/country.js';
import {
  fieldKey,
  isOtherWord,
  isPartOfName,
  mayBeTitle,
  nameParts,
  rankOf,
  standsFirst,
  withoutRemark,
  type NamedField,
} from '../../leads/field-names.js';
import { nameKey } from '../../leads/name-key.js';
import { mayBeNumberPart, numberPartOf, withAreaCode, type NumberPart } from '../../leads/number-fields.js';
import { contactNames, namesNumber } from '../../leads/posted-field.js';
import { isOfOthers } from '../../leads/whose-field.js';
import {
  answerPlaceOf,
  answersOf,
  groupsOf,
  isText,
  isTyped,
  maxFields,
  questionsOf,
  titlesOf,
  unnamedIn,
  type FieldGroup,
  type Titles,
} from './answers.js';
import type { LeadTarget, Mapping } from './mapping.js';
import { escaped, type DocumentReader } from './pointer.js';
import { isEmail, isFax, kindOf, textAt, textIn } from './texts.js';
import { personOf, strangersAmong, type Person } from './whose.js';

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
  /**
   * Judges the text of a field that may be the number.
   * @param country the number has to be valid there; left out, its country may be missing
   */
  isNumber: (text: string, country?: Country) => boolean;
}

/** A mapping with what was found by usual names. */
export interface FoundMapping {
  mapping: Mapping;
  /** The number, where it is only found in pieces, which stay in the metadata. */
  joined: string | undefined;
  /** The parts of the number that stand in fields beside it. These fields stay in the metadata, as answers of the person. */
  areaCode: string | undefined;
  country: Country | undefined;
  /** A sentence on fields that may hold the number, where none was found; undefined if there are none. */
  hint: string | undefined;
}

/**
 * Returns the mapping with pointers to fields of usual names, where its own pointers lead to nothing. A field that a written mapping names
 * is not looked for, nor is a name where a written mapping has names.
 */
export function withUsualNames(reader: DocumentReader, search: NameSearch): FoundMapping {
  const { mapping, isNumber } = search;
  const fields = new Map(mapping.fields);
  const isFound = (target: LeadTarget) => textAt(reader, mapping.fields.get(target) ?? []) !== undefined;
  const groups = groupsOf(reader, search.document, mapping.root);
  const titles = titlesOf(groups);
  const read = groups.map((group) => readGroup(group, textsOf(reader, group, titles)));
  const isStranger = strangersAmong(read);
  const strange = new Set(read.filter(isStranger).map(({ pointer }) => pointer));
  const own = read.map((group) =>
    isStranger(group) ? [] : group.texts.filter(({ pointer }) => !strange.has(pointer)),
  );
  const mapped = mapping.fields.get('chat')?.find((pointer) => textAt(reader, [pointer]) !== undefined);
  const isNumberAt = (pointer: string) => isNumber(textAt(reader, [pointer]) ?? '');
  const isSought = !mapping.written.has('chat') && (mapped === undefined || !isNumberAt(mapped));
  const unnamed = isSought ? groups.flatMap((group) => unnamedIn(group, titles)) : [];
  const piecesAt = (place: number) => {
    const group = read[place];
    return group === undefined || isStranger(group) ? undefined : numberInPieces(group, isNumber);
  };
  const best = isSought
    ? (findNumber(own, piecesAt, isNumber) ?? findUnnamedNumber(reader, unnamed, isNumber))
    : undefined;
  // The usual pointer leads to the number that the person got wrong, unless another field has a right one.
  const found = mapped === undefined || (best !== undefined && isNumber(best.number.text)) ? best : undefined;
  const joined = found?.isJoined === true ? found.number.text : undefined;
  if (found !== undefined && joined === undefined)
    fields.set('chat', [...(mapped === undefined ? (fields.get('chat') ?? []) : []), found.number.pointer]);
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
  const hint = isSought && found === undefined && mapped === undefined ? hintOf(unnamed, ofOthers()) : undefined;
  const result = { mapping: { ...mapping, fields }, joined, areaCode, country, hint };
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

function readGroup(group: FieldGroup, found: NamedText[]): ReadGroup {
  const { value, pointer } = group;
  const hasEmail = !Array.isArray(value) && Object.values(value).some(isEmail);
  // The name of an answer is its question.
  const isAnswer = Array.isArray(value) || (!hasEmail && answerPlaceOf(value) !== undefined);
  const names = isAnswer ? [] : findNames(found);
  // A number of a list may say whose it is. An element with a name is a person, of whom this may be the kind.
  const isElement = /\/\d+$/.test(pointer) && names.length === 0;
  const texts = isElement && kindOf(value).some(isOfOthers) ? [] : found;
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

const nameTargets = ['name', ...nameParts] as const;

function textsOf(reader: DocumentReader, group: FieldGroup | undefined, titles: Titles): NamedText[] {
  if (group === undefined || isOfOthers(group.pointer)) return [];
  const { value } = group;
  if (group.pointer !== '' && isFax(value)) return [];
  if (!Array.isArray(value) && isTyped(value) && questionsOf(value, titles).some(isOfOthers)) return [];
  const fields = Array.isArray(value)
    ? value.slice(0, maxFields).flatMap((element, index) => answersOf(element, String(index), titles))
    : Object.entries(value)
        .slice(0, maxFields)
        .flatMap(([name, field]) => [
          ...[name, ...(titles.get(name) ?? [])].map((title) => [title, escaped(name)] as const),
          ...answersOf(field, escaped(name), titles),
        ]);
  const areNumbers = !Array.isArray(value) && isNamedNumber(group.pointer);
  return fields.flatMap(([name, place]) => {
    const plain = name.length > maxNameLength || isOfOthers(name) ? '' : plainName(name);
    const key = keyOf(plain);
    const pointer = `${group.pointer}/${place}`;
    const isKind = areNumbers && numberKinds.has(key);
    const isLabelled = isKind || namesNumber(withoutRemark(plain)) || bareNames.has(key);
    const text = isLabelled || isUsual(key) ? textAt(reader, [pointer], rankOf('name', key) >= 0) : undefined;
    if (text === undefined || (rankOf('name', key) >= 0 && isNameOfOrder(text, value))) return [];
    return [{ pointer, key, text, part: numberPartOf(plain, text) ?? numberPartOf(key, text), isLabelled }];
  });
}

/** Returns whether the last name of a pointer is that of a number. */
const isNamedNumber = (pointer: string) => namesNumber(pointer.slice(pointer.lastIndexOf('/') + 1));

/** The kinds of a person's numbers, by which an object of numbers names them: `phones: {home, work}`. */
const numberKinds = new Set(
  [
    'work home personal private main primary default other business office direct landline day daytime evening',
    'principal trabalho casa pessoal residencial comercial fixo outro trabajo personal particular oficina fijo otro',
    'travail domicile personnel prive professionnel bureau fixe autre privat geschaftlich arbeit festnetz',
  ].flatMap((line) => line.split(' ')),
);

interface FoundNumber {
  number: NamedText;
  siblings: NamedText[];
  place: number;
  /** Set where the number's text stands in no field as a whole. */
  isJoined?: true;
}

/** The word for a number, and the place of a piece, in a name such as `tel-1` and `phone_line`. */
const pieceName = /^(.+?)(\d|country(?:code)?|area(?:code)?|prefix|exchange|line(?:number)?|suffix)$/;

/**
 * Puts fields together that say the same word for a number and are counted, or name its parts. A piece alone is none, and `number1` to
 * `number3` may be those of a lottery.
 */
function numberInPieces({ value, pointer }: FieldGroup, isNumber: (text: string) => boolean): NamedText | undefined {
  if (Array.isArray(value)) return undefined;
  const pieces = Object.entries(value)
    .slice(0, maxFields)
    .flatMap(([name, text]) => {
      const isShort = name.length <= maxNameLength && !isOfOthers(name);
      const [, word, part] = (isShort && pieceName.exec(nameKey(plainName(name)))) || [];
      return word === undefined || part === undefined || !namesNumber(word) || word.startsWith('num')
        ? []
        : [{ word, part, text }];
    });
  for (const [word, parts] of Map.groupBy(pieces, (piece) => piece.word)) {
    const isCounted = parts.every(({ part }) => /\d/.test(part));
    const inOrder = parts.toSorted((a, b) => a.part.localeCompare(b.part)).map((piece) => piece.text);
    const text = textIn(isCounted ? inOrder : Object.fromEntries(parts.map((piece) => [piece.part, piece.text])));
    if (parts.length > 1 && text !== undefined && isNumber(text))
      return { pointer: `${pointer}/${word}`, key: word, text, part: undefined, isLabelled: false };
  }
  return undefined;
}

/** Without a name, only a number that says its country or puts its area into brackets is one: other digits may be anything. */
function findUnnamedNumber(
  reader: DocumentReader,
  unnamed: readonly string[],
  isNumber: (text: string) => boolean,
): FoundNumber | undefined {
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
      const isNamed = rankOf('chat', key) >= 0 || namesNumber(name) || isNamedNumber(pointer);
      return isNamed && looksLikeNumber({ key, text }) ? [`${pointer}/${escaped(name)}`] : [];
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

const usualFields = ['chat', ...nameTargets] as const;

/** `your-phone`, `tel-123`, `q3_phone`, `data.phone`, `Telefone *` and `Qual é o seu nome?` say the same as their word alone. */
const plainName = (name: string) => name.replace(containers, '').replace(prefixes, '');
/** Marks of products, and of programmers before the names of input fields: `txtTelefone`. */
const prefixes =
  /^(?:q\d{1,4}_|field:|et_pb_contact_|inf_field_|form-field-|wpcf7-|mf-|name[-_]\d{1,3}[-_]|(?:txt|edt|frm|fld|campo|input|field)(?:[-_]|(?=\p{Lu})))/u;

function keyOf(plain: string): string {
  const key = fieldKey(plain);
  return rankOf('chat', key) >= 0 || rankOf('name', key) >= 0 ? key : key.replace(/\d{1,4}$/, '');
}

/** The names of objects that hold the answers, before the name of a field in them, where a product flattens what another sent. */
const containers =
  /^(?:(?:data|body|payload|raw|form|fields?|form_?(?:data|fields|response)|responses?|submission|answers|entry|lead|contact|person|customer|user)(?:__|\.|\/))+(?=.)/i;

/** Finds the best-named field that holds a number. If none does, the best-named one of all is what the person filled in wrongly. */
function findNumber(
  groups: readonly NamedText[][],
  piecesAt: (place: number) => NamedText | undefined,
  isNumber: (text: string) => boolean,
): FoundNumber | undefined {
  let left = maxJudged;
  const holdsNumber = ({ text }: NamedText) => {
    left -= 1;
    return left >= 0 && isNumber(text);
  };
  for (const pass of ['named', 'pieces', 'bare', 'wrong'] as const)
    for (const [place, siblings] of groups.entries()) {
      const joined = pass === 'pieces' ? piecesAt(place) : undefined;
      if (joined !== undefined) return { number: joined, siblings, place, isJoined: true };
      if (pass === 'pieces') continue;
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
const bareNames = new Set([
  ...'number numero nummer номер नंबर from caller callerid callernum'.split(' ').map(nameKey),
  ...contactNames,
]);
/** `from` may be a day. */
const isDay = ({ key, text }: NamedText) =>
  bareNames.has(key) && /^\s*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:\D|$)/.test(text);
/** Ids of devices, groups and lines are digits too; the id of a person at the network is the number. */
const isId = (key: string) => key.endsWith('id') && !/^(?:wa|whatsapp)id$/.test(key);

function findNames(all: readonly NamedText[]): Names {
  const keys = all.map(({ key }) => key);
  const fields = all.filter(({ key }) => !isOtherWord(key, keys));
  const [whole] = bestOf(fields, 'name').filter(({ key, text }) => !rolesAlone.has(key) && /\p{L}/u.test(text));
  const [first, middle, last, second] = nameParts.map((part) => bestOf(fields, part)[0]);
  if (whole === undefined || (first !== undefined && mayBeTitle(whole.key)))
    return partsOf(first, middle, last, second);
  if (first !== undefined) return isPartOfName(whole.key, keys) ? partsOf(first, middle, whole) : [['name', whole]];
  const isFirst = isPartOfName(whole.key, keys) || whole.key === 'name' || whole.key === 'nom';
  const hasLast = last === undefined || whole.text.toLowerCase().includes(last.text.trim().toLowerCase());
  return isFirst && !hasLast ? partsOf(whole, middle, last, second) : [['name', whole]];
}

/** Gives the parts of a name to the targets, in the order in which these are joined. */
function partsOf(first?: NamedText, middle?: NamedText, last?: NamedText, second?: NamedText): Names {
  const isTurned = last !== undefined && standsFirst(last.key);
  const parts = isTurned ? [last, middle, first] : [first, middle, last, second];
  return nameParts.flatMap((part, index): Names => (parts[index] === undefined ? [] : [[part, parts[index]]]));
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

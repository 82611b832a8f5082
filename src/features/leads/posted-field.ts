// Reads the fields of a lead that another system posts: an empty one counts as left out, a text that is too long is cut.

import { withoutEntities } from '../../platform/input/html-entities.js';
import { exceedsLength } from '../../platform/input/input.js';
import { isUnseen, withoutMisleadingMarks } from '../../platform/input/shown-name.js';
import { nameKey } from './name-key.js';

/** Returns whether an optional field says nothing: it is missing, null, or text of blanks and characters that nobody sees. */
export function saysNothing(value: unknown): boolean {
  return value == null || (typeof value === 'string' && isUnseen(value));
}

/** The longest text, in characters, that metadata keep of a field that was cut. The journal keeps the whole call. */
const maxWholeLength = 4_000;

/** A text as it is stored, and the longer one that it was cut from. A number is its digits. Anything else is left to the schema. */
export interface PostedText {
  text: unknown;
  whole?: string;
}

const nothing: PostedText = { text: undefined };

/** @param maxLength in characters (code points); the text is cut at a whole one */
function readPostedText(value: unknown, maxLength: number): PostedText {
  if (saysNothing(value)) return nothing;
  if (Number.isFinite(value)) return { text: String(value) };
  if (typeof value !== 'string') return { text: value };
  // PostgreSQL keeps neither NUL nor half a character.
  const storable = value.toWellFormed().replaceAll('\u0000', '\uFFFD');
  if (storable.length <= maxLength) return { text: storable };
  const trimmed = storable.trim();
  if (!exceedsLength(trimmed, maxLength)) return { text: trimmed };
  return { text: cut(trimmed, maxLength), whole: cut(trimmed, maxWholeLength) };
}

/** Words of programs and spreadsheets for nothing, and templates of many products with the names of their fields still in them. */
const unfilledWords = [
  /undefined|null|unknown|\(?not (?:set|provided|given|available)\)?|\[object object\]/,
  /#?n\/[ad]|#(?:ref|value|valor|num|null|div\/0)!|#(?:name|nome|nombre)\?/,
  /\{\{[^{}]*\}\}|\{%[^{}]*%\}|\$?\{[\w .-]+\}|\[[\w-]+\]|\[field id=[^[\]]*\]|%[\w-]+%|%%[\w-]+%%|<<[^<>]+>>|\*\|[^|]+\|\*/,
];
const unfilled = new RegExp(`^\\s*(?:(?:${unfilledWords.map(({ source }) => source).join('|')})\\s*)+$`, 'i');
/** Longer texts are an answer, and are not looked through. */
const maxUnfilledLength = 100;

/** A program, a template or a spreadsheet has left the text out: `undefined`, `N/A`, `{{contact.name}}`, `[your-name]`, `#REF!`. */
export function isUnfilled(text: string): boolean {
  return text.length <= maxUnfilledLength && unfilled.test(text);
}

/** Reads the name of a person or a source as `readPostedText`, without marks that mislead a reader. */
export function readPostedName(value: unknown, maxLength: number): PostedText {
  if (typeof value !== 'string') return readPostedText(value, maxLength);
  return isUnfilled(value) ? nothing : readPostedText(withoutMisleadingMarks(withoutEntities(value)), maxLength);
}

// Only as many units are looked at as the characters can have.
function cut(value: string, maxLength: number): string {
  const units = value.slice(0, 2 * maxLength);
  return Array.from(units).slice(0, maxLength).join('').trimEnd();
}

// Names are compared in lower case, without accents, blanks and marks.
const wholeName =
  /^(?:chat|tel|telp|telpon|tlf|cel|cell|fon|fono|num|numero|nummer|mob|моб|portable|gsm|wa|waid|wpp|hp|zap|handy|sdt|simu|sms|ph|zalo|viber)(?:id|number|numero|num|no|nr)?\d{0,2}$/;
const partOfName = new RegExp(
  [
    'phone|telef|telep|telemov|fone|celul|cellul|mobil|mobiel|mobitel|movil|whats|msisdn|puhelin|dienthoai|(?:kontakt|ruckruf)nummer|^(?:contact)?number\\d{0,2}$',
    ...'телефон мобил ватсап τηλέφων κινητ ტელეფონ მობილურ هاتف جوال موبايل موبایل محمول فون تلفن واتس טלפון נייד'
      .split(' ')
      .map(nameKey),
    ...'điệnthoại tālrun โทรศัพท์ เบอร์โทร มือถือ 電話 电话 手机 手機 전화 मोबाइल फोन ফোন মোবাইল'.split(' ').map(nameKey),
  ].join('|'),
);

const maxShownFieldLength = 50;
/** Further fields are not looked at. */
const maxFieldsLookedAt = 200;

/** The first field whose name says that it holds a phone number, as the caller writes it; undefined where none does. */
export function findNumberField(fields: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(fields)
    .slice(0, maxFieldsLookedAt)
    .find((field) => field !== 'chat' && field.length <= maxShownFieldLength && namesNumber(field));
}

/** Returns whether words beside a number only say that it is one: `Tel`, `WhatsApp`. */
export function isNumberLabel(words: string): boolean {
  return words.split(' ').every((word) => isNumberName(nameKey(word)));
}

const isNumberName = (name: string) => wholeName.test(name) || partOfName.test(name);

/** Words that have one for a number in them: `microphone`, `automóvil`, `imobiliária`. */
const otherWords =
  /(?:micro|head|ear|saxo)phones?|auto.?m[oó](?:bil|vil)\p{L}*|(?:i|in|im)mobil\p{L}*|mobili(?:a|dad|ty|t[aà])\p{L}*|c[eé]lulas?(?!r)/giu;
/** Programs note such facts about a number: `phone_verified_at`, `whatsapp_timestamp`. */
const aboutNumber = new RegExp(
  [
    '(?:^|[^\\p{L}])(?:timestamp|hash|token|version|sku|protocolo)(?!\\p{L})|Timestamp$',
    '(?:creat|updat|verifi|modifi|confirm|validat)ed[\\s_-]?(?:at|on)$|(?:cre|upd)ated$',
  ].join('|'),
  'iu',
);
/** In characters: no longer name is that of a number. */
const maxNameLength = 500;
/** `Tel/Fax` and `Telefon und Fax` are numbers, `Telefax` is none. */
const alsoPhone = /[/&+|,]|[\s_-](?:or|and|und|oder|e|y|o|ou|et)[\s_-]/i;

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ').map(nameKey)));
const numberWords = setOf('n no nr num number numero nomor numer numarası nummer номер رقم شماره');
const reachWords = setOf(
  'contact contato contacto contatto kontakt kontaktowy callback call reach ligar contatar llamar contactar contactarte',
  'contacter joindre erreichen iletişim dihubungi связи контактный التواصل للتواصل تماس',
);
/** Words that change nothing in the name of a number. */
const furtherWords = setOf(
  'best is main principal portable fax the to for you your or with',
  'a com da de do e melhor o ou para qual seu te você el mejor podemos que su tu y',
  'beste ihre sie und unter welcher wir à du le nous on ou peut pour quel votre vous di il migliore per tuo',
  'aktif anda atau bisa dan kamu yang или для',
);

/** Names of the contact itself, or of a way to it, as keys: only what stands there tells whether it is a number. */
export const contactNames: ReadonlySet<string> = setOf(
  'contact contato contacto contatto kontakt recapito контакт контакты 連絡先 ご連絡先 联系方式 聯絡方式',
);

/** Returns whether the name of a field is that of a number: by one word for it, or by what it is good for, as `Best number to call you`. */
export function namesNumber(written: string): boolean {
  const name = written.slice(0, maxNameLength).replace(otherWords, '');
  if (aboutNumber.test(name) || (/fax/i.test(name) && !alsoPhone.test(name))) return false;
  if (isNumberName(nameKey(name))) return true;
  const spaced = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const words = spaced.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap((word) => (word === '' ? [] : nameKey(word)));
  const isNumber = (word: string) => !numberWords.has(word) && isNumberName(word);
  const hasOneOf = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const isNamed = words.some(isNumber) || (hasOneOf(numberWords) && hasOneOf(reachWords));
  return isNamed && words.every((word) => isNumber(word) || knownWords.some((set) => set.has(word)));
}

const knownWords = [numberWords, reachWords, furtherWords];

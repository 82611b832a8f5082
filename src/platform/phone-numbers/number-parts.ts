// Takes a field with a number apart: addresses, extensions, several numbers in one field, digits of other scripts. written-number.ts
// decides what the digits mean.

/** Longer writings are refused before anything reads them. In characters: an address may have a text behind the number. */
export const maxWrittenLength = 256;

export interface NumberParts {
  /** The first number, in ASCII digits, with what stands between them. */
  text: string;
  /** Digits that are dialled once the number answers. */
  extension: string | undefined;
  /** The other numbers of the field, as they are written. */
  others: string[];
  /** All of the field, where slashes alone stand between the numbers: they may stand within one, as in `0049 151 / 23456789`. */
  undivided?: string;
}

export type FoundParts = NumberParts | { problem: string };

const shortenedBySpreadsheet = { problem: 'Excel has shortened this number: format the column as text' };

const exponent = /^\+?\d+(?:[.,]\d+)?e\+?\d+$/i;
const decimalZeros = /^(\+?\d{7,})[.,]0{1,2}$/;
// Spreadsheets mark text with an apostrophe.
const leadingApostrophe = /^['\u2018\u2019`](?=[+\d(])/;
const whatsappAddress =
  /^(?:https?:\/\/)?(?:(?:www\.|api\.|web\.)?whatsapp\.com\/send|(?:www\.)?wa\.me)\/?(?=[?+%\d])|^whatsapp:(?:\/\/send\/?)?/i;
/** `p:` stands before the numbers in Meta's files of leads. */
const scheme = /^(?:tel|sms|smsto|callto|p):(?:\/\/)?/i;
/** A form puts a prefix before a number that already has it: `+` before `+55` or `0055`, or the code that a visitor chose. */
const repeatedPrefix = /^\+[\s+]*(?:00)?(?=[1-9])/;
const codeBeforeNumber = /^[([\s]*\+\s*\d{1,3}[)\]\s]*(?=\+)/;
/** A network's own writing, with or without a device. */
const networkSuffix = /^(\+?\d+)(?:[:_]\d+)*@(?:s\.whatsapp\.net|c\.us|hosted)$/i;
/** Brazil's mark for the digits of a carrier: `0xx11`. */
const carrierMark = /(^|\D)0\s*(?:xx|\*\*)(?=[\s)\]]*\d)/i;
const extensionMark =
  /[\s,;]*(?:;ext=|(?:extension|extensión|extn?|ramal|anexo|interno|int|poste|durchwahl|доб|x)\s*[.:=]?|#)\s*(\d{1,7})$/iu;
/** A number with no more digits around it but those of an hour, as in `(after 18h)`. No letter may touch it, as in `1-800-FLOWERS`. */
const amongWords =
  /^(?<before>(?:[^\d+]*?[^\d+\p{L}])??)(?<number>[([]?\s*\+?[\s([]*\d[\d\s.()[\]/~\u2010-\u2015\u2212-]*\d)(?<after>(?![-\u2010-\u2015]?\p{L})\D*(?:\D\d{1,2}(?=\D*\p{L})\D*){0,4})$/u;
const whatsappHosts = '(?:wa\\.me|(?:api|web)\\.whatsapp\\.com)\\/';
/** Words before the digits of people, companies, orders and accounts. */
const idWords = [
  'id|rg|cuil|rut|rfc|curp|nit|nie|pesel|nip|ruc|bsn|siren|siret|kimlik|aadhaa?r|inn|инн|снилс|passport|pass?aporte|matr[ií]cula',
  'order|pedido|ticket|invoice|factura|fatura|rechnung|rechnungsnr|kundennr|kundennummer|protocolo|protocol|conta|cuenta|konto',
  'iban|imei|ean|cep|zip|plz|заказ|(?<![/&]\\s?)(?:tele)?fax',
].join('|');
/** Ids of the network, of pages and of people have digits that may be the number of a stranger: `…:12@lid`, `https://…/…`, `CPF …`. */
const otherDigits = new RegExp(
  [
    ':\\d+@',
    `:\\/\\/(?!${whatsappHosts})`,
    `(?<![\\p{L}\\p{N}./])(?!${whatsappHosts})(?:[a-z\\d-]{1,63}\\.){1,4}(?:com|net|org|me|br)\\/`,
    '(?<!\\p{L})(?:lid|cpf|cnpj|dni|cuit|nif|ssn)(?!\\p{L})',
    `(?<!\\p{L})(?:${idWords})(?!\\p{L})[^\\p{L}\\d+]*(?:(?:n[or]|num|n[uú]mero|number)(?!\\p{L})[^\\p{L}\\d+]*)?\\d`,
  ].join('|'),
  'iu',
);
const betweenNumbers = /\s*(?:[;,|\n&]|\s(?:or|ou|o|y|e|und|oder|et|and)\s)\s*|\s*\/\s*|\s+(?=\+)/i;
/** Fewer digits are a part of a number: `0151/23456789`. */
const leastDigitsOfNumber = 7;

/** Takes apart what a field says. A `+` stands in front where its address or suffix says that the number is international. */
export function takeApart(written: string): FoundParts {
  if (written.length > maxWrittenLength) return { text: '', extension: undefined, others: [] };
  const text = withAsciiDigits(written.normalize('NFKC')).trim().replace(leadingApostrophe, '');
  if (exponent.test(text)) return shortenedBySpreadsheet;
  const address = addressedNumber(text);
  if (address !== undefined) return { text: address, extension: undefined, others: [] };
  const reached = scheme.test(text) ? withParameters(text.replace(scheme, '')) : text;
  const dialled = reached.replace(codeBeforeNumber, '').replace(repeatedPrefix, '+');
  const [first, ...others] = numbersIn(dialled);
  const extension = extensionMark.exec(first);
  const number = extension === null ? first : first.slice(0, extension.index);
  const whole = decimalZeros.exec(number)?.[1] ?? number.replace(carrierMark, '$10');
  const parts = { text: whole, extension: extension?.[1], others };
  return others.length > 0 && dialled.split('/').length > others.length ? { ...parts, undivided: dialled } : parts;
}

/**
 * Restores the `+` of a number in an `application/x-www-form-urlencoded` body, where a `+` that was not encoded arrives as a blank. Where
 * the digits are no number with a country code, the blank was a blank.
 * @param isInternational judges digits
 */
export function withLostPlus(written: string, isInternational: (digits: string) => boolean): string {
  if (!/^ [1-9\p{Nd}]/u.test(written)) return written;
  const digits = withAsciiDigits(written).replace(/\D/g, '');
  return isInternational(digits) ? `+${written.trimStart()}` : written;
}

/** Finds the number in an address of the network or in a network's id; undefined if the writing is neither. */
function addressedNumber(text: string): string | undefined {
  const suffixed = networkSuffix.exec(text)?.[1];
  if (suffixed !== undefined) return asInternational(suffixed);
  const start = whatsappAddress.exec(text)?.[0];
  if (start === undefined) return undefined;
  const rest = text.slice(start.length);
  const named = /[?&]phone=([^&#]*)/i.exec(rest)?.[1] ?? rest.split(/[?#/]/, 1)[0] ?? '';
  return asInternational(named.replace(/%2b/i, '+').replaceAll('%20', ' ').trim());
}

/** Finds the number of a text with words around it: `Ana +55 11 98888-7777`, `(11) 98888-7777 (WhatsApp)`. Undefined if there is none. */
export function findAmongWords(text: string): { number: string; words: string } | undefined {
  const { before = '', number, after = '' } = amongWords.exec(text)?.groups ?? {};
  if (number === undefined || after.startsWith('@') || otherDigits.test(text)) return undefined;
  const words = `${before} ${after}`.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  return { number, words };
}

function asInternational(number: string): string {
  return /^[\s(]*(?:\+|00)/.test(number) ? number : `+${number}`;
}

/** The parameters of RFC 3966, `863-1234;phone-context=+1-914;ext=5`, and of RFC 5724, `+5511988887777?body=Oi`. */
function withParameters(text: string): string {
  const [number = '', ...parameters] = text.split(/[;?]/);
  const values = new Map(parameters.map((each) => pairOf(each)));
  const context = values.get('phone-context') ?? '';
  const whole = context.startsWith('+') && !number.startsWith('+') ? context + number : number;
  const extension = values.get('ext');
  return extension === undefined ? whole : `${whole};ext=${extension}`;
}

function pairOf(parameter: string): [string, string] {
  const [name = '', value = ''] = parameter.split('=', 2);
  return [name.trim().toLowerCase(), value.trim()];
}

function numbersIn(text: string): [string, ...string[]] {
  const parts = text
    .replace(/;ext=/gi, ' ext ')
    .split(betweenNumbers)
    .filter((part) => part !== '');
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return [first ?? ''];
  return parts.every((part) => part.replace(/\D/g, '').length >= leastDigitsOfNumber) ? [first, ...others] : [text];
}

/** Writes digits of any script as those of ASCII: every script has its ten in a row, and some scripts follow each other without a gap. */
function withAsciiDigits(text: string): string {
  // Most writings have no other letters or digits.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => String(digitValueOf(digit.codePointAt(0) ?? 0)));
}

function digitValueOf(codePoint: number): number {
  let first = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}

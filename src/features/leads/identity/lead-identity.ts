// What a lead is known under: a number, or an id that stands for a hidden number. Also the names made from these until a better one is
// known.

/** One number or id under which the other side of a conversation is known. */
export interface LeadIdentity {
  kind: 'PHONE' | 'LID' | 'BSUID';
  /** PHONE: 7 to 15 digits with country code. The others: as the network writes them, without a domain, at most 255 characters. */
  value: string;
}

/** The form in which two writings of one identity are equal. */
export function matchKeyOf({ kind, value }: LeadIdentity): string {
  return kind === 'PHONE' ? matchKeyOfNumber(value) : value;
}

const hiddenName = 'Hidden number';
const hiddenNameForm = new RegExp(`^${hiddenName} .{1,4}$`, 'su');

/** The number; for a hidden one its last 4 characters, so that an operator can tell two of them apart. */
export function placeholderNameOf({ kind, value }: LeadIdentity): string {
  return kind === 'PHONE' ? value : `${hiddenName} ${Array.from(value).slice(-4).join('')}`;
}

interface Named {
  name: string;
  chat: string | null;
}

/** Whether a lead's name was made from its number or from one of its identities rather than given. */
export function hasPlaceholderName({
  name,
  chat,
  identities,
}: Named & { identities: readonly LeadIdentity[] }): boolean {
  return name === chat || identities.some((identity) => placeholderNameOf(identity) === name);
}

/** As `hasPlaceholderName`, without knowing the identities: never misses one, and can take a given name for one. */
export function mayHavePlaceholderName({ name, chat }: Named): boolean {
  return name === chat || hiddenNameForm.test(name);
}

/** 7 digits is the shortest number in use with its country code, 15 the most that ITU-T E.164 allows. */
const minDigits = 7;
const maxDigits = 15;

// Blanks, dots, hyphens of every kind, slashes and brackets: what people and forms put between digits.
const separators = /[\s.()[\]/\u00AD\u2010-\u2015\u2212\u200B-\u200F\u202A-\u202E\u2060\uFEFF-]/g;

export type ChatNumber = { digits: string } | { problem: string };

/** Reads a number as people and systems write it: `+55 (11) 98888-7777`, `0055 11…`, `tel:+55…`, full-width digits. */
export function parseChatNumber(written: string): ChatNumber {
  const compact = written.normalize('NFKC').trim().replace(/^tel:/i, '').replace(separators, '');
  const digits = compact.replace(/^(?:\+|00)/, '');
  if (!/^\d+$/.test(digits)) return { problem: 'has to be a phone number: digits with country code' };
  if (digits.startsWith('0')) return { problem: 'has to start with a country code, which never begins with 0' };
  if (digits.length < minDigits || digits.length > maxDigits) {
    return { problem: `has to have ${minDigits} to ${maxDigits} digits, country code included` };
  }
  return { digits };
}

/**
 * The canonical form that makes the known double writings of one mobile number equal:
 * Brazil's ninth digit (only before 6 to 9, so that landlines stay as they are), Mexico's 1, Argentina's 9.
 */
export function matchKeyOfNumber(digits: string): string {
  return digits
    .replace(/^(55\d{2})9([6-9]\d{7})$/, '$1$2')
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1');
}

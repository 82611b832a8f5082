// Chat numbers: from any common writing to digits with country code, and to the key under which two writings of one
// number are equal.

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
export function matchKeyOf(digits: string): string {
  return digits
    .replace(/^(55\d{2})9([6-9]\d{7})$/, '$1$2')
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1');
}

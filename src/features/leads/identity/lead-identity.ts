// What a lead is known under: a number, or an id that stands for one that is hidden; and the names that are made from these
// while nobody has told a better one.

import { matchKeyOf as matchKeyOfNumber } from './chat-number.js';

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

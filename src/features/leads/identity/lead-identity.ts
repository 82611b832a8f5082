// The identities of a lead: a number, or an id that stands for a hidden number. Also the placeholder names that are made from these until a
// better one is known.

import { toPresentPlan } from './numbering-change.js';

/** A number or id under which the other side of a conversation is known. */
export interface LeadIdentity {
  kind: 'PHONE' | 'LID' | 'BSUID';
  /** PHONE: 7 to 15 digits with country code. The others: as the network writes them, without a domain, at most 255 characters. */
  value: string;
}

/** Returns the form in which two writings of one identity are equal. */
export function matchKeyOf({ kind, value }: LeadIdentity): string {
  return kind === 'PHONE' ? matchKeyOfNumber(value) : value;
}

/** Returns a name that no other identity of the tenant has: one word for its kind and one for the rest. */
export function nameOfIdentity(identity: LeadIdentity): string {
  return `${identity.kind} ${matchKeyOf(identity)}`;
}

const hiddenName = 'Hidden number';
const hiddenNameForm = new RegExp(`^${hiddenName} .{1,4}$`, 'su');

/** Returns the number; for a hidden one its last 4 characters, so that an operator can tell two of them apart. */
export function placeholderNameOf({ kind, value }: LeadIdentity): string {
  return kind === 'PHONE' ? value : `${hiddenName} ${Array.from(value).slice(-4).join('')}`;
}

interface Named {
  name: string;
  chat: string | null;
}

/** Returns whether a lead's name was made from its number or from one of its identities rather than given. */
export function hasPlaceholderName({
  name,
  chat,
  identities,
}: Named & { identities: readonly LeadIdentity[] }): boolean {
  return name === chat || identities.some((identity) => placeholderNameOf(identity) === name);
}

/** Judges like `hasPlaceholderName`, without the identities. It never misses a placeholder, and can take a given name for one. */
export function mayHavePlaceholderName({ name, chat }: Named): boolean {
  return name === chat || hiddenNameForm.test(name);
}

/**
 * Returns the canonical form that makes the known double writings of one mobile number equal: Brazil's ninth digit, Mexico's 1, Argentina's
 * 9, and the former plans of Benin and Ivory Coast. Brazil's digit counts only before 6 to 9, so that landlines stay as they are.
 */
export function matchKeyOfNumber(digits: string): string {
  return toPresentPlan(digits)
    .replace(/^(55\d{2})9([6-9]\d{7})$/, '$1$2')
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1');
}

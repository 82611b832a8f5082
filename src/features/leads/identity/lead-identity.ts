// The match keys of a lead's identities, and the placeholder names that are made from identities until a better name is known.

import type { LeadIdentity } from '../../../providers/reported.js';
import { matchKeyOfNumber } from '../../../platform/phone-numbers/match-key.js';

/** Returns the form in which two writings of one identity are equal. */
export function matchKeyOf({ kind, value }: LeadIdentity): string {
  return kind === 'PHONE' ? matchKeyOfNumber(value) : value;
}

/** Returns a name that no other identity of the tenant has: one word for its kind and one for the rest. */
export function nameOfIdentity(identity: LeadIdentity): string {
  return `${identity.kind} ${matchKeyOf(identity)}`;
}

const hiddenName = 'Hidden number';
const hiddenNameForm = `^${hiddenName} .{1,4}$`;
const isHiddenName = new RegExp(hiddenNameForm, 'su');

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
  return name === chat || isHiddenName.test(name);
}

/** A condition: a lead's name may be a placeholder, as `mayHavePlaceholderName` judges it. */
export const hasPossiblePlaceholderName = (lead: string) =>
  `(${lead}.name IS NOT DISTINCT FROM ${lead}.chat OR ${lead}.name ~ '${hiddenNameForm}')`;

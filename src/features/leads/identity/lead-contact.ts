// The people of a call of the intake, with the keys under which the database may know them.

import type { LeadIdentity } from '../../../providers/reported.js';
import type { BroughtFields, IntakeLead } from '../lead-fields.js';
import { matchKeyOf, mayHavePlaceholderName } from './lead-identity.js';

/** A person who may be a lead already. */
export interface LeadContact extends BroughtFields {
  /** At least one, the best known first. */
  identities: readonly [LeadIdentity, ...LeadIdentity[]];
  /** When absent, the number, or a placeholder for a hidden one. */
  name?: string | null | undefined;
  /** True: a known lead's name stays as it is. Else a name that was only made from the number gives way to `name`. */
  keepsName?: boolean | undefined;
  /** The tenant's `webhookSourceLabel` when absent, else the caller's default. */
  source?: string | null | undefined;
  /** Counts before the caller's default, and after the tenant's label. */
  usualSource?: string | undefined;
  /** The number of the contact to which the person has moved from the others: replies go there from now on. */
  movesTo?: string | undefined;
}

export interface FoundLead {
  lead: IntakeLead;
  /** True for the first contact of a new lead. */
  created: boolean;
}

export interface WantedIdentity extends LeadIdentity {
  matchKey: string;
}

/** A call's contacts and their identities, each read once. */
export interface Wanted {
  contacts: readonly LeadContact[];
  /** The keys of each contact's identities, in their order. */
  keys: string[][];
  /** By key, in the order of the call. */
  identities: Map<string, WantedIdentity>;
}

export function identityKeyOf({ kind, matchKey }: { kind: string; matchKey: string }): string {
  return `${kind}:${matchKey}`;
}

export function readContacts(contacts: readonly LeadContact[]): Wanted {
  const identities = new Map<string, WantedIdentity>();
  const keys = contacts.map((contact) =>
    contact.identities.map((identity) => {
      const wanted = { kind: identity.kind, value: identity.value, matchKey: matchKeyOf(identity) };
      const key = identityKeyOf(wanted);
      if (!identities.has(key)) identities.set(key, wanted);
      return key;
    }),
  );
  return { contacts, keys, identities };
}

/** Returns whether a known lead may take the contact's name. Never misses a lead that does. */
export function mayTakeName({ name, keepsName }: LeadContact, lead: { name: string; chat: string | null }): boolean {
  return keepsName !== true && name != null && name !== lead.name && mayHavePlaceholderName(lead);
}

/**
 * Returns the number that replies go to from now on; undefined where it stays. A lead whose current number is not among the contact's has
 * not moved from there: the news is old, or is about another of the lead's numbers.
 */
export function newNumberOf(
  { movesTo, identities }: LeadContact,
  { chat }: { chat: string | null },
): string | undefined {
  if (movesTo === undefined) return undefined;
  const numbers = identities.flatMap(({ kind, value }) => (kind === 'PHONE' ? [keyOfNumber(value)] : []));
  if (chat === null) return movesTo;
  if (keyOfNumber(chat) === keyOfNumber(movesTo)) return undefined;
  const isFromThere = numbers.length === 1 || numbers.includes(keyOfNumber(chat));
  return isFromThere ? movesTo : undefined;
}

function keyOfNumber(value: string): string {
  return matchKeyOf({ kind: 'PHONE', value });
}

// People as a call of the intake names them, with the keys under which the database may know them.

import { matchKeyOf, mayHavePlaceholderName } from './lead-identity.js';
import type { LeadIdentity } from './lead-identity.js';

/** What is known of a person who may be a lead already. */
export interface LeadCandidate {
  /** At least one, the best known first. */
  identities: readonly [LeadIdentity, ...LeadIdentity[]];
  /** The number when absent, or a word for a hidden one. */
  name?: string | null | undefined;
  /** True: a known lead's name stays as it is. Else a name that was only made from the number gives way to `name`. */
  keepsName?: boolean | undefined;
  /** The tenant's `webhookSourceLabel` when absent, else the caller's default. */
  source?: string | null | undefined;
  metadata?: object | undefined;
}

/** A lead as intake answers it. */
export interface IntakeLead {
  id: string;
  name: string;
  chat: string | null;
  source: string;
  metadata: unknown;
  createdAt: Date;
  updatedAt: Date;
}

export interface FoundLead {
  lead: IntakeLead;
  /** True for the first candidate of a new lead. */
  created: boolean;
}

export interface WantedIdentity extends LeadIdentity {
  matchKey: string;
}

/** A call's candidates and their identities, each read once. */
export interface Wanted {
  candidates: readonly LeadCandidate[];
  /** The keys of each candidate's identities, in their order. */
  keys: string[][];
  /** By key, in the order of the call. */
  identities: Map<string, WantedIdentity>;
}

export function identityKeyOf({ kind, matchKey }: { kind: string; matchKey: string }): string {
  return `${kind}:${matchKey}`;
}

export function readCandidates(candidates: readonly LeadCandidate[]): Wanted {
  const identities = new Map<string, WantedIdentity>();
  const keys = candidates.map((candidate) =>
    candidate.identities.map((identity) => {
      const wanted = { kind: identity.kind, value: identity.value, matchKey: matchKeyOf(identity) };
      const key = identityKeyOf(wanted);
      if (!identities.has(key)) identities.set(key, wanted);
      return key;
    }),
  );
  return { candidates, keys, identities };
}

/** Whether a known lead may take the candidate's name: never misses one that does. */
export function mayTakeName({ name, keepsName }: LeadCandidate, lead: { name: string; chat: string | null }): boolean {
  return keepsName !== true && name != null && name !== lead.name && mayHavePlaceholderName(lead);
}

// Remembers which lead an identity leads to, for whoever writes messages of known leads by one statement. What it says is a hint:
// another process may have changed it, so that statement has to check the identity itself.

import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/database.js';
import { identityKeyOf, mayTakeName, readCandidates } from './lead-candidate.js';
import type { IntakeLead, LeadCandidate, WantedIdentity } from './lead-candidate.js';
import { mayHavePlaceholderName } from './lead-identity.js';
import { selectLeadsByIdentity } from '../lead.sql.js';

/** A lead, and the identity under which it was found. */
export interface KnownLead extends Pick<WantedIdentity, 'kind' | 'matchKey'> {
  leadId: string;
}

type FoundLead = IntakeLead & Pick<WantedIdentity, 'kind' | 'matchKey'>;

// About 250 bytes each.
const maxRemembered = 50_000;
const rememberedMs = 60_000;

export class LeadDirectory {
  private readonly leadIds = new LRUCache<string, string>({ max: maxRemembered, ttl: rememberedMs });

  constructor(private readonly database: Database) {}

  /**
   * The lead of each candidate, in their order; undefined where something is to be created or learned: an identity is new, two of
   * them lead to different leads, or the name would be taken. At most one statement.
   */
  async locate(tenantId: string, candidates: readonly LeadCandidate[]): Promise<(KnownLead | undefined)[]> {
    const { keys, identities } = readCandidates(candidates);
    const unknown = [...identities].filter(([key]) => !this.leadIds.has(nameOf(tenantId, key)));
    const found = await this.read(
      tenantId,
      unknown.map(([, identity]) => identity),
    );
    return candidates.map((candidate, index) => {
      const leads = (keys[index] ?? []).map((key) => {
        const lead = found.get(key);
        if (lead === undefined) return this.leadIds.get(nameOf(tenantId, key));
        return mayTakeName(candidate, lead) ? undefined : lead.id;
      });
      const [leadId] = leads;
      const identity = identities.get(keys[index]?.[0] ?? '');
      if (leadId === undefined || identity === undefined || leads.some((other) => other !== leadId)) return undefined;
      return { leadId, kind: identity.kind, matchKey: identity.matchKey };
    });
  }

  /** An identity that led elsewhere than it was remembered to. */
  forget(tenantId: string, identity: Pick<WantedIdentity, 'kind' | 'matchKey'>): void {
    this.leadIds.delete(nameOf(tenantId, identityKeyOf(identity)));
  }

  private async read(tenantId: string, identities: readonly WantedIdentity[]): Promise<Map<string, FoundLead>> {
    if (identities.length === 0) return new Map();
    const values = [tenantId, identities.map(({ kind }) => kind), identities.map(({ matchKey }) => matchKey)];
    const rows = await this.database.query<FoundLead>(selectLeadsByIdentity, values);
    const found = new Map(rows.map((lead) => [identityKeyOf(lead), lead]));
    // Whoever may still take the name that the network shows is looked up each time.
    for (const [key, lead] of found)
      if (!mayHavePlaceholderName(lead)) this.leadIds.set(nameOf(tenantId, key), lead.id);
    return found;
  }
}

function nameOf(tenantId: string, key: string): string {
  return `${tenantId} ${key}`;
}

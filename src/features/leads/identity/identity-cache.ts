// Remembers which lead an identity leads to, so that the fast path can write messages of known leads by one statement. An entry is a
// hint: another process may have changed the lead, so the statement checks the identity itself.

import type { Database } from '../../../platform/database/database.js';
import { ExpiringCache } from '../../../platform/expiring-cache.js';
import { selectLeadsByIdentity } from './find-or-create.sql.js';
import { identityKeyOf, mayTakeName, readContacts, type LeadContact, type WantedIdentity } from './lead-contact.js';
import { mayHavePlaceholderName } from './lead-identity.js';
import type { IntakeLead } from '../lead-fields.js';

/** A lead, and the identity under which it was found. */
export interface KnownLead extends Pick<WantedIdentity, 'kind' | 'matchKey'> {
  leadId: string;
}

type IdentifiedLead = IntakeLead & Pick<WantedIdentity, 'kind' | 'matchKey'>;

// An entry takes about 250 bytes.
const maxRemembered = 50_000;
const rememberedMs = 60_000;
// The interval at which the cache reads the clock, by a timer of its own. The default is every millisecond.
const clockMs = 250;

export class IdentityCache {
  private readonly leadIds = new ExpiringCache<string>({
    max: maxRemembered,
    ttl: rememberedMs,
    ttlResolution: clockMs,
  });

  constructor(private readonly database: Database) {}

  /**
   * Returns the lead of each contact, in their order. Undefined where something is to be created or learned: an identity is new, two of
   * them lead to different leads, or the name would be taken. At most one statement.
   */
  async locate(tenantId: string, contacts: readonly LeadContact[]): Promise<(KnownLead | undefined)[]> {
    const { keys, identities } = readContacts(contacts);
    const unknown = [...identities].filter(([key]) => !this.leadIds.has(nameOf(tenantId, key)));
    const found = await this.read(
      tenantId,
      unknown.map(([, identity]) => identity),
    );
    return contacts.map((contact, index) => {
      const leads = (keys[index] ?? []).map((key) => {
        const lead = found.get(key);
        if (lead === undefined) return this.leadIds.get(nameOf(tenantId, key));
        return mayTakeName(contact, lead) ? undefined : lead.id;
      });
      const [leadId] = leads;
      const identity = identities.get(keys[index]?.[0] ?? '');
      if (leadId === undefined || identity === undefined || leads.some((other) => other !== leadId)) return undefined;
      return { leadId, kind: identity.kind, matchKey: identity.matchKey };
    });
  }

  /** Forgets an identity that led to another lead than the remembered one. */
  forget(tenantId: string, identity: Pick<WantedIdentity, 'kind' | 'matchKey'>): void {
    this.leadIds.delete(nameOf(tenantId, identityKeyOf(identity)));
  }

  private async read(tenantId: string, identities: readonly WantedIdentity[]): Promise<Map<string, IdentifiedLead>> {
    if (identities.length === 0) return new Map();
    const values = [tenantId, identities.map(({ kind }) => kind), identities.map(({ matchKey }) => matchKey)];
    const rows = await this.database.query<IdentifiedLead>(selectLeadsByIdentity, values);
    const found = new Map(rows.map((lead) => [identityKeyOf(lead), lead]));
    // A lead that may still take the name that the network shows is looked up each time.
    for (const [key, lead] of found)
      if (!mayHavePlaceholderName(lead)) this.leadIds.set(nameOf(tenantId, key), lead.id);
    return found;
  }
}

function nameOf(tenantId: string, key: string): string {
  return `${tenantId} ${key}`;
}

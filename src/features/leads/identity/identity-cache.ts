// Remembers which lead an identity leads to, so that the fast path can write messages of known leads by one statement. An entry is a
// hint: another process may have changed the lead, so the statement checks the identity itself.

import type { Database } from '../../../platform/database/database.js';
import { ExpiringCache } from '../../../platform/expiring-cache.js';
import type { NumberValidity } from '../../../platform/prisma/enums.js';
import { selectLeadsByIdentity } from './find-or-create.sql.js';
import { matchKeyOf, mayHavePlaceholderName } from './lead-identity.js';
import type { LeadIdentity } from '../../../providers/reported.js';

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

// The people of a call of the intake, with the keys under which the database may know them.

/** A person who may be a lead already. */
export interface LeadContact {
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
  metadata?: object | undefined;
  /** The number of the contact to which the person has moved from the others: replies go there from now on. */
  movesTo?: string | undefined;
}

/** A lead as intake answers it. */
export interface IntakeLead {
  id: string;
  name: string;
  chat: string | null;
  numberValidity: NumberValidity;
  source: string;
  metadata: unknown;
  createdAt: Date;
  updatedAt: Date;
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

// Groups the contacts of a call and the known leads by person: those who share an identity are one, however many steps apart. Works on what
// was read; finding, creating and merging belong to find-or-create.ts.

/** A person, as a call and the database know them. */
export interface Person {
  /** The leads that are this person. None: a new lead is created. Several: they are merged. */
  leadIds: string[];
  /** Identities that no lead has yet, in the order of the call. */
  newIdentities: WantedIdentity[];
  /** In the order of the call. */
  contacts: LeadContact[];
}

export interface GroupedContacts {
  people: Person[];
  /** The person of each contact, in their order. */
  personOf: Person[];
}

/** Returns whether two leads were separated by an undone merge. No call of the intake merges them again. */
export type AreApart = (leadId: string, otherId: string) => boolean;

// A set in a union-find forest; `leadIds` counts at the root.
interface Node {
  parent: Node | undefined;
  leadIds: string[];
}

/** @param known the leads of the identities that have one, by identity key */
export function groupByPerson(
  wanted: Wanted,
  known: ReadonlyMap<string, { id: string }>,
  areApart: AreApart = () => false,
): GroupedContacts {
  const forest = new Forest(known, areApart);
  const nodes = wanted.keys.map((keys) => forest.join(keys));
  const people = new Map<Node, Person>();
  const personAt = (node: Node): Person => {
    const root = rootOf(node);
    const person = people.get(root) ?? { leadIds: root.leadIds, newIdentities: [], contacts: [] };
    people.set(root, person);
    return person;
  };
  const personOf = nodes.map(personAt);
  for (const [index, contact] of wanted.contacts.entries()) personOf[index]?.contacts.push(contact);
  for (const [key, identity] of wanted.identities) {
    const node = forest.newOnes.get(key);
    if (node !== undefined) personAt(node).newIdentities.push(identity);
  }
  return { people: [...people.values()], personOf };
}

class Forest {
  /** The nodes of identities that no lead has. */
  readonly newOnes = new Map<string, Node>();
  private readonly byLead = new Map<string, Node>();

  constructor(
    private readonly known: ReadonlyMap<string, { id: string }>,
    private readonly areApart: AreApart,
  ) {}

  /**
   * Joins a contact's identities into one person: that of the first identity that belongs to a person already.
   * @returns that person's node
   */
  join(keys: readonly string[]): Node {
    const own = keys.map((key) => this.find(key)).find((node) => node !== undefined) ?? {
      parent: undefined,
      leadIds: [],
    };
    for (const key of keys) {
      const node = this.find(key);
      if (node === undefined) this.newOnes.set(key, own);
      else this.unite(own, node);
    }
    return own;
  }

  private find(key: string): Node | undefined {
    const leadId = this.known.get(key)?.id;
    if (leadId === undefined) return this.newOnes.get(key);
    const node = this.byLead.get(leadId) ?? { parent: undefined, leadIds: [leadId] };
    this.byLead.set(leadId, node);
    return node;
  }

  private unite(one: Node, other: Node): void {
    const [into, from] = [rootOf(one), rootOf(other)];
    if (into === from) return;
    if (into.leadIds.some((id) => from.leadIds.some((otherId) => this.areApart(id, otherId)))) return;
    into.leadIds.push(...from.leadIds);
    from.parent = into;
  }
}

function rootOf(node: Node): Node {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

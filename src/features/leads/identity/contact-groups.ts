// Groups the contacts of a call and the known leads by person: those who share an identity are one, however many steps apart. Works on what
// was read; finding, creating and merging belong to find-or-create.ts.

import type { LeadContact, Wanted, WantedIdentity } from './lead-contact.js';

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

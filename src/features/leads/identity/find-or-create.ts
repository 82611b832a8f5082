// Finds or creates the leads of a call's contacts. Where nothing is new, that takes one statement. Everything else goes in rounds: read,
// lock the leads that will change, write, and read again where another transaction was first.

import { AppError } from '../../../platform/errors.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { groupByPerson, type GroupedContacts, type Person } from './contact-groups.js';
import {
  identityKeyOf,
  mayTakeName,
  newNumberOf,
  readContacts,
  type FoundLead,
  type LeadContact,
  type Wanted,
  type WantedIdentity,
} from './lead-contact.js';
import type { ErasedIdentityService, NewIdentity } from './erased-identity.service.js';
import { hasPlaceholderName, matchKeyOf, placeholderNameOf } from './lead-identity.js';
import type { LeadIdentity } from '../../../providers/reported.js';
import type { IntakeLead } from '../lead-fields.js';
import { judgeNumber } from '../../../platform/phone-numbers/number-validity.js';
import { holdMerges, readLeadStates, type LeadMergeWriter, type LeadState } from '../merge/lead-merge-writer.js';
import { lockLeads, selectSeparatedLeads } from '../merge/lead-merge.sql.js';
import {
  deleteNewLead,
  identityColumns,
  insertIdentitiesAndLeads,
  moveIdentities,
  newLeadColumns,
  selectLeadsByIdentity,
  updateKnownLeads,
  type NewLead,
} from './find-or-create.sql.js';

export interface FindOrCreateParts {
  merger: LeadMergeWriter;
  erasedIdentities: Pick<ErasedIdentityService, 'suppress'>;
}

type KnownLeads = Map<string, IntakeLead>;
type Survivable = Pick<LeadState, 'id' | 'chat'>;
type IdentityRow = Pick<WantedIdentity, 'kind' | 'matchKey'>;

// Each round but the last lost a race against a transaction that has committed.
const maxRounds = 20;

/** Does the work of `LeadService.findOrCreate`. */
export async function findOrCreateLeads(
  tx: Transaction,
  parts: FindOrCreateParts,
  contacts: readonly LeadContact[],
  defaultSource: string,
): Promise<FoundLead[]> {
  if (contacts.length === 0) return [];
  const wanted = readContacts(contacts);
  const known = await selectKnown(tx, wanted);
  const settled = settledLeads(wanted, known);
  return settled ?? new FindOrCreate(tx, parts, wanted, known, defaultSource).find();
}

async function selectKnown(tx: Transaction, { identities }: Wanted): Promise<KnownLeads> {
  const rows = await tx.query<IntakeLead & IdentityRow>(selectLeadsByIdentity, [
    tx.tenantId,
    Array.from(identities.values(), ({ kind }) => kind),
    Array.from(identities.values(), ({ matchKey }) => matchKey),
  ]);
  return new Map(rows.map(({ kind, matchKey, ...lead }) => [identityKeyOf({ kind, matchKey }), lead]));
}

/** Returns the contacts' leads where nothing is new; otherwise undefined. */
function settledLeads({ contacts, keys }: Wanted, known: KnownLeads): FoundLead[] | undefined {
  const found: FoundLead[] = [];
  for (const [index, contact] of contacts.entries()) {
    const [first = '', ...others] = keys[index] ?? [];
    const lead = known.get(first);
    if (lead === undefined || others.some((key) => known.get(key)?.id !== lead.id)) return undefined;
    if (mayTakeName(contact, lead) || newNumberOf(contact, lead) !== undefined) return undefined;
    found.push({ lead, created: false });
  }
  return found;
}

/**
 * The work of one call. Identities are written before leads are locked, here as in a call that only creates and records messages
 * afterwards. So transactions never wait for each other in a circle.
 */
class FindOrCreate {
  private readonly locked = new Set<string>();
  private readonly created = new Set<string>();
  private readonly changed = new Set<string>();
  /** Leads that were given identities, until they are locked and changed. */
  private readonly grown = new Set<string>();
  /** Leads whose names were found to be given, or were replaced: a single look is enough. */
  private readonly examined = new Set<string>();
  /** Identities that were written here, where the tenant has erased a person who had opted out. */
  private readonly identified: Omit<NewIdentity, 'isNew'>[] = [];
  /** The known leads by id. */
  private leads = new Map<string, IntakeLead>();

  constructor(
    private readonly tx: Transaction,
    private readonly parts: FindOrCreateParts,
    private readonly wanted: Wanted,
    private known: KnownLeads,
    private readonly defaultSource: string,
  ) {
    this.indexLeads();
  }

  async find(): Promise<FoundLead[]> {
    for (let round = 0; round < maxRounds; round += 1) {
      const grouped = await this.group();
      const changing = grouped.people.filter((person) => this.changes(person));
      if (grouped.people.some(({ newIdentities }) => newIdentities.length > 0)) await this.insert(grouped);
      else if (changing.length > 0) await this.lockAndChange(changing);
      else return await this.finish(grouped);
    }
    throw new AppError(
      'UNAVAILABLE',
      'The same leads are being changed by too many calls at once: send this one again',
    );
  }

  private async group(): Promise<GroupedContacts> {
    const grouped = groupByPerson(this.wanted, this.known);
    const shared = grouped.people.filter(({ leadIds }) => leadIds.length > 1).flatMap(({ leadIds }) => leadIds);
    if (shared.length === 0) return grouped;
    const rows = await this.tx.query<{ leadId: string; otherId: string }>(selectSeparatedLeads, [
      this.tx.tenantId,
      shared,
    ]);
    if (rows.length === 0) return grouped;
    const apart = new Set(rows.flatMap(({ leadId, otherId }) => [`${leadId} ${otherId}`, `${otherId} ${leadId}`]));
    return groupByPerson(this.wanted, this.known, (leadId, otherId) => apart.has(`${leadId} ${otherId}`));
  }

  /** Returns whether a known lead gains something: another lead, data of its new identities, or a name. */
  private changes({ leadIds, contacts }: Person): boolean {
    const [leadId] = leadIds;
    if (leadId === undefined) return false;
    if (leadIds.length > 1 || this.grown.has(leadId)) return true;
    const lead = this.leads.get(leadId);
    if (lead === undefined || this.examined.has(leadId)) return false;
    return contacts.some((contact) => mayTakeName(contact, lead) || newNumberOf(contact, lead) !== undefined);
  }

  /** Writes identities that no lead has yet. An identity that another transaction writes first belongs to that transaction, and is read. */
  private async insert({ people }: GroupedContacts): Promise<void> {
    const identities: (WantedIdentity & { leadId: string })[] = [];
    const leads: NewLead[] = [];
    for (const { leadIds, newIdentities, contacts } of people) {
      const leadId = this.survivorOf(leadIds) ?? newRecordId();
      identities.push(...newIdentities.map((identity) => ({ ...identity, leadId })));
      if (leadIds.length === 0) leads.push(toNewLead(leadId, newIdentities, contacts));
    }
    const rows = await this.tx.query<InsertedIdentity>(insertIdentitiesAndLeads, [
      this.tx.tenantId,
      this.defaultSource,
      ...identityColumns.valuesOf(identities),
      ...newLeadColumns.valuesOf(leads),
    ]);
    for (const { kind, matchKey, leadId, isNewLead, mayBeSuppressed, ...lead } of rows) {
      if (mayBeSuppressed) this.identified.push({ leadId, kind, matchKey });
      (isNewLead ? this.created : this.grown).add(leadId);
      if (isNewLead) this.known.set(identityKeyOf({ kind, matchKey }), lead);
    }
    // Leads that were only created need no read, because the statement has returned them.
    if (rows.length < identities.length || rows.some(({ isNewLead }) => !isNewLead)) await this.read();
    else this.indexLeads();
  }

  private async lockAndChange(changing: Person[]): Promise<void> {
    // A known lead may have got the identity of a person who had opted out. No claim may then take a message to it before that is entered.
    const mayOptOut = this.identified.some(({ leadId }) => this.grown.has(leadId));
    if (mayOptOut || changing.some(({ leadIds }) => leadIds.length > 1)) await holdMerges(this.tx);
    if (!(await this.lockKnown())) await this.changeLeads(changing);
    await this.read();
  }

  // Locks all of the call's leads at once and in order. Otherwise its later statements would lock the others out of order.
  private async lockKnown(): Promise<boolean> {
    const ids = [...this.leads.keys()].filter((id) => !this.locked.has(id) && !this.created.has(id));
    if (ids.length === 0) return false;
    const rows = await this.tx.query<{ id: string; mergedIntoId: string | null }>(lockLeads, [this.tx.tenantId, ids]);
    for (const { id, mergedIntoId } of rows) {
      this.locked.add(id);
      if (mergedIntoId === null || !this.grown.delete(id)) continue;
      // The lead was merged after it was read, so the merge has missed the identities that it was given here.
      await this.tx.query(moveIdentities, [this.tx.tenantId, id, mergedIntoId]);
      this.grown.add(mergedIntoId);
    }
    return true;
  }

  private async changeLeads(people: Person[]): Promise<void> {
    const states = await readLeadStates(
      this.tx,
      people.flatMap(({ leadIds }) => leadIds),
    );
    const changes: LeadState[] = [];
    for (const { leadIds, contacts } of people) {
      const before = await this.makeOne(leadIds.flatMap((id) => states.get(id) ?? []));
      if (before === undefined) continue;
      const after = { ...before, ...learned(before, contacts) };
      this.examined.add(before.id);
      const hasGrown = leadIds.filter((id) => this.grown.delete(id)).length > 0 || leadIds.length > 1;
      if (!hasGrown && after.name === before.name && after.chat === before.chat) continue;
      changes.push(after);
      this.changed.add(before.id);
    }
    if (changes.length === 0) return;
    await this.tx.query(updateKnownLeads, [
      this.tx.tenantId,
      changes.map(({ id }) => id),
      changes.map(({ name }) => name),
      changes.map(({ chat }) => chat),
      changes.map(({ chat }) => judgeNumber(chat)),
    ]);
  }

  /** Merges leads that are one person. @returns the survivor */
  private async makeOne(leads: LeadState[]): Promise<LeadState | undefined> {
    const [first, ...others] = leads.sort((one, other) => this.compareForSurvival(one, other));
    let survivor = first;
    for (const lead of others) {
      if (survivor === undefined) break;
      if (this.created.has(lead.id)) {
        survivor = await this.absorb(survivor, lead);
      } else {
        survivor = await this.parts.merger.merge(this.tx, survivor, lead, { reason: 'identity' });
        this.changed.add(lead.id);
      }
    }
    return survivor;
  }

  private survivorOf(leadIds: readonly string[]): string | undefined {
    const leads = leadIds.flatMap((id) => this.leads.get(id) ?? []);
    return leads.sort((one, other) => this.compareForSurvival(one, other))[0]?.id;
  }

  // This call made the lead for a person whom another call has stored by now. No client has seen it.
  private async absorb(survivor: LeadState, lead: LeadState): Promise<LeadState> {
    await this.tx.query(moveIdentities, [this.tx.tenantId, lead.id, survivor.id]);
    await this.tx.query(deleteNewLead, [this.tx.tenantId, lead.id]);
    this.created.delete(lead.id);
    return { ...survivor, identities: [...survivor.identities, ...lead.identities] };
  }

  // Known leads come before our new ones, leads with a number before those without, the older before the younger (ids are UUID v7).
  private compareForSurvival(one: Survivable, other: Survivable): number {
    const rankOf = ({ id, chat }: Survivable) => (this.created.has(id) ? 2 : 0) + (chat === null ? 1 : 0);
    return rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1);
  }

  private async finish({ personOf }: GroupedContacts): Promise<FoundLead[]> {
    await this.suppress();
    for (const leadId of this.created) this.tx.emit({ type: 'LEAD_CREATED', leadId });
    for (const leadId of this.changed) if (!this.created.has(leadId)) this.tx.emit({ type: 'LEAD_UPDATED', leadId });
    return personOf.map(({ leadIds: [leadId = ''] }) => {
      const lead = this.leads.get(leadId);
      if (lead === undefined) throw new Error('a lead that was just written cannot be read');
      return { lead, created: this.created.delete(leadId) };
    });
  }

  // An identity belongs to the surviving lead, whatever lead it was written for.
  private async suppress(): Promise<void> {
    const identities = this.identified.map((identity) => {
      const leadId = this.known.get(identityKeyOf(identity))?.id ?? identity.leadId;
      return { ...identity, leadId, isNew: this.created.has(leadId) };
    });
    await this.parts.erasedIdentities.suppress(this.tx, identities);
  }

  private async read(): Promise<void> {
    this.known = await selectKnown(this.tx, this.wanted);
    this.indexLeads();
  }

  private indexLeads(): void {
    this.leads = new Map(Array.from(this.known.values(), (lead) => [lead.id, lead]));
  }
}

/** The lead's columns are null where the lead existed before. */
interface InsertedIdentity extends IdentityRow, IntakeLead {
  leadId: string;
  isNewLead: boolean;
  /** True where the tenant has erased a person who had opted out. */
  mayBeSuppressed: boolean;
}

function toNewLead(id: string, identities: readonly LeadIdentity[], contacts: readonly LeadContact[]): NewLead {
  const number = identities.find(({ kind }) => kind === 'PHONE');
  const best = number ?? identities[0];
  const [contact] = contacts;
  if (best === undefined || contact === undefined) throw new Error('a person without identities');
  const name = contacts.find((each) => each.name != null)?.name ?? placeholderNameOf(best);
  return { id, name, chat: number?.value ?? null, contact };
}

/**
 * Returns the number to which a lead has moved, where it is one of the lead's own. The number of a separated person belongs to another
 * lead.
 */
function movedNumberOf(lead: LeadState, contacts: readonly LeadContact[]): string | undefined {
  const own = new Set(lead.identities.map((identity) => matchKeyOf(identity)));
  return contacts
    .flatMap((contact) => newNumberOf(contact, lead) ?? [])
    .findLast((value) => own.has(matchKeyOf({ kind: 'PHONE', value })));
}

/** Returns the name and the number that a lead gains from its identities and from the network. */
function learned(lead: LeadState, contacts: readonly LeadContact[]): Pick<LeadState, 'name' | 'chat'> {
  const { name, chat, identities } = lead;
  const number =
    movedNumberOf(lead, contacts) ?? chat ?? identities.find(({ kind }) => kind === 'PHONE')?.value ?? null;
  if (!hasPlaceholderName(lead)) return { name, chat: number };
  const shown = contacts.find((contact) => contact.keepsName !== true && contact.name != null)?.name;
  return { name: shown ?? number ?? name, chat: number };
}

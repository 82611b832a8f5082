// People who were erased: what a call says of them from before their erasure is left out, and the journal keeps nothing of it.

import { AppError } from '../../platform/errors.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { ErasedIdentityService, PastContact } from '../leads/identity/erased-identity.service.js';
import { nameOfIdentity } from '../leads/identity/lead-identity.js';
import { bodyWithout, textNamesOneOf } from './erased-body.js';
import type { JournalEntry } from './journal-writer.js';
import type { Located, LocatedItem, LocatedItems } from './located-items.js';
import type { LeadIntake, ReadWebhookCall, Settled, WebhookCall } from './webhook-call.js';

/** The people of calls that were erased after they wrote, as their bodies name them. */
export type ErasedNames = Map<ReadWebhookCall, Set<string>>;

/** Ignores messages and changes from before their person was erased, whether a history, a replay or a late call brings them. */
export async function leaveOutErased(
  erasedIdentities: Pick<ErasedIdentityService, 'findErased'>,
  tx: Transaction,
  located: LocatedItems,
): Promise<{ itemsOf: LocatedItems; erased: ErasedNames }> {
  const past = [...located].flatMap(([read, items]) =>
    items.flatMap((item) => {
      const contact = 'item' in item ? contactOf(item, read.call) : undefined;
      return contact === undefined ? [] : [{ read, item, ...contact }];
    }),
  );
  const erased = await erasedIdentities.findErased(tx, past);
  const names: ErasedNames = new Map();
  if (erased.size === 0) return { itemsOf: located, erased: names };
  for (const index of erased) addNames(names, past[index]?.read, past[index]);
  const left = new Set<Located>(past.filter((_, index) => erased.has(index)).map(({ item }) => item));
  const replaced = (item: Located): Located => (left.has(item) && 'item' in item ? { ...item, item: ofErased } : item);
  const itemsOf = new Map([...located].map(([read, items]) => [read, items.map(replaced)] as const));
  return { itemsOf, erased: names };
}

/** Refuses replays of calls that came before their person was erased: they create no lead. */
export async function refuseErased(
  erasedIdentities: Pick<ErasedIdentityService, 'findErased'>,
  tx: Transaction,
  posted: readonly (ReadWebhookCall & { intake: LeadIntake })[],
  names: ErasedNames,
): Promise<Map<ReadWebhookCall, Settled>> {
  const replays = posted.flatMap((read) => (read.call.replayOf === undefined ? [] : [{ read, ...read.call.replayOf }]));
  const contacts = replays.map(({ read, receivedAt: writtenAt }): PastContact => {
    return { identities: [{ kind: 'PHONE', value: read.intake.lead.chat }], writtenAt };
  });
  const erased = await erasedIdentities.findErased(tx, contacts);
  for (const index of erased) addNames(names, replays[index]?.read, contacts[index]);
  const refusal = new AppError('CONFLICT', 'the person was erased after this call came');
  return new Map(replays.filter((_, index) => erased.has(index)).map(({ read }) => [read, { refusal }]));
}

/** The journal keeps nothing of people who were erased: neither of ignored items, nor of a refused replay. */
export function withoutErased(entry: JournalEntry, names: ReadonlySet<string> | undefined): JournalEntry {
  if (names === undefined) return entry;
  const { call, dialect } = entry;
  return {
    ...entry,
    bodyWithoutErased: bodyWithout({ body: call.body, dialect }, textNamesOneOf(names, undefined)),
  };
}

function addNames(names: ErasedNames, read: ReadWebhookCall | undefined, contact: PastContact | undefined): void {
  if (read === undefined || contact === undefined) return;
  const ofCall = names.get(read) ?? new Set();
  for (const identity of contact.identities) ofCall.add(nameOfIdentity(identity));
  names.set(read, ofCall);
}

const ofErased = { kind: 'ignored', reason: 'a person who was erased' } as const;

/**
 * Names the person of an item, and when it was written. An erasure after that leaves the item out. Undefined for an item that names nobody,
 * and for one of a new call that gives no time.
 */
function contactOf({ item, isPast }: LocatedItem, { replayOf }: WebhookCall): PastContact | undefined {
  if (item.kind !== 'message' && item.kind !== 'change' && item.kind !== 'preference') return undefined;
  const { contact: identities, timestamp } = item;
  const writtenAt = timestamp ?? replayOf?.receivedAt;
  return identities === undefined || (writtenAt === undefined && !isPast) ? undefined : { identities, writtenAt };
}

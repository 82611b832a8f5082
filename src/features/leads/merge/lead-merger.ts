// Merges one lead into another, and takes a merge back, inside of a transaction that holds the tenant's merges and both leads' locks. Which leads are one
// is decided by find-or-create.ts and lead-merge.service.ts.

import type { NamedStatement } from '../../../platform/database.js';
import { notFound } from '../../../platform/errors.js';
import { newRecordId } from '../../../platform/record-id.js';
import type { Transaction } from '../../../platform/transaction.js';
import { lockTenant } from '../../tenants/tenant.sql.js';
import { hasPlaceholderName } from '../identity/lead-identity.js';
import type { LeadIdentity } from '../identity/lead-identity.js';
import { labelsToTake, withLabels, withoutGained } from '../lead.schema.js';
import type { Labels } from '../lead.schema.js';
import {
  countInbound,
  insertLeadMerge,
  markMergeUndone,
  moveIdentities,
  moveMergedLeads,
  moveMessages,
  moveNotes,
  moveOutboxEntries,
  moveTouches,
  selectLeadStates,
  writeLeadState,
} from './lead-merge.sql.js';

/** A lead as a merge sees it. */
export interface LeadState extends Labels {
  id: string;
  name: string;
  chat: string | null;
  assigneeId: string | null;
  unreadCount: number;
  /** The oldest first. */
  identities: LeadIdentity[];
}

/** `identity`: one call named identities of both; `user`: somebody said so. */
export type MergeCause = { reason: 'identity' } | { reason: 'user'; userId: string };

type LeadFields = Pick<LeadState, 'name' | 'chat' | 'assigneeId'>;

/** What a merge keeps of the time before, in `lead_merges.before`. */
export interface BeforeMerge {
  survivor: LeadFields & { unreadCount: number };
  merged: LeadFields & { unreadCount: number };
  /** What the survivor took over, with the new values. */
  taken: Partial<LeadFields>;
  /** The tags and custom fields that the survivor lacked; left out in merges of a time without them. */
  gained?: Labels;
  /** Leads that led to the merged one. */
  led: string[];
  /** How many inbound messages the survivor had with the merged one's. */
  inbound: number;
}

/** A merge that can be taken back. */
export interface UndoableMerge {
  id: string;
  survivorId: string;
  mergedId: string;
  messageIds: string[];
  touchIds: string[];
  noteIds: string[];
  /** As `KIND:match_key`. */
  identities: string[];
  before: BeforeMerge;
}

/**
 * To be called before leads are locked for a merge. Merges of a tenant wait for each other, and so does whoever claims its messages
 * to send: no claim is under way while messages change their lead, and with it the number they go to.
 */
export async function holdMerges(tx: Transaction): Promise<void> {
  await tx.query(lockTenant, [tx.tenantId]);
}

/** What leads have right now, by id; exact once they are locked. */
export async function readLeadStates(tx: Transaction, ids: readonly string[]): Promise<Map<string, LeadState>> {
  const states = await tx.query<LeadState>(selectLeadStates, [tx.tenantId, ids]);
  return new Map(states.map((state) => [state.id, state]));
}

/**
 * Gives the survivor everything of the merged lead, which only leads there from then on, and keeps how to take it back. What the
 * survivor lacks (a number, an assignee, a name that was given, tags, custom fields) it takes over. Emits nothing.
 * @returns the survivor as it is then
 */
export async function mergeLead(
  tx: Transaction,
  survivor: LeadState,
  merged: LeadState,
  cause: MergeCause,
): Promise<LeadState> {
  const moved = await moveEverything(tx, { from: merged.id, to: survivor.id });
  const taken = fieldsToTake(survivor, merged);
  const gained = labelsToTake(survivor, merged);
  const after: LeadState = {
    ...survivor,
    ...taken,
    ...withLabels(survivor, gained),
    unreadCount: survivor.unreadCount + merged.unreadCount,
    identities: [...survivor.identities, ...merged.identities],
  };
  await writeState(tx, after, null);
  await writeState(tx, { ...merged, unreadCount: 0 }, survivor.id);
  const { inbound } = await count(tx, survivor.id, 0, []);
  const { led } = moved;
  const fields = { survivor: fieldsOf(survivor), merged: fieldsOf(merged), taken, gained };
  const before: BeforeMerge = { ...fields, led, inbound };
  await tx.query(insertLeadMerge, [
    tx.tenantId,
    newRecordId(),
    survivor.id,
    merged.id,
    cause.reason,
    cause.reason === 'user' ? cause.userId : null,
    moved.messageIds,
    moved.touchIds,
    moved.identities,
    JSON.stringify(before),
    moved.noteIds,
  ]);
  return after;
}

/**
 * Gives the merged lead back what the merge took and the survivor still has, and both their fields where they are as the merge
 * left them. What came after the merge stays with the survivor. Emits nothing.
 */
export async function separateLeads(tx: Transaction, merge: UndoableMerge): Promise<void> {
  const { survivorId, mergedId, messageIds, before } = merge;
  const held = await readLeadStates(tx, [survivorId, mergedId]);
  const unread = await unreadToReturn(tx, stateOf(held, survivorId), merge);
  const way = { from: survivorId, to: mergedId };
  await move(tx, moveMessages, way, messageIds);
  await move(tx, moveOutboxEntries, way, messageIds);
  await move(tx, moveTouches, way, merge.touchIds);
  await move(tx, moveNotes, way, merge.noteIds);
  await move(tx, moveIdentities, way, merge.identities);
  await move(tx, moveMergedLeads, way, before.led);
  const left = stateOf(await readLeadStates(tx, [survivorId]), survivorId);
  const unreadCount = left.unreadCount - unread;
  const labels = before.gained === undefined ? left : withoutGained(left, before.gained);
  const { tags, customFields } = labels;
  await writeState(tx, { ...left, ...fieldsToRestore(left, before), tags, customFields, unreadCount }, null);
  await writeState(tx, { ...stateOf(held, mergedId), unreadCount: unread }, null);
  await tx.query(markMergeUndone, [tx.tenantId, merge.id]);
}

/** @throws AppError NOT_FOUND for a lead that is gone */
export function stateOf(states: ReadonlyMap<string, LeadState>, id: string): LeadState {
  const state = states.get(id);
  if (state === undefined) throw notFound('lead');
  return state;
}

async function moveEverything(tx: Transaction, way: { from: string; to: string }) {
  // Messages before what waits for them to be sent, as a send's answer writes them.
  const messageIds = await move(tx, moveMessages, way);
  await move(tx, moveOutboxEntries, way);
  const touchIds = await move(tx, moveTouches, way);
  const noteIds = await move(tx, moveNotes, way);
  const identities = await move(tx, moveIdentities, way);
  const led = await move(tx, moveMergedLeads, way);
  return { messageIds, touchIds, noteIds, identities, led };
}

/** @param only what to move; everything where it is left out */
async function move(
  tx: Transaction,
  statement: NamedStatement,
  { from, to }: { from: string; to: string },
  only: readonly string[] | null = null,
): Promise<string[]> {
  const [row] = await tx.query<{ moved: string[] }>(statement, [tx.tenantId, from, to, only]);
  return row?.moved ?? [];
}

async function writeState(tx: Transaction, lead: Omit<LeadState, 'identities'>, mergedIntoId: string | null) {
  const { id, name, chat, assigneeId, unreadCount, tags, customFields } = lead;
  const values = [tx.tenantId, id, name, chat, assigneeId, unreadCount, mergedIntoId];
  await tx.query(writeLeadState, [...values, tags, JSON.stringify(customFields)]);
}

async function count(tx: Transaction, leadId: string, unreadCount: number, ids: readonly string[]) {
  const values = [tx.tenantId, leadId, unreadCount, ids];
  const [counts] = await tx.query<{ inbound: number; unreadAmong: number }>(countInbound, values);
  return counts ?? { inbound: 0, unreadAmong: 0 };
}

function fieldsToTake(survivor: LeadState, merged: LeadState): Partial<LeadFields> {
  const chat = survivor.chat ?? merged.chat;
  const name = nameToTake(survivor, merged) ?? survivor.name;
  const assigneeId = survivor.assigneeId ?? merged.assigneeId;
  return {
    ...(name !== survivor.name && { name }),
    ...(chat !== survivor.chat && { chat }),
    ...(assigneeId !== survivor.assigneeId && { assigneeId }),
  };
}

// A name that was given stays; else the other's, if given, counts more than a number, and a number more than a word for a hidden one.
function nameToTake(survivor: LeadState, merged: LeadState): string | null {
  if (!hasPlaceholderName(survivor)) return null;
  if (!hasPlaceholderName(merged)) return merged.name;
  return survivor.chat ?? merged.chat;
}

function fieldsToRestore(survivor: LeadState, { survivor: was, taken }: BeforeMerge): Partial<LeadFields> {
  return {
    ...(taken.name !== undefined && taken.name === survivor.name && { name: was.name }),
    // A number that the survivor has learned since is left.
    ...(taken.chat !== undefined && taken.chat === survivor.chat && { chat: was.chat ?? numberOf(survivor) }),
    ...(taken.assigneeId !== undefined && taken.assigneeId === survivor.assigneeId && { assigneeId: was.assigneeId }),
  };
}

function numberOf({ identities }: LeadState): string | null {
  return identities.find(({ kind }) => kind === 'PHONE')?.value ?? null;
}

function fieldsOf({ name, chat, assigneeId, unreadCount }: LeadState): BeforeMerge['survivor'] {
  return { name, chat, assigneeId, unreadCount };
}

// Only how many are unread is known, and that they are the newest. Unless somebody has read the conversation since, it is as many
// as both had and as came since.
async function unreadToReturn(
  tx: Transaction,
  survivor: LeadState,
  { messageIds, before }: UndoableMerge,
): Promise<number> {
  const { inbound, unreadAmong } = await count(tx, survivor.id, survivor.unreadCount, messageIds);
  const unreadWithoutReading = before.survivor.unreadCount + before.merged.unreadCount + inbound - before.inbound;
  const wasRead = survivor.unreadCount < unreadWithoutReading;
  return wasRead ? unreadAmong : Math.min(survivor.unreadCount, before.merged.unreadCount);
}

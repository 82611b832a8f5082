// Leads: found or created by identity, read by operators. Messages and the inbox's content belong to messages.

import { v7 as uuidv7 } from 'uuid';
import type { Database, Prisma } from '../../platform/database.js';
import { isUuid } from '../../platform/input.js';
import { keyFilter, readPage } from '../../platform/page.js';
import type { KeyRange, Page, PageArgs } from '../../platform/page.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import type { Transaction } from '../../platform/transaction.js';
import { matchKeyOf } from './chat-number.js';
import type { LeadBody } from './lead.schema.js';
import { insertLeads, insertLeadTouches, recordLeadMessages, selectLeadsByIdentity } from './lead.sql.js';

export type LeadRow = Prisma.LeadGetPayload<object>;

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

/** What is known of a person who may be a lead already. */
export interface LeadCandidate {
  kind: 'PHONE';
  /** Digits with country code. */
  value: string;
  /** The number when absent. */
  name?: string | null | undefined;
  /** The tenant's `webhookSourceLabel` when absent, else the caller's default. */
  source?: string | null | undefined;
  metadata?: object | undefined;
}

export interface FoundLead {
  lead: IntakeLead;
  created: boolean;
}

interface WantedLead extends LeadCandidate {
  leadId: string;
  matchKey: string;
}

export class LeadService {
  constructor(private readonly database: Database) {}

  /**
   * One lead for each candidate, in their order; candidates of one person get the same lead, and so do simultaneous
   * calls. An existing lead is left as it is. Emits LEAD_CREATED. Safe to repeat.
   */
  async findOrCreate(
    tx: Transaction,
    candidates: readonly LeadCandidate[],
    defaultSource: string,
  ): Promise<FoundLead[]> {
    const wanted = distinctByMatchKey(candidates);
    const known = await this.selectByIdentity(tx, [...wanted.values()]);
    const missing = [...wanted.values()].filter((lead) => !known.has(lead.matchKey));
    const createdIds = await this.insert(tx, missing, defaultSource);
    for (const [matchKey, lead] of await this.selectByIdentity(tx, missing)) known.set(matchKey, lead);
    const firstSeen = new Set<string>();
    return candidates.map(({ value }) => {
      const lead = known.get(matchKeyOf(value));
      if (lead === undefined) throw new Error('a lead that was just written cannot be read');
      const created = createdIds.has(lead.id) && !firstSeen.has(lead.id);
      firstSeen.add(lead.id);
      return { lead, created };
    });
  }

  /** A lead posted by an integrator: found or created, and the touch recorded beside it. */
  async receive(tx: Transaction, body: LeadBody, defaultSource: string): Promise<FoundLead> {
    const { chat: value, name, source } = body;
    const candidate = { kind: 'PHONE' as const, value, name, source, metadata: body.metadata };
    const [found] = await this.findOrCreate(tx, [candidate], defaultSource);
    if (found === undefined) throw new Error('findOrCreate answers each candidate');
    const metadata = body.metadata === undefined ? null : JSON.stringify(body.metadata);
    await tx.query(insertLeadTouches, [
      tx.tenantId,
      [uuidv7()],
      [found.lead.id],
      [source ?? null],
      [metadata],
      defaultSource,
    ]);
    return found;
  }

  /** Keeps `lastMessageId` and `unreadCount` true after messages were written in this transaction. */
  async recordMessages(
    tx: Transaction,
    messages: readonly { leadId: string; messageId: string; unread: boolean }[],
  ): Promise<void> {
    const byLead = new Map<string, { newest: string; unread: number }>();
    for (const { leadId, messageId, unread } of messages) {
      const seen = byLead.get(leadId) ?? { newest: messageId, unread: 0 };
      const newest = messageId > seen.newest ? messageId : seen.newest;
      byLead.set(leadId, { newest, unread: seen.unread + (unread ? 1 : 0) });
    }
    const changes = [...byLead.values()];
    if (changes.length === 0) return;
    const newest = changes.map((change) => change.newest);
    const unread = changes.map((change) => change.unread);
    await tx.query(recordLeadMessages, [tx.tenantId, [...byLead.keys()], newest, unread]);
  }

  /** @returns null for an id that names no lead of the tenant */
  async find(principal: Principal | undefined, id: string): Promise<LeadRow | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    return this.database.prisma.lead.findUnique({ where: { tenantId_id: { tenantId, id } } });
  }

  /** Leads by id, in one statement, for batched reads. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<LeadRow[]> {
    return this.database.prisma.lead.findMany({ where: { tenantId: principal.tenantId, id: { in: [...ids] } } });
  }

  /** The newest lead first. */
  async list(principal: Principal | undefined, args: PageArgs): Promise<Page<LeadRow>> {
    const { tenantId } = requireUser(principal);
    const read = (range: KeyRange) => {
      const { bound, sort } = keyFilter(range, 'desc');
      return this.database.prisma.lead.findMany({
        where: { tenantId, id: bound },
        orderBy: { id: sort },
        take: range.limit,
      });
    };
    return readPage(args, { list: 'leads', keyOf: (lead) => lead.id, read });
  }

  /** Leads that have messages, the one with the newest message first. */
  async listInbox(principal: Principal | undefined, args: PageArgs): Promise<Page<LeadRow>> {
    const { tenantId } = requireUser(principal);
    const read = (range: KeyRange) => {
      const { bound, sort } = keyFilter(range, 'desc');
      const where = { tenantId, lastMessageId: { not: null, ...bound } };
      return this.database.prisma.lead.findMany({ where, orderBy: { lastMessageId: sort }, take: range.limit });
    };
    return readPage(args, { list: 'inbox', keyOf: (lead) => lead.lastMessageId ?? '', read });
  }

  private async selectByIdentity(tx: Transaction, wanted: readonly WantedLead[]): Promise<Map<string, IntakeLead>> {
    if (wanted.length === 0) return new Map();
    const rows = await tx.query<IntakeLead & { matchKey: string }>(selectLeadsByIdentity, [
      tx.tenantId,
      wanted.map((lead) => lead.kind),
      wanted.map((lead) => lead.matchKey),
    ]);
    return new Map(rows.map(({ matchKey, ...lead }) => [matchKey, lead]));
  }

  private async insert(tx: Transaction, wanted: readonly WantedLead[], defaultSource: string): Promise<Set<string>> {
    if (wanted.length === 0) return new Set();
    const rows = await tx.query<{ id: string }>(insertLeads, [
      tx.tenantId,
      wanted.map((lead) => lead.kind),
      wanted.map((lead) => lead.matchKey),
      wanted.map((lead) => lead.value),
      wanted.map((lead) => lead.leadId),
      wanted.map((lead) => lead.name ?? lead.value),
      wanted.map((lead) => lead.value),
      wanted.map((lead) => lead.source ?? null),
      wanted.map((lead) => (lead.metadata === undefined ? null : JSON.stringify(lead.metadata))),
      defaultSource,
    ]);
    for (const { id } of rows) tx.emit({ type: 'LEAD_CREATED', leadId: id });
    return new Set(rows.map((row) => row.id));
  }
}

function distinctByMatchKey(candidates: readonly LeadCandidate[]): Map<string, WantedLead> {
  const wanted = new Map<string, WantedLead>();
  for (const candidate of candidates) {
    const matchKey = matchKeyOf(candidate.value);
    if (!wanted.has(matchKey)) wanted.set(matchKey, { ...candidate, matchKey, leadId: uuidv7() });
  }
  return wanted;
}

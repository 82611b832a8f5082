// The audit log: changes with their actors, and views of keys. Entries are written in the transaction of the change.

import { isDeepStrictEqual } from 'node:util';
import type { Database, NamedStatement, Prisma, SqlRunner } from '../../platform/database/database.js';
import { parseInput } from '../../platform/input/input.js';
import { keyFilter, readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import {
  requireAdmin,
  type CommandPrincipal,
  type Principal,
  type SystemPrincipal,
  type UserPrincipal,
} from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { currentRequestId } from '../../platform/observability/request-scope.js';
import {
  auditFilterSchema,
  type AuditAction,
  type AuditActorKind,
  type AuditFilter,
  type AuditTargetKind,
} from './audit.schema.js';

export type AuditRow = Prisma.AuditEntryGetPayload<object>;

/** The principals whose changes are audited. */
export type AuditActor = UserPrincipal | CommandPrincipal | SystemPrincipal;

/** A change that gets an entry. Secrets never stand in `before` or `after`. */
export interface AuditedChange {
  /** The tenant that the change concerns. Its log gets the entry. */
  tenantId: string;
  action: AuditAction;
  targetKind: AuditTargetKind;
  targetId: string;
  /** The changed fields with their earlier values; absent for a new record. */
  before?: object | undefined;
  /** The same fields with their new values. */
  after?: object | undefined;
}

const insertEntries: NamedStatement = {
  name: 'insert-audit-entries',
  text: `INSERT INTO audit_entries
      (tenant_id, id, actor_kind, actor_id, action, target_kind, target_id, before, after, request_id)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::uuid[],
      $8::jsonb[], $9::jsonb[], $10::text[])`,
};

// Reads the index of the target's entries. The newest 50 suffice, because this question is about actions that repeat many times in a row.
const findRecentEntry: NamedStatement = {
  name: 'find-recent-audit-entry',
  text: `SELECT FROM (
      SELECT actor_id, action, after, created_at FROM audit_entries
      WHERE tenant_id = $1 AND target_id = $2 ORDER BY id DESC LIMIT 50
    ) e
    WHERE action = $3 AND actor_id = $4 AND after @> $5::jsonb AND created_at > now() - $6::int * interval '1 ms' LIMIT 1`,
};

export class AuditService {
  constructor(private readonly database: Database) {}

  /**
   * Writes the changes into the logs of the tenants they concern. A change by an ADMIN of the platform tenant to another tenant stands in
   * both logs: the other tenant learns that the platform acted, and the platform learns which ADMIN acted.
   */
  async record(sql: SqlRunner, actor: AuditActor, changes: readonly AuditedChange[]): Promise<void> {
    if (changes.length === 0) return;
    const entries = changes.flatMap((change) => toEntries(actor, change));
    const column = <Key extends keyof Entry>(key: Key) => entries.map((entry) => entry[key]);
    await sql.query(insertEntries, [
      column('tenantId'),
      entries.map(() => newRecordId()),
      column('actorKind'),
      column('actorId'),
      column('action'),
      column('targetKind'),
      column('targetId'),
      column('before'),
      column('after'),
      entries.map(() => currentRequestId() ?? null),
    ]);
  }

  /** True if the target's newest 50 entries have an entry like this by the user, in the user's own tenant, at most `withinMs` old. */
  async hasRecent(
    sql: SqlRunner,
    { tenantId, userId }: UserPrincipal,
    { action, targetId, after = {} }: Pick<AuditedChange, 'action' | 'targetId' | 'after'>,
    withinMs: number,
  ): Promise<boolean> {
    const values = [tenantId, targetId, action, userId, JSON.stringify(after), withinMs];
    return (await sql.query(findRecentEntry, values)).length > 0;
  }

  /** Returns the tenant's entries, the newest first. ADMIN only. */
  async list(principal: Principal | undefined, args: PageArgs, wanted?: AuditFilter | null): Promise<Page<AuditRow>> {
    const { tenantId } = requireAdmin(principal);
    const { since, until, ...equal } = parseInput(auditFilterSchema, wanted ?? {}, 'filter');
    const given = Object.fromEntries(Object.entries(equal).filter(([, value]) => value != null));
    const createdAt = { ...(since == null ? {} : { gte: since }), ...(until == null ? {} : { lt: until }) };
    return readPage(args, {
      list: 'audit',
      keyOf: (entry: AuditRow) => entry.id,
      read: (range) => {
        const { bound, sort } = keyFilter(range, 'desc');
        return this.database.prisma.auditEntry.findMany({
          where: { tenantId, ...given, createdAt, id: bound },
          orderBy: { id: sort },
          take: range.limit,
        });
      },
    });
  }
}

/** Returns the fields in which two versions of a record differ; undefined if they are equal. */
export function changedFields<Fields extends object>(
  before: Fields,
  after: Fields,
): { before: Partial<Fields>; after: Partial<Fields> } | undefined {
  const keys = (Object.keys(after) as (keyof Fields)[]).filter((key) => !isSameJson(before[key], after[key]));
  if (keys.length === 0) return undefined;
  const pick = (from: Fields) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<Fields>;
  return { before: pick(before), after: pick(after) };
}

/** An entry of a tenant that was moved into this database, in its own log. */
export interface MoveIn {
  id: string;
  tenantId: string;
}

export const selectMovesIn = `SELECT id, tenant_id AS "tenantId" FROM audit_entries
  WHERE action = 'TENANT_MOVED_IN' AND target_id = tenant_id`;

// PostgreSQL stores the members of an object in an order of its own, so their order is no difference.
function isSameJson(one: unknown, other: unknown): boolean {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  if (first === second) return true;
  return first !== undefined && second !== undefined && isDeepStrictEqual(JSON.parse(first), JSON.parse(second));
}

interface Entry extends Omit<AuditedChange, 'before' | 'after'> {
  actorKind: AuditActorKind;
  actorId: string | null;
  before: string | null;
  after: string | null;
}

function toEntries(actor: AuditActor, change: AuditedChange): Entry[] {
  const { before, after, ...what } = change;
  const entry = { ...what, before: toJson(before), after: toJson(after) };
  if (actor.kind === 'command') return [{ ...entry, actorKind: 'COMMAND', actorId: null }];
  if (actor.kind === 'system') return [{ ...entry, actorKind: 'SYSTEM', actorId: null }];
  const actorKind = actor.isAssistant === true ? 'ASSISTANT' : 'USER';
  const own: Entry = { ...entry, tenantId: actor.tenantId, actorKind, actorId: actor.userId };
  return change.tenantId === actor.tenantId ? [own] : [{ ...entry, actorKind: 'PLATFORM', actorId: null }, own];
}

function toJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

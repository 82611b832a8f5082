// API keys of tenants: random, found by hash, stored encrypted. Only ADMINs can read them, and each read is audited.

import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { boundedTo } from '../../platform/expiring-cache.js';
import type { Database, SqlRunner } from '../../platform/database/database.js';
import { notFound } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import {
  requireAdmin,
  seesTenant,
  type CommandPrincipal,
  type Principal,
  type TenantKeyPrincipal,
} from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { outsideOfRequests } from '../../platform/observability/request-scope.js';
import { sha256, type SecretBox } from '../../platform/secret-box.js';
import type { AuditService } from '../audit/audit.service.js';
import { graceSecondsSchema } from './tenant.schema.js';
import {
  deleteEndedKeys,
  endKeys,
  findKey,
  insertKey,
  lockTenant,
  selectCurrentKeys,
  selectOuterKeys,
} from './tenant.sql.js';

export interface ApiKeyOptions {
  database: Database;
  secretBox: SecretBox;
  audit: AuditService;
  /** A clock that never goes back, in milliseconds. Default: the process's. */
  nowMs?: () => number;
  /** The time for which a reading of a key counts, in milliseconds. Default: 3 s. */
  memoryMs?: number | undefined;
}

export interface TenantApiKey {
  tenantId: string;
  apiKey: string;
}

interface Reading {
  startedAtMs: number;
  found: Promise<TenantKeyPrincipal | undefined>;
}

interface KnownKey {
  principal: TenantKeyPrincipal;
  readAtMs: number;
}

// The time for which a replaced key, or a key of a deactivated tenant, may still pass on a process that saw it before.
const keyCacheMs = 3_000;
// A key in use is read again when this part of its time is over, so that no call waits for it.
const renewAfterPart = 2 / 3;
const keyCacheSize = 10_000;
const keyPattern = /^lw_[\w-]{43}$/;

export class ApiKeyService {
  // Known keys are found by their text: hashing it again would be a good part of what a call costs. They are kept after they expire, so
  // that a former key does not count as a guess.
  private readonly known = new LRUCache<string, KnownKey>(boundedTo(keyCacheSize));
  /** Look-ups under way. Calls that come together share one: each by itself, they would take every connection. */
  private readonly readings = new Map<string, Reading>();
  private readonly nowMs: () => number;
  private readonly memoryMs: number;
  private staleBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ApiKeyOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.memoryMs = options.memoryMs ?? keyCacheMs;
  }

  /**
   * Finds the principal behind an API key; undefined for a key that is unknown, has ended or belongs to a deactivated tenant. Unknown keys
   * are not remembered: a list of guesses cannot push the known ones out.
   */
  async find(apiKey: string): Promise<TenantKeyPrincipal | undefined> {
    const fresh = this.findFresh(apiKey);
    if (fresh !== undefined) return fresh;
    if (!keyPattern.test(apiKey)) return undefined;
    return this.read(apiKey);
  }

  // A look-up that began before keys were changed may not see the change.
  private read(apiKey: string): Reading['found'] {
    const underWay = this.readings.get(apiKey);
    if (underWay !== undefined && this.isFresh(underWay.startedAtMs)) return underWay.found;
    const startedAtMs = this.nowMs();
    const reading = {
      startedAtMs,
      found: this.readAt(apiKey, startedAtMs).finally(() => this.forget(apiKey, reading)),
    };
    this.readings.set(apiKey, reading);
    return reading.found;
  }

  private forget(apiKey: string, reading: Reading): void {
    if (this.readings.get(apiKey) === reading) this.readings.delete(apiKey);
  }

  private async readAt(apiKey: string, readAtMs: number): Reading['found'] {
    const [row] = await this.options.database.query<Omit<TenantKeyPrincipal, 'kind'>>(findKey, [sha256(apiKey)]);
    // A later look-up is more current.
    const isLatest = (this.known.get(apiKey)?.readAtMs ?? readAtMs) <= readAtMs;
    if (row === undefined) {
      if (isLatest) this.known.delete(apiKey);
      return undefined;
    }
    const principal: TenantKeyPrincipal = { kind: 'tenantKey', ...row };
    if (isLatest) this.known.set(apiKey, { principal, readAtMs });
    return principal;
  }

  /** Finds the principal like `find`, for keys that this process has read within seconds; undefined for all others. */
  findFresh(apiKey: string): TenantKeyPrincipal | undefined {
    const known = this.known.get(apiKey);
    if (known === undefined || !this.isFresh(known.readAtMs)) return undefined;
    // If this look-up fails, calls will wait for the next one.
    if (this.nowMs() - known.readAtMs >= this.memoryMs * renewAfterPart && !this.readings.has(apiKey))
      void outsideOfRequests(() => this.read(apiKey).catch(() => undefined));
    return known.principal;
  }

  /** True if this process has seen the key pass, however long ago: a look-up of it is no guess. */
  isFamiliar(apiKey: string): boolean {
    return this.known.has(apiKey);
  }

  /** Gives a tenant a fresh key, in the caller's transaction. Authorization is the caller's. */
  async create(sql: SqlRunner, tenantId: string): Promise<void> {
    const apiKey = `lw_${randomBytes(32).toString('base64url')}`;
    const id = newRecordId();
    await sql.query(insertKey, [tenantId, id, sha256(apiKey), this.options.secretBox.seal(apiKey, id)]);
  }

  /**
   * The current keys of tenants, in one statement; those that the caller may not see are left out. Every reading is
   * audited. ADMIN only; the platform's of any tenant, others of their own.
   */
  async readCurrent(
    principal: Principal | CommandPrincipal | undefined,
    tenantIds: readonly string[],
  ): Promise<TenantApiKey[]> {
    const actor = principal?.kind === 'command' ? principal : requireAdmin(principal);
    const visible = actor.kind === 'command' ? tenantIds : tenantIds.filter((id) => seesTenant(actor, id));
    const { database, secretBox, audit } = this.options;
    return database.transaction(async (sql) => {
      const rows = await sql.query<{ tenantId: string; id: string; ciphertext: Buffer }>(selectCurrentKeys, [visible]);
      const readings = rows.map(({ tenantId }) => ({ ...about(tenantId), action: 'API_KEY_READ' as const }));
      await audit.record(sql, actor, readings);
      return rows.map(({ tenantId, id, ciphertext }) => ({ tenantId, apiKey: secretBox.open(ciphertext, id) }));
    });
  }

  /**
   * Gives the tenant a new key. The previous ones stay valid for `graceSeconds` (0 to 604,800; 0: they end now), at most until the end that
   * an earlier rotation gave them. Other processes follow within 3 s.
   * @throws AppError NOT_FOUND for a tenant the caller may not see, VALIDATION_FAILED
   */
  async rotate(principal: Principal | undefined, tenantId: string, graceSeconds: number): Promise<void> {
    const admin = requireAdmin(principal);
    const grace = parseInput(graceSecondsSchema, graceSeconds, 'graceSeconds');
    if (!seesTenant(admin, tenantId)) throw notFound('tenant');
    await this.options.database.transaction(async (sql) => {
      const [tenant] = await sql.query<{ id: string }>(lockTenant, [tenantId]);
      if (tenant === undefined) throw notFound('tenant');
      await sql.query(endKeys, [tenant.id, grace]);
      await sql.query(deleteEndedKeys, [tenant.id]);
      await this.create(sql, tenant.id);
      await this.options.audit.record(sql, admin, [
        { ...about(tenant.id), action: 'API_KEY_ROTATED', after: { graceSeconds: grace } },
      ]);
    });
    // In this process at once: after a rotation the old key fails immediately.
    this.readAgain();
  }

  /** Has this process read keys and their tenants again at their next use. */
  readAgain(): void {
    this.staleBeforeMs = this.nowMs();
  }

  /** @throws Error with a sentence for the operator when stored keys were encrypted with another ENCRYPTION_KEY */
  async checkEncryptionKey(): Promise<void> {
    const keys = await this.options.database.query<{ id: string; ciphertext: Buffer }>(selectOuterKeys);
    for (const { id, ciphertext } of keys) this.options.secretBox.open(ciphertext, id);
  }

  private isFresh(readAtMs: number): boolean {
    return readAtMs >= this.staleBeforeMs && this.nowMs() - readAtMs < this.memoryMs;
  }
}

function about(tenantId: string) {
  return { tenantId, targetKind: 'TENANT', targetId: tenantId } as const;
}

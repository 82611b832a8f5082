// Creates, reads, changes and deactivates tenants. API keys belong to api-key.service.ts.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isUniqueViolation } from '../../platform/observability/fault.js';
import { parseInput, withoutUndefined } from '../../platform/input/input.js';
import { keyFilter, readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import {
  requireAdmin,
  requirePlatform,
  requireUser,
  seesTenant,
  type CommandPrincipal,
  type Principal,
  type UserPrincipal,
} from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { changedFields, type AuditActor, type AuditService } from '../audit/audit.service.js';
import type { ApiKeyService } from './api-key.service.js';
import { toCountry, type Country } from '../../platform/phone-numbers/country.js';
import type { ChannelChoice, ChannelChoices } from './channel-choices.js';
import { keywordKeyOf } from './keyword-form.js';
import {
  createTenantSchema,
  updateTenantSchema,
  type AssistantMode,
  type CreateTenantInput,
  type UpdateTenantInput,
} from './tenant.schema.js';
import {
  insertTenant,
  lockCreation,
  lockTenant,
  selectAssistantMode,
  selectDefaultCountry,
  updateTenant,
  type TenantRow,
} from './tenant.sql.js';

/** The spec's Tenant, without its key. */
export interface TenantRecord extends Omit<TenantRow, 'chatRateMax' | 'chatRateDurationMs'> {
  chatRateLimit: { max: number; durationMs: number } | null;
}

/** The fields that every user may know of the own tenant. */
export type OwnTenant = Pick<TenantRecord, 'id' | 'name' | 'slug' | 'defaultCountry'>;

/** The spec's Tenant with its key, and nothing else. */
export interface TenantWithKey extends Omit<
  TenantRecord,
  | 'isActive'
  | 'isPlatform'
  | 'optOutKeywords'
  | 'optInKeywords'
  | 'optOutReply'
  | 'assistants'
  | 'signature'
  | 'signatureFormat'
  | 'pushesText'
  | keyof ChannelChoice
> {
  apiKey: string;
}

type GivenWords = Pick<CreateTenantInput, 'optOutKeywords' | 'optInKeywords' | 'optOutReply'>;

export interface TenantOptions {
  database: Database;
  audit: AuditService;
  apiKeys: ApiKeyService;
  channelChoices: ChannelChoices;
  /** Called in the transaction that changes a tenant's rate limit, or deactivates or activates it: waiting messages follow at once. */
  onPaceChange: (sql: SqlRunner, tenantId: string) => Promise<void>;
}

export class TenantService {
  constructor(private readonly options: TenantOptions) {}

  /**
   * An ADMIN reads the own tenant; an ADMIN of the platform tenant any.
   * @throws AppError NOT_FOUND for every other tenant
   */
  async get(principal: Principal | undefined, id: string): Promise<TenantRecord> {
    const tenant = await this.find(principal, id);
    if (tenant === null) throw notFound('tenant');
    return tenant;
  }

  /** Finds a tenant like `get`, and returns null for one that is not there or not to be seen. */
  async find(principal: Principal | undefined, id: string): Promise<TenantRecord | null> {
    if (!seesTenant(requireAdmin(principal), id)) return null;
    const row = await this.options.database.prisma.tenant.findUnique({ where: { id } });
    return row === null ? null : toRecord(row);
  }

  /** Reads a tenant like `get`, with its API key. The reading is audited. */
  async getWithKey(principal: Principal | undefined, id: string): Promise<TenantWithKey> {
    const tenant = await this.get(principal, id);
    const [key] = await this.options.apiKeys.readCurrent(principal, [tenant.id]);
    if (key === undefined) throw new Error('the tenant has no current API key');
    const { name, slug, createdAt, updatedAt, chatRateLimit, webhookSourceLabel, defaultCountry } = tenant;
    const fields = { id: tenant.id, name, slug, createdAt, updatedAt, chatRateLimit, webhookSourceLabel };
    return { ...fields, defaultCountry, apiKey: key.apiKey };
  }

  /** All tenants, the newest first. ADMINs of the platform tenant only. */
  async list(principal: Principal | undefined, args: PageArgs): Promise<Page<TenantRecord>> {
    requirePlatform(principal);
    return readPage(args, {
      list: 'tenants',
      keyOf: (tenant: TenantRecord) => tenant.id,
      read: async (range) => {
        const { bound, sort } = keyFilter(range, 'desc');
        const query = { where: { id: bound }, orderBy: { id: sort }, take: range.limit };
        return (await this.options.database.prisma.tenant.findMany(query)).map(toRecord);
      },
      count: () => this.options.database.prisma.tenant.count(),
    });
  }

  /** Tenants by id, in one statement; those that the caller may not see are left out. ADMIN only. */
  async listByIds(principal: Principal | undefined, ids: readonly string[]): Promise<TenantRecord[]> {
    const admin = requireAdmin(principal);
    const visible = ids.filter((id) => seesTenant(admin, id));
    const rows = await this.options.database.prisma.tenant.findMany({ where: { id: { in: visible } } });
    return rows.map(toRecord);
  }

  /**
   * Creates a tenant with a fresh API key, in the caller's transaction. The first tenant of a database becomes the platform
   * tenant. ADMINs of the platform tenant and commands only.
   * @throws AppError VALIDATION_FAILED; CONFLICT when the slug is taken
   */
  async create(
    principal: Principal | CommandPrincipal | undefined,
    sql: SqlRunner,
    input: CreateTenantInput,
  ): Promise<TenantRecord> {
    const actor = requirePlatform(principal);
    const { name, slug, chatRateLimit, webhookSourceLabel, defaultCountry, ...words } = parseInput(
      createTenantSchema,
      input,
    );
    const { optOutKeywords, optInKeywords, optOutReply } = words;
    const values = [name, slug, chatRateLimit?.max, chatRateLimit?.durationMs, webhookSourceLabel, defaultCountry];
    await sql.query(lockCreation);
    const row = await takingSlug(slug, () => sql.query<TenantRow>(insertTenant, [newRecordId(), ...values]));
    const tenant = await this.setWords(sql, toRecord(row), { optOutKeywords, optInKeywords, optOutReply });
    await this.options.apiKeys.create(sql, tenant.id);
    await this.audit(sql, actor, 'TENANT_CREATED', tenant.id, { after: auditedFields(tenant) });
    return tenant;
  }

  /**
   * Changes a tenant: its own ADMINs, or those of the platform tenant, who alone may change its slug, deactivate it or activate it. Safe to
   * repeat. Spec gap: the platform may change other tenants. It creates them, so it has to be able to correct them.
   * @throws AppError NOT_FOUND, CONFLICT when the slug is taken or the platform tenant would be deactivated
   */
  async update(principal: Principal | undefined, id: string, input: UpdateTenantInput): Promise<TenantRecord> {
    const admin = requireAdmin(principal);
    if (!seesTenant(admin, id)) throw notFound('tenant');
    const wanted = parseInput(updateTenantSchema, input);
    // Slugs are unique in the service: only the platform may learn whether one is taken.
    if (wanted.isActive !== undefined || wanted.slug !== undefined) requirePlatform(admin);
    const tenant = await this.options.database.transaction(async (sql) => {
      const [row] = await sql.query<TenantRow>(lockTenant, [id]);
      if (row === undefined) throw notFound('tenant');
      const before = toRecord(row);
      const next = { ...before, ...withoutUndefined(wanted) };
      checkKeywords(next);
      if (!next.isActive && before.isPlatform)
        throw new AppError('CONFLICT', 'isActive: the platform tenant cannot be deactivated');
      const changed = changedFields(auditedFields(before), auditedFields(next));
      if (changed === undefined) return before;
      const after = toRecord(await takingSlug(next.slug, () => sql.query(updateTenant, [id, ...storedValues(next)])));
      await this.audit(sql, admin, 'TENANT_UPDATED', before.id, changed);
      if ('chatRateLimit' in changed.after || 'isActive' in changed.after)
        await this.options.onPaceChange(sql, before.id);
      return after;
    });
    // The next call in this process is read with the new country; other processes follow within 3 s.
    if (wanted.defaultCountry !== undefined) this.options.apiKeys.readAgain();
    this.options.channelChoices.forget(tenant.id);
    return tenant;
  }

  /** Reads the fields of the own tenant that a user may know, whatever the role. */
  async getOwn(principal: Principal | undefined): Promise<OwnTenant> {
    const { tenantId: id } = requireUser(principal);
    const select = { id: true, name: true, slug: true, defaultCountry: true } as const;
    return this.options.database.prisma.tenant.findUniqueOrThrow({ where: { id }, select });
  }

  /** The country that a tenant's numbers are read with where a call names none. */
  async findDefaultCountry(tenantId: string): Promise<Country | undefined> {
    const values = [tenantId];
    const [row] = await this.options.database.query<{ defaultCountry: string | null }>(selectDefaultCountry, values);
    return toCountry(row?.defaultCountry);
  }

  /** Reads the mode of the user's assistants. It is read each time: turning them off holds from the next call on, in every process. */
  async findAssistantMode({ tenantId }: UserPrincipal): Promise<AssistantMode> {
    const [row] = await this.options.database.query<{ assistants: AssistantMode }>(selectAssistantMode, [tenantId]);
    return row?.assistants ?? 'OFF';
  }

  /** The slugs of the oldest tenants; for commands, which name them to the administrator. */
  async listSlugs(_principal: CommandPrincipal, limit: number): Promise<string[]> {
    const query = { select: { slug: true }, orderBy: { id: 'asc' }, take: limit } as const;
    return (await this.options.database.prisma.tenant.findMany(query)).map(({ slug }) => slug);
  }

  /** The tenant of a slug; for commands and seeding. */
  async findBySlug(_principal: CommandPrincipal, slug: string): Promise<TenantRecord | undefined> {
    const row = await this.options.database.prisma.tenant.findUnique({ where: { slug } });
    return row === null ? undefined : toRecord(row);
  }

  /** The database gives a tenant its first keywords: those of the input replace them. */
  private async setWords(sql: SqlRunner, tenant: TenantRecord, words: GivenWords): Promise<TenantRecord> {
    const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value != null));
    if (Object.keys(given).length === 0) return tenant;
    const next = { ...tenant, ...given };
    checkKeywords(next);
    const [row] = await sql.query<TenantRow>(updateTenant, [tenant.id, ...storedValues(next)]);
    return row === undefined ? next : toRecord(row);
  }

  private async audit(
    sql: SqlRunner,
    actor: AuditActor,
    action: 'TENANT_CREATED' | 'TENANT_UPDATED',
    tenantId: string,
    change: { before?: object; after?: object },
  ): Promise<void> {
    await this.options.audit.record(sql, actor, [
      { tenantId, action, targetKind: 'TENANT', targetId: tenantId, ...change },
    ]);
  }
}

function toRecord(row: TenantRow): TenantRecord {
  const { id, name, slug, isActive, isPlatform, createdAt, updatedAt, webhookSourceLabel, defaultCountry } = row;
  const { chatRateMax: max, chatRateDurationMs: durationMs, optOutKeywords, optInKeywords, optOutReply } = row;
  const chatRateLimit = max !== null && durationMs !== null ? { max, durationMs } : null;
  const known = { id, name, slug, isActive, isPlatform, createdAt, updatedAt, webhookSourceLabel, defaultCountry };
  const { sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat, pushesText } = row;
  const choices = { sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat, pushesText };
  return { ...known, chatRateLimit, optOutKeywords, optInKeywords, optOutReply, ...choices };
}

/** @throws AppError VALIDATION_FAILED for a word that would opt out and in */
function checkKeywords({ optOutKeywords, optInKeywords }: TenantRecord): void {
  const outs = new Set(optOutKeywords.map(keywordKeyOf));
  const index = optInKeywords.findIndex((keyword) => outs.has(keywordKeyOf(keyword)));
  if (index !== -1) throw invalidField(`optInKeywords.${index}`, 'is one of optOutKeywords too');
}

// The fields that the audit log shows of a change: neither the id nor the times.
function auditedFields(tenant: TenantRecord) {
  const { name, slug, chatRateLimit, webhookSourceLabel, defaultCountry, isActive, ...words } = tenant;
  const { optOutKeywords, optInKeywords, optOutReply, ...chosen } = words;
  const { sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat, pushesText } = chosen;
  const fields = { name, slug, chatRateLimit, webhookSourceLabel, defaultCountry, isActive };
  const choices = { sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat, pushesText };
  return { ...fields, optOutKeywords, optInKeywords, optOutReply, ...choices };
}

function storedValues(tenant: TenantRecord): unknown[] {
  const { name, slug, chatRateLimit, webhookSourceLabel, isActive, defaultCountry, ...words } = tenant;
  const { optOutKeywords, optInKeywords, optOutReply, ...chosen } = words;
  const { sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat, pushesText } = chosen;
  const limit = [chatRateLimit?.max ?? null, chatRateLimit?.durationMs ?? null];
  const keys = [...optOutKeywords, ...optInKeywords].map(keywordKeyOf);
  const consent = [optOutKeywords, optInKeywords, optOutReply, keys];
  const choices = [sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat, pushesText];
  return [name, slug, ...limit, webhookSourceLabel, isActive, defaultCountry, ...consent, ...choices];
}

async function takingSlug(slug: string, write: () => Promise<TenantRow[]>): Promise<TenantRow> {
  try {
    const [row] = await write();
    if (row === undefined) throw notFound('tenant');
    return row;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('CONFLICT', `slug: ${slug} is taken`, { cause: error });
  }
}

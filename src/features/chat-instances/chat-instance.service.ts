// Chat instances: creating, changing, listing and deleting them. Credentials of gateways are stored here and never returned.
// Connecting belongs to instance-lifecycle.service.ts, sending to the outbox.

import type { Database, Prisma, SqlRunner } from '../../platform/database/database.js';
import { AppError, invalidField, notFound, type FieldError } from '../../platform/errors.js';
import { isUniqueViolation } from '../../platform/observability/fault.js';
import { isUuid, parseInput, uuid, validationFailed, withoutUndefined } from '../../platform/input/input.js';
import { requireAdmin, requireUser, type CommandPrincipal, type Principal } from '../../platform/principal.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { requireRoomFor } from '../../platform/database/record-bound.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { SecretBox } from '../../platform/secret-box.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { changedFields, type AuditActor, type AuditedChange, type AuditService } from '../audit/audit.service.js';
import {
  chatInstanceSchemas,
  maxInstances,
  metadataProblems,
  minSecretLengthOf,
  webhookSecretProblems,
  type CreateChatInstanceInput,
  type GatewayRules,
  type UpdateChatInstanceInput,
} from './chat-instance.schema.js';
import {
  clearDefault,
  countInstances,
  deleteInstance,
  endPause,
  hasInstance,
  insertInstance,
  listKnownInstances,
  lockAccount,
  lockAccountOfInstance,
  lockInstance,
  lockInstanceForDeletion,
  selectGateways,
  selectPauses,
  setWebhookSecret,
  updateInstance,
  webhookSecretOwner,
  type ChatInstanceRow,
} from './chat-instance.sql.js';
import type { GatewayEndpoints } from './gateway-endpoints.js';
import { reserveSharedName, type TenantInstance } from './shared-gateway-names.js';

const accountIdSchema = uuid.nullish();
const defaultProvider = 'gateway';

// The whole row is never selected: it holds the gateway's address and credentials.
const publicFields = {
  id: true,
  provider: true,
  instanceName: true,
  isDefault: true,
  status: true,
  createdAt: true,
  updatedAt: true,
  deletedAt: true,
  number: true,
  lastError: true,
  healthCode: true,
  healthReason: true,
  degradedAt: true,
  metadata: true,
  tenant: { select: { id: true, name: true, slug: true, createdAt: true, updatedAt: true } },
  account: { select: { id: true, name: true, createdAt: true, updatedAt: true } },
} as const;

/** A chat instance as every API shows it, with its tenant and account. */
export type PublicChatInstance = Prisma.ChatInstanceGetPayload<{ select: typeof publicFields }>;

/** An instance as intake needs it. */
export interface KnownInstance {
  id: string;
  instanceName: string;
  isDefault: boolean;
  number: string | null;
}

/** The address of an instance's gateway, and which secrets are stored for it; for ADMINs. */
export interface InstanceGateway {
  id: string;
  baseUrl: string | null;
  hasToken: boolean;
  hasWebhookSecret: boolean;
}

/** A pause of sending, because the gateway reported that the instance is not connected. */
export interface InstancePause {
  id: string;
  pausedUntil: Date;
  pauseReason: string | null;
}

/** The tenant and state that a command adds to the input. Users create instances in their own tenant, in the state CONNECTING. */
export interface CommandPlace {
  tenantId: string;
  status: ChatInstanceStatus;
}

export interface ChatInstanceOptions {
  database: Database;
  /** Repeats a change that ended in a deadlock: state reports lock instances in another order. */
  transactor: Transactor;
  audit: AuditService;
  secretBox: SecretBox;
  gatewayRules: GatewayRules;
  endpoints: GatewayEndpoints;
  /** Runs in the transaction of a deletion, and fails the queued messages of the instance. */
  onDelete: (tx: Transaction, instanceId: string) => Promise<void>;
  /** Runs in the transaction of a change that may have removed why messages of these instances wait. */
  onResume: (tx: Transaction, instanceIds: readonly string[]) => Promise<void>;
}

export class ChatInstanceService {
  private readonly schemas: ReturnType<typeof chatInstanceSchemas>;

  constructor(private readonly options: ChatInstanceOptions) {
    this.schemas = chatInstanceSchemas(options.gatewayRules);
  }

  /** Returns the tenant's instances in use, oldest first. `wanted` limits them to one account. @throws AppError VALIDATION_FAILED */
  async list(principal: Principal | undefined, wanted?: unknown): Promise<PublicChatInstance[]> {
    const { tenantId } = requireUser(principal);
    const accountId = parseInput(accountIdSchema, wanted, 'accountId');
    return this.options.database.prisma.chatInstance.findMany({
      where: { tenantId, deletedAt: null, ...(accountId == null ? {} : { accountId }) },
      select: publicFields,
      orderBy: { id: 'asc' },
    });
  }

  /** Returns an instance of the caller's tenant; null if there is none with this id, or it was deleted. */
  async find(principal: Principal | undefined, id: string): Promise<PublicChatInstance | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const where = { tenantId, id, deletedAt: null };
    return this.options.database.prisma.chatInstance.findFirst({ where, select: publicFields });
  }

  /** Returns instances by id, for batched reads. Deleted ones are included, because messages refer to them. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<PublicChatInstance[]> {
    return this.options.database.prisma.chatInstance.findMany({
      where: { tenantId: principal.tenantId, id: { in: [...ids] } },
      select: publicFields,
    });
  }

  /** Returns the gateways of instances, in one statement; ids of another tenant are left out. ADMIN only. */
  async listGateways(principal: Principal | undefined, ids: readonly string[]): Promise<InstanceGateway[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<InstanceGateway>(selectGateways, [tenantId, ids]);
  }

  /** Returns the pauses of instances, in one statement. Instances without a pause, and of another tenant, are left out. */
  async listPauses(principal: Principal | undefined, ids: readonly string[]): Promise<InstancePause[]> {
    const { tenantId } = requireUser(principal);
    return this.options.database.query<InstancePause>(selectPauses, [tenantId, ids]);
  }

  /**
   * Returns the tenant's instances by the names that callers use, default ones first. The first is the tenant's default: if several
   * accounts have one, the oldest.
   */
  async listKnown(sql: SqlRunner, tenantId: string): Promise<KnownInstance[]> {
    return sql.query<KnownInstance>(listKnownInstances, [tenantId]);
  }

  /**
   * Creates an instance in the state CONNECTING. The first instance of an account becomes its default unless `isDefault` says
   * otherwise; a new default replaces the old one. For ADMINs, and for commands in any tenant.
   * @throws AppError VALIDATION_FAILED; NOT_FOUND for an unknown account; CONFLICT if the name is taken, in the tenant or at the
   * shared gateway, or the tenant has `maxInstances`
   */
  create(principal: Principal | undefined, input: CreateChatInstanceInput): Promise<PublicChatInstance>;
  create(principal: CommandPrincipal, input: CreateChatInstanceInput, place: CommandPlace): Promise<PublicChatInstance>;
  async create(
    principal: Principal | CommandPrincipal | undefined,
    input: CreateChatInstanceInput,
    place?: CommandPlace,
  ): Promise<PublicChatInstance> {
    const { actor, tenantId, status } = authorizeCreation(principal, place);
    const { token, webhookSecret, ...wanted } = parseInput(this.schemas.create, input);
    requireNone(metadataProblems(wanted.provider, wanted.metadata));
    requireNone(webhookSecretProblems(wanted.provider, webhookSecret));
    const { accountId } = wanted;
    const id = newRecordId();
    await this.options.transactor.run(tenantId, async (sql) => {
      await requireRoomFor(sql, tenantId, { kind: 'chat instances', max: maxInstances, count: countInstances });
      const [account] = await sql.query(lockAccount, [tenantId, accountId]);
      if (account === undefined) throw notFound('account');
      await reserveSharedName(sql, this.options.endpoints, toTenantInstance({ ...wanted, tenantId, id }));
      const isDefault = wanted.isDefault ?? (await sql.query(hasInstance, [tenantId, accountId])).length === 0;
      const next = { ...wanted, tenantId, id, isDefault };
      const takenOver = isDefault ? await takeDefault(sql, next) : [];
      const values = [...storedValues(next), this.seal(token, id), accountId, status];
      const row = await withUniqueName(() => sql.query<ChatInstanceRow>(insertInstance, values));
      const secret = await this.setWebhookSecret(sql, row, webhookSecret);
      const after = { ...auditedFields(row), status, ...(row.hasToken ? tokenChanged : {}), ...secret };
      const created = { ...about(row), action: 'CHAT_INSTANCE_CREATED', after } as const;
      await this.options.audit.record(sql, actor, [...takenOver, created]);
    });
    return this.read(tenantId, id);
  }

  /**
   * Changes an instance. ADMIN only; safe to repeat. A new default replaces the account's old one.
   * A `baseUrl` or `provider` that changes where calls go needs the token again, or null. Otherwise an ADMIN who does not know the
   * stored token could have it sent to another address.
   * @throws AppError VALIDATION_FAILED, NOT_FOUND, CONFLICT if the name is taken, in the tenant or at the shared gateway
   */
  async update(
    principal: Principal | undefined,
    id: string,
    input: UpdateChatInstanceInput,
  ): Promise<PublicChatInstance> {
    const admin = requireAdmin(principal);
    const { token, webhookSecret, ...wanted } = parseInput(this.schemas.update, input);
    if (!isUuid(id)) throw notFound('chat instance');
    await this.options.transactor.run(admin.tenantId, async (sql) => {
      await sql.query(lockAccountOfInstance, [admin.tenantId, id]);
      const before = await getLocked(sql, lockInstance, admin.tenantId, id);
      const next = { ...before, ...withoutUndefined(wanted) };
      // Stored metadata may be older than this check, so it does not block changes of other fields.
      if (wanted.metadata !== undefined || wanted.provider !== undefined)
        requireNone(metadataProblems(next.provider, next.metadata));
      requireNone(webhookSecretProblems(next.provider, webhookSecret));
      checkKeptSecret(before, next, webhookSecret);
      await this.checkPlace(sql, before, next, token);
      const changes = await this.store(sql, before, next, token);
      const after = await this.setWebhookSecret(sql, before, webhookSecret);
      if (after !== undefined) changes.push({ ...about(before), action: 'CHAT_INSTANCE_UPDATED', before: {}, after });
      await this.options.audit.record(sql, admin, changes);
    });
    return this.read(admin.tenantId, id);
  }

  private async checkPlace(
    sql: Transaction,
    before: ChatInstanceRow,
    next: ChatInstanceRow,
    token: string | null | undefined,
  ): Promise<void> {
    const { endpoints } = this.options;
    const movesAddress = endpoints.addressOf(next) !== endpoints.addressOf(before);
    if (before.hasToken && token === undefined && movesAddress)
      throw invalidField('token', 'is required if the address of the gateway changes; null removes it');
    const changesName = next.provider !== before.provider || next.instanceName !== before.instanceName;
    if (movesAddress || changesName) await reserveSharedName(sql, endpoints, next);
  }

  /** @returns the changes to audit; none if nothing changes */
  private async store(
    sql: Transaction,
    before: ChatInstanceRow,
    next: ChatInstanceRow,
    token: string | null | undefined,
  ): Promise<AuditedChange[]> {
    const changed = changedFields(auditedFields(before), auditedFields(next));
    const renewsToken = token != null || (token === null && before.hasToken);
    if (changed === undefined && !renewsToken) return [];
    const takenOver = next.isDefault ? await takeDefault(sql, next) : [];
    const values = [...storedValues(next), renewsToken, this.seal(token, before.id)];
    await withUniqueName(() => sql.query<ChatInstanceRow>(updateInstance, values));
    if (before.isPaused || before.isUnreachable) await this.resume(sql, before);
    const after = { ...changed?.after, ...(renewsToken ? tokenChanged : {}) };
    return [...takenOver, { ...about(next), action: 'CHAT_INSTANCE_UPDATED', before: changed?.before ?? {}, after }];
  }

  // Ends the pause, and has messages tried that wait for the gateway, because the change may have removed the cause.
  private async resume(tx: Transaction, { tenantId, id, isPaused }: ChatInstanceRow): Promise<void> {
    if (isPaused) await tx.query(endPause, [tenantId, id]);
    await this.options.onResume(tx, [id]);
  }

  /**
   * Deletes an instance. Its messages stay, queued ones fail, its name becomes free in the tenant, and its secrets are removed.
   * The gateway is not notified: disconnect first. ADMIN only.
   * @returns the instance's id
   * @throws AppError NOT_FOUND, also if it is already deleted
   */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const admin = requireAdmin(principal);
    if (!isUuid(id)) throw notFound('chat instance');
    return this.options.transactor.run(admin.tenantId, async (sql) => {
      await sql.query(lockAccountOfInstance, [admin.tenantId, id]);
      const before = await getLocked(sql, lockInstanceForDeletion, admin.tenantId, id);
      await this.options.onDelete(sql, before.id);
      await sql.query(deleteInstance, [before.tenantId, before.id]);
      const after = before.hasToken ? tokenChanged : undefined;
      const deleted = { action: 'CHAT_INSTANCE_DELETED', before: auditedFields(before), after } as const;
      await this.options.audit.record(sql, admin, [{ ...about(before), ...deleted }]);
      return before.id;
    });
  }

  /** Stores or removes the webhook secret. @returns the change to audit; undefined if nothing changes */
  private async setWebhookSecret(
    sql: SqlRunner,
    { tenantId, id, hasWebhookSecret }: ChatInstanceRow,
    secret: string | null | undefined,
  ): Promise<{ webhookSecretChanged: true } | undefined> {
    if (secret == null && (secret === undefined || !hasWebhookSecret)) return undefined;
    const sealed = secret === null ? null : this.options.secretBox.seal(secret, webhookSecretOwner(id));
    await sql.query(setWebhookSecret, [tenantId, id, sealed]);
    return { webhookSecretChanged: true };
  }

  private async read(tenantId: string, id: string): Promise<PublicChatInstance> {
    const where = { tenantId_id: { tenantId, id } };
    return this.options.database.prisma.chatInstance.findUniqueOrThrow({ where, select: publicFields });
  }

  // The token is sealed for its instance: copied to another row, it cannot be opened.
  private seal(token: string | null | undefined, id: string): Buffer | null {
    return token == null ? null : this.options.secretBox.seal(token, id);
  }
}

function requireNone(problems: FieldError[]): void {
  if (problems.length > 0) throw validationFailed(problems);
}

// Providers have secrets of different lengths. The stored secret is not opened to check its length.
function checkKeptSecret(
  { provider, hasWebhookSecret }: ChatInstanceRow,
  next: ChatInstanceRow,
  secret: string | null | undefined,
): void {
  if (secret === undefined && hasWebhookSecret && minSecretLengthOf(provider) < minSecretLengthOf(next.provider))
    throw invalidField('webhookSecret', `is required if the provider changes from ${provider}; null removes it`);
}

const tokenChanged = { tokenChanged: true } as const;

function authorizeCreation(
  principal: Principal | CommandPrincipal | undefined,
  place: CommandPlace | undefined,
): CommandPlace & { actor: AuditActor } {
  if (principal?.kind !== 'command') {
    const actor = requireAdmin(principal);
    return { actor, tenantId: actor.tenantId, status: 'CONNECTING' };
  }
  if (place === undefined) throw new Error('a command has to name the tenant of the chat instance');
  return { actor: principal, ...place };
}

async function getLocked(
  sql: SqlRunner,
  statement: typeof lockInstance,
  tenantId: string,
  id: string,
): Promise<ChatInstanceRow> {
  const [row] = await sql.query<ChatInstanceRow>(statement, [tenantId, id]);
  if (row === undefined) throw notFound('chat instance');
  return row;
}

/** Ends the default of the account's other instance. @returns the changes to audit */
async function takeDefault(
  sql: SqlRunner,
  { tenantId, accountId, id }: Pick<ChatInstanceRow, 'tenantId' | 'accountId' | 'id'>,
): Promise<AuditedChange[]> {
  const others = await sql.query<ChatInstanceRow>(clearDefault, [tenantId, accountId, id]);
  const change = { before: { isDefault: true }, after: { isDefault: false } };
  return others.map((other) => ({ ...about(other), action: 'CHAT_INSTANCE_UPDATED', ...change }));
}

async function withUniqueName(write: () => Promise<ChatInstanceRow[]>): Promise<ChatInstanceRow> {
  try {
    const [row] = await write();
    if (row === undefined) throw notFound('chat instance');
    return row;
  } catch (error) {
    if (!isUniqueViolation(error) || error.constraint !== 'chat_instances_tenant_id_instance_name_key') throw error;
    throw new AppError('CONFLICT', 'instanceName: is taken', { cause: error });
  }
}

function auditedFields({ accountId, provider, instanceName, isDefault, baseUrl, metadata }: ChatInstanceRow) {
  return { accountId, provider, instanceName, isDefault, baseUrl, metadata };
}

function toTenantInstance({
  tenantId,
  id,
  instanceName,
  provider,
  baseUrl,
}: Omit<StoredFields, 'isDefault'>): TenantInstance {
  return { tenantId, id, instanceName, provider: provider ?? defaultProvider, baseUrl: baseUrl ?? null };
}

type StoredFields = Pick<ChatInstanceRow, 'tenantId' | 'id' | 'instanceName' | 'isDefault'> & {
  provider?: string | null | undefined;
  baseUrl?: string | null | undefined;
  metadata?: object | null | undefined;
};

/** The parameters that `insertInstance` and `updateInstance` share, in their order. */
function storedValues({ tenantId, id, provider, instanceName, isDefault, baseUrl, metadata }: StoredFields): unknown[] {
  const json = metadata == null ? null : JSON.stringify(metadata);
  return [tenantId, id, provider ?? defaultProvider, instanceName, isDefault, baseUrl ?? null, json];
}

function about({ tenantId, id }: ChatInstanceRow) {
  return { tenantId, targetKind: 'CHAT_INSTANCE', targetId: id } as const;
}

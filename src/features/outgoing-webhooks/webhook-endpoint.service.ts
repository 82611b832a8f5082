// Webhook endpoints: where an ADMIN has the tenant's events posted, and the secrets they are signed with. endpoint-feed.service.ts makes
// deliveries, endpoint-dispatcher.ts posts them.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import { AppError, conflictingField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, withoutUndefined } from '../../platform/input/input.js';
import { requireAdmin, type Principal, type UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { changedFields, type AuditService } from '../audit/audit.service.js';
import { newEndpointSecret } from './endpoint-signature.js';
import {
  endpointGraceSchema,
  maxEndpoints,
  webhookEndpointSchemas,
  type CreateWebhookEndpointInput,
  type UpdateWebhookEndpointInput,
} from './webhook-endpoint.schema.js';
import {
  countEndpoints,
  deleteEndpoint,
  endDeliveries,
  insertEndpoint,
  lockEndpoint,
  lockEndpoints,
  rotateEndpointSecret,
  selectEndpoints,
  selectEndpointsByIds,
  updateEndpoint,
  type WebhookEndpointRecord,
} from './webhook-endpoint.sql.js';

export interface WebhookEndpointOptions {
  database: Database;
  audit: AuditService;
  secretBox: SecretBox;
  /** Finds what is wrong with posting to a URL; undefined where nothing is. */
  checkUrl: (url: string) => string | undefined;
  /** Called after the commit: the deliveries that wait, or that are made of events, may have changed. */
  onChange: (tenantId: string) => void;
}

/** An endpoint with its secret, which is shown this once. */
export interface EndpointSecretRecord {
  endpoint: WebhookEndpointRecord;
  secret: string;
}

const deletedError = 'The endpoint was deleted.';

export class WebhookEndpointService {
  private readonly schemas: ReturnType<typeof webhookEndpointSchemas>;

  constructor(private readonly options: WebhookEndpointOptions) {
    this.schemas = webhookEndpointSchemas(options.checkUrl);
  }

  /** The tenant's endpoints, the oldest first: `maxEndpoints` at most. ADMIN only. */
  async list(principal: Principal | undefined): Promise<WebhookEndpointRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<WebhookEndpointRecord>(selectEndpoints, [tenantId]);
  }

  /** An endpoint of the own tenant; null where there is none of this id, or no longer. ADMIN only. */
  async find(principal: Principal | undefined, id: string): Promise<WebhookEndpointRecord | null> {
    const [endpoint] = await this.listByIds(requireAdmin(principal), isUuid(id) ? [id] : []);
    return endpoint ?? null;
  }

  /** Endpoints by id, in one statement; ids of another tenant, or of what was deleted, are left out. ADMIN only. */
  async listByIds(principal: Principal | undefined, ids: readonly string[]): Promise<WebhookEndpointRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<WebhookEndpointRecord>(selectEndpointsByIds, [tenantId, ids]);
  }

  /**
   * Creates an endpoint, which receives the events from then on, and shows its secret. ADMIN only; audited.
   * @throws AppError VALIDATION_FAILED, also on a `url` that may not be called; CONFLICT where there are `maxEndpoints` already
   */
  async create(principal: Principal | undefined, input: CreateWebhookEndpointInput): Promise<EndpointSecretRecord> {
    const admin = requireAdmin(principal);
    const { url, description, eventTypes, isEnabled } = parseInput(this.schemas.create, input);
    const [id, secret] = [newRecordId(), newEndpointSecret()];
    const sealed = this.options.secretBox.seal(secret, id);
    const endpoint = await changeEndpoints(this.options, admin, async (sql) => {
      // The lock comes first, so that the count is still right when the endpoint is inserted.
      await sql.query(lockEndpoints, [admin.tenantId]);
      const [held] = await sql.query<{ count: number }>(countEndpoints, [admin.tenantId]);
      if ((held?.count ?? 0) >= maxEndpoints)
        throw new AppError('CONFLICT', `A tenant has at most ${maxEndpoints} webhook endpoints: delete one first`);
      const values = [admin.tenantId, id, url, description ?? null, eventTypes, isEnabled ?? true, sealed];
      const created = one(await sql.query<WebhookEndpointRecord>(insertEndpoint, values));
      const entry = { ...about(admin, id), action: 'WEBHOOK_ENDPOINT_CREATED', after: auditedFields(created) } as const;
      await this.options.audit.record(sql, admin, [entry]);
      return created;
    });
    return { endpoint, secret };
  }

  /**
   * Changes an endpoint. Waiting deliveries go to the new address. An endpoint that is enabled again goes on where it had stopped. ADMIN
   * only; audited; safe to repeat without `expectedVersion`.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED; CONFLICT when `expectedVersion` is not its version any more
   */
  async update(
    principal: Principal | undefined,
    id: string,
    input: UpdateWebhookEndpointInput,
  ): Promise<WebhookEndpointRecord> {
    const admin = requireAdmin(principal);
    const { expectedVersion, ...wanted } = parseInput(this.schemas.update, input);
    return changeEndpoints(this.options, admin, async (sql) => {
      const before = await getLockedEndpoint(sql, admin, id);
      if (expectedVersion != null && expectedVersion !== before.version)
        throw conflictingField('expectedVersion', `the endpoint has version ${before.version} by now`);
      const next = { ...before, ...withoutUndefined(wanted) };
      const changed = changedFields(auditedFields(before), auditedFields(next));
      if (changed === undefined) return before;
      const values = [admin.tenantId, before.id, next.url, next.description, next.eventTypes, next.isEnabled];
      const after = one(await sql.query<WebhookEndpointRecord>(updateEndpoint, values));
      const entry = { ...about(admin, after.id), action: 'WEBHOOK_ENDPOINT_UPDATED', ...changed } as const;
      await this.options.audit.record(sql, admin, [entry]);
      return after;
    });
  }

  /**
   * Gives an endpoint another secret, and shows it. The previous secret signs beside it for `graceSeconds` (0 to 604,800; 0: it ends now).
   * A secret from before that one ends. ADMIN only; audited.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED
   */
  async rotateSecret(
    principal: Principal | undefined,
    id: string,
    graceSeconds: number,
  ): Promise<EndpointSecretRecord> {
    const admin = requireAdmin(principal);
    const grace = parseInput(endpointGraceSchema, graceSeconds, 'graceSeconds');
    const secret = newEndpointSecret();
    const endpoint = await changeEndpoints(this.options, admin, async (sql) => {
      const before = await getLockedEndpoint(sql, admin, id);
      const sealed = this.options.secretBox.seal(secret, before.id);
      const values = [admin.tenantId, before.id, sealed, grace];
      const after = one(await sql.query<WebhookEndpointRecord>(rotateEndpointSecret, values));
      const rotated = { action: 'WEBHOOK_ENDPOINT_SECRET_ROTATED', after: { graceSeconds: grace } } as const;
      await this.options.audit.record(sql, admin, [{ ...about(admin, after.id), ...rotated }]);
      return after;
    });
    return { endpoint, secret };
  }

  /**
   * Deletes an endpoint with its secrets. Deliveries that wait for it become FAILED. ADMIN only; audited.
   * @returns its id
   * @throws AppError NOT_FOUND, also when it is deleted already
   */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const admin = requireAdmin(principal);
    return changeEndpoints(this.options, admin, async (sql) => {
      const before = await getLockedEndpoint(sql, admin, id);
      await sql.query(deleteEndpoint, [admin.tenantId, before.id]);
      await sql.query(endDeliveries, [admin.tenantId, before.id, deletedError]);
      const deleted = { action: 'WEBHOOK_ENDPOINT_DELETED', before: auditedFields(before) } as const;
      await this.options.audit.record(sql, admin, [{ ...about(admin, before.id), ...deleted }]);
      return before.id;
    });
  }
}

/** Runs `work` in a transaction, and then has the dispatcher look at the tenant's endpoints. */
export async function changeEndpoints<Result>(
  { database, onChange }: Pick<WebhookEndpointOptions, 'database' | 'onChange'>,
  { tenantId }: UserPrincipal,
  work: (sql: SqlRunner) => Promise<Result>,
): Promise<Result> {
  const result = await database.transaction(work);
  onChange(tenantId);
  return result;
}

/**
 * The endpoint, locked until `sql`'s transaction ends.
 * @throws AppError NOT_FOUND
 */
export async function getLockedEndpoint(
  sql: SqlRunner,
  { tenantId }: UserPrincipal,
  id: string,
): Promise<WebhookEndpointRecord> {
  const [endpoint] = isUuid(id) ? await sql.query<WebhookEndpointRecord>(lockEndpoint, [tenantId, id]) : [];
  if (endpoint === undefined) throw notFound('webhook endpoint');
  return endpoint;
}

function one(rows: readonly WebhookEndpointRecord[]): WebhookEndpointRecord {
  const [endpoint] = rows;
  if (endpoint === undefined) throw notFound('webhook endpoint');
  return endpoint;
}

function auditedFields({ url, description, eventTypes, isEnabled }: WebhookEndpointRecord) {
  return { url, description, eventTypes, isEnabled };
}

function about({ tenantId }: UserPrincipal, targetId: string) {
  return { tenantId, targetKind: 'WEBHOOK_ENDPOINT', targetId } as const;
}

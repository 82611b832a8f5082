// Deliveries as an ADMIN reads them, test deliveries, and sending again what failed or was lost behind the endpoint.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid, parseInput } from '../../platform/input/input.js';
import { keyFilter, readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireAdmin, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { Pruner } from '../../platform/jobs/pruner.js';
import { firstIdAt, newRecordId } from '../../platform/database/record-id.js';
import type { AuditService } from '../audit/audit.service.js';
import {
  endpointDeliveryFilterSchema,
  maxPings,
  maxReplayed,
  replaySinceSchema,
  type EndpointDeliveryFilterInput,
} from './webhook-endpoint.schema.js';
import {
  deleteOldEndpointDeliveries,
  deleteOldEndpoints,
  insertPing,
  replayDelivery,
  replayFailedDeliveries,
  selectDeliveries,
  selectDelivery,
  type EndpointDeliveryRecord,
} from './endpoint-delivery.sql.js';
import { changeEndpoints, getLockedEndpoint } from './webhook-endpoint.service.js';
import type { WebhookEndpointRecord } from './webhook-endpoint.sql.js';

export interface EndpointDeliveryOptions {
  database: Database;
  audit: AuditService;
  /** Something may be due: called after the commit. */
  onChange: (tenantId: string) => void;
}

export class EndpointDeliveryService {
  constructor(private readonly options: EndpointDeliveryOptions) {}

  /** The tenant's deliveries, the newest first. ADMIN only. */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: EndpointDeliveryFilterInput | null,
  ): Promise<Page<EndpointDeliveryRecord>> {
    const { tenantId } = requireAdmin(principal);
    const filter = parseInput(endpointDeliveryFilterSchema, wanted ?? {}, 'filter');
    return readPage(args, {
      list: 'endpoint-deliveries',
      keyOf: (delivery: EndpointDeliveryRecord) => delivery.id,
      read: (range) => {
        const select = selectDeliveries({ tenantId, filter, ...keyFilter(range, 'desc'), limit: range.limit });
        return this.options.database.query<EndpointDeliveryRecord>(select.text, select.values);
      },
    });
  }

  /** A delivery of the own tenant; null where there is none of this id, or no longer. ADMIN only. */
  async find(principal: Principal | undefined, id: string): Promise<EndpointDeliveryRecord | null> {
    const { tenantId } = requireAdmin(principal);
    if (!isUuid(id)) return null;
    const [found] = await this.options.database.query<EndpointDeliveryRecord>(selectDelivery, [tenantId, id]);
    return found ?? null;
  }

  /**
   * Has a test delivery posted, attempted as any other. ADMIN only.
   * @throws AppError NOT_FOUND; CONFLICT where the endpoint is disabled, or `maxPings` of it wait already
   */
  async ping(principal: Principal | undefined, endpointId: string): Promise<EndpointDeliveryRecord> {
    const admin = requireAdmin(principal);
    return changeEndpoints(this.options, admin, async (sql) => {
      const { id } = await getEnabled(sql, admin, endpointId);
      const values = [admin.tenantId, newRecordId(), id, maxPings];
      const [ping] = await sql.query<EndpointDeliveryRecord>(insertPing, values);
      if (ping === undefined)
        throw new AppError('CONFLICT', `${maxPings} test deliveries wait for this endpoint already`);
      return ping;
    });
  }

  /**
   * Has a delivery posted again now, under the same id and with all its attempts before it, whatever has become of it; one that is being
   * attempted at this moment is not posted twice. ADMIN only; audited; safe to repeat.
   * @throws AppError NOT_FOUND; CONFLICT where its endpoint is disabled or deleted
   */
  async replay(principal: Principal | undefined, id: string): Promise<EndpointDeliveryRecord> {
    const admin = requireAdmin(principal);
    const stored = await this.find(admin, id);
    if (stored === null) throw notFound('endpoint delivery');
    return changeEndpoints(this.options, admin, async (sql) => {
      const endpoint = await getEnabled(sql, admin, stored.endpointId).catch(asDeleted);
      const [replayed] = await sql.query<EndpointDeliveryRecord>(replayDelivery, [admin.tenantId, stored.id]);
      if (replayed === undefined) return stored;
      await this.audit(sql, admin, endpoint.id, { deliveryId: stored.id });
      return replayed;
    });
  }

  /**
   * Replays the failed deliveries of an endpoint that were made since then, like `replay`: the oldest first, `maxReplayed` at most. ADMIN
   * only; audited.
   * @returns how many are posted again
   * @throws AppError NOT_FOUND; VALIDATION_FAILED; CONFLICT where the endpoint is disabled
   */
  async replayFailed(principal: Principal | undefined, endpointId: string, since: Date): Promise<number> {
    const admin = requireAdmin(principal);
    const from = parseInput(replaySinceSchema, since, 'since');
    return changeEndpoints(this.options, admin, async (sql) => {
      const { id } = await getEnabled(sql, admin, endpointId);
      const values = [admin.tenantId, id, from, maxReplayed];
      const [replayed] = await sql.query<{ count: number }>(replayFailedDeliveries, values);
      const count = replayed?.count ?? 0;
      await this.audit(sql, admin, id, { since: from, replayed: count });
      return count;
    });
  }

  private async audit(sql: SqlRunner, admin: UserPrincipal, endpointId: string, after: object): Promise<void> {
    const about = { tenantId: admin.tenantId, targetKind: 'WEBHOOK_ENDPOINT', targetId: endpointId } as const;
    await this.options.audit.record(sql, admin, [{ ...about, action: 'WEBHOOK_ENDPOINT_REPLAYED', after }]);
  }
}

/**
 * Deletes deliveries that no longer wait and are older than `days`, and deleted endpoints without deliveries.
 * @returns how many deliveries were deleted
 */
export async function pruneDeliveries(database: Database, pruner: Pruner, days: number): Promise<number> {
  const count = await pruner.runForTenants(deleteOldEndpointDeliveries, [firstIdAt(await pruner.timeAgo(days))]);
  await database.query(deleteOldEndpoints);
  return count;
}

async function getEnabled(sql: SqlRunner, admin: UserPrincipal, id: string): Promise<WebhookEndpointRecord> {
  const endpoint = await getLockedEndpoint(sql, admin, id);
  if (!endpoint.isEnabled) throw new AppError('CONFLICT', 'The endpoint is disabled: enable it first');
  return endpoint;
}

// The delivery exists, so the error names its deleted endpoint: NOT_FOUND would say less.
function asDeleted(error: unknown): never {
  if (error instanceof AppError && error.code === 'NOT_FOUND')
    throw new AppError('CONFLICT', "The delivery's endpoint was deleted", { cause: error });
  throw error;
}

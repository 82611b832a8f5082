// The journal as an ADMIN reads it, and the running again of a call that stands in it. Writing it belongs to
// journal-writer.ts, removing what is old to retention.service.ts.

import type { Database } from '../../platform/database.js';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput } from '../../platform/input.js';
import { keyFilter, readPage } from '../../platform/page.js';
import type { Page, PageArgs } from '../../platform/page.js';
import { requireAdmin } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/record-id.js';
import type { AuditService } from '../audit/audit.service.js';
import type { WebhookCall } from '../intake/webhook-call.js';
import { deliveryFilterSchema } from './webhook-call.schema.js';
import type { DeliveryFilterInput } from './webhook-call.schema.js';
import {
  selectDeliveries,
  selectDeliveriesByIds,
  selectDeliveryBodies,
  sumDeliveryBodies,
  selectReplays,
} from './webhook-call.sql.js';
import type { DeliveryBody, DeliveryRecord } from './webhook-call.sql.js';
import type { WebhookService } from '../intake/webhook.service.js';

const maxBodiesBytes = 8 * 1024 * 1024;

export interface WebhookDeliveryOptions {
  database: Database;
  audit: AuditService;
  webhooks: WebhookService;
}

/** Of one call, where its replays are read along with it. */
export const maxReplaysShown = 50;

export class WebhookDeliveryService {
  constructor(private readonly options: WebhookDeliveryOptions) {}

  /** The tenant's calls without their bodies, the newest first. ADMIN only. */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: DeliveryFilterInput | null,
  ): Promise<Page<DeliveryRecord>> {
    const { tenantId } = requireAdmin(principal);
    const filter = parseInput(deliveryFilterSchema, wanted ?? {}, 'filter');
    return readPage(args, {
      list: 'webhook-deliveries',
      keyOf: (delivery: DeliveryRecord) => delivery.id,
      read: (range) => {
        const select = selectDeliveries({ tenantId, filter, ...keyFilter(range, 'desc'), limit: range.limit });
        return this.options.database.query<DeliveryRecord>(select.text, select.values);
      },
    });
  }

  /** Calls by id, in one statement; ids of another tenant are left out. ADMIN only. */
  async listByIds(principal: Principal | undefined, ids: readonly string[]): Promise<DeliveryRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<DeliveryRecord>(selectDeliveriesByIds, [tenantId, ids]);
  }

  /**
   * The bodies of many calls. ADMIN only.
   * @throws AppError VALIDATION_FAILED where they are more than 8 MiB together
   */
  async listBodies(principal: Principal | undefined, ids: readonly string[]): Promise<DeliveryBody[]> {
    const { tenantId } = requireAdmin(principal);
    const [sum] = await this.options.database.query<{ bytes: number }>(sumDeliveryBodies, [tenantId, ids]);
    if ((sum?.bytes ?? 0) > maxBodiesBytes)
      throw invalidField('first', `the bodies of so many calls exceed ${maxBodiesBytes} bytes: ask for fewer`);
    return this.options.database.query<DeliveryBody>(selectDeliveryBodies, [tenantId, ids]);
  }

  /** What ran these calls again, the newest first, in one statement; at most `maxReplaysShown` for each. ADMIN only. */
  async listReplays(principal: Principal | undefined, ids: readonly string[]): Promise<DeliveryRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<DeliveryRecord>(selectReplays, [tenantId, ids, maxReplaysShown]);
  }

  /**
   * Runs a call again, as if it had arrived now, without checking its signature. ADMIN only; audited; safe to repeat, as the
   * call itself is. Gives the journal's new entry, whatever became of the call.
   * @throws AppError NOT_FOUND; CONFLICT when not all of the body was kept; UNAVAILABLE, and then nothing was taken in
   */
  async replay(principal: Principal | undefined, id: string): Promise<DeliveryRecord> {
    const admin = requireAdmin(principal);
    const [stored] = isUuid(id) ? await this.listByIds(admin, [id]) : [];
    if (stored === undefined) throw notFound('webhook delivery');
    if (!stored.isBodyComplete)
      throw new AppError('CONFLICT', 'Not all of the body was kept: ask the caller to send it again');
    const [kept] = await this.listBodies(admin, [stored.id]);
    if (kept === undefined) throw notFound('webhook delivery');
    const call = toCall(admin.tenantId, stored, kept.body);
    // Before it runs: nobody overrules a signature unseen.
    await this.options.audit.record(this.options.database, admin, [
      {
        tenantId: admin.tenantId,
        action: 'WEBHOOK_REPLAYED',
        targetKind: 'WEBHOOK_DELIVERY',
        targetId: stored.id,
        after: { replayId: call.id },
      },
    ]);
    return this.run(admin, call);
  }

  private async run(principal: Principal, call: WebhookCall): Promise<DeliveryRecord> {
    try {
      await this.options.webhooks.replay(call);
    } catch (error) {
      // A refusal stands in the journal, a fault does not.
      const [refused] = await this.listByIds(principal, [call.id]);
      if (refused === undefined) throw error;
      return refused;
    }
    const [entry] = await this.listByIds(principal, [call.id]);
    if (entry === undefined) throw new Error('a call that was run again is not in the journal');
    return entry;
  }
}

function toCall(tenantId: string, { id, route, headers }: DeliveryRecord, body: Buffer): WebhookCall {
  const contentType = headers['content-type'];
  return {
    id: newRecordId(),
    tenantId,
    route,
    contentType: typeof contentType === 'string' ? contentType : undefined,
    signature: undefined,
    userAgent: undefined,
    body,
    receivedAt: new Date(),
    replayOfId: id,
  };
}

// The journal for ADMINs, and replays of its calls. Intake writes the journal, and retention removes old entries.

import type { Database } from '../../platform/database/database.js';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isContention } from '../../platform/observability/fault.js';
import { isUuid, parseInput } from '../../platform/input/input.js';
import { keyFilter, readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireAdmin, type Principal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { AuditService } from '../audit/audit.service.js';
import type { WebhookCall } from '../intake/webhook-call.js';
import { callFilterSchema, type WebhookCallFilterInput } from './webhook-call.schema.js';
import {
  countCalls,
  selectCalls,
  selectCallsByIds,
  selectCallBodies,
  sumCallBodies,
  selectReplays,
  type WebhookCallBody,
  type WebhookCallCounts,
  type WebhookCallRecord,
} from './webhook-call.sql.js';

const maxBodiesBytes = 8 * 1024 * 1024;

export interface WebhookCallOptions {
  database: Database;
  audit: AuditService;
  /** Runs a call again, with the rules of now. */
  replay: (call: WebhookCall) => Promise<object>;
}

/** The most replays that are read along with one call. */
export const maxReplaysShown = 50;

export class WebhookCallService {
  constructor(private readonly options: WebhookCallOptions) {}

  /** Returns the tenant's calls without their bodies, the newest first. ADMIN only. */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: WebhookCallFilterInput | null,
  ): Promise<Page<WebhookCallRecord>> {
    const { tenantId } = requireAdmin(principal);
    const filter = parseInput(callFilterSchema, wanted ?? {}, 'filter');
    return readPage(args, {
      list: 'webhook-deliveries',
      keyOf: (call: WebhookCallRecord) => call.id,
      read: (range) => {
        const select = selectCalls({ tenantId, filter, ...keyFilter(range, 'desc'), limit: range.limit });
        return filter.search?.trim()
          ? this.search<WebhookCallRecord>(select)
          : this.options.database.query<WebhookCallRecord>(select.text, select.values);
      },
    });
  }

  // Bodies have no index. A tenant searches one statement at a time, so that its other reads find a connection.
  private async search<Row>({ text, values }: { text: string; values: readonly unknown[] }): Promise<Row[]> {
    try {
      return await this.options.database.search<Row>(text, values);
    } catch (error) {
      throw isContention(error) ? searchTooLong(error) : error;
    }
  }

  /** Counts the calls of a filter, the newest `maxSearchedCalls` at most. ADMIN only. */
  async count(principal: Principal | undefined, wanted?: WebhookCallFilterInput | null): Promise<WebhookCallCounts> {
    const { tenantId } = requireAdmin(principal);
    const filter = parseInput(callFilterSchema, wanted ?? {}, 'filter');
    const counts = countCalls(tenantId, filter);
    const [row] = await this.search<WebhookCallCounts>(counts);
    if (row === undefined) throw new Error('a count has one row');
    return row;
  }

  /** Returns one call without its body; null if the tenant has none with this id. ADMIN only. */
  async find(principal: Principal | undefined, id: string): Promise<WebhookCallRecord | null> {
    const admin = requireAdmin(principal);
    const [found] = isUuid(id) ? await this.listByIds(admin, [id]) : [];
    return found ?? null;
  }

  /** Returns calls by id, in one statement; ids of another tenant are left out. ADMIN only. */
  async listByIds(principal: Principal | undefined, ids: readonly string[]): Promise<WebhookCallRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<WebhookCallRecord>(selectCallsByIds, [tenantId, ids]);
  }

  /**
   * Returns the bodies of many calls. ADMIN only.
   * @throws AppError VALIDATION_FAILED if they are more than 8 MiB together
   */
  async listBodies(principal: Principal | undefined, ids: readonly string[]): Promise<WebhookCallBody[]> {
    const { tenantId } = requireAdmin(principal);
    const [sum] = await this.options.database.query<{ bytes: number }>(sumCallBodies, [tenantId, ids]);
    if ((sum?.bytes ?? 0) > maxBodiesBytes)
      throw invalidField('first', `the bodies of so many calls exceed ${maxBodiesBytes} bytes: ask for fewer`);
    return this.options.database.query<WebhookCallBody>(selectCallBodies, [tenantId, ids]);
  }

  /** Returns the replays of these calls, the newest first, in one statement; at most `maxReplaysShown` for each. ADMIN only. */
  async listReplays(principal: Principal | undefined, ids: readonly string[]): Promise<WebhookCallRecord[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<WebhookCallRecord>(selectReplays, [tenantId, ids, maxReplaysShown]);
  }

  /**
   * Runs a call again, as if it had arrived now, without checking its signature. ADMIN only; audited; safe to repeat, as the call itself
   * is.
   * @returns the new entry, also if the call was refused
   * @throws AppError NOT_FOUND; CONFLICT when not all of the body was kept; ERASED; UNAVAILABLE, and then nothing was taken in
   */
  async replay(principal: Principal | undefined, id: string): Promise<WebhookCallRecord> {
    const admin = requireAdmin(principal);
    const stored = await this.find(admin, id);
    if (stored === null) throw notFound('webhook delivery');
    if (!stored.isBodyComplete && stored.erasedAt !== null)
      throw new AppError('ERASED', 'The call was of a person who was erased since: nothing of it is left to run again');
    if (!stored.isBodyComplete)
      throw new AppError('CONFLICT', 'Not all of the body was kept: ask the caller to send it again');
    const [kept] = await this.listBodies(admin, [stored.id]);
    if (kept === undefined) throw notFound('webhook delivery');
    const call = toCall(admin.tenantId, stored, kept.body);
    // The audit entry comes first, so that each overruled signature is on record.
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

  private async run(principal: Principal, call: WebhookCall): Promise<WebhookCallRecord> {
    try {
      await this.options.replay(call);
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

function toCall(
  tenantId: string,
  { id, route, headers, source, receivedAt }: WebhookCallRecord,
  body: Buffer,
): WebhookCall {
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
    replayOf: { id, receivedAt },
    source,
  };
}

function searchTooLong(cause: unknown): AppError {
  const detail = 'Looking through these calls took too long: narrow the filter with since and until';
  return new AppError('UNAVAILABLE', detail, { retryAfterSeconds: 1, cause });
}

// Asks gateways for hidden numbers, with a lane for each tenant: one tenant's slow gateways delay no other tenant. hidden-number.service.ts
// stores the answers.

import type { FoundNumber } from '../../../providers/chat-gateway.js';
import type { Database } from '../../../platform/database/database.js';
import { LaneScheduler, type Lane } from '../../../platform/jobs/lane-scheduler.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { GatewayEndpoints } from '../../chat-instances/gateway-endpoints.js';
import type { HiddenNumberService } from './hidden-number.service.js';
import {
  claimNumbers,
  releaseNumbers,
  selectNextNumberDue,
  selectTenantsWithNumbers,
  type ClaimedNumber,
} from './hidden-number.sql.js';

export interface NumberFinderOptions {
  database: Database;
  endpoints: GatewayEndpoints;
  numbers: HiddenNumberService;
  log: Logger;
  /** Numbers of one tenant, and of all tenants, at a time in this process. */
  concurrency: number;
  totalConcurrency: number;
  /** The lease of a claimed number, in milliseconds: longer than a gateway may take to answer. */
  leaseMs: number;
  /** The interval between searches for due numbers, in milliseconds. */
  sweepIntervalMs: number;
}

export class NumberFinder {
  private readonly lanes: LaneScheduler<ClaimedNumber>;

  constructor(private readonly options: NumberFinderOptions) {
    const { database, log, leaseMs, concurrency, totalConcurrency, sweepIntervalMs } = options;
    this.lanes = new LaneScheduler<ClaimedNumber>({
      name: 'hidden numbers',
      log,
      concurrency,
      totalConcurrency,
      sweepIntervalMs,
      sweep: async () => {
        const due = await database.query<{ tenantId: string }>(selectTenantsWithNumbers);
        for (const { tenantId } of due) this.lanes.wake({ tenantId, id: tenantId });
      },
      claim: async ({ tenantId }, { limit }) => ({
        items: await database.change<ClaimedNumber>(tenantId, claimNumbers, [tenantId, limit, leaseMs]),
        nextInMs: async () => {
          const [next] = await database.query<{ inMs: number | null }>(selectNextNumberDue, [tenantId]);
          // A sweep finds numbers that are due later.
          return next?.inMs == null || next.inMs > sweepIntervalMs ? undefined : Math.max(next.inMs, 0);
        },
      }),
      begin: (lane, numbers) => numbers.map((number) => this.ask(lane, number)),
      release: (lane, numbers) => this.release(lane, numbers),
    });
  }

  start(): void {
    this.lanes.start();
  }

  /** Takes no new numbers and waits for the calls under way, at most `timeoutMs`. Numbers whose calls are cut off are asked for again. */
  stop(timeoutMs: number): Promise<void> {
    return this.lanes.stop(timeoutMs);
  }

  /** Never rejects. @returns true: the lane may have more, which waited for this place */
  private async ask(lane: Lane<ClaimedNumber>, number: ClaimedNumber): Promise<boolean> {
    const { numbers, log } = this.options;
    const { tenantId } = lane;
    try {
      const found = await this.find(number);
      if (found.outcome !== 'found' && this.lanes.signal.aborted) await this.release(lane, [number]);
      else await numbers.settle(tenantId, number, found);
    } catch (error) {
      // The number is asked for again when the lease ends.
      log.warn({ err: error, tenantId, leadId: number.leadId }, 'a hidden number could not be settled');
    }
    return true;
  }

  private async find(number: ClaimedNumber): Promise<FoundNumber> {
    const instance = this.options.endpoints.find(number);
    if (instance.outcome !== 'reachable') return instance;
    const { gateway, endpoint } = instance;
    if (number.isDeleted || gateway.findNumber === undefined) return { outcome: 'unknown' };
    return gateway.findNumber(endpoint, number.hiddenId, this.lanes.signal);
  }

  private async release({ tenantId }: Lane<ClaimedNumber>, numbers: readonly ClaimedNumber[]): Promise<void> {
    await this.options.database.change(tenantId, releaseNumbers, [tenantId, numbers.map(({ leadId }) => leadId)]);
  }
}

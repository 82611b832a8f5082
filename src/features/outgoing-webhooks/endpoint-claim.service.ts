// Claims due deliveries with a lease, so that one process posts each. endpoint-dispatcher.ts posts them, endpoint-result.service.ts stores
// what became of them.

import type { Database } from '../../platform/database/database.js';
import {
  claimDeliveries,
  releaseDeliveries,
  selectDueEndpoints,
  selectNextDue,
  type ClaimedDelivery,
} from './endpoint-claim.sql.js';

export interface EndpointClaimOptions {
  database: Database;
  /** The lease of a claim, in milliseconds: longer than an attempt takes. */
  leaseMs: number;
}

/** An endpoint and its tenant. */
export interface EndpointKey {
  tenantId: string;
  endpointId: string;
}

/** An endpoint with something due. */
export interface DueEndpoint extends EndpointKey {
  /** True if nothing has reached it since an attempt failed. */
  isFailing: boolean;
}

export class EndpointClaimService {
  constructor(private readonly options: EndpointClaimOptions) {}

  /** Enabled endpoints with something due, of one tenant or of all. */
  async listDue(tenantId?: string): Promise<DueEndpoint[]> {
    return this.options.database.query<DueEndpoint>(selectDueEndpoints, [tenantId ?? null]);
  }

  /** Claims what is due, in the order of the log: at most `limit`, while the endpoint fails at most `failingLimit`. */
  async claim(
    { tenantId, endpointId }: EndpointKey,
    { limit, failingLimit }: { limit: number; failingLimit: number },
  ): Promise<ClaimedDelivery[]> {
    const { database, leaseMs } = this.options;
    const values = [tenantId, endpointId, limit, failingLimit, leaseMs];
    const claimed = await database.query<ClaimedDelivery>(claimDeliveries, values);
    return claimed.toSorted((a, b) => Number(a.seq ?? 0) - Number(b.seq ?? 0));
  }

  /** In how many milliseconds something of the endpoint is due; undefined where nothing waits. */
  async nextDueInMs({ tenantId, endpointId }: EndpointKey): Promise<number | undefined> {
    const [next] = await this.options.database.query<{ inMs: number }>(selectNextDue, [tenantId, endpointId]);
    return next?.inMs;
  }

  /** Gives back deliveries that were not posted to their end. */
  async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const ids = deliveries.map(({ id }) => id);
    const attempts = deliveries.map(({ attemptCount }) => attemptCount);
    await this.options.database.query(releaseDeliveries, [tenantId, ids, attempts]);
  }
}

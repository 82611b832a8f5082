// The product with a gateway behind it, for the outbound benches: SQL writes the waiting messages, and the gateway itself reports the
// arrivals.

import { setTimeout as delay } from 'node:timers/promises';
import { dispatchOutboundJob } from '../../src/features/outbox/outbox.jobs.js';
import { Database } from '../../src/platform/database/database.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import { Queue } from '../../src/platform/jobs/queue.js';
import { startProduct, type Product, type ProductOptions } from './product.js';
import { startProcess } from './server-process.js';
import type { BenchContext } from './side-by-side.js';
import { storeWaiting, type WaitingMessages } from './waiting-messages.js';

const gatewayToken = 'bench';
const lookIntervalMs = 10;
/** A part of the statement that checks whether messages wait. */
export const outboxPoll = 'FROM outbox_entries WHERE tenant_id = $1 LIMIT';

export interface Limit {
  max: number;
  durationMs: number;
}

/** The times and the texts of messages in the order of arrival, by the machine's clock. */
export interface Arrivals {
  times: number[];
  texts: string[];
}

export class BenchGateway {
  private constructor(
    readonly url: string,
    readonly pid: number,
  ) {}

  /** @param latencyMs how long it takes to answer */
  static async start({ resources, signal }: BenchContext, latencyMs = 0): Promise<BenchGateway> {
    const environment = { LATENCY_MS: String(latencyMs) };
    const script = 'test/bench/instant-gateway.ts';
    const { url, pid } = await startProcess({ script, environment, resources, signal });
    return new BenchGateway(url, pid);
  }

  /** The environment of a product whose default gateway it is. */
  get environment(): Record<string, string> {
    return { GATEWAY_URL: this.url, GATEWAY_TOKEN: gatewayToken };
  }

  async arrivals(instanceName: string): Promise<Arrivals> {
    const response = await fetch(`${this.url}/arrivals?instance=${encodeURIComponent(instanceName)}`);
    return (await response.json()) as Arrivals;
  }

  async forget(): Promise<void> {
    await fetch(`${this.url}/arrivals`, { method: 'DELETE' });
  }
}

export class SendingProduct {
  private constructor(
    readonly product: Product,
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  static async start(context: BenchContext, options: ProductOptions): Promise<SendingProduct> {
    const product = await startProduct(context, options);
    const log = createLogger('silent');
    const database = new Database({ url: product.databaseUrl, poolSize: 2, log });
    context.resources.defer(() => database.close());
    const queue = new Queue({ url: product.databaseUrl, works: false, log });
    await queue.start([]);
    context.resources.defer(() => queue.stop());
    return new SendingProduct(product, database, queue);
  }

  /** Runs SQL on the database, past the product. */
  readonly sql = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    this.database.query<Row>(text, values);

  /** Stores further waiting messages, and wakes no worker. */
  async storeWaiting(waiting: WaitingMessages): Promise<void> {
    await storeWaiting(this.sql, waiting);
  }

  /** Wakes the workers, because the tenant has something to send. */
  async wake(tenantId: string): Promise<void> {
    await this.database.transaction((sql) => this.queue.send(sql, dispatchOutboundJob, { tenantId }));
  }

  /** Null removes the limit. */
  async setLimit(tenantId: string, limit: Limit | null): Promise<void> {
    const values = [tenantId, limit?.max ?? null, limit?.durationMs ?? null];
    await this.sql('UPDATE tenants SET chat_rate_max = $2, chat_rate_duration_ms = $3 WHERE id = $1', values);
  }

  /** Messages of an inactive tenant are not sent. */
  async setActive(tenantId: string, isActive: boolean): Promise<void> {
    await this.sql('UPDATE tenants SET is_active = $2 WHERE id = $1', [tenantId, isActive]);
  }

  async countWaiting(tenantId: string): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM outbox_entries WHERE tenant_id = $1';
    const [row] = await this.sql<{ count: number }>(text, [tenantId]);
    return row?.count ?? 0;
  }

  async untilNothingWaits(tenantId: string, signal: AbortSignal): Promise<void> {
    const text = `SELECT 1 ${outboxPoll} 1`;
    while ((await this.sql(text, [tenantId])).length > 0) await delay(lookIntervalMs, undefined, { signal });
  }

  async listLeadIds(tenantId: string): Promise<string[]> {
    const rows = await this.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1 ORDER BY id', [tenantId]);
    return rows.map(({ id }) => id);
  }
}

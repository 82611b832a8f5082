// Tells every process that a tenant has new events: in this one at once, in the others through LISTEN/NOTIFY.
// It carries no data and may be lost (a dropped connection): whoever listens also reads the log on a timer.

import pg from 'pg';
import type { Database } from './database.js';
import type { Logger } from './logger.js';

export type WakeUpListener = (tenantId: string) => void;

const channel = 'leadwire_events';
const reconnectDelayMs = 1_000;
// NOTIFY payloads end at 8000 bytes; a UUID and its separator take 37.
const maxTenantsPerNotify = 200;

export interface WakeUpOptions {
  database: Database;
  /** Connection for LISTEN; session-pinned, so not through a transaction-pooling proxy. */
  url: string;
  log: Logger;
}

export class WakeUp {
  private readonly listeners = new Set<WakeUpListener>();
  private readonly waiting = new Set<string>();
  private notifying = false;
  private client: pg.Client | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: WakeUpOptions) {}

  async start(): Promise<void> {
    await this.listen();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    await this.client?.end().catch(() => undefined);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: WakeUpListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Call after the commit. Never throws; a NOTIFY that fails is made up for by the readers' timers. */
  announce(tenantId: string): void {
    this.wake(tenantId);
    this.waiting.add(tenantId);
    if (!this.notifying) void this.notify();
  }

  private wake(tenantId: string): void {
    for (const listener of this.listeners) listener(tenantId);
  }

  // NOTIFY takes a lock that is global to the server at commit: one statement at a time carries all that gathered meanwhile.
  private async notify(): Promise<void> {
    this.notifying = true;
    try {
      while (this.waiting.size > 0 && !this.stopped) {
        const tenantIds = [...this.waiting].slice(0, maxTenantsPerNotify);
        for (const tenantId of tenantIds) this.waiting.delete(tenantId);
        await this.options.database.query('SELECT pg_notify($1, $2)', [channel, tenantIds.join(',')]);
      }
    } catch (error) {
      this.waiting.clear();
      this.options.log.warn({ err: error }, 'other processes could not be woken: their subscribers will hear late');
    } finally {
      this.notifying = false;
    }
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'leadwire-listen',
      keepAlive: true,
    });
    client.on('error', (error) => this.options.log.warn({ err: error }, 'the LISTEN connection broke'));
    client.on('end', () => this.reconnect());
    client.on('notification', (message) => {
      for (const tenantId of message.payload?.split(',') ?? []) this.wake(tenantId);
    });
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${channel}`);
  }

  private reconnect(): void {
    if (this.stopped) return;
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => {
      this.listen().catch((error: unknown) => {
        this.options.log.warn({ err: error }, 'LISTEN could not be set up again; trying on');
        this.reconnect();
      });
    }, reconnectDelayMs);
  }
}

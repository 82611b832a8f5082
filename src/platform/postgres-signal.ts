// Short texts from process to process through PostgreSQL's LISTEN/NOTIFY, on a connection of its own.

import pg from 'pg';
import type { Logger } from './logger.js';
import type { Signal } from './signal.js';

const channel = 'leadwire_events';
const reconnectDelayMs = 1_000;

export class PostgresSignal implements Signal {
  private client: pg.Client | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private stopped = false;
  private onText: (text: string) => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {}

  async start(onText: (text: string) => void): Promise<void> {
    this.onText = onText;
    await this.listen();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    await this.client?.end().catch(() => undefined);
  }

  /** @param text at most 7,999 bytes */
  async send(text: string): Promise<void> {
    await this.client?.query('SELECT pg_notify($1, $2)', [channel, text]);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'leadwire-listen',
      keepAlive: true,
      // A NOTIFY by itself would wait for the disk as a change does, and a wake-up may be lost.
      options: '-c synchronous_commit=off',
    });
    client.on('error', (error) => this.log.warn({ err: error }, 'the LISTEN connection broke'));
    client.on('end', () => this.reconnect());
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.onText(payload);
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
        this.log.warn({ err: error }, 'LISTEN could not be set up again; trying on');
        this.reconnect();
      });
    }, reconnectDelayMs);
  }
}

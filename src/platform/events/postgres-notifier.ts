// Short texts from process to process through PostgreSQL's LISTEN/NOTIFY, on a connection of its own. A connection that stops answering is
// replaced: the network may have dropped it without a close.

import pg from 'pg';
import { AppError } from '../errors.js';
import type { Logger } from '../observability/logger.js';

const channel = 'leadwire_events';
const reconnectDelayMs = 1_000;

export interface PostgresNotifierOptions {
  /** The time between looks whether the connection is there, in milliseconds; 10,000 by default. */
  heartbeatIntervalMs?: number;
  /** The time limit of an answer, in milliseconds; 5,000 by default. */
  answerTimeoutMs?: number;
}

export class PostgresNotifier {
  /** Set while it listens. */
  private client: pg.Client | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private heartbeatTimer: NodeJS.Timeout | undefined;
  private asked: Promise<unknown> = Promise.resolve();
  private stopped = false;
  private onText: (text: string) => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly options: PostgresNotifierOptions = {},
  ) {}

  async start(onText: (text: string) => void): Promise<void> {
    this.onText = onText;
    this.heartbeatTimer = setInterval(() => void this.poll(), this.options.heartbeatIntervalMs ?? 10_000);
    await this.listen();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.heartbeatTimer);
    await this.client?.end().catch(() => undefined);
  }

  /** @param text at most 7,999 bytes */
  async send(text: string): Promise<void> {
    await this.ask('SELECT pg_notify($1, $2)', [channel, text]);
  }

  private async poll(): Promise<void> {
    await this.ask('SELECT 1').catch(() => undefined);
  }

  // Statements run one after the other. A connection on which a statement fails is not trusted with another.
  private ask(statement: string, values: string[] = []): Promise<unknown> {
    const work = async () => {
      const { client } = this;
      if (client === undefined) throw new AppError('UNAVAILABLE', 'PostgreSQL is away');
      await client.query(statement, values).catch((error: unknown) => {
        this.client = undefined;
        end(client);
        throw error;
      });
    };
    const asked = this.asked.then(work);
    this.asked = asked.catch(() => undefined);
    return asked;
  }

  private async listen(): Promise<void> {
    const client = this.createClient();
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      end(client);
      throw error;
    }
    if (this.stopped) end(client);
    else this.client = client;
  }

  private createClient(): pg.Client {
    const timeoutMs = this.options.answerTimeoutMs ?? 5_000;
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'leadwire-listen',
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      // A NOTIFY by itself would wait for the disk like a change, and a notification may be lost.
      options: '-c synchronous_commit=off',
    });
    client.on('error', (error) => this.log.warn({ err: error }, 'the LISTEN connection broke'));
    client.on('end', () => {
      if (this.client === client) this.client = undefined;
      this.reconnect();
    });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.onText(payload);
    });
    return client;
  }

  private reconnect(): void {
    if (this.stopped || this.client !== undefined) return;
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => {
      this.listen().catch((error: unknown) => {
        this.log.warn({ err: error }, 'LISTEN could not be set up again; it is retried');
        this.reconnect();
      });
    }, reconnectDelayMs);
  }
}

// The client's `end` event opens another one.
function end(client: pg.Client): void {
  client.end().catch(() => undefined);
}

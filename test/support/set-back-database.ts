// A database that can be set back to an earlier moment while processes use it: to them it is a failover to a standby that was behind. All
// their connections break, and what was written since that moment is gone.

import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export class SetBackDatabase implements TestDatabase {
  private readonly name: string;
  private readonly maintenance: pg.Pool;
  private isRemembered = false;

  private constructor(private readonly database: TestDatabase) {
    const url = new URL(database.url);
    this.name = url.pathname.slice(1);
    url.pathname = '/postgres';
    this.maintenance = new pg.Pool({ connectionString: url.href, max: 1 });
    this.maintenance.on('error', () => undefined);
  }

  static async create(): Promise<SetBackDatabase> {
    return new SetBackDatabase(await createTestDatabase());
  }

  get url(): string {
    return this.database.url;
  }

  /** Keeps a copy of this moment, in the place of an earlier one. No connection can be made meanwhile. */
  async remember(): Promise<void> {
    await this.whileClosed(async () => {
      await this.forget();
      await this.run(`CREATE DATABASE ${this.earlier} TEMPLATE ${this.name} STRATEGY FILE_COPY`);
      this.isRemembered = true;
    });
  }

  /** The copy takes the place of the database, and is used up. */
  async setBack(): Promise<void> {
    if (!this.isRemembered) throw new Error('no moment is remembered');
    await this.close();
    await this.run(`DROP DATABASE ${this.name} WITH (FORCE)`);
    await this.run(`ALTER DATABASE ${this.earlier} RENAME TO ${this.name}`);
    this.isRemembered = false;
  }

  async drop(): Promise<void> {
    await this.forget();
    await this.maintenance.end();
    await this.database.drop();
  }

  private get earlier(): string {
    return `${this.name}_earlier`;
  }

  private async whileClosed(work: () => Promise<void>): Promise<void> {
    await this.close();
    try {
      await work();
    } finally {
      await this.run(`ALTER DATABASE ${this.name} ALLOW_CONNECTIONS true`);
    }
  }

  private async close(): Promise<void> {
    await this.run(`ALTER DATABASE ${this.name} ALLOW_CONNECTIONS false`);
    await this.run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${this.name}'`);
  }

  private async forget(): Promise<void> {
    await this.run(`DROP DATABASE IF EXISTS ${this.earlier}`);
    this.isRemembered = false;
  }

  private async run(text: string): Promise<void> {
    await this.maintenance.query(text);
  }
}

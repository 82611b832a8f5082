// The service as a process, on a PostgreSQL of its own that commits durably, as in production. Tests kill and starve the two.

import { TestApp, type TestEnvironment, type TestTenant } from '../support/test-app.js';
import { DurablePostgres } from './durable-postgres.js';
import { ServiceProcess } from './service-process.js';

export class DurableService {
  private constructor(
    readonly postgres: DurablePostgres,
    readonly tenant: TestTenant,
    private readonly environment: TestEnvironment,
    public service: ServiceProcess,
  ) {}

  /** @param name the name of the tests, by which a start removes the leftovers of an interrupted run */
  static async start(name: string, environment: TestEnvironment = {}): Promise<DurableService> {
    const postgres = await DurablePostgres.start(name);
    const app = await TestApp.start({ PROCESS_ROLE: 'api' }, postgres.database);
    const tenant = await app.createTenant();
    await app.stop({ keepDatabase: true });
    const service = await ServiceProcess.start(postgres.database, environment);
    return new DurableService(postgres, tenant, environment, service);
  }

  async stop(): Promise<void> {
    await this.service.end('SIGKILL');
    await this.postgres.stop();
  }

  /** Reads rows like `ReadRows`. */
  get rowsOf(): DurablePostgres['rowsOf'] {
    return this.postgres.rowsOf;
  }

  async killService(): Promise<void> {
    await this.service.end('SIGKILL');
    this.service = await ServiceProcess.start(this.postgres.database, this.environment);
  }
}

// Knows the instances that bear a name of another tenant's at the shared gateway, so that nothing is sent through them. None is made
// any more (shared-name.ts): they are from before, or from a change of the configured gateway.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { GatewayEndpoints, NamedInstance } from './gateway-endpoints.js';

export interface ForeignNamesOptions {
  database: Database;
  /** What is told. */
  endpoints: GatewayEndpoints;
  log: Logger;
}

/** $1 the shared address, $2 providers whose instances stand there without an address → instances whose name another tenant had first. */
const selectForeign: NamedStatement = {
  name: 'select-foreign-names',
  text: `SELECT id AS "instanceId", provider, instance_name AS "instanceName" FROM (
      SELECT i.*, first_value(i.tenant_id) OVER (PARTITION BY i.provider, i.instance_name ORDER BY i.created_at, i.id) AS holder_id
      FROM chat_instances i WHERE i.base_url = $1 OR (i.base_url IS NULL AND i.provider = ANY($2::text[]))
    ) named
    WHERE tenant_id <> holder_id AND deleted_at IS NULL`,
};

// Processes of an older version may still make some while they are being replaced.
const readIntervalMs = 60_000;

export class ForeignNames {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ForeignNamesOptions) {}

  /** Resolves when they are known. Then they are read again every minute. */
  async start(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => void this.readAgain(), readIntervalMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    const { database, endpoints } = this.options;
    const { sharedUrl, providersAtSharedGateway } = endpoints;
    if (sharedUrl === undefined) return;
    endpoints.learnForeignNames(
      await database.query<NamedInstance>(selectForeign, [sharedUrl, providersAtSharedGateway]),
    );
  }

  private async readAgain(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.options.log.warn({ err: error }, 'names at the shared gateway could not be read again; trying on');
    }
  }
}

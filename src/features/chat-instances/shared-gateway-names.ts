// Knows the instances that bear a name of another tenant's at the shared gateway, so that nothing is sent through them. None is made
// any more (shared-name.ts): they are from before, or from a change of the configured gateway.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { GatewayEndpoints, GatewayPlace, NamedInstance } from './gateway-endpoints.js';

export interface ForeignNamesOptions {
  database: Database;
  /** What is told. */
  endpoints: GatewayEndpoints;
  log: Logger;
}

interface Bearer extends NamedInstance, GatewayPlace {
  tenantId: string;
  isDeleted: boolean;
}

/** $1 patterns of the shared address → instances that may stand there and have a name that another tenant has there too, the oldest first. */
const selectBearers: NamedStatement = {
  name: 'select-bearers-of-shared-names',
  text: `WITH named AS (
      SELECT * FROM chat_instances WHERE base_url IS NULL OR base_url LIKE ANY($1::text[])
    ), disputed AS (
      SELECT provider, instance_name FROM named GROUP BY provider, instance_name HAVING count(DISTINCT tenant_id) > 1
    )
    SELECT n.id AS "instanceId", n.tenant_id AS "tenantId", n.provider, n.instance_name AS "instanceName", n.base_url AS "baseUrl",
      n.deleted_at IS NOT NULL AS "isDeleted"
    FROM named n JOIN disputed d ON d.provider = n.provider AND d.instance_name = n.instance_name ORDER BY n.created_at, n.id`,
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
    const { sharedPatterns } = endpoints;
    if (sharedPatterns.length === 0) return;
    const bearers = await database.query<Bearer>(selectBearers, [sharedPatterns]);
    endpoints.learnForeignNames(withoutFirst(bearers.filter((bearer) => endpoints.isShared(bearer))));
  }

  private async readAgain(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.options.log.warn({ err: error }, 'names at the shared gateway could not be read again; trying on');
    }
  }
}

/** Those in use whose name another tenant had before. @param bearers the oldest first */
function withoutFirst(bearers: readonly Bearer[]): Bearer[] {
  const holders = new Map<string, string>();
  return bearers.filter(({ provider, instanceName, tenantId, isDeleted }) => {
    const key = `${provider} ${instanceName}`;
    const holder = holders.get(key) ?? tenantId;
    holders.set(key, holder);
    return holder !== tenantId && !isDeleted;
  });
}

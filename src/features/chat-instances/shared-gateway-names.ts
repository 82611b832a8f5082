// Knows the instances that bear a name of another tenant's at the shared gateway, so that nothing is sent through them. None is made
// any more (shared-gateway-names.ts): they are from before, or from a change of the configured gateway.

import type { Database, NamedStatement, SqlRunner } from '../../platform/database.js';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Transaction } from '../../platform/transaction.js';
import type { GatewayEndpoints, GatewayPlace, NamedInstance } from './gateway-endpoints.js';

export interface SharedGatewayNamesOptions {
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

export class SharedGatewayNames {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SharedGatewayNamesOptions) {}

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
    endpoints.learnSharedGatewayNames(withoutFirst(bearers.filter((bearer) => endpoints.isShared(bearer))));
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

// Names at the gateway that all tenants share. A name is unique within a tenant only, but at that gateway it is one line: it
// belongs to whoever had it first, also when that instance is deleted, for its session may live on there.

/** Whose name it is, and where. */
export interface NamedLine extends GatewayPlace {
  tenantId: string;
  id: string;
  instanceName: string;
}

/** $1 name. Two that take one name at the same moment come one after the other. */
const lockName: NamedStatement = {
  name: 'lock-shared-name',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('leadwire shared name ' || $1, 0))`,
};

/**
 * $1 provider, $2 name, $3 patterns of the shared address, $4 an instance that does not count → whose the instances of that name are
 * that may stand there, the oldest first.
 */
const selectHolders: NamedStatement = {
  name: 'select-holders-of-shared-name',
  text: `SELECT tenant_id AS "tenantId", provider, base_url AS "baseUrl" FROM chat_instances
    WHERE provider = $1 AND instance_name = $2 AND (base_url IS NULL OR base_url LIKE ANY($3::text[]))
      AND id IS DISTINCT FROM $4
    ORDER BY created_at, id`,
};

/**
 * For an instance that is to be connected or disconnected.
 * @throws AppError CONFLICT where another tenant had the name at the shared gateway first
 */
export function refuseOthersInstance(sql: SqlRunner, endpoints: GatewayEndpoints, line: NamedLine): Promise<void> {
  return refuse(sql, endpoints, line, null);
}

/**
 * For an instance that is created, or moves to a name or a gateway: however old it is itself, it does not take what another tenant
 * has. In the transaction that stores it: the name is held until its end.
 * @throws AppError CONFLICT where another tenant had the name at the shared gateway first
 */
export async function refuseSharedGatewayName(
  tx: Transaction,
  endpoints: GatewayEndpoints,
  line: NamedLine,
): Promise<void> {
  if (endpoints.isShared(line)) await tx.query(lockName, [line.instanceName]);
  return refuse(tx, endpoints, line, line.id);
}

async function refuse(
  sql: SqlRunner,
  endpoints: GatewayEndpoints,
  line: NamedLine,
  except: string | null,
): Promise<void> {
  if (!endpoints.isShared(line)) return;
  const { provider, instanceName } = line;
  const values = [provider, instanceName, endpoints.sharedPatterns, except];
  const named = await sql.query<GatewayPlace & { tenantId: string }>(selectHolders, values);
  const holder = named.find((place) => endpoints.isShared(place));
  if (holder === undefined || holder.tenantId === line.tenantId) return;
  throw new AppError(
    'CONFLICT',
    'instanceName: is taken at the shared gateway. Choose another name, or give the chat instance a baseUrl and token of its own',
  );
}

// Names at the shared gateway. A name is unique within a tenant only, but at the gateway that all tenants share it is one number.
// It belongs to the tenant that had it first, even if that instance is deleted, because its session may live on there.

import type { Database, NamedStatement, SqlRunner } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { GatewayEndpoints, GatewayPlace, NamedInstance } from './gateway-endpoints.js';

export interface SharedGatewayNamesOptions {
  database: Database;
  endpoints: GatewayEndpoints;
  log: Logger;
}

interface NameHolder extends NamedInstance, GatewayPlace {
  tenantId: string;
  isDeleted: boolean;
}

/** $1 patterns of the shared address → instances that may be there and share their name with another tenant, oldest first. */
const selectDisputedNames: NamedStatement = {
  name: 'select-disputed-shared-names',
  text: `WITH named AS (
      SELECT * FROM chat_instances WHERE base_url IS NULL OR base_url LIKE ANY($1::text[])
    ), disputed AS (
      SELECT provider, instance_name FROM named GROUP BY provider, instance_name HAVING count(DISTINCT tenant_id) > 1
    )
    SELECT n.id AS "instanceId", n.tenant_id AS "tenantId", n.provider, n.instance_name AS "instanceName", n.base_url AS "baseUrl",
      n.deleted_at IS NOT NULL AS "isDeleted"
    FROM named n JOIN disputed d ON d.provider = n.provider AND d.instance_name = n.instance_name ORDER BY n.created_at, n.id`,
};

// While processes restart with another GATEWAY_URL, the old ones may still store names that clash.
const readIntervalMs = 60_000;

/** Keeps the list of instances whose name belongs to another tenant, so that nothing is sent through them. */
export class SharedGatewayNames {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SharedGatewayNamesOptions) {}

  /** Resolves when the list is read. It is read again every minute. */
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
    const holders = await database.query<NameHolder>(selectDisputedNames, [sharedPatterns]);
    endpoints.learnTakenNames(withoutFirst(holders.filter((holder) => endpoints.isShared(holder))));
  }

  private async readAgain(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.options.log.warn({ err: error }, 'names at the shared gateway could not be read; trying again');
    }
  }
}

/** Returns the instances in use whose name another tenant had before. @param holders oldest first */
function withoutFirst(holders: readonly NameHolder[]): NameHolder[] {
  const owners = new Map<string, string>();
  return holders.filter(({ provider, instanceName, tenantId, isDeleted }) => {
    const key = `${provider} ${instanceName}`;
    const owner = owners.get(key) ?? tenantId;
    owners.set(key, owner);
    return owner !== tenantId && !isDeleted;
  });
}

/** A name, its tenant and its gateway. */
export interface TenantInstance extends GatewayPlace {
  tenantId: string;
  id: string;
  instanceName: string;
}

/** $1 name. Transactions that take the same name run one after the other. */
const lockName: NamedStatement = {
  name: 'lock-shared-name',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('leadwire shared name ' || $1, 0))`,
};

/**
 * $1 provider, $2 name, $3 patterns of the shared address, $4 an instance to leave out → the instances with that name there, oldest first.
 */
const selectHolders: NamedStatement = {
  name: 'select-holders-of-shared-name',
  text: `SELECT tenant_id AS "tenantId", provider, base_url AS "baseUrl" FROM chat_instances
    WHERE provider = $1 AND instance_name = $2 AND (base_url IS NULL OR base_url LIKE ANY($3::text[]))
      AND id IS DISTINCT FROM $4
    ORDER BY created_at, id`,
};

/**
 * Checks the name of an instance that is being connected or disconnected.
 * @throws AppError CONFLICT if another tenant had the name at the shared gateway first
 */
export function requireOwnSharedName(
  sql: SqlRunner,
  endpoints: GatewayEndpoints,
  instance: TenantInstance,
): Promise<void> {
  return refuse(sql, endpoints, instance, null);
}

/**
 * Reserves the name of an instance that is being created, renamed or moved. Call it in the transaction that stores the instance: the name
 * is locked until the end of the transaction.
 * @throws AppError CONFLICT if another tenant has the name at the shared gateway
 */
export async function reserveSharedName(
  tx: Transaction,
  endpoints: GatewayEndpoints,
  instance: TenantInstance,
): Promise<void> {
  if (endpoints.isShared(instance)) await tx.query(lockName, [instance.instanceName]);
  return refuse(tx, endpoints, instance, instance.id);
}

async function refuse(
  sql: SqlRunner,
  endpoints: GatewayEndpoints,
  instance: TenantInstance,
  except: string | null,
): Promise<void> {
  if (!endpoints.isShared(instance)) return;
  const { provider, instanceName } = instance;
  const values = [provider, instanceName, endpoints.sharedPatterns, except];
  const named = await sql.query<GatewayPlace & { tenantId: string }>(selectHolders, values);
  const holder = named.find((place) => endpoints.isShared(place));
  if (holder === undefined || holder.tenantId === instance.tenantId) return;
  throw new AppError(
    'CONFLICT',
    'instanceName: is taken at the shared gateway. Choose another name, or give the chat instance its own baseUrl and token',
  );
}

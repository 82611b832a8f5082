// Names at the gateway that all tenants share. A name is unique within a tenant only, but at that gateway it is one line: it
// belongs to whoever had it first, also when that instance is deleted, for its session may live on there.

import type { NamedStatement, SqlRunner } from '../../platform/database.js';
import { AppError } from '../../platform/errors.js';
import type { Transaction } from '../../platform/transaction.js';
import type { GatewayEndpoints, GatewayPlace } from './gateway-endpoints.js';

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
export function refuseForeignLine(sql: SqlRunner, endpoints: GatewayEndpoints, line: NamedLine): Promise<void> {
  return refuse(sql, endpoints, line, null);
}

/**
 * For an instance that is created, or moves to a name or a gateway: however old it is itself, it does not take what another tenant
 * has. In the transaction that stores it: the name is held until its end.
 * @throws AppError CONFLICT where another tenant had the name at the shared gateway first
 */
export async function refuseForeignName(tx: Transaction, endpoints: GatewayEndpoints, line: NamedLine): Promise<void> {
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

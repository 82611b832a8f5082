// Bounds the records of a kind that a tenant may have. Transactions that add a record count one after the other.

import type { NamedStatement, SqlRunner } from './database.js';
import { AppError } from '../errors.js';

export interface RecordBound {
  /** The kind in the plural, as the caller reads it. */
  kind: string;
  max: number;
  /** $1 tenant → `count`. */
  count: NamedStatement;
}

/** $1 kind, $2 tenant: no other transaction adds a record of the kind to the tenant until this one ends. */
const lockKind: NamedStatement = {
  name: 'lock-kind-of-records',
  text: 'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2::text))',
};

/** @throws AppError CONFLICT where the tenant has as many as it may have; call it before the record is added */
export async function requireRoomFor(
  sql: SqlRunner,
  tenantId: string,
  { kind, max, count }: RecordBound,
): Promise<void> {
  await sql.query(lockKind, [`leadwire count of ${kind}`, tenantId]);
  const [found] = await sql.query<{ count: number }>(count, [tenantId]);
  if ((found?.count ?? 0) >= max) throw new AppError('CONFLICT', `A tenant has at most ${max} ${kind}`);
}

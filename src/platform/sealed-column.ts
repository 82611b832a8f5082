// Columns that hold sealed secrets, and sealing them anew with another key. Who owns a secret the features say.

import type { Database, SqlRunner } from './database.js';
import type { SecretBox } from './secret-box.js';

/** A column of boxes (`bytea`) in a table with the key (tenant_id, id). */
export interface SealedColumn {
  table: string;
  column: string;
  /** What the box in a row was sealed for. */
  ownerOf: (id: string) => string;
}

interface SealedRow {
  tenantId: string;
  id: string;
  box: Buffer;
}

const rowsAtOnce = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Seals with the box's key whatever its previous key had sealed. Servers may run meanwhile; safe to repeat, and to interrupt.
 * @returns how many secrets it sealed anew
 * @throws Error when neither key opens one: those before it are done
 */
export async function sealColumnAnew(database: Database, secretBox: SecretBox, column: SealedColumn): Promise<number> {
  let sealedCount = 0;
  let last = { tenantId: beforeAll, id: beforeAll };
  for (;;) {
    const { tenantId, id } = last;
    const { rows, sealed } = await database.transaction((sql) => sealRowsAnew(sql, secretBox, column, [tenantId, id]));
    sealedCount += sealed;
    const newest = rows.at(-1);
    if (newest === undefined) return sealedCount;
    last = newest;
  }
}

async function sealRowsAnew(
  sql: SqlRunner,
  secretBox: SecretBox,
  { table, column, ownerOf }: SealedColumn,
  after: [tenantId: string, id: string],
): Promise<{ rows: SealedRow[]; sealed: number }> {
  // Locked until they are written: an administrator may be replacing one.
  const rows = await sql.query<SealedRow>(
    `SELECT tenant_id AS "tenantId", id, ${column} AS box FROM ${table}
      WHERE (tenant_id, id) > ($1, $2) AND ${column} IS NOT NULL ORDER BY tenant_id, id LIMIT ${rowsAtOnce} FOR NO KEY UPDATE`,
    after,
  );
  const changed = rows.flatMap(({ box, ...row }) => {
    const sealedAnew = secretBox.sealAnew(box, ownerOf(row.id));
    return sealedAnew === undefined ? [] : [{ ...row, box: sealedAnew }];
  });
  await sql.query(
    `UPDATE ${table} t SET ${column} = n.box FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS n (tenant_id, id, box)
      WHERE t.tenant_id = n.tenant_id AND t.id = n.id`,
    [changed.map(({ tenantId }) => tenantId), changed.map(({ id }) => id), changed.map(({ box }) => box)],
  );
  return { rows, sealed: changed.length };
}

// The statements of objects that are to be deleted from the store.

import type { NamedStatement } from '../../platform/database/database.js';

/** $1 tenant, $2 object, $3 hours: plans a deletion. An object that a file names is kept then. */
export const planDeletion: NamedStatement = {
  name: 'plan-object-deletion',
  text: `INSERT INTO media_deletions (tenant_id, object_id, due_at) VALUES ($1, $2, now() + make_interval(hours => $3::int))`,
};

/** $1 limit → tenants with objects to delete, the one first whose object waits for the longest. */
export const selectTenantsWithDeletions: NamedStatement = {
  name: 'select-tenants-with-deletions',
  text: `SELECT tenant_id AS "tenantId" FROM media_deletions WHERE due_at <= now()
    GROUP BY tenant_id ORDER BY min(due_at) LIMIT $1`,
};

/** $1 tenant, $2 object that no file took: makes its deletion due for the next sweep. */
export const deleteObjectSoon: NamedStatement = {
  name: 'delete-object-soon',
  text: 'UPDATE media_deletions SET due_at = now() WHERE tenant_id = $1 AND object_id = $2',
};

/**
 * $1 tenant, $2 limit, $3 lease in ms → objects that this process may delete until the lease ends. With `isUsed`, a file names the object.
 */
export const claimDeletions: NamedStatement = {
  name: 'claim-object-deletions',
  text: `UPDATE media_deletions d SET due_at = now() + $3::int * interval '1 ms'
    FROM (
      SELECT object_id FROM media_deletions WHERE tenant_id = $1 AND due_at <= now()
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) due
    WHERE d.tenant_id = $1 AND d.object_id = due.object_id
    RETURNING d.object_id AS "objectId",
      EXISTS (SELECT FROM media_files f WHERE f.tenant_id = $1 AND f.object_id = d.object_id) AS "isUsed"`,
};

/**
 * $1 tenant, $2 objects: ends deletions that are done. An object that was released again in the meantime is due again, and stays listed.
 */
export const endDeletions: NamedStatement = {
  name: 'end-object-deletions',
  text: 'DELETE FROM media_deletions WHERE tenant_id = $1 AND object_id = ANY($2::uuid[]) AND due_at > now()',
};

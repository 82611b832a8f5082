// The statements that change dashboards, each within a transaction that also writes the audit log.

import type { NamedStatement } from '../../platform/database.js';

const columns = `tenant_id AS "tenantId", id, name, widgets, time_zone AS "timeZone", time_range AS "timeRange",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** $1 tenant → how many dashboards it has. */
export const countDashboards: NamedStatement = {
  name: 'count-dashboards',
  text: 'SELECT count(*)::int AS count FROM dashboards WHERE tenant_id = $1',
};

/** $1 tenant; columns: $2 ids, $3 names, $4 widgets, $5 time zones, $6 time ranges. */
export const insertDashboards: NamedStatement = {
  name: 'insert-dashboards',
  text: `INSERT INTO dashboards (tenant_id, id, name, widgets, time_zone, time_range, updated_at)
    SELECT $1::uuid, *, now() FROM unnest($2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::jsonb[]) RETURNING ${columns}`,
};

/** $1 tenant, $2 id. A change waits for another's end. */
export const lockDashboard: NamedStatement = {
  name: 'lock-dashboard',
  text: `SELECT ${columns} FROM dashboards WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id, $3 name, $4 widgets, $5 time zone, $6 time range. */
export const updateDashboard: NamedStatement = {
  name: 'update-dashboard',
  text: `UPDATE dashboards SET name = $3, widgets = $4, time_zone = $5, time_range = $6, updated_at = now()
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

/** $1 tenant, $2 id. */
export const deleteDashboard: NamedStatement = {
  name: 'delete-dashboard',
  text: 'DELETE FROM dashboards WHERE tenant_id = $1 AND id = $2',
};

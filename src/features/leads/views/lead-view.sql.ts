// The statements of the views of the table of leads that users keep.

import type { NamedStatement } from '../../../platform/database/database.js';
import type { LeadFilterInput, LeadOrderInput } from '../lead.schema.js';

export interface LeadViewRecord {
  id: string;
  name: string;
  filter: LeadFilterInput;
  orderBy: LeadOrderInput;
  /** The columns as the client names them. */
  columns: string[];
  createdAt: Date;
  updatedAt: Date;
}

const columns =
  'v.id, v.name, v.filter, v.order_by AS "orderBy", v.columns, v.created_at AS "createdAt", v.updated_at AS "updatedAt"';

/** $1 tenant, $2 user → the user's views, the oldest first. */
export const selectLeadViews: NamedStatement = {
  name: 'select-lead-views',
  text: `SELECT ${columns} FROM lead_views v WHERE v.tenant_id = $1 AND v.user_id = $2 ORDER BY v.created_at, v.id`,
};

/** $1 tenant, $2 user, $3 id, $4 name, $5 filter, $6 order, $7 columns. */
export const insertLeadView: NamedStatement = {
  name: 'insert-lead-view',
  text: `INSERT INTO lead_views AS v (tenant_id, user_id, id, name, filter, order_by, columns) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
};

/** $1 tenant, $2 user, $3 id, $4 name, $5 filter, $6 order, $7 columns; null keeps what is. */
export const updateLeadView: NamedStatement = {
  name: 'update-lead-view',
  text: `UPDATE lead_views v SET name = coalesce($4, v.name), filter = coalesce($5::jsonb, v.filter),
      order_by = coalesce($6::jsonb, v.order_by), columns = coalesce($7::text[], v.columns), updated_at = now()
    WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = $3 RETURNING ${columns}`,
};

/** $1 tenant, $2 user, $3 id. */
export const deleteLeadView: NamedStatement = {
  name: 'delete-lead-view',
  text: 'DELETE FROM lead_views WHERE tenant_id = $1 AND user_id = $2 AND id = $3 RETURNING id',
};

/** $1 tenant, $2 user. */
export const dropLeadViews: NamedStatement = {
  name: 'drop-lead-views',
  text: 'DELETE FROM lead_views WHERE tenant_id = $1 AND user_id = $2',
};

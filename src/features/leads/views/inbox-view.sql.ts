// The statements of the views of the inbox that users keep.

import type { NamedStatement } from '../../../platform/database/database.js';
import type { InboxFilterInput, InboxOrder } from '../lead.schema.js';

export interface InboxViewRecord {
  id: string;
  name: string;
  filter: InboxFilterInput;
  orderBy: InboxOrder;
  createdAt: Date;
  updatedAt: Date;
}

const columns =
  'v.id, v.name, v.filter, v.order_by AS "orderBy", v.created_at AS "createdAt", v.updated_at AS "updatedAt"';

/** $1 tenant, $2 user → the user's views, the oldest first. */
export const selectInboxViews: NamedStatement = {
  name: 'select-inbox-views',
  text: `SELECT ${columns} FROM inbox_views v WHERE v.tenant_id = $1 AND v.user_id = $2 ORDER BY v.created_at, v.id`,
};

/** $1 tenant, $2 user, $3 id, $4 name, $5 filter, $6 order. */
export const insertInboxView: NamedStatement = {
  name: 'insert-inbox-view',
  text: `INSERT INTO inbox_views AS v (tenant_id, user_id, id, name, filter, order_by) VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
};

/** $1 tenant, $2 user, $3 id, $4 name, $5 filter, $6 order; null keeps what is. */
export const updateInboxView: NamedStatement = {
  name: 'update-inbox-view',
  text: `UPDATE inbox_views v SET name = coalesce($4, v.name), filter = coalesce($5::jsonb, v.filter),
      order_by = coalesce($6, v.order_by), updated_at = now()
    WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = $3 RETURNING ${columns}`,
};

/** $1 tenant, $2 user, $3 id. */
export const deleteInboxView: NamedStatement = {
  name: 'delete-inbox-view',
  text: 'DELETE FROM inbox_views WHERE tenant_id = $1 AND user_id = $2 AND id = $3 RETURNING id',
};

/** $1 tenant, $2 user. */
export const dropInboxViews: NamedStatement = {
  name: 'drop-inbox-views',
  text: 'DELETE FROM inbox_views WHERE tenant_id = $1 AND user_id = $2',
};

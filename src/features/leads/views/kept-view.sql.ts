// The statements of the views that users keep, of the inbox and of the table of leads.

import type { NamedStatement } from '../../../platform/database/database.js';

export interface ViewTable {
  table: 'inbox_views' | 'lead_views';
  /** The types of the columns in which a view keeps its list, in the order of the values. */
  own: Readonly<Record<'filter' | 'order_by', string>> & { columns?: string };
}

export interface KeptViewStatements {
  select: NamedStatement;
  insert: NamedStatement;
  update: NamedStatement;
  delete: NamedStatement;
}

/**
 * $1 tenant, $2 user: views, the oldest first. $3 id, $4 name, from $5 the kind's own values: one view. In a change, null keeps what is.
 */
export function keptViewStatements({ table, own }: ViewTable): KeptViewStatements {
  const types = Object.entries(own);
  const names = types.map(([name]) => name).join(', ');
  const selected = `v.id, v.name, ${names.replace('order_by', 'order_by AS "orderBy"')}, v.created_at AS "createdAt", v.updated_at AS "updatedAt"`;
  const changes = types.map(([name, type], index) => `${name} = coalesce($${index + 5}::${type}, v.${name})`);
  const ofUser = 'v.tenant_id = $1 AND v.user_id = $2';
  return {
    select: {
      name: `select-${table}`,
      text: `SELECT ${selected} FROM ${table} v WHERE ${ofUser} ORDER BY v.created_at, v.id`,
    },
    insert: {
      name: `insert-${table}`,
      text: `INSERT INTO ${table} AS v (tenant_id, user_id, id, name, ${names})
        VALUES ($1, $2, $3, $4, ${types.map((_, index) => `$${index + 5}`).join(', ')}) RETURNING ${selected}`,
    },
    update: {
      name: `update-${table}`,
      text: `UPDATE ${table} v SET name = coalesce($4, v.name), ${changes.join(', ')}, updated_at = now()
        WHERE ${ofUser} AND v.id = $3 RETURNING ${selected}`,
    },
    delete: { name: `delete-${table}`, text: `DELETE FROM ${table} v WHERE ${ofUser} AND v.id = $3 RETURNING id` },
  };
}

/** $1 tenant, $2 user. Views are counted one after the other. */
export const lockViewsOfUser: NamedStatement = {
  name: 'lock-views-of-user',
  text: `SELECT pg_advisory_xact_lock(hashtext('leadwire views of ' || $1::text), hashtext($2::text))`,
};

/** $1 tenant, $2 user. */
export const dropViewsOfUser: NamedStatement = {
  name: 'drop-views-of-user',
  text: `WITH of_inbox AS (DELETE FROM inbox_views WHERE tenant_id = $1 AND user_id = $2)
    DELETE FROM lead_views WHERE tenant_id = $1 AND user_id = $2`,
};

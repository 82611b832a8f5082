// The statements of the browsers that users have notified of messages.

import type { NamedStatement, SqlRunner } from '../../platform/database/database.js';
import { deviceLifeDays } from './push-device.schema.js';

/** A browser of a user, without its address and keys. */
export interface PushDeviceRecord {
  id: string;
  name: string;
  notifiesMine: boolean;
  notifiesUnassigned: boolean;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
}

const columns = `d.id, d.name, d.notifies_mine AS "notifiesMine", d.notifies_unassigned AS "notifiesUnassigned",
  d.created_at AS "createdAt", d.seen_at AS "seenAt", d.expires_at AS "expiresAt"`;

/** $1 tenant, $2 user → the user's browsers, the last seen first. */
export const selectDevices: NamedStatement = {
  name: 'select-push-devices',
  text: `SELECT ${columns} FROM push_devices d
    WHERE d.tenant_id = $1 AND d.user_id = $2 AND d.expires_at > now() ORDER BY d.seen_at DESC, d.id`,
};

/** $1 tenant, $2 user: browsers of one user are kept one after the other. */
export const lockDevicesOfUser: NamedStatement = {
  name: 'lock-push-devices-of-user',
  text: `SELECT pg_advisory_xact_lock(hashtext('leadwire push devices of ' || $1::text), hashtext($2::text))`,
};

/** $1 tenant, $2 user, $3 endpoint → how many other browsers the user has. */
export const countOtherDevices: NamedStatement = {
  name: 'count-other-push-devices',
  text: `SELECT count(*)::int AS count FROM push_devices
    WHERE tenant_id = $1 AND user_id = $2 AND endpoint <> $3 AND expires_at > now()`,
};

/**
 * $1 tenant, $2 user, $3 id, $4 endpoint, $5 public key, $6 secret, $7 name, $8 language, $9 and $10 what it is notified of. The endpoint
 * is one browser. The user who signed in there last has it, so that a former user's notifications end.
 */
export const keepDevice: NamedStatement = {
  name: 'keep-push-device',
  text: `INSERT INTO push_devices AS d
      (tenant_id, user_id, id, endpoint, public_key, secret, name, language, notifies_mine, notifies_unassigned, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '${deviceLifeDays} days')
    ON CONFLICT (endpoint) DO UPDATE SET tenant_id = $1, user_id = $2, public_key = $5, secret = $6, name = $7, language = $8,
      notifies_mine = $9, notifies_unassigned = $10, seen_at = now(), expires_at = EXCLUDED.expires_at, failing_since = NULL,
      id = CASE WHEN d.tenant_id = $1 AND d.user_id = $2 THEN d.id ELSE EXCLUDED.id END,
      created_at = CASE WHEN d.tenant_id = $1 AND d.user_id = $2 THEN d.created_at ELSE now() END
    RETURNING ${columns}`,
};

/** $1 tenant, $2 user, $3 id. */
export const deleteDevice: NamedStatement = {
  name: 'delete-push-device',
  text: 'DELETE FROM push_devices WHERE tenant_id = $1 AND user_id = $2 AND id = $3 RETURNING id',
};

const dropDevices: NamedStatement = {
  name: 'drop-push-devices',
  text: 'DELETE FROM push_devices WHERE tenant_id = $1 AND user_id = $2',
};

/** Deletes the browsers of a user whose sessions end, in the caller's transaction. */
export async function dropDevicesOf(sql: SqlRunner, tenantId: string, userId: string): Promise<void> {
  await sql.query(dropDevices, [tenantId, userId]);
}

/** $1 how many at most → the `count` of expired browsers that were deleted. */
export const deleteExpiredDevices: NamedStatement = {
  name: 'delete-expired-push-devices',
  text: `WITH expired AS (
      SELECT tenant_id, user_id, id FROM push_devices WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM push_devices d USING expired e WHERE d.tenant_id = e.tenant_id AND d.user_id = e.user_id AND d.id = e.id RETURNING d.id
    )
    SELECT count(*)::int AS count FROM deleted`,
};

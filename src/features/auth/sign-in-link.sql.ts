// The statements of sign-in links. Times are PostgreSQL's, so that all machines agree on what has expired.

import type { NamedStatement } from '../../platform/database/database.js';

/** $1 tenant, $2 user, $3 hash, $4 life in seconds → the time of expiry. Replaces the user's earlier link. */
export const replaceSignInLink: NamedStatement = {
  name: 'replace-sign-in-link',
  text: `INSERT INTO sign_in_links AS l (tenant_id, user_id, hash, expires_at)
    VALUES ($1, $2, $3, now() + $4::int * interval '1 second')
    ON CONFLICT (tenant_id, user_id) DO UPDATE
    SET hash = excluded.hash, created_at = now(), expires_at = excluded.expires_at, used_at = NULL
    RETURNING l.expires_at AS "expiresAt"`,
};

/** $1 hash → the link's user, if the link was neither used nor expired. Of two uses at the same time, one gets the row. */
export const useSignInLink: NamedStatement = {
  name: 'use-sign-in-link',
  text: `UPDATE sign_in_links SET used_at = now() WHERE hash = $1 AND used_at IS NULL AND expires_at > now()
    RETURNING tenant_id AS "tenantId", user_id AS "userId"`,
};

/** $1 hash → true if the link was used. */
export const findSignInLink: NamedStatement = {
  name: 'find-sign-in-link',
  text: 'SELECT used_at IS NOT NULL AS "isUsed" FROM sign_in_links WHERE hash = $1',
};

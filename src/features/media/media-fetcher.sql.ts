// The statements by which files of messages are fetched.

import type { NamedStatement } from '../../platform/database/database.js';

/** A file that this worker has claimed for fetching, until its lease ends. */
export interface ClaimedFile {
  id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** The reason why the attempt before gave no file; null if there was none. */
  lastError: string | null;
  mimeType: string | null;
  fileName: string | null;
  /** The bytes, if they came with the message. */
  content: Buffer | null;
  source: { url?: string | null; providerId?: string | null } | null;
  /** True if an operator sent the file: its address is the operator's, not the network's. */
  isSentHere: boolean;
  externalId: string | null;
  instanceId: string;
  provider: string;
  instanceName: string;
  baseUrl: string | null;
  tokenCiphertext: Uint8Array | null;
  phoneNumberId: string | null;
  apiVersion: string | null;
}

/** $1 tenant, $2 limit, $3 lease in ms → files that are due, with their messages and instances. */
export const claimFiles: NamedStatement = {
  name: 'claim-media-files',
  text: `WITH due AS (
      SELECT id FROM media_files WHERE tenant_id = $1 AND state = 'PENDING' AND due_at <= now()
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE media_files f SET due_at = now() + $3::int * interval '1 ms', attempt_count = f.attempt_count + 1
      FROM due d WHERE f.tenant_id = $1 AND f.id = d.id
      RETURNING f.*
    )
    SELECT c.id, c.attempt_count AS attempt, c.error AS "lastError", c.mime_type AS "mimeType", c.file_name AS "fileName", c.content, m.media AS source,
      m.author_id IS NOT NULL AS "isSentHere", m.external_id AS "externalId", m.instance_id AS "instanceId", i.provider, i.instance_name AS "instanceName",
      i.base_url AS "baseUrl", i.token_ciphertext AS "tokenCiphertext", i.metadata->>'phoneNumberId' AS "phoneNumberId",
      i.metadata->>'apiVersion' AS "apiVersion"
    FROM claimed c
    JOIN messages m ON m.tenant_id = $1 AND m.id = c.message_id
    JOIN chat_instances i ON i.tenant_id = $1 AND i.id = m.instance_id
    ORDER BY c.id`,
};

/** $1 tenant, $2 ids: releases claimed files, without counting the attempt. */
export const releaseFiles: NamedStatement = {
  name: 'release-media-files',
  text: `UPDATE media_files SET due_at = now(), attempt_count = greatest(attempt_count - 1, 0)
    WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND state = 'PENDING'`,
};

/** $1 tenant, $2 ids of files → those that still exist. */
export const selectFilesThere: NamedStatement = {
  name: 'select-files-there',
  text: 'SELECT id FROM media_files WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
};

/** $1 tenant → the time until its next file is due, in ms; null if there is none. */
export const selectNextFileDue: NamedStatement = {
  name: 'select-next-file-due',
  text: `SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float AS "inMs"
    FROM media_files WHERE tenant_id = $1 AND state = 'PENDING'`,
};

/** Selects tenants with files to fetch, by one step in the index for each. */
export const selectTenantsWithFiles: NamedStatement = {
  name: 'select-tenants-with-files',
  text: `WITH RECURSIVE pending AS (
      (SELECT tenant_id FROM media_files WHERE state = 'PENDING' ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT f.tenant_id FROM media_files f WHERE f.state = 'PENDING' AND f.tenant_id > p.tenant_id ORDER BY f.tenant_id LIMIT 1)
      FROM pending p WHERE p.tenant_id IS NOT NULL
    )
    SELECT p.tenant_id AS "tenantId" FROM pending p JOIN tenants t ON t.id = p.tenant_id WHERE t.is_active`,
};

/** The ids of a file's message, for its event. */
export interface FileOfMessage {
  messageId: string;
  leadId: string;
  instanceId: string;
}

const messageOfChanged = `SELECT m.id AS "messageId", m.lead_id AS "leadId", m.instance_id AS "instanceId"
    FROM changed c JOIN messages m ON m.tenant_id = $1 AND m.id = c.message_id`;

/**
 * $1 tenant, $2 id, $3 object, $4 type, $5 name, $6 size, $7 sha256 → the file's message; nothing if it is gone, or another worker was
 * first. Stores a fetched file, and ends the planned deletion of its object.
 */
export const storeFetchedFile: NamedStatement = {
  name: 'store-fetched-file',
  text: `WITH changed AS (
      UPDATE media_files SET state = 'STORED', object_id = $3, mime_type = $4, file_name = $5, size = $6, sha256 = $7, error = NULL,
        content = NULL, due_at = NULL, stored_at = now()
      WHERE tenant_id = $1 AND id = $2 AND state = 'PENDING'
      RETURNING message_id
    ), kept AS (
      DELETE FROM media_deletions WHERE tenant_id = $1 AND object_id = $3 AND EXISTS (SELECT FROM changed)
    )
    ${messageOfChanged}`,
};

/** $1 tenant, $2 id, $3 state, $4 error → the file's message. Ends a fetch that cannot succeed. */
export const endFetch: NamedStatement = {
  name: 'end-media-fetch',
  text: `WITH changed AS (
      UPDATE media_files SET state = $3::media_state, error = $4, content = NULL, due_at = NULL
      WHERE tenant_id = $1 AND id = $2 AND state = 'PENDING'
      RETURNING message_id
    )
    ${messageOfChanged}`,
};

/** $1 tenant, $2 id, $3 delay in ms, $4 error: postpones a fetch. */
export const postponeFetch: NamedStatement = {
  name: 'postpone-media-fetch',
  text: `UPDATE media_files SET due_at = now() + $3::float * interval '1 ms', error = $4
    WHERE tenant_id = $1 AND id = $2 AND state = 'PENDING'`,
};

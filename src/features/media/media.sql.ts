// The statements of media files. Fetching belongs to media-fetcher.sql.ts, objects that are to be deleted to media-objects.sql.ts.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import type { Pruner } from '../../platform/jobs/pruner.js';
import { isFileOfTemplate, templateFiles } from '../templates/template.sql.js';

/** A file as it is shown to callers. */
export interface MediaFileRow {
  id: string;
  state: 'PENDING' | 'STORED' | 'EXPIRED' | 'TOO_LARGE' | 'FAILED';
  mimeType: string | null;
  fileName: string | null;
  size: number | null;
  /** The hash in hexadecimal. */
  sha256: string | null;
  error: string | null;
}

/** A file that is stored. */
export interface StoredFileRow {
  objectId: string;
  mimeType: string;
  fileName: string | null;
  size: number;
  sha256: string;
}

const storedColumns = `f.object_id AS "objectId", f.mime_type AS "mimeType", f.file_name AS "fileName", f.size::float AS size,
  encode(f.sha256, 'hex') AS sha256`;

/** $1 tenant, $2 messages → their files. */
export const selectFilesOfMessages: NamedStatement = {
  name: 'select-files-of-messages',
  text: `SELECT id, state, mime_type AS "mimeType", file_name AS "fileName", size::float AS size,
      encode(sha256, 'hex') AS sha256, error
    FROM media_files WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND message_id IS NOT NULL`,
};

/** $1 tenant, $2 file of a message, or upload → the file, if it is stored. */
export const selectStoredFile: NamedStatement = {
  name: 'select-stored-file',
  text: `SELECT ${storedColumns} FROM media_files f WHERE f.tenant_id = $1 AND f.id = $2 AND f.state = 'STORED'`,
};

/** $1 tenant, $2 messages: deletes their files. Triggers note their objects for deletion. */
export const deleteFilesOfMessages: NamedStatement = {
  name: 'delete-files-of-messages',
  text: 'DELETE FROM media_files WHERE tenant_id = $1 AND message_id = ANY($2::uuid[])',
};

/** The known facts about the file of a new message. */
export interface ExpectedFile {
  messageId: string;
  mimeType: string | null;
  fileName: string | null;
  /** The bytes, if they came with the message. */
  content: Buffer | null;
  /** The reason for not fetching: the network does not give the file out, or files of its time are not kept any more; null to fetch it. */
  problem: { state: 'TOO_LARGE' | 'EXPIRED'; error: string } | null;
}

export const expectedColumns = new Columns<ExpectedFile>({
  message_id: ['uuid', ({ messageId }) => messageId],
  mime_type: ['text', ({ mimeType }) => mimeType],
  file_name: ['text', ({ fileName }) => fileName],
  content: ['bytea', ({ content }) => content],
  state: ['text', ({ problem }) => problem?.state ?? 'PENDING'],
  error: ['text', ({ problem }) => problem?.error ?? null],
});

/** $1 tenant, `expectedColumns`: writes files to fetch, and files that never come. Safe to repeat. */
export const insertExpectedFiles: NamedStatement = {
  name: 'insert-expected-files',
  text: `INSERT INTO media_files (tenant_id, id, message_id, state, mime_type, file_name, content, error, due_at)
    SELECT $1, message_id, message_id, state::media_state, mime_type, file_name, nullif(${expectedColumns.bytes('content')}, ''), error,
      CASE WHEN state = 'PENDING' THEN now() END FROM ${expectedColumns.rows('e')}
    ORDER BY message_id
    ON CONFLICT (tenant_id, id) DO NOTHING`,
};

/** $1 tenant, $2 message → the provider of its instance. */
export const selectProviderOfMessage: NamedStatement = {
  name: 'select-provider-of-message',
  text: `SELECT i.provider FROM messages m JOIN chat_instances i ON i.tenant_id = $1 AND i.id = m.instance_id
    WHERE m.tenant_id = $1 AND m.id = $2`,
};

/**
 * $1 tenant, $2 message, $3 file, $4 name or null → the file's type, and the provider of the message's instance; nothing if the file is not
 * stored any more. The message gets the content in a row of its own. The file is locked until the transaction ends, so that its object
 * always has a row.
 */
export const copyFile: NamedStatement = {
  name: 'copy-media-file',
  text: `WITH held AS (
      SELECT * FROM media_files WHERE tenant_id = $1 AND id = $3 AND state = 'STORED' FOR NO KEY UPDATE
    ), used AS (
      UPDATE media_files f SET used_at = now() FROM held h WHERE f.tenant_id = $1 AND f.id = h.id AND f.message_id IS NULL
    )
    INSERT INTO media_files (tenant_id, id, message_id, state, object_id, mime_type, file_name, size, sha256, stored_at)
    SELECT tenant_id, $2, $2, 'STORED', object_id, mime_type, coalesce($4, file_name), size, sha256, now() FROM held
    RETURNING mime_type AS "mimeType", (SELECT i.provider FROM messages m
      JOIN chat_instances i ON i.tenant_id = $1 AND i.id = m.instance_id WHERE m.tenant_id = $1 AND m.id = $2) AS provider`,
};

/**
 * $1 tenant, $2 message, $3 type, $4 name → true if the message's file is stored; nothing if the message was deleted. A file that is not
 * stored is to be fetched. An old message, from before the store of files, gets a row.
 */
export const fetchFileAgain: NamedStatement = {
  name: 'fetch-file-again',
  text: `INSERT INTO media_files AS f (tenant_id, id, message_id, state, mime_type, file_name, due_at)
    SELECT $1, m.id, m.id, 'PENDING', $3::text, $4::text, now()
    FROM messages m WHERE m.tenant_id = $1 AND m.id = $2 AND m.deleted_at IS NULL FOR SHARE
    ON CONFLICT (tenant_id, id) DO UPDATE SET
      state = CASE WHEN f.state = 'STORED' THEN f.state ELSE 'PENDING' END,
      due_at = CASE WHEN f.state = 'STORED' THEN NULL WHEN f.state = 'PENDING' AND f.attempt_count = 0 THEN f.due_at ELSE now() END,
      attempt_count = CASE WHEN f.state = 'PENDING' THEN f.attempt_count ELSE 0 END,
      error = CASE WHEN f.state = 'STORED' THEN f.error END
    RETURNING state = 'STORED' AS "isStored"`,
};

// Statements of uploads.

/** $1 tenant → the bytes of its uploads that were not sent yet, without files of templates. */
export const measureUploads: NamedStatement = {
  name: 'measure-uploads',
  text: `SELECT coalesce(sum(size), 0)::float AS bytes FROM media_files f
    WHERE tenant_id = $1 AND message_id IS NULL AND used_at IS NULL AND NOT ${isFileOfTemplate('f')}`,
};

/**
 * $1 tenant, $2 id, $3 object, $4 type, $5 name, $6 size, $7 sha256, $8 user: stores an upload, and ends the planned deletion of its
 * object.
 */
export const insertUpload: NamedStatement = {
  name: 'insert-upload',
  text: `WITH kept AS (DELETE FROM media_deletions WHERE tenant_id = $1 AND object_id = $3)
    INSERT INTO media_files (tenant_id, id, state, object_id, mime_type, file_name, size, sha256, uploaded_by, stored_at)
    VALUES ($1, $2, 'STORED', $3, $4, $5, $6, $7, $8, now())`,
};

/** $1 tenant, $2 hours, $3 limit → the number of deleted uploads: those that no template has, and that were not sent for $2 hours. */
const deleteUnusedUploads: NamedStatement = {
  name: 'delete-unused-uploads',
  text: `WITH gone AS (
      DELETE FROM media_files WHERE (tenant_id, id) IN (
        SELECT tenant_id, id FROM media_files f
        WHERE tenant_id = $1 AND message_id IS NULL AND created_at < now() - make_interval(hours => $2::int)
          AND (used_at IS NULL OR used_at < now() - make_interval(hours => $2::int)) AND NOT ${isFileOfTemplate('f')}
        ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
      ) RETURNING id
    )
    SELECT count(*)::int AS count FROM gone`,
};

/** An upload as it is shown to callers. */
export interface UploadRow {
  id: string;
  mimeType: string;
  fileName: string | null;
  size: number;
  /** The hash in hexadecimal. */
  sha256: string;
}

const uploadColumns = `f.id, f.mime_type AS "mimeType", f.file_name AS "fileName", f.size::float AS size,
  encode(f.sha256, 'hex') AS sha256`;

/** $1 tenant, $2 templates → their files, in the order of sending. */
export const selectUploadsOfTemplates: NamedStatement = {
  name: 'select-uploads-of-templates',
  text: `SELECT tf.template_id AS "templateId", ${uploadColumns}
    FROM ${templateFiles} JOIN media_files f ON f.tenant_id = $1 AND f.id = tf.file_id
    WHERE tf.tenant_id = $1 AND tf.template_id = ANY($2::uuid[]) ORDER BY tf.template_id, tf.position`,
};

/** $1 tenant, $2 uploads → those that are kept, in this order. */
export const selectUploads: NamedStatement = {
  name: 'select-uploads',
  text: `SELECT ${uploadColumns} FROM media_files f
    WHERE f.tenant_id = $1 AND f.id = ANY($2::uuid[]) AND f.message_id IS NULL ORDER BY array_position($2::uuid[], f.id)`,
};

/** $1 tenant, $2 files → those that are stored. They are not deleted before the transaction ends. */
export const holdUploads: NamedStatement = {
  name: 'hold-uploads',
  text: `SELECT id, message_id IS NULL AS "isUpload" FROM media_files
    WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND state = 'STORED' ORDER BY id FOR KEY SHARE`,
};

/** $1 tenant → the MiB of the files of its templates. */
export const measureTemplateFiles: NamedStatement = {
  name: 'measure-template-files',
  text: `SELECT coalesce(sum(size) / 1048576, 0)::float AS count FROM media_files f
    WHERE tenant_id = $1 AND message_id IS NULL AND ${isFileOfTemplate('f')}`,
};

/** $1 days, $2 error, $3 limit → the number of files that lost their content, of all tenants. A message that waits keeps its file. */
const expireFiles: NamedStatement = {
  name: 'expire-media-files',
  text: `WITH gone AS (
      UPDATE media_files f SET state = 'EXPIRED', object_id = NULL, error = $2
      FROM (
        SELECT tenant_id, id FROM media_files
        WHERE state = 'STORED' AND message_id IS NOT NULL AND stored_at < now() - make_interval(days => $1::int)
          AND NOT EXISTS (SELECT FROM messages m WHERE m.tenant_id = media_files.tenant_id AND m.id = media_files.message_id
            AND m.status IN ('QUEUED', 'SENDING'))
        ORDER BY stored_at LIMIT $3 FOR UPDATE SKIP LOCKED
      ) o
      WHERE f.tenant_id = o.tenant_id AND f.id = o.id
      RETURNING f.id
    )
    SELECT count(*)::int AS count FROM gone`,
};

/** The hours after an upload, or its last use, after which it is removed. */
const unusedUploadHours = 24;

/** The error of an expired file. */
export const filesAreKept = (days: number) => `Files are kept for ${days} days.`;

/**
 * Removes the content of files that are older than `days`, and uploads that are not sent. With 0 days, files keep their content.
 * @returns the number of files
 */
export async function pruneMedia(pruner: Pruner, days: number): Promise<number> {
  const error = filesAreKept(days);
  const expired = days === 0 ? 0 : await pruner.run(expireFiles, [days, error]);
  return expired + (await pruner.runForTenants(deleteUnusedUploads, [unusedUploadHours]));
}

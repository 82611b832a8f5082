// The statement that gives content to messages that came without it. Messages that have content by then stay as they are.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { mayWantToStop, waitsForContent } from './message.sql.js';
import { bodyOf, choiceOf, mediaOf, typedKeyOf, type NewMessage } from './reported.js';

export const contentColumns = new Columns<NewMessage>({
  id: ['uuid', ({ id }) => id],
  type: ['text', ({ message }) => message.type],
  body: ['text', ({ message }) => bodyOf(message)],
  media: ['jsonb', ({ message }) => mediaOf(message)],
  choice: ['jsonb', ({ message }) => choiceOf(message)],
  is_forwarded: ['boolean', ({ message }) => message.isForwarded ?? false],
  referral: ['jsonb', ({ message }) => (message.referral === undefined ? null : JSON.stringify(message.referral))],
  typed_key: ['text', ({ message }) => typedKeyOf(message)],
  reply_to: ['text', ({ message }) => message.replyTo],
  written_at: ['timestamptz', ({ message }) => message.timestamp],
});

/** A message that has just got its content. */
export interface Filled {
  id: string;
  leadId: string;
  instanceId: string;
  direction: 'INBOUND' | 'OUTBOUND';
  /** True if the writer has deleted the message before: its text is only among its changes, and it has no file. */
  isDeleted: boolean;
}

/**
 * $1 tenant, `contentColumns` with the ids of messages → the messages that had no content. An edited message keeps the edited text, and a
 * deleted one stays empty. The first text then stands before the message's first change.
 */
export const fillPlaceholders: NamedStatement = {
  name: 'fill-placeholders',
  text: `WITH item AS (
      SELECT * FROM ${contentColumns.rows('i')}
    ), target AS (
      SELECT m.id, m.body, m.edited_at, m.deleted_at FROM messages m
      WHERE m.tenant_id = $1 AND m.id = ANY(${contentColumns.array('id')}) AND ${waitsForContent}
      ORDER BY m.id FOR NO KEY UPDATE
    ), filled AS (
      UPDATE messages m SET type = i.type,
        body = CASE WHEN t.deleted_at IS NULL AND t.edited_at IS NULL THEN i.body ELSE t.body END,
        media = CASE WHEN t.deleted_at IS NOT NULL THEN NULL WHEN t.edited_at IS NULL THEN i.media
          ELSE i.media - 'caption' || jsonb_strip_nulls(jsonb_build_object('caption', t.body)) END,
        choice = CASE WHEN t.deleted_at IS NULL THEN i.choice END, is_forwarded = i.is_forwarded, is_placeholder = false, referral = coalesce(i.referral, m.referral),
        may_want_to_stop = ${mayWantToStop('i.typed_key')},
        reply_to_external_id = coalesce(i.reply_to, m.reply_to_external_id),
        provider_timestamp = coalesce(i.written_at, m.provider_timestamp)
      FROM target t JOIN item i ON i.id = t.id
      WHERE m.tenant_id = $1 AND m.id = t.id AND m.id = ANY(${contentColumns.array('id')})
      RETURNING m.id, m.lead_id, m.instance_id, m.direction, m.deleted_at, i.body AS first_body
    ), first_change AS (
      SELECT f.first_body, c.id FROM filled f CROSS JOIN LATERAL (
        SELECT id FROM message_changes WHERE tenant_id = $1 AND message_id = f.id ORDER BY occurred_at, id LIMIT 1
      ) c
    ), told AS (
      UPDATE message_changes c SET previous_body = f.first_body FROM first_change f
      WHERE c.tenant_id = $1 AND c.id = f.id AND c.previous_body IS NULL
    )
    SELECT id, lead_id AS "leadId", instance_id AS "instanceId", direction, deleted_at IS NOT NULL AS "isDeleted" FROM filled`,
};

// The statements that bring the words of messages into their table. They follow the tenant's event log, which has no gaps.

import type { NamedStatement } from '../../platform/database/database.js';

/** How far the words of a tenant are in the table. */
export interface Progress {
  /** The words of all messages up to this event are there; it is a bigint, as text. */
  lastSeq: string;
  /** The messages from before the first event are there from this id on; null once all are. */
  earlierThan: string | null;
}

/** The most events of a batch. Its transaction is short, and only a deletion of its messages waits for it. */
const eventsPerBatch = 500;
/** The most earlier messages of a batch. */
export const earlierPerBatch = 500;

/** The events after which the words of a message are other ones. */
export const changesWords = `type IN ('MESSAGE_RECEIVED', 'MESSAGE_CREATED', 'MESSAGE_UPDATED')`;

/** The newest event of tenant $1; 0 before the first. */
const headOfLog = 'coalesce((SELECT last_seq FROM event_heads WHERE tenant_id = $1), 0)';

/** Selects the tenants whose words are not all there. */
export const selectTenantsBehind: NamedStatement = {
  name: 'select-tenants-with-new-words',
  text: `SELECT t.id AS "tenantId" FROM tenants t LEFT JOIN event_heads h ON h.tenant_id = t.id
    LEFT JOIN message_word_progress p ON p.tenant_id = t.id
    WHERE coalesce(h.last_seq, 0) IS DISTINCT FROM p.last_seq OR p.earlier_than IS NOT NULL`,
};

/** The most tenants behind that the age is read of. */
const maxTenantsRead = 1_000;

/** → the age in seconds of the oldest event that was not brought in; 0 where all were. */
export const selectAgeBehind: NamedStatement = {
  name: 'select-age-of-new-words',
  text: `SELECT coalesce(extract(epoch FROM now() - min(next.occurred_at)), 0)::float AS seconds
    FROM (
      SELECT p.tenant_id, p.last_seq FROM message_word_progress p
        JOIN event_heads h ON h.tenant_id = p.tenant_id AND h.last_seq > p.last_seq LIMIT ${maxTenantsRead}
    ) behind CROSS JOIN LATERAL (
      SELECT e.occurred_at FROM events e
      WHERE e.tenant_id = behind.tenant_id AND e.seq > behind.last_seq ORDER BY e.seq LIMIT 1
    ) next`,
};

/** $1 tenant → its progress, locked; nothing while another worker has it. */
export const lockProgress: NamedStatement = {
  name: 'lock-word-progress',
  text: `SELECT last_seq::text AS "lastSeq", earlier_than AS "earlierThan" FROM message_word_progress
    WHERE tenant_id = $1 FOR UPDATE SKIP LOCKED`,
};

/** $1 tenant: begins at the head of its log. All messages that are stored by then are earlier ones. */
export const beginProgress: NamedStatement = {
  name: 'begin-word-progress',
  text: `INSERT INTO message_word_progress (tenant_id, last_seq, earlier_than)
    VALUES ($1, ${headOfLog}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ON CONFLICT (tenant_id) DO NOTHING RETURNING tenant_id`,
};

/** $1 tenant: has all of its messages read again. */
export const forgetProgress: NamedStatement = {
  name: 'forget-word-progress',
  text: 'DELETE FROM message_word_progress WHERE tenant_id = $1',
};

export interface EventBatch {
  /** The newest event of the log, and the first and the last one of the batch; bigints, as text. */
  headSeq: string;
  firstSeq: string | null;
  lastSeq: string | null;
  /** The messages whose words may be other ones. */
  messageIds: string[];
}

/** $1 tenant, $2 seq → the next events after it. The limit is written out, because plans over the partitions depend on it. */
export const selectEventBatch: NamedStatement = {
  name: 'select-events-of-words',
  text: `WITH batch AS MATERIALIZED (
      SELECT e.seq, e.type, e.message_id FROM events e WHERE e.tenant_id = $1 AND e.seq > $2::bigint ORDER BY e.seq LIMIT ${eventsPerBatch}
    )
    SELECT ${headOfLog}::text AS "headSeq", (SELECT min(seq) FROM batch)::text AS "firstSeq", (SELECT max(seq) FROM batch)::text AS "lastSeq",
      ARRAY(SELECT DISTINCT message_id FROM batch WHERE ${changesWords} AND message_id IS NOT NULL) AS "messageIds"`,
};

/** $1 tenant, $2 id → the next earlier messages below it, the newest first. */
export const selectEarlierMessages: NamedStatement = {
  name: 'select-earlier-messages-for-words',
  text: `SELECT id FROM messages WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT ${earlierPerBatch}`,
};

/**
 * $1 tenant, $2 messages: writes their words. The lock keeps a message from being deleted before its words are there: both then go
 * together. An edit that commits later has a later event.
 */
export const writeWords: NamedStatement = {
  name: 'write-words-of-messages',
  text: `WITH said AS MATERIALIZED (
      SELECT m.id, coalesce(words_of_message(m.tenant_id, m.body, m.media), '') AS words FROM messages m
      WHERE m.tenant_id = $1 AND m.id = ANY($2::uuid[]) ORDER BY m.id FOR KEY SHARE
    ), unsaid AS (
      DELETE FROM message_words w USING said s WHERE w.tenant_id = $1 AND w.message_id = s.id AND s.words = ''
    )
    INSERT INTO message_words AS w (tenant_id, message_id, words)
    SELECT $1, id, words FROM said WHERE words <> ''
    ON CONFLICT (tenant_id, message_id) DO UPDATE SET words = EXCLUDED.words WHERE w.words <> EXCLUDED.words`,
};

/** $1 tenant, $2 event, $3 id of an earlier message. */
export const advanceProgress: NamedStatement = {
  name: 'advance-word-progress',
  text: 'UPDATE message_word_progress SET last_seq = $2::bigint, earlier_than = $3 WHERE tenant_id = $1',
};

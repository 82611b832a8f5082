// Years of one tenant's conversations in the product's own shape, written by SQL: tens of millions of messages, with their words, the
// timeline of the newest ones, and the journal and events that retention would have left. Foreign keys are not checked.

import type pg from 'pg';
import {
  computeReplyTimes,
  insertCounts,
  prepareCounting,
  wholeConversation,
} from '../../src/features/dashboards/roll-up.sql.js';
import { messagesOfLead } from '../../src/features/messages/message-list.sql.js';
import { withClient } from './postgres.js';

export interface StoredYears {
  tenantId: string;
  leadCount: number;
  messageCount: number;
  /** Ends the work early. */
  signal: AbortSignal;
  progress: (line: string) => void;
}

/** The messages are spread evenly over these days, up to now. */
export const storedDays = 1_095;
/** The journal and the event log as retention leaves them by default. */
const journalDays = 30;
const eventDays = 7;
/** The timelines of older messages are left out: they would take as much again as the messages. */
const timelineShare = 0.02;
/** A statement writes so many messages, so that it can be watched and ended. */
const messagesAtOnce = 500_000;
const sentenceCount = 20_000;
const leadsAtOnce = 100;
const quartersAtOnce = 2_000;

/**
 * Fills a database that has a tenant with a default instance and no messages. Rows come first and indexes afterwards, so the server may
 * run without waiting for its disk meanwhile.
 */
export async function storeYears(url: string, years: StoredYears): Promise<void> {
  const { tenantId, leadCount, messageCount, signal, progress } = years;
  const fill = async (client: pg.Client) => {
    await client.query("SET maintenance_work_mem = '2GB'");
    await client.query("SET work_mem = '256MB'");
    await client.query('SET max_parallel_maintenance_workers = 0');
    await client.query('SET statement_timeout = 0');
    await client.query(insertInstances, [tenantId]);
    await client.query(insertUsers, [tenantId]);
    await client.query(insertLeads, [tenantId, leadCount, storedDays]);
    await client.query(insertIdentities, [tenantId]);
    await client.query(insertTouches, [tenantId]);
    await client.query(createSentences(sentenceCount), [tenantId]);
    await client.query(numberLeads, [tenantId]);
    await client.query('SET session_replication_role = replica');
    await leaveIndexes(
      client,
      filledTables,
      async () => {
        await client.query('ALTER TABLE messages DISABLE TRIGGER messages_inserted');
        for (let first = 1; first <= messageCount; first += messagesAtOnce) {
          signal.throwIfAborted();
          const last = Math.min(first + messagesAtOnce - 1, messageCount);
          const hasTimelines = last > messageCount * (1 - timelineShare);
          await client.query(insertMessages, [tenantId, messageCount, first, last, leadCount, hasTimelines]);
          progress(`${last} messages`);
        }
        await client.query('ALTER TABLE messages ENABLE ALWAYS TRIGGER messages_inserted');
      },
      progress,
    );
    await client.query('VACUUM (FREEZE, ANALYZE)');
    progress('leads, journal and events');
    await client.query(updateInbox, [tenantId]);
    await client.query(closeConversations, [tenantId]);
    await client.query(insertCalls, [tenantId, journalDays]);
    await client.query(insertEvents, [tenantId, eventDays]);
    await client.query(beginWords, [tenantId]);
    await computeDashboards(client, years);
    await client.query('TRUNCATE dashboard_changes');
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
  };
  await withClient(url, fill, signal);
}

const filledTables = ['messages', 'message_words', 'message_status_transitions'];

/** Runs `fill` while nothing is added to the indexes of tables, which are made afterwards. */
async function leaveIndexes(
  client: pg.Client,
  tables: readonly string[],
  fill: () => Promise<void>,
  progress: (line: string) => void,
): Promise<void> {
  await client.query(
    'UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = ANY($1::text[]::regclass[])',
    [tables],
  );
  await fill();
  const { rows } = await client.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = ANY($1::text[]::regclass[])',
    [tables],
  );
  for (const { name } of rows) {
    progress(`index ${name}`);
    await client.query(`REINDEX INDEX ${name}`);
  }
}

const insertInstances = `
  INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, status, told_status, updated_at)
  SELECT tenant_id, uuidv7(), account_id, instance_name || '-' || nth, 'CONNECTED', 'CONNECTED', now()
  FROM chat_instances, generate_series(2, 4) AS nth WHERE tenant_id = $1 AND is_default`;

const insertUsers = `
  WITH created AS (
    INSERT INTO users (tenant_id, id, role, email, updated_at)
    SELECT $1, uuidv7(), 'OPERATOR', 'operator-' || number || '@bench.example', now() FROM generate_series(1, 9) AS number
    RETURNING tenant_id, id, email
  )
  INSERT INTO accounts (tenant_id, id, user_id, name, updated_at) SELECT tenant_id, uuidv7(), id, email, now() FROM created`;

/** A number below 1, the same for the same value. */
const chanceOf = (value: string, seed: number) =>
  `((hashint8extended(${value}, ${seed}) & 2147483647) / 2147483648.0::float)`;

const insertLeads = `
  INSERT INTO leads (tenant_id, id, name, chat, number_validity, source, assignee_id, tags, created_at, updated_at)
  SELECT $1, uuidv7(n.age),
    (ARRAY['Ana', 'Bruno', 'Carla', 'Diego', 'Eduarda', 'Fábio', 'Gabriela', 'Hugo', 'Inês', 'João'])[1 + n.number % 10] || ' '
      || initcap(substr(translate(md5((n.number % 4999)::text), '0123456789', 'aeioulmnrs'), 1, 8)),
    (5511900000000 + n.number)::text, 'VALID',
    (ARRAY['ads', 'fair', 'partner', 'phone', 'website'])[1 + n.number % 5], CASE WHEN n.number % 3 > 0 THEN u.id END,
    ARRAY[(ARRAY['new', 'visit', 'contract', 'lost'])[1 + n.number % 4]], now() + n.age, now()
  FROM (SELECT number, (number - $2) * ($3::int * interval '1 day' / $2) AS age FROM generate_series(1, $2::bigint) AS number) n
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM users WHERE tenant_id = $1) u
    ON u.position = n.number % 10`;

const insertIdentities = `
  INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
  SELECT tenant_id, 'PHONE', chat, chat, id FROM leads WHERE tenant_id = $1`;

const insertTouches = `
  INSERT INTO lead_touches (tenant_id, id, lead_id, source, created_at)
  SELECT tenant_id, uuidv7(created_at - now()), id, source, created_at FROM leads WHERE tenant_id = $1`;

// Few words are said often and most are rare, as in any language. A text has one to forty words, mostly few.
const createSentences = (count: number) => `
  CREATE TEMPORARY TABLE sentence AS
  SELECT number, body, words_of_message($1, body, NULL) AS words FROM (
    SELECT s.number, string_agg(w.word, ' ' ORDER BY place) AS body
    FROM generate_series(0, ${count - 1}) AS s (number)
    CROSS JOIN LATERAL generate_series(1, 1 + (40 * ${chanceOf('s.number', 1)} ^ 4)::int) AS place
    JOIN (
      SELECT rank, CASE WHEN rank < 8 THEN (ARRAY['a', 'de', 'que', 'bom', 'dia', 'casa', 'preço', 'visita'])[rank + 1]
        ELSE translate(substr(md5(rank::text), 1, 4 + rank % 6), '0123456789', 'aeioulmnrs') END AS word
      FROM generate_series(0, 9999) AS rank
    ) w ON w.rank = (10000 ^ ${chanceOf('s.number * 64 + place', 2)})::int - 1
    GROUP BY s.number
  ) said`;

const numberLeads = `
  CREATE TEMPORARY TABLE numbered_lead AS
  SELECT l.id, l.position, i.id AS instance_id, u.id AS author_id
  FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM leads WHERE tenant_id = $1) l
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM chat_instances WHERE tenant_id = $1) i
    ON i.position = l.position % 4
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM users WHERE tenant_id = $1) u
    ON u.position = l.position % 10`;

// $1 tenant, $2 all messages, $3 the first and $4 the last to write, $5 leads, $6 whether they have timelines. Sixteen conversations go on
// at a time, four messages each. A few leads write much: of 100,000, the first has 0.4 % of all messages.
const insertMessages = `
  WITH draft AS MATERIALIZED (
    SELECT d.number, d.at, uuidv7(d.age) AS id, l.id AS lead_id, l.instance_id, d.status IS NULL AS is_inbound, d.status,
      CASE WHEN d.status IS NOT NULL THEN l.author_id END AS author_id,
      CASE WHEN d.number % 50 = 0 THEN s.body || ' p' || to_hex(d.number) ELSE s.body END AS body,
      CASE WHEN d.number % 50 = 0 THEN s.words || array_to_tsvector(ARRAY[right($1::uuid::text, 8) || 'p' || to_hex(d.number)])
        ELSE s.words END AS words
    FROM (
      SELECT number, age, now() + age AS at,
        CASE WHEN fate < 0.55 THEN NULL WHEN fate < 0.82 THEN 'READ' WHEN fate < 0.98 THEN 'DELIVERED' WHEN fate < 0.99 THEN 'SENT'
          ELSE 'FAILED' END::message_status AS status,
        floor($5::int * ${chanceOf('number / 64 * 16 + number % 16', 5)} ^ 2.1)::int AS lead,
        (${sentenceCount} * ${chanceOf('number', 6)})::int % ${sentenceCount} AS sentence
      FROM (
        SELECT number, (number - $2::bigint) * (${storedDays} * interval '1 day' / $2::bigint) AS age, ${chanceOf('number', 3)} AS fate
        FROM generate_series($3::bigint, $4::bigint) AS number
      ) n
    ) d
    JOIN numbered_lead l ON l.position = d.lead JOIN sentence s ON s.number = d.sentence
  ), written AS (
    INSERT INTO messages (tenant_id, id, lead_id, position, instance_id, direction, status, type, body, external_id, author_id,
      created_at, received_at, provider_timestamp, sent_at, delivered_at, read_at, failed_at)
    SELECT $1::uuid, id, lead_id, message_position(at), instance_id, CASE WHEN is_inbound THEN 'INBOUND' ELSE 'OUTBOUND' END::message_direction,
      status, 'text', body, '3EB0' || upper(substr(md5(number::text), 1, 18)), author_id, at,
      CASE WHEN is_inbound THEN at END, CASE WHEN is_inbound THEN at END, CASE WHEN status IN ('SENT', 'DELIVERED', 'READ') THEN at END,
      CASE WHEN status IN ('DELIVERED', 'READ') THEN at END, CASE WHEN status = 'READ' THEN at END, CASE WHEN status = 'FAILED' THEN at END
    FROM draft
  ), explained AS (
    INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
    SELECT $1::uuid, uuidv7(d.at - now()), d.id, t.from_status, t.to_status, t.source, d.at
    FROM draft d CROSS JOIN (VALUES (NULL::message_status, 'QUEUED'::message_status, 'user'), ('QUEUED', 'SENDING', 'worker'),
      ('SENDING', 'SENT', 'worker'), ('SENT', 'DELIVERED', 'gateway'), ('DELIVERED', 'READ', 'gateway'), ('SENDING', 'FAILED', 'worker'))
      AS t (from_status, to_status, source)
    WHERE $6::boolean AND NOT is_inbound
      AND CASE d.status WHEN 'FAILED' THEN t.to_status IN ('QUEUED', 'SENDING', 'FAILED') ELSE t.to_status <= d.status END
  )
  INSERT INTO message_words (tenant_id, message_id, words) SELECT $1::uuid, id, words FROM draft`;

// The columns that intake keeps with each lead, by the product's own rule.
const updateInbox = `
  UPDATE leads l SET last_message_id = n.id, last_message_position = n.position, last_answer_position = c.last_answer_position,
    last_inbound_position = c.last_inbound_position, last_inbound_at = c.last_inbound_at, waiting_since = c.waiting_since
  FROM leads o
  CROSS JOIN LATERAL (
    SELECT id, position FROM messages WHERE tenant_id = $1 AND lead_id = o.id ORDER BY position DESC, id DESC LIMIT 1
  ) n
  CROSS JOIN LATERAL (${messagesOfLead.conversationOf('o.id')}) c
  WHERE l.tenant_id = $1 AND o.tenant_id = $1 AND o.id = l.id`;

// Most conversations are closed; the others wait for an answer or have been read. A lead that waits has unread messages.
const closeConversations = `
  UPDATE leads l SET
    conversation_status = CASE WHEN n.number % 10 > 0 THEN 'CLOSED'::conversation_status WHEN n.number % 50 = 0 THEN 'SNOOZED' ELSE 'OPEN' END,
    snoozed_until = CASE WHEN n.number % 50 = 0 THEN now() + interval '7 days' END,
    waiting_since = CASE WHEN n.number % 10 > 0 THEN NULL ELSE waiting_since END,
    unread_count = CASE WHEN n.number % 10 = 0 AND waiting_since IS NOT NULL THEN 1 ELSE 0 END
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM leads WHERE tenant_id = $1) n
  WHERE l.tenant_id = $1 AND l.id = n.id`;

const insertCalls = `
  INSERT INTO webhook_deliveries (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, result, received_at, kinds, instance_id)
  SELECT $1, uuidv7(m.created_at - now()), '/webhooks/chat/gateway/inbound', 'neutral', jsonb_build_object('content-type', 'application/json',
      'x-signature', 'sha256=' || encode(sha256(b.body), 'hex')), b.body, length(b.body), 'processed',
    jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
      jsonb_build_object('messageId', m.id, 'leadId', m.lead_id, 'duplicate', false))), m.created_at, '{message}', m.instance_id
  FROM messages m CROSS JOIN LATERAL (
    SELECT convert_to(json_build_object('messageId', m.external_id, 'type', 'text', 'text', m.body,
      'timestamp', extract(epoch FROM m.created_at)::bigint)::text, 'UTF8') AS body) b
  WHERE m.tenant_id = $1 AND m.created_at > now() - $2::int * interval '1 day' AND m.direction = 'INBOUND'`;

const insertEvents = `
  WITH told AS (
    INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, occurred_at, logged_on)
    SELECT $1, row_number() OVER (ORDER BY created_at), CASE WHEN direction = 'INBOUND' THEN 'MESSAGE_RECEIVED' ELSE 'MESSAGE_CREATED' END,
      lead_id, id, instance_id, created_at, (created_at AT TIME ZONE 'UTC')::date
    FROM messages WHERE tenant_id = $1 AND created_at > now() - $2::int * interval '1 day'
    RETURNING seq
  )
  INSERT INTO event_heads (tenant_id, last_seq) SELECT $1, max(seq) FROM told`;

/** The words of all messages are there. */
const beginWords = `
  INSERT INTO message_word_progress (tenant_id, last_seq) SELECT tenant_id, last_seq FROM event_heads WHERE tenant_id = $1`;

/** Computes the counts and reply times of dashboards by the product's own statements. */
async function computeDashboards(client: pg.Client, { tenantId, signal, progress }: StoredYears): Promise<void> {
  const { rows: leads } = await client.query<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1 ORDER BY id', [
    tenantId,
  ]);
  for (let start = 0; start < leads.length; start += leadsAtOnce) {
    signal.throwIfAborted();
    await client.query(computeReplyTimes.text, [
      tenantId,
      leads.slice(start, start + leadsAtOnce).map(({ id }) => id),
      wholeConversation,
    ]);
    if (start % 10_000 === 0) progress(`reply times of ${start} leads`);
  }
  await client.query('BEGIN');
  await client.query(prepareCounting.text);
  const quarters = storedDays * 96;
  for (let start = 0; start <= quarters; start += quartersAtOnce) {
    signal.throwIfAborted();
    const { rows } = await client.query<{ quarter: Date }>(selectQuarters, [
      start,
      Math.min(start + quartersAtOnce - 1, quarters),
    ]);
    await client.query(insertCounts.text, [tenantId, rows.map(({ quarter }) => quarter)]);
  }
  // The product computes quarter by quarter, so that the counts of a quarter lie together.
  await client.query('CREATE TEMPORARY TABLE counted ON COMMIT DROP AS SELECT * FROM message_counts');
  await client.query('TRUNCATE message_counts');
  await client.query('INSERT INTO message_counts SELECT * FROM counted ORDER BY quarter, dimension, key');
  await client.query('COMMIT');
}

const selectQuarters = `SELECT quarter_of(now()) - n * interval '15 minutes' AS quarter FROM generate_series($1::int, $2::int) AS n`;

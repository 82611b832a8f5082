-- The state of each lead's conversation. The new columns have constant defaults or none, so that no row is written again here. The
-- indexes are built before any process answers: about a second for each million leads. What earlier messages say of conversations is
-- computed afterwards by batches (conversation_backfills).

CREATE TYPE conversation_status AS ENUM ('OPEN', 'SNOOZED', 'CLOSED');

ALTER TABLE leads
  ADD COLUMN conversation_status conversation_status NOT NULL DEFAULT 'OPEN',
  ADD COLUMN snoozed_until timestamptz(3),
  -- Like last_message_id, the next three have no foreign keys.
  ADD COLUMN reopened_by_id uuid,
  ADD COLUMN last_inbound_id uuid,
  ADD COLUMN last_answer_id uuid,
  ADD COLUMN last_inbound_at timestamptz(3),
  ADD COLUMN waiting_since timestamptz(3),
  ADD CONSTRAINT leads_snoozed_until_check CHECK ((conversation_status = 'SNOOZED') = (snoozed_until IS NOT NULL));

-- One index for each order of the inbox. The status comes first: a page of some statuses never reads the leads of the others.
CREATE INDEX leads_inbox_idx ON leads (tenant_id, conversation_status, last_message_id);
CREATE INDEX leads_inbox_inbound_idx ON leads (tenant_id, conversation_status, last_inbound_at, last_message_id)
  WHERE last_message_id IS NOT NULL;
CREATE INDEX leads_inbox_waiting_idx ON leads (tenant_id, conversation_status, waiting_since, last_message_id)
  WHERE last_message_id IS NOT NULL;
-- Few leads are unread, and a user looks after few: their pages are read from these and sorted.
CREATE INDEX leads_inbox_unread_idx ON leads (tenant_id, conversation_status, last_message_id) WHERE unread_count > 0;
CREATE INDEX leads_inbox_assignee_idx ON leads (tenant_id, assignee_id, last_message_id) WHERE assignee_id IS NOT NULL;
DROP INDEX leads_tenant_id_last_message_id_idx;
CREATE INDEX leads_snoozed_idx ON leads (tenant_id, snoozed_until) WHERE conversation_status = 'SNOOZED';

-- When a message was written, as conversations count it: when it was stored, or, of one that was recovered from a gateway's history,
-- the time of its id, by which it stands among the others.
CREATE FUNCTION message_time(id uuid, stored_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) < stored_at - interval '10 minutes'
    THEN to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
    ELSE stored_at
  END
$$;

-- Tenants whose leads have messages of the time before, and how far these leads have been computed.
CREATE TABLE conversation_backfills (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  after_lead_id uuid
);
INSERT INTO conversation_backfills (tenant_id) SELECT DISTINCT tenant_id FROM leads;

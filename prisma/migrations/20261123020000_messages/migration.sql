-- Reactions, edits and deletions of messages, and texts that the service writes by itself. The new columns have constant defaults, or
-- none: no row is written again, and the locks are short.

ALTER TABLE messages
  ADD COLUMN is_automatic boolean NOT NULL DEFAULT false,
  ADD COLUMN edited_at timestamptz(3),
  ADD COLUMN deleted_at timestamptz(3);

-- At most two rows for each message: one side of the conversation each.
CREATE TABLE message_reactions (
  tenant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  from_lead boolean NOT NULL,
  emoji text,
  user_id uuid,
  reacted_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, message_id, from_lead),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TYPE message_change_kind AS ENUM ('EDIT', 'DELETION');

CREATE TABLE message_changes (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  kind message_change_kind NOT NULL,
  previous_body text,
  occurred_at timestamptz(3) NOT NULL,
  recorded_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX message_changes_tenant_id_message_id_id_idx ON message_changes (tenant_id, message_id, id);
-- For the texts that are past their time.
CREATE INDEX message_changes_kept_idx ON message_changes (recorded_at) WHERE previous_body IS NOT NULL;

-- A unique key for each side and kind bounds what waits for one message.
CREATE TABLE parked_changes (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  instance_id uuid NOT NULL,
  external_id text NOT NULL,
  change text NOT NULL,
  side text NOT NULL,
  content text,
  contact jsonb,
  occurred_at timestamptz(3) NOT NULL,
  delivery_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX parked_changes_once_key
  ON parked_changes (tenant_id, instance_id, external_id, change, side);
CREATE INDEX parked_changes_created_at_idx ON parked_changes (created_at);

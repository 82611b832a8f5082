-- The whole schema, by module. prisma/schema.prisma explains tables and columns; comments here explain what Prisma cannot express.
-- Every foreign key of a tenant's table contains the tenant's id: no row can refer to another tenant.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- ## Tenants

CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  is_platform boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  chat_rate_max integer,
  chat_rate_duration_ms integer,
  webhook_source_label text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,

  CONSTRAINT tenants_chat_rate_check CHECK (
    (chat_rate_max IS NULL AND chat_rate_duration_ms IS NULL) OR (chat_rate_max > 0 AND chat_rate_duration_ms > 0)
  )
);
CREATE UNIQUE INDEX tenants_slug_key ON tenants (slug);
-- One tenant is the platform.
CREATE UNIQUE INDEX tenants_platform_key ON tenants (is_platform) WHERE is_platform;

CREATE TABLE tenant_api_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  hash bytea NOT NULL,
  ciphertext bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),

  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX tenant_api_keys_hash_key ON tenant_api_keys (hash);
-- A tenant has one current key. A replaced key has an end.
CREATE UNIQUE INDEX tenant_api_keys_current_key ON tenant_api_keys (tenant_id) WHERE expires_at IS NULL;

-- ## Audit

CREATE TABLE audit_entries (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  actor_kind text NOT NULL,
  actor_id uuid,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id uuid NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_entries_tenant_id_target_id_id_idx ON audit_entries (tenant_id, target_id, id);

-- ## Users

CREATE TYPE role AS ENUM ('ADMIN', 'OPERATOR');

CREATE TABLE users (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  idp_sub text,
  role role NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  email text NOT NULL,
  name text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX users_idp_sub_key ON users (idp_sub);
-- An e-mail address belongs to one user of a tenant, in any letter case.
CREATE UNIQUE INDEX users_tenant_id_email_key ON users (tenant_id, lower(email));
-- A first sign-in finds its user by e-mail in all tenants.
CREATE INDEX users_email_idx ON users (lower(email));

CREATE TABLE accounts (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX accounts_tenant_id_user_id_key ON accounts (tenant_id, user_id);

-- ## Chat instances

CREATE TYPE chat_instance_status AS ENUM ('CONNECTING', 'CONNECTED', 'DISCONNECTED', 'INACTIVE', 'ERROR');

CREATE TABLE chat_instances (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  provider text NOT NULL DEFAULT 'gateway',
  instance_name text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  status chat_instance_status NOT NULL DEFAULT 'CONNECTING',
  base_url text,
  token_ciphertext bytea,
  webhook_secret_ciphertext bytea,
  last_error text,
  status_reported_at timestamptz(3),
  status_changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  connected_at timestamptz(3),
  state_asked_at timestamptz(3),
  told_status chat_instance_status NOT NULL DEFAULT 'CONNECTING',
  told_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  metadata jsonb,
  outbound_paused_until timestamptz(6),
  outbound_pause_reason text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
-- The name of a deleted instance is free again. An account has one default instance.
CREATE UNIQUE INDEX chat_instances_tenant_id_instance_name_key ON chat_instances (tenant_id, instance_name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX chat_instances_tenant_id_account_id_default_key ON chat_instances (tenant_id, account_id)
  WHERE is_default AND deleted_at IS NULL;
-- A Meta webhook names an instance by its id alone.
CREATE INDEX chat_instances_network_line_idx ON chat_instances (id) WHERE webhook_secret_ciphertext IS NOT NULL AND deleted_at IS NULL;
-- States that subscribers do not know yet.
CREATE INDEX chat_instances_untold_idx ON chat_instances (told_at) WHERE status <> told_status;

-- ## Leads

CREATE TABLE leads (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  chat text,
  source text NOT NULL,
  metadata jsonb,
  tags text[] NOT NULL DEFAULT '{}',
  custom_fields jsonb NOT NULL DEFAULT '{}',
  assignee_id uuid,
  -- Without foreign keys, which would read a message at each update of a lead. The second has no index either: a bulk send
  -- writes to none of the lead's indexes.
  last_message_id uuid,
  last_bulk_message_id uuid,
  unread_count integer NOT NULL DEFAULT 0,
  merged_into_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, merged_into_id) REFERENCES leads (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT leads_unread_count_check CHECK (unread_count >= 0),
  -- A merged lead holds nothing: a transaction that has not seen the merge cannot add a message to it.
  CONSTRAINT leads_merged_unread_check CHECK (merged_into_id IS NULL OR unread_count = 0)
);
CREATE INDEX leads_tenant_id_last_message_id_idx ON leads (tenant_id, last_message_id);
CREATE INDEX leads_tenant_id_merged_into_id_idx ON leads (tenant_id, merged_into_id) WHERE merged_into_id IS NOT NULL;

CREATE TYPE identity_kind AS ENUM ('PHONE', 'LID', 'BSUID');

CREATE TABLE lead_identities (
  tenant_id uuid NOT NULL,
  kind identity_kind NOT NULL,
  match_key text NOT NULL,
  value text NOT NULL,
  lead_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, kind, match_key),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_identities_tenant_id_lead_id_idx ON lead_identities (tenant_id, lead_id);

CREATE TABLE lead_touches (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  source text NOT NULL,
  metadata jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_touches_tenant_id_lead_id_id_idx ON lead_touches (tenant_id, lead_id, id);

CREATE TABLE lead_merges (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  survivor_id uuid NOT NULL,
  merged_id uuid NOT NULL,
  reason text NOT NULL,
  user_id uuid,
  message_ids uuid[],
  touch_ids uuid[],
  note_ids uuid[] DEFAULT '{}',
  identities text[],
  before jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  undone_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, survivor_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, merged_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_merges_tenant_id_survivor_id_idx ON lead_merges (tenant_id, survivor_id);
CREATE INDEX lead_merges_tenant_id_merged_id_idx ON lead_merges (tenant_id, merged_id);

CREATE TABLE lead_notes (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  author_id uuid NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX lead_notes_tenant_id_lead_id_id_idx ON lead_notes (tenant_id, lead_id, id);

CREATE TYPE presence_intent AS ENUM ('VIEWING', 'ANSWERING');

CREATE TABLE lead_presences (
  tenant_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  user_id uuid NOT NULL,
  intent presence_intent NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, lead_id, user_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_presences_expires_at_idx ON lead_presences (expires_at);

CREATE TABLE lead_imports (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  file_name text,
  is_dry_run boolean NOT NULL,
  status text NOT NULL DEFAULT 'RUNNING',
  total_rows integer NOT NULL,
  processed_rows integer NOT NULL DEFAULT 0,
  created_rows integer NOT NULL DEFAULT 0,
  existing_rows integer NOT NULL DEFAULT 0,
  duplicate_rows integer NOT NULL DEFAULT 0,
  refused_rows integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]',
  problem text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
-- A tenant has one running import.
CREATE UNIQUE INDEX lead_imports_running_key ON lead_imports (tenant_id) WHERE status = 'RUNNING';

-- ### Search
-- Each message updates its lead's row, and with it every index of that row. What leads are searched and sorted by has a table of its
-- own, which changes only with a name, a number or tags. Only triggers write to it, so it needs no foreign key.

-- Without letter case and accents. A text of as many bytes as characters has no accents.
CREATE FUNCTION search_form(written text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(CASE
    WHEN octet_length("written") = length("written") THEN "written"
    ELSE regexp_replace(normalize("written", NFKD), U&'[\0300-\036F]', '', 'g')
  END)
$$;

-- One character can become eighteen: a key is cut, so that it fits its index.
CREATE TABLE lead_search_keys (
  tenant_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  chat text,
  tags text[] NOT NULL DEFAULT '{}',

  PRIMARY KEY (tenant_id, lead_id)
);
CREATE INDEX lead_search_keys_tenant_id_name_key_lead_id_idx ON lead_search_keys (tenant_id, name_key, lead_id);
CREATE INDEX lead_search_keys_words_idx ON lead_search_keys USING gin (tenant_id, name_key gin_trgm_ops, chat gin_trgm_ops, tags);

CREATE FUNCTION index_new_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "lead_search_keys" ("tenant_id", "lead_id", "name_key", "chat", "tags")
    SELECT "tenant_id", "id", left("search_form"("name"), 200), "chat", "tags" FROM "written";
  RETURN NULL;
END $$;
CREATE TRIGGER leads_index_new AFTER INSERT ON leads REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION index_new_leads();

CREATE FUNCTION index_changed_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "lead_search_keys" SET "name_key" = left("search_form"(NEW."name"), 200), "chat" = NEW."chat", "tags" = NEW."tags"
    WHERE "tenant_id" = NEW."tenant_id" AND "lead_id" = NEW."id";
  RETURN NULL;
END $$;
-- The statements of a message set none of these columns, and do not fire it.
CREATE TRIGGER leads_index_changed AFTER UPDATE OF name, chat, tags ON leads FOR EACH ROW
  WHEN ((OLD.name, OLD.chat, OLD.tags) IS DISTINCT FROM (NEW.name, NEW.chat, NEW.tags))
  EXECUTE FUNCTION index_changed_lead();

CREATE FUNCTION forget_deleted_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "lead_search_keys" k USING "gone" g WHERE k."tenant_id" = g."tenant_id" AND k."lead_id" = g."id";
  RETURN NULL;
END $$;
CREATE TRIGGER leads_forget_deleted AFTER DELETE ON leads REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_deleted_leads();

-- ## Templates

CREATE TABLE templates (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  body text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),

  PRIMARY KEY (tenant_id, id)
);
-- Messages keep their deleted template. Its name is free again.
CREATE UNIQUE INDEX templates_tenant_id_name_key ON templates (tenant_id, name) WHERE deleted_at IS NULL;

CREATE TABLE template_versions (
  tenant_id uuid NOT NULL,
  template_id uuid NOT NULL,
  version integer NOT NULL,
  body text NOT NULL,
  author_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, template_id, version),
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- ## Bulk sends

CREATE TABLE bulk_sends (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  template_id uuid NOT NULL,
  template_version integer NOT NULL,
  instance_id uuid NOT NULL,
  author_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  content_hash bytea NOT NULL,
  total integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  canceled_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX bulk_sends_tenant_id_idempotency_key_key ON bulk_sends (tenant_id, idempotency_key);

CREATE TABLE bulk_send_watches (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  seq bigint NOT NULL,
  told_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  active_until timestamptz(3) NOT NULL
);
CREATE INDEX bulk_send_watches_active_until_idx ON bulk_send_watches (active_until);

-- ## Messages

CREATE TYPE message_direction AS ENUM ('INBOUND', 'OUTBOUND');
-- In the order of their ranks.
CREATE TYPE message_status AS ENUM ('QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED');

-- The rule for every statement that changes a status. FAILED wins below DELIVERED only. DELIVERED and READ prove arrival and override
-- FAILED; SENT does not.
CREATE FUNCTION message_status_rises(current message_status, reported message_status) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN "current" IS NULL OR "current" = 'CANCELED' THEN false
    WHEN "reported" = 'CANCELED' THEN "current" = 'QUEUED'
    WHEN "reported" = 'FAILED' THEN "current" IN ('QUEUED', 'SENDING', 'SENT')
    WHEN "current" = 'FAILED' THEN "reported" IN ('DELIVERED', 'READ')
    ELSE "reported" > "current"
  END
$$;

-- A change of status stays in its page (HOT): the page has room, and no index names a column that changes with it, also not in a
-- predicate.
CREATE TABLE messages (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  direction message_direction NOT NULL,
  status message_status,
  type text NOT NULL,
  body text,
  media jsonb,
  external_id text,
  reply_to_external_id text,
  template_id uuid,
  template_version integer,
  bulk_send_id uuid,
  author_id uuid,
  idempotency_key text,
  content_hash bytea,
  error_code text,
  error_message text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  scheduled_for timestamptz(3),
  received_at timestamptz(3),
  provider_timestamp timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  read_at timestamptz(3),
  failed_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, bulk_send_id) REFERENCES bulk_sends (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- Only outbound messages have a status.
  CONSTRAINT messages_status_check CHECK ((direction = 'INBOUND') = (status IS NULL))
) WITH (fillfactor = 90);
CREATE INDEX messages_tenant_id_lead_id_id_idx ON messages (tenant_id, lead_id, id);
CREATE INDEX messages_tenant_id_created_at_idx ON messages (tenant_id, created_at);
CREATE UNIQUE INDEX messages_tenant_id_instance_id_external_id_key ON messages (tenant_id, instance_id, external_id);
-- Inbound messages have no idempotency key, and cost this index nothing.
CREATE UNIQUE INDEX messages_tenant_id_idempotency_key_key ON messages (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX messages_bulk_send_idx ON messages (tenant_id, bulk_send_id, id) WHERE bulk_send_id IS NOT NULL;
CREATE INDEX messages_failed_idx ON messages (tenant_id, id) WHERE failed_at IS NOT NULL;
-- For messages that the gateway accepted and never reported on.
CREATE INDEX messages_sent_idx ON messages (sent_at, id) WHERE sent_at IS NOT NULL AND author_id IS NOT NULL;

CREATE TABLE message_status_transitions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  from_status message_status,
  to_status message_status NOT NULL,
  source text NOT NULL,
  provider_code text,
  detail text,
  occurred_at timestamptz(3) NOT NULL,
  recorded_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX message_status_transitions_tenant_id_message_id_id_idx ON message_status_transitions (tenant_id, message_id, id);

CREATE TABLE parked_statuses (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  instance_id uuid NOT NULL,
  external_id text NOT NULL,
  status message_status NOT NULL,
  provider_code text,
  detail text,
  occurred_at timestamptz(3) NOT NULL,
  delivery_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX parked_statuses_tenant_id_instance_id_external_id_status_key
  ON parked_statuses (tenant_id, instance_id, external_id, status);
CREATE INDEX parked_statuses_created_at_idx ON parked_statuses (created_at);

-- ## Outbox

-- The message of an entry has the same lead and instance, and the foreign keys to them.
CREATE TABLE outbox_entries (
  tenant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  priority integer NOT NULL DEFAULT 0,
  due_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempt_count integer NOT NULL DEFAULT 0,
  lease_until timestamptz(6),
  -- The database counts: ids are made by the clocks of many processes.
  position bigserial,
  scheduled_at timestamptz(6),
  unconfirmed_since timestamptz(6),

  PRIMARY KEY (tenant_id, message_id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX outbox_entries_tenant_id_instance_id_priority_position_idx
  ON outbox_entries (tenant_id, instance_id, priority, position) WHERE scheduled_at IS NULL;
CREATE INDEX outbox_entries_tenant_id_lead_id_position_idx ON outbox_entries (tenant_id, lead_id, position) WHERE scheduled_at IS NULL;
CREATE INDEX outbox_entries_scheduled_idx ON outbox_entries (tenant_id, scheduled_at) WHERE scheduled_at IS NOT NULL;
CREATE INDEX outbox_entries_leased_idx ON outbox_entries (tenant_id, lease_until) WHERE lease_until IS NOT NULL;
-- A message that a worker is sending comes back by its lease, and is no retry before that.
CREATE INDEX outbox_entries_retried_idx ON outbox_entries (tenant_id, due_at) WHERE attempt_count > 0 AND lease_until IS NULL;

CREATE TABLE send_attempts (
  tenant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  number integer NOT NULL,
  granted_at timestamptz(6) NOT NULL,
  finished_at timestamptz(6),
  outcome text,
  detail text,

  PRIMARY KEY (tenant_id, message_id, number),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- For the window of a rate limit only. A plan made while a tenant had few attempts would read them all in this index instead of looking
-- one up; the predicate, which every row meets, hides the index from queries that do not repeat it.
CREATE INDEX send_attempts_granted_idx ON send_attempts (tenant_id, granted_at) WHERE granted_at > '-infinity';

-- ## Journal and events
-- Append-only, without foreign keys, and partitioned by time: old rows go with their partition. The service makes partitions ahead.
-- Rows that fit none go to `_rest`.

CREATE SCHEMA partitions;

-- By the time in the ids.
CREATE TABLE webhook_deliveries (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  route text NOT NULL,
  dialect text,
  headers jsonb NOT NULL,
  body bytea NOT NULL,
  body_bytes integer NOT NULL,
  outcome text NOT NULL,
  reason text,
  result jsonb,
  replay_of_id uuid,
  received_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_troubled_idx ON webhook_deliveries (tenant_id, id) WHERE outcome <> 'processed';
CREATE INDEX webhook_deliveries_replay_of_idx ON webhook_deliveries (tenant_id, replay_of_id, id) WHERE replay_of_id IS NOT NULL;

-- By the day of the tenant's log, which is taken under the lock of its head and never goes back. A partition is a stretch of each log,
-- so dropping one leaves no gap. The head also makes seq unique.
CREATE TABLE events (
  tenant_id uuid NOT NULL,
  seq bigint NOT NULL,
  type text NOT NULL,
  lead_id uuid,
  message_id uuid,
  instance_id uuid,
  data jsonb,
  occurred_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  logged_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,

  PRIMARY KEY (tenant_id, seq, logged_on)
) PARTITION BY RANGE (logged_on);

CREATE TABLE event_heads (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  last_seq bigint NOT NULL DEFAULT 0,
  logged_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date
);

CREATE TABLE partitions.webhook_deliveries_rest PARTITION OF webhook_deliveries DEFAULT;
CREATE TABLE partitions.events_rest PARTITION OF events DEFAULT;

-- The first partitions end tomorrow at midnight in UTC.
DO $$
DECLARE
  tomorrow date := (now() AT TIME ZONE 'UTC')::date + 1;
  first_id uuid := rpad(lpad(to_hex(extract(epoch FROM tomorrow)::bigint * 1000), 12, '0'), 32, '0')::uuid;
BEGIN
  EXECUTE format('CREATE TABLE partitions.webhook_deliveries_past PARTITION OF webhook_deliveries FOR VALUES FROM (MINVALUE) TO (%L)', first_id);
  EXECUTE format('CREATE TABLE partitions.events_past PARTITION OF events FOR VALUES FROM (MINVALUE) TO (%L)', tomorrow);
END $$;

-- ## Outgoing webhooks

CREATE TABLE webhook_endpoints (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  url text NOT NULL,
  description text,
  event_types text[],
  is_enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  disabled_at timestamptz(3),
  secret_ciphertext bytea,
  previous_secret_ciphertext bytea,
  previous_secret_until timestamptz(3),
  position_seq bigint NOT NULL,
  failing_since timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  CONSTRAINT webhook_endpoints_enabled_check CHECK (
    is_enabled = (disabled_reason IS NULL) AND (deleted_at IS NULL OR NOT is_enabled)
  )
);

CREATE TABLE endpoint_deliveries (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  type text NOT NULL,
  event_seq bigint,
  lead_id uuid,
  message_id uuid,
  instance_id uuid,
  data jsonb,
  occurred_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'PENDING',
  attempt_count integer NOT NULL DEFAULT 0,
  earlier_attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(6) DEFAULT CURRENT_TIMESTAMP,
  lease_until timestamptz(6),
  last_attempt_at timestamptz(3),
  last_status integer,
  last_error text,
  delivered_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoints (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT endpoint_deliveries_due_check CHECK ((state = 'PENDING') = (due_at IS NOT NULL))
);
CREATE INDEX endpoint_deliveries_tenant_id_endpoint_id_id_idx ON endpoint_deliveries (tenant_id, endpoint_id, id);
CREATE INDEX endpoint_deliveries_due_idx ON endpoint_deliveries (tenant_id, endpoint_id, due_at) WHERE due_at IS NOT NULL;
-- For a replay of everything that failed.
CREATE INDEX endpoint_deliveries_failed_idx ON endpoint_deliveries (tenant_id, endpoint_id, id) WHERE state = 'FAILED';

-- ## Dashboards

CREATE TABLE dashboards (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  widgets jsonb NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC',
  time_range jsonb NOT NULL DEFAULT '{"preset":"LAST_30_DAYS"}',
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,

  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX dashboards_tenant_id_name_key ON dashboards (tenant_id, name);

-- ### Computed rows
-- Without foreign keys: a statement that writes messages or leads never waits for the computation.

CREATE TABLE message_counts (
  tenant_id uuid NOT NULL,
  dimension text NOT NULL,
  quarter timestamptz(3) NOT NULL,
  key text NOT NULL,
  received integer NOT NULL,
  queued integer NOT NULL,
  sending integer NOT NULL,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  failed integer NOT NULL,
  canceled integer NOT NULL,

  PRIMARY KEY (tenant_id, dimension, quarter, key)
);

CREATE TABLE reply_times (
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  instance_id uuid,
  opened_at timestamptz(3) NOT NULL,
  reply_id uuid,
  wait_ms bigint,
  author_id uuid,

  PRIMARY KEY (tenant_id, kind, id)
);
CREATE INDEX reply_times_tenant_id_kind_opened_at_wait_ms_idx ON reply_times (tenant_id, kind, opened_at, wait_ms);
CREATE INDEX reply_times_tenant_id_lead_id_idx ON reply_times (tenant_id, lead_id);

-- ### Changes to compute
-- A statement that changes messages or leads notes which quarters of an hour and which leads have to be computed again. It adds one row
-- in its own transaction: a reader of the row sees the change.

CREATE TABLE dashboard_changes (
  tenant_id uuid NOT NULL,
  id bigserial,
  quarters timestamptz(3)[],
  lead_ids uuid[],

  PRIMARY KEY (tenant_id, id)
);

CREATE FUNCTION quarter_of("time" timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT date_bin('15 minutes', "time", timestamptz '2000-01-01 00:00:00Z') $$;

CREATE FUNCTION note_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first reply counts unless it was taken back; whatever else becomes of a message is a count's concern only.
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, array_agg(DISTINCT quarter_of(created_at)),
    coalesce(array_agg(DISTINCT lead_id) FILTER (WHERE TG_OP <> 'UPDATE' OR status = 'CANCELED'), '{}')
  FROM changed GROUP BY tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_inserted AFTER INSERT ON messages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_messages();
CREATE TRIGGER messages_updated AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_messages();
CREATE TRIGGER messages_deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_messages();

CREATE FUNCTION note_moved_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  VALUES (NEW.tenant_id, ARRAY[quarter_of(OLD.created_at), quarter_of(NEW.created_at)], ARRAY[OLD.lead_id, NEW.lead_id]);
  RETURN NULL;
END $$;
-- The conditions spare everyday updates the call of the function.
CREATE TRIGGER messages_moved AFTER UPDATE OF lead_id, created_at, direction, bulk_send_id, status ON messages FOR EACH ROW
  WHEN ((OLD.lead_id, OLD.created_at, OLD.direction, OLD.bulk_send_id)
    IS DISTINCT FROM (NEW.lead_id, NEW.created_at, NEW.direction, NEW.bulk_send_id)
    OR (OLD.status = 'CANCELED' AND NEW.status IS DISTINCT FROM OLD.status))
  EXECUTE FUNCTION note_moved_message();

CREATE FUNCTION note_changed_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, '{}', array_agg(id) FROM changed GROUP BY tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_inserted AFTER INSERT ON leads REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_leads();
CREATE TRIGGER leads_deleted AFTER DELETE ON leads REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_leads();

CREATE FUNCTION note_updated_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT NEW.tenant_id, ARRAY(SELECT DISTINCT quarter_of(m.created_at) FROM messages m
    WHERE m.tenant_id = NEW.tenant_id AND m.lead_id = NEW.id), ARRAY[NEW.id];
  RETURN NULL;
END $$;
-- None of these columns changes with a message.
CREATE TRIGGER leads_updated AFTER UPDATE OF source, assignee_id, merged_into_id, created_at ON leads FOR EACH ROW
  WHEN ((OLD.source, OLD.assignee_id, OLD.merged_into_id, OLD.created_at)
    IS DISTINCT FROM (NEW.source, NEW.assignee_id, NEW.merged_into_id, NEW.created_at))
  EXECUTE FUNCTION note_updated_lead();

CREATE FUNCTION forget_computed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE message_counts, reply_times, dashboard_changes;
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, '{}', array_agg(id) FROM leads GROUP BY tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_truncated AFTER TRUNCATE ON messages FOR EACH STATEMENT EXECUTE FUNCTION forget_computed_rows();

-- Rows that are loaded without triggers (session_replication_role) count as well.
ALTER TABLE messages ENABLE ALWAYS TRIGGER messages_inserted, ENABLE ALWAYS TRIGGER messages_updated,
  ENABLE ALWAYS TRIGGER messages_deleted, ENABLE ALWAYS TRIGGER messages_moved, ENABLE ALWAYS TRIGGER messages_truncated;
ALTER TABLE leads ENABLE ALWAYS TRIGGER leads_inserted, ENABLE ALWAYS TRIGGER leads_deleted, ENABLE ALWAYS TRIGGER leads_updated;

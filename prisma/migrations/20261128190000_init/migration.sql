-- The whole schema, by module. prisma/schema.prisma explains tables and columns; comments here explain what Prisma cannot express.
-- Every foreign key of a tenant's table contains the tenant's id: no row can refer to another tenant.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- ## Tenants

-- Assistants are OFF until an ADMIN chooses otherwise.
CREATE TYPE assistant_mode AS ENUM ('OFF', 'DRAFT', 'SEND');
-- A signature names the author of a text that a person writes.
CREATE TYPE signature_mode AS ENUM ('OFF', 'BEFORE');

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
  default_country text,
  opt_out_keywords text[] NOT NULL DEFAULT '{STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,PARAR,SAIR,CANCELAR,BAJA}',
  opt_in_keywords text[] NOT NULL DEFAULT '{START,UNSTOP,VOLTAR,ALTA}',
  opt_out_reply text,
  -- The canonical forms of both lists, which the intake compares texts with.
  consent_keys text[] NOT NULL
    DEFAULT '{STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,PARAR,SAIR,CANCELAR,BAJA,START,UNSTOP,VOLTAR,ALTA}',
  assistants assistant_mode NOT NULL DEFAULT 'OFF',
  -- These three cost calls of gateways that nobody has asked for yet.
  sends_read_receipts boolean NOT NULL DEFAULT false,
  shows_typing boolean NOT NULL DEFAULT false,
  checks_numbers boolean NOT NULL DEFAULT false,
  signature signature_mode NOT NULL DEFAULT 'OFF',
  signature_format text NOT NULL DEFAULT '*{{operator.displayName}}:*',
  -- A locked screen shows the text of a notification.
  pushes_text boolean NOT NULL DEFAULT false,

  CONSTRAINT tenants_chat_rate_check CHECK (
    (chat_rate_max IS NULL AND chat_rate_duration_ms IS NULL) OR (chat_rate_max > 0 AND chat_rate_duration_ms > 0)
  ),
  CONSTRAINT tenants_default_country_check CHECK (default_country ~ '^[A-Z]{2}$')
);
CREATE UNIQUE INDEX tenants_slug_key ON tenants (slug);
-- A single tenant is the platform.
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
  display_name text,

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

-- ## Sign-in

-- A link that signs an ADMIN in once, where no identity provider is set up. A user has one at most: a new one takes its place.
CREATE TABLE sign_in_links (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),

  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX sign_in_links_hash_key ON sign_in_links (hash);

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
  health_code text,
  health_reason text,
  degraded_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT chat_instances_health_check CHECK (num_nonnulls(health_code, health_reason, degraded_at) IN (0, 3))
);
-- The name of a deleted instance is free again. An account has one default instance.
CREATE UNIQUE INDEX chat_instances_tenant_id_instance_name_key ON chat_instances (tenant_id, instance_name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX chat_instances_tenant_id_account_id_default_key ON chat_instances (tenant_id, account_id)
  WHERE is_default AND deleted_at IS NULL;
-- A Meta webhook names an instance by its id alone.
CREATE INDEX chat_instances_network_line_idx ON chat_instances (id) WHERE webhook_secret_ciphertext IS NOT NULL AND deleted_at IS NULL;
-- States that subscribers do not know yet.
CREATE INDEX chat_instances_untold_idx ON chat_instances (told_at) WHERE status <> told_status;
CREATE INDEX chat_instances_degraded_idx ON chat_instances (tenant_id) WHERE degraded_at IS NOT NULL;

-- ## Leads

CREATE TYPE conversation_status AS ENUM ('OPEN', 'SNOOZED', 'CLOSED');
CREATE TYPE number_validity AS ENUM ('VALID', 'INVALID', 'UNKNOWN');

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
  -- These messages have no foreign keys, which would read a message at each update of a lead. The bulk message has no index either: a
  -- bulk send writes to none of the lead's indexes.
  last_message_id uuid,
  last_message_position bigint,
  last_bulk_message_id uuid,
  last_bulk_message_position bigint,
  unread_count integer NOT NULL DEFAULT 0,
  merged_into_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,
  number_validity number_validity NOT NULL DEFAULT 'UNKNOWN',
  conversation_status conversation_status NOT NULL DEFAULT 'OPEN',
  snoozed_until timestamptz(3),
  -- It has no foreign key, as last_message_id has none.
  reopened_by_id uuid,
  last_inbound_position bigint,
  last_answer_position bigint,
  last_inbound_at timestamptz(3),
  waiting_since timestamptz(3),
  -- The snooze is a reminder, for the case that the lead does not reply. It counts while the conversation is SNOOZED only, so that
  -- the statements of messages need not set it.
  is_reminder boolean NOT NULL DEFAULT false,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, merged_into_id) REFERENCES leads (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT leads_unread_count_check CHECK (unread_count >= 0),
  -- A merged lead holds nothing: a transaction that has not seen the merge cannot add a message to it.
  CONSTRAINT leads_merged_unread_check CHECK (merged_into_id IS NULL OR unread_count = 0),
  CONSTRAINT leads_last_message_check CHECK ((last_message_id IS NULL) = (last_message_position IS NULL)),
  CONSTRAINT leads_last_bulk_message_check CHECK ((last_bulk_message_id IS NULL) = (last_bulk_message_position IS NULL)),
  CONSTRAINT leads_snoozed_until_check CHECK ((conversation_status = 'SNOOZED') = (snoozed_until IS NOT NULL))
);
-- Each order of the inbox has an index. The status comes first: a page of some statuses never reads the leads of the others.
CREATE INDEX leads_inbox_idx ON leads (tenant_id, conversation_status, last_message_position, last_message_id);
CREATE INDEX leads_inbox_inbound_idx ON leads (tenant_id, conversation_status, last_inbound_at, last_message_position, last_message_id)
  WHERE last_message_id IS NOT NULL;
CREATE INDEX leads_inbox_waiting_idx ON leads (tenant_id, conversation_status, waiting_since, last_message_position, last_message_id)
  WHERE last_message_id IS NOT NULL;
-- Few leads are unread, and a user looks after few: their pages are read from these and sorted.
CREATE INDEX leads_inbox_unread_idx ON leads (tenant_id, conversation_status, last_message_position, last_message_id)
  WHERE unread_count > 0;
CREATE INDEX leads_inbox_assignee_idx ON leads (tenant_id, assignee_id, last_message_position, last_message_id)
  WHERE assignee_id IS NOT NULL;
CREATE INDEX leads_snoozed_idx ON leads (tenant_id, snoozed_until) WHERE conversation_status = 'SNOOZED';
CREATE INDEX leads_tenant_id_merged_into_id_idx ON leads (tenant_id, merged_into_id) WHERE merged_into_id IS NOT NULL;
-- Few numbers are invalid: their leads are read from here and sorted. Other leads write nothing to it.
CREATE INDEX leads_invalid_number_idx ON leads (tenant_id, id) WHERE number_validity = 'INVALID';

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
  -- It names the ad, post or product that brought the lead.
  referral jsonb,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_touches_tenant_id_lead_id_id_idx ON lead_touches (tenant_id, lead_id, id);
-- Few touches have a referral: the others, and all messages, write nothing to these indexes.
CREATE INDEX lead_touches_referral_idx ON lead_touches (tenant_id, lead_id, id) WHERE referral IS NOT NULL;
CREATE INDEX lead_touches_referral_source_idx ON lead_touches (tenant_id, (referral ->> 'sourceId'), id) WHERE referral IS NOT NULL;

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

-- These rows say who looked after a lead, and from when: the event log forgets it after some days.
CREATE TABLE lead_assignments (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  assignee_id uuid,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX lead_assignments_tenant_id_lead_id_id_idx ON lead_assignments (tenant_id, lead_id, id);

-- Users keep views of the inbox under a name. A view goes with its user.
CREATE TABLE inbox_views (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  filter jsonb NOT NULL,
  order_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, user_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX inbox_views_tenant_id_user_id_name_key ON inbox_views (tenant_id, user_id, name);

-- Users keep views of the table of leads in the same way.
CREATE TABLE lead_views (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  filter jsonb NOT NULL,
  order_by jsonb NOT NULL,
  columns text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, user_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX lead_views_tenant_id_user_id_name_key ON lead_views (tenant_id, user_id, name);

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
  update_mode text,
  columns jsonb NOT NULL DEFAULT '{}',
  column_notes jsonb NOT NULL DEFAULT '[]',
  headers jsonb NOT NULL DEFAULT '[]',
  updated_rows integer NOT NULL DEFAULT 0,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
-- A tenant has one running import.
CREATE UNIQUE INDEX lead_imports_running_key ON lead_imports (tenant_id) WHERE status = 'RUNNING';

-- The rows that an import refused can be downloaded.
CREATE TABLE lead_import_refused_rows (
  tenant_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line integer NOT NULL,
  cells jsonb NOT NULL,
  reason text NOT NULL,
  -- It is the row's number, where that can be read: an erasure removes the row.
  match_key text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, import_id, line),
  FOREIGN KEY (tenant_id, import_id) REFERENCES lead_imports (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_import_refused_rows_match_key_idx ON lead_import_refused_rows (tenant_id, match_key) WHERE match_key IS NOT NULL;

-- The network shows only an id of these leads, and their gateway can be asked for the number.
CREATE TABLE hidden_numbers (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  lead_id uuid NOT NULL,
  -- Its gateway is asked.
  instance_id uuid NOT NULL,
  -- It stands as the network writes it, without its domain.
  hidden_id text NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  -- The gateway is asked then, or the lease of the worker that asks ends.
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, lead_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX hidden_numbers_due_idx ON hidden_numbers (tenant_id, due_at);
CREATE INDEX hidden_numbers_instance_idx ON hidden_numbers (tenant_id, instance_id);

-- ### Erased people

-- No history brings an erased person back: a row keeps the person's identity, under a key of the service. It stays for as long as
-- histories are read back, and for good where the person had opted out. A worker walks through the journal once for people who were
-- erased, and keeps its place.
CREATE TABLE erased_identities (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  digest bytea NOT NULL,
  erased_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  opted_out boolean NOT NULL DEFAULT false,
  left_journal boolean NOT NULL DEFAULT false,
  journal_place uuid,

  PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX erased_identities_erased_at_idx ON erased_identities (erased_at);
CREATE INDEX erased_identities_tenant_id_erased_at_idx ON erased_identities (tenant_id, erased_at);
CREATE INDEX erased_identities_opted_out_idx ON erased_identities (tenant_id) WHERE opted_out;
CREATE INDEX erased_identities_in_journal_idx ON erased_identities (tenant_id, erased_at) WHERE NOT left_journal AND NOT opted_out;

-- Some hashes outlive a person's erasure for good. Each tenant has a sealed key for them, so that a new ENCRYPTION_KEY leaves them as they
-- are.
CREATE TABLE erasure_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  ciphertext bytea NOT NULL,

  PRIMARY KEY (tenant_id)
);

-- ### Search
-- Each message updates its lead's row, and with it every index of that row. What leads are searched and sorted by has a table of its
-- own, which changes only with a name, a number or tags. Only triggers write to it, so it needs no foreign key.

-- The search reads texts without letter case and accents. A text of as many bytes as characters has no accents.
CREATE FUNCTION search_form(written text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(CASE
    WHEN octet_length("written") = length("written") THEN "written"
    ELSE regexp_replace(normalize("written", NFKD), U&'[\0300-\036F]', '', 'g')
  END)
$$;

-- A character can become eighteen: a key is cut, so that it fits its index.
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

CREATE TYPE template_visibility AS ENUM ('SHARED', 'PERSONAL');

CREATE TABLE templates (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  body text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  -- It stands in lower case.
  shortcut text,
  visibility template_visibility NOT NULL DEFAULT 'SHARED',
  -- It is null where nobody knows who created the template.
  author_id uuid,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
-- Messages keep their deleted template. Its name and its shortcut are free again.
CREATE UNIQUE INDEX templates_tenant_id_name_key ON templates (tenant_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX templates_tenant_id_shortcut_key ON templates (tenant_id, shortcut) WHERE deleted_at IS NULL;

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

-- ## Templates of the chat network

CREATE TABLE channel_templates (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  instance_id uuid NOT NULL,
  external_id text,
  name text NOT NULL,
  language text NOT NULL,
  category text,
  status text NOT NULL,
  status_reason text,
  components jsonb NOT NULL,
  status_reported_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX channel_templates_tenant_id_instance_id_name_language_key
  ON channel_templates (tenant_id, instance_id, name, language);

-- ## Bulk sends

CREATE TABLE bulk_sends (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  template_id uuid,
  template_version integer,
  instance_id uuid NOT NULL,
  author_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  content_hash bytea NOT NULL,
  total integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  canceled_at timestamptz(3),
  -- It counts the leads that were left out.
  skipped integer NOT NULL DEFAULT 0,
  channel_template jsonb,
  scheduled_for timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT bulk_sends_one_template CHECK (num_nonnulls(template_id, channel_template) = 1)
);
CREATE UNIQUE INDEX bulk_sends_tenant_id_idempotency_key_key ON bulk_sends (tenant_id, idempotency_key);

CREATE TABLE bulk_send_watches (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  seq bigint NOT NULL,
  told_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  active_until timestamptz(3) NOT NULL
);
CREATE INDEX bulk_send_watches_active_until_idx ON bulk_send_watches (active_until);

-- ## Bulk actions
-- A bulk action changes many leads. It keeps how far it has come, and what it takes to undo it.

CREATE TABLE bulk_actions (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  author_id uuid NOT NULL,
  undone_by_id uuid,
  change jsonb NOT NULL,
  idempotency_key text,
  content_hash bytea NOT NULL,
  status text NOT NULL,
  total integer NOT NULL,
  position integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  resume_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  told_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  undo_until timestamptz(3) NOT NULL,
  finished_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, undone_by_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX bulk_actions_tenant_id_idempotency_key_key ON bulk_actions (tenant_id, idempotency_key);
-- Few actions run at a time: workers find them here.
CREATE INDEX bulk_actions_running_idx ON bulk_actions (tenant_id, resume_at) WHERE finished_at IS NULL;
CREATE INDEX bulk_actions_finished_idx ON bulk_actions (tenant_id, finished_at);

CREATE TABLE bulk_action_leads (
  tenant_id uuid NOT NULL,
  bulk_action_id uuid NOT NULL,
  position integer NOT NULL,
  lead_id uuid NOT NULL,
  before jsonb,
  after jsonb,

  PRIMARY KEY (tenant_id, bulk_action_id, position),
  FOREIGN KEY (tenant_id, bulk_action_id) REFERENCES bulk_actions (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX bulk_action_leads_tenant_id_lead_id_idx ON bulk_action_leads (tenant_id, lead_id);

-- ## Messages

CREATE TYPE message_direction AS ENUM ('INBOUND', 'OUTBOUND');
-- The statuses stand in the order of their ranks.
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

-- A position is a time in microseconds, times 1,024: that many messages of a history have room in each microsecond. From 2001 to 2255 it
-- has 19 digits, so that its text is sorted as it is.
CREATE FUNCTION message_position(at timestamptz) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT greatest((extract(epoch FROM at) * 1000000)::bigint * 1024, 1000000000000000000)
$$;

-- A change of status stays in its page (HOT): the page has room. No index names a column that changes with it, also not in a predicate.
CREATE TABLE messages (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  position bigint NOT NULL DEFAULT message_position(clock_timestamp()),
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
  is_automatic boolean NOT NULL DEFAULT false,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  channel_template jsonb,
  -- The next five are what a message says beside its text.
  choice jsonb,
  referral jsonb,
  is_forwarded boolean NOT NULL DEFAULT false,
  is_notice boolean NOT NULL DEFAULT false,
  may_want_to_stop boolean NOT NULL DEFAULT false,
  -- The message came without its content, until a call brings that.
  is_placeholder boolean NOT NULL DEFAULT false,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, bulk_send_id) REFERENCES bulk_sends (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- Only outbound messages have a status.
  CONSTRAINT messages_status_check CHECK ((direction = 'INBOUND') = (status IS NULL))
) WITH (fillfactor = 90);
CREATE INDEX messages_tenant_id_lead_id_position_id_idx ON messages (tenant_id, lead_id, position, id);
CREATE INDEX messages_tenant_id_created_at_idx ON messages (tenant_id, created_at);
CREATE UNIQUE INDEX messages_tenant_id_instance_id_external_id_key ON messages (tenant_id, instance_id, external_id);
-- Inbound messages have no idempotency key, and cost this index nothing.
CREATE UNIQUE INDEX messages_tenant_id_idempotency_key_key ON messages (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX messages_bulk_send_idx ON messages (tenant_id, bulk_send_id, id) WHERE bulk_send_id IS NOT NULL;
CREATE INDEX messages_failed_idx ON messages (tenant_id, id) WHERE failed_at IS NOT NULL;
-- It finds messages that the gateway accepted and never reported on.
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

-- A message has at most two rows, one for each side of the conversation.
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
-- It finds the texts that are past their time.
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

-- ### Search
-- A search reads the words of one tenant alone: each word follows a mark of its tenant.

-- The search finds the words of the text, the caption and the file's name, without letter case and accents. The function is
-- cheaper in PL/pgSQL than as one expression in SQL.
CREATE FUNCTION words_of_message(tenant uuid, body text, media jsonb) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  "said" text := left(CASE WHEN "media" IS NULL THEN "body"
    ELSE concat_ws(' ', "body", "media"->>'caption', "media"->>'fileName') END, 10000);
  "mark" text := ' ' || right("tenant"::text, 8);
BEGIN
  -- A text of as many bytes as characters has no accents.
  IF octet_length("said") <> length("said") THEN
    "said" := regexp_replace(normalize("said", NFKD), U&'[\0300-\036F]', '', 'g');
  END IF;
  "said" := lower("said");
  -- A number of eight digits or more is a word as well, and so are its last eight: behind a letter that no other word has.
  IF "said" ~ '[0-9][0-9 ().-]{6,24}[0-9]' THEN
    "said" := "said" || ' ' || (
      SELECT string_agg("digits" || ' N' || right("digits", 8), ' ')
      FROM (SELECT regexp_replace("run"[1], '[^0-9]', '', 'g') AS "digits"
        FROM regexp_matches("said", '[0-9][0-9 ().-]{6,24}[0-9]', 'g') AS "run") AS "numbers");
  END IF;
  "said" := regexp_replace("said",
    U&'[\0001-/:-@[-`{-\00BF\2000-\2BFF\3000-\303F\FE00-\FE0F\+01F000-\+01FAFF]+', "mark", 'g');
  -- A word has to fit its index: its first 60 characters count, behind the mark.
  IF octet_length("said") > 2000 THEN
    "said" := regexp_replace("said", '([^ ]{68})[^ ]+', '\1', 'g');
  END IF;
  RETURN array_to_tsvector(array_remove(string_to_array(ltrim("mark") || "said", ' '), ltrim("mark")));
END $$;

-- A worker fills it from the event log, so that the writers of messages do not pay for it. It has no row for a message without words.
CREATE TABLE message_words (
  tenant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  words tsvector NOT NULL,

  PRIMARY KEY (tenant_id, message_id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- A search reads the list of new entries whole, so the list is short.
CREATE INDEX message_words_idx ON message_words USING gin (words) WITH (gin_pending_list_limit = 1024);

-- The words of a tenant are in the table for all changes up to an event, and for earlier messages from an id on.
CREATE TABLE message_word_progress (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  last_seq bigint NOT NULL,
  earlier_than uuid
);

-- ## Consent

-- ### The ledger
-- The ledger is append-only. It has no foreign keys to what may be erased: an entry outlives its lead, without what it said of the person.

CREATE TABLE consent_entries (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  original_lead_id uuid NOT NULL,
  action text NOT NULL,
  source text NOT NULL,
  is_superseded boolean NOT NULL,
  keyword text,
  reason text,
  message_id uuid,
  webhook_call_id uuid,
  user_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  recorded_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  erased_at timestamptz(3),
  -- The person ticked it in a lead form. It changes nothing about what the lead gets.
  evidence jsonb,

  PRIMARY KEY (tenant_id, id),
  CONSTRAINT consent_entries_action_check CHECK (action IN ('OPT_OUT', 'OPT_IN', 'DISCLAIMER')),
  CONSTRAINT consent_entries_source_check CHECK (source IN ('KEYWORD', 'PREFERENCE', 'USER', 'LEAD_FORM', 'ERASURE'))
);
CREATE INDEX consent_entries_tenant_id_lead_id_id_idx ON consent_entries (tenant_id, lead_id, id);

-- Two changes are permitted. A merge, and its undoing, give an entry to another lead. Only the erasure of a lead
-- removes what the entry says of the person. It is a trigger of the lead's own deletion, so it runs within another trigger.
CREATE FUNCTION guard_consent_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'lead_id' = to_jsonb(OLD) - 'lead_id' THEN
      RETURN NEW;
    END IF;
    IF pg_trigger_depth() > 1 AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
      AND num_nonnulls(NEW.keyword, NEW.reason, NEW.message_id, NEW.webhook_call_id, NEW.evidence) = 0
      AND to_jsonb(NEW) - '{keyword,reason,message_id,webhook_call_id,evidence,erased_at}'::text[]
        = to_jsonb(OLD) - '{keyword,reason,message_id,webhook_call_id,evidence,erased_at}'::text[] THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'consent_entries is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER consent_entries_guarded BEFORE UPDATE OR DELETE ON consent_entries FOR EACH ROW
  EXECUTE FUNCTION guard_consent_entries();
CREATE TRIGGER consent_entries_not_truncated BEFORE TRUNCATE ON consent_entries FOR EACH STATEMENT
  EXECUTE FUNCTION guard_consent_entries();

CREATE FUNCTION erase_consent_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE consent_entries e
  SET keyword = NULL, reason = NULL, message_id = NULL, webhook_call_id = NULL, evidence = NULL, erased_at = now()
  FROM erased l WHERE e.tenant_id = l.tenant_id AND e.lead_id = l.id AND e.erased_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_erased AFTER DELETE ON leads REFERENCING OLD TABLE AS erased
  FOR EACH STATEMENT EXECUTE FUNCTION erase_consent_entries();

-- The triggers also hold for rows that are loaded without triggers (session_replication_role).
ALTER TABLE consent_entries ENABLE ALWAYS TRIGGER consent_entries_guarded,
  ENABLE ALWAYS TRIGGER consent_entries_not_truncated;
ALTER TABLE leads ENABLE ALWAYS TRIGGER leads_erased;

-- ### Who has opted out
-- Each lead that has opted out has a row, so that claims and lists look at these leads only.

CREATE TABLE opt_outs (
  tenant_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  opted_out_at timestamptz(3) NOT NULL,
  source text NOT NULL,
  keyword text,
  message_id uuid,

  PRIMARY KEY (tenant_id, lead_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, entry_id) REFERENCES consent_entries (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
-- Dashboards count by it.
CREATE INDEX opt_outs_tenant_id_opted_out_at_idx ON opt_outs (tenant_id, opted_out_at);

-- ## Files of messages
-- The origin of a file stays in `messages.media`. A message whose file was never fetched may have no row here: `fetchMedia` makes it.

CREATE TYPE media_state AS ENUM ('PENDING', 'STORED', 'EXPIRED', 'TOO_LARGE', 'FAILED');

CREATE TABLE media_files (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- The file of a message has the id of the message.
  id uuid NOT NULL,
  -- It is null for an upload, which messages copy.
  message_id uuid,
  state media_state NOT NULL,
  -- Several rows may share an object.
  object_id uuid,
  mime_type text,
  file_name text,
  size bigint,
  sha256 bytea,
  error text,
  -- An upload has the next two.
  uploaded_by uuid,
  used_at timestamptz(3),
  attempt_count integer NOT NULL DEFAULT 0,
  -- A PENDING one is fetched then, or the lease of the worker that fetches it ends.
  due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stored_at timestamptz(3),
  -- The bytes of a file that came within the webhook call, until they are in the store.
  content bytea,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, uploaded_by) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT media_files_state_check CHECK ((state = 'STORED') = (object_id IS NOT NULL) AND (state = 'PENDING') = (due_at IS NOT NULL))
);
-- Photos do not get smaller by compressing them.
ALTER TABLE media_files ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX media_files_tenant_id_message_id_key ON media_files (tenant_id, message_id);
CREATE INDEX media_files_object_idx ON media_files (tenant_id, object_id) WHERE object_id IS NOT NULL;
CREATE INDEX media_files_due_idx ON media_files (tenant_id, due_at) WHERE state = 'PENDING';
CREATE INDEX media_files_uploads_idx ON media_files (tenant_id, created_at) WHERE message_id IS NULL;
CREATE INDEX media_files_stored_idx ON media_files (stored_at) WHERE state = 'STORED';

-- These objects are deleted from the store, unless a file names them by then. A row is written before an object is, and goes with the
-- commit that names it. So what a killed process leaves behind is deleted as well.
CREATE TABLE media_deletions (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  object_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, object_id)
);
CREATE INDEX media_deletions_due_idx ON media_deletions (tenant_id, due_at);

CREATE FUNCTION release_media_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media_deletions (tenant_id, object_id) VALUES (OLD.tenant_id, OLD.object_id)
  ON CONFLICT (tenant_id, object_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  -- An upload goes with the last message that it was sent with, unless a template has it.
  IF OLD.message_id IS NOT NULL THEN
    DELETE FROM media_files u
    WHERE u.tenant_id = OLD.tenant_id AND u.object_id = OLD.object_id AND u.message_id IS NULL
      AND NOT EXISTS (
        SELECT FROM media_files m WHERE m.tenant_id = OLD.tenant_id AND m.object_id = OLD.object_id AND m.message_id IS NOT NULL)
      AND NOT EXISTS (SELECT FROM template_files t WHERE t.tenant_id = u.tenant_id AND t.file_id = u.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER media_files_deleted AFTER DELETE ON media_files FOR EACH ROW
  WHEN (OLD.object_id IS NOT NULL) EXECUTE FUNCTION release_media_object();
CREATE TRIGGER media_files_released AFTER UPDATE OF object_id ON media_files FOR EACH ROW
  WHEN (OLD.object_id IS NOT NULL AND OLD.object_id IS DISTINCT FROM NEW.object_id) EXECUTE FUNCTION release_media_object();

-- A template keeps uploads as its files.
CREATE TABLE template_files (
  tenant_id uuid NOT NULL,
  template_id uuid NOT NULL,
  file_id uuid NOT NULL,
  position integer NOT NULL,

  PRIMARY KEY (tenant_id, template_id, file_id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, file_id) REFERENCES media_files (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX template_files_file_idx ON template_files (tenant_id, file_id);

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
-- The scheduled messages of a lead say when its earliest answer leaves.
CREATE INDEX outbox_entries_scheduled_lead_idx ON outbox_entries (tenant_id, lead_id, scheduled_at) WHERE scheduled_at IS NOT NULL;
CREATE INDEX outbox_entries_leased_idx ON outbox_entries (tenant_id, lease_until) WHERE lease_until IS NOT NULL;
-- A message that a worker is sending comes back by its lease, and is no retry before that.
CREATE INDEX outbox_entries_retried_idx ON outbox_entries (tenant_id, due_at) WHERE attempt_count > 0 AND lease_until IS NULL;

-- A send counts against the rate limit for as long as the limit looks back, also when its message is erased. It names nobody
-- then, and has no foreign key.
CREATE TABLE send_attempts (
  tenant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  number integer NOT NULL,
  granted_at timestamptz(6) NOT NULL,
  finished_at timestamptz(6),
  outcome text,
  detail text,

  PRIMARY KEY (tenant_id, message_id, number)
);
-- The index is for the window of a rate limit only. A plan made while a tenant had few attempts would read them all in this index instead
-- of looking one up. The predicate, which every row meets, hides the index from queries that do not repeat it.
CREATE INDEX send_attempts_granted_idx ON send_attempts (tenant_id, granted_at) WHERE granted_at > '-infinity';

-- A row keeps what a gateway said of a lead's number. It goes with the lead.
CREATE TABLE channel_numbers (
  tenant_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  number text NOT NULL,
  is_on_channel boolean NOT NULL,
  canonical text,
  checked_at timestamptz(3) NOT NULL DEFAULT now(),

  PRIMARY KEY (tenant_id, lead_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- ## Journal and events
-- Append-only, without foreign keys, and partitioned by time: old rows go with their partition. The service makes partitions ahead.
-- Rows that fit none go to `_rest`.

CREATE SCHEMA partitions;

-- The calls are parted by the time in their ids.
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
  -- `webhook`: a call that arrived. `history`: records that were read from the gateway's history.
  source text NOT NULL DEFAULT 'webhook',
  -- The bodies of erased people's calls are blanked.
  erased_at timestamptz(3),
  -- What the call brought, through which instance, and how long it took. They are null where that is not known.
  kinds text[],
  reported text[],
  instance_id uuid,
  took_ms integer,

  PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_troubled_idx ON webhook_deliveries (tenant_id, id) WHERE outcome <> 'processed';
CREATE INDEX webhook_deliveries_replay_of_idx ON webhook_deliveries (tenant_id, replay_of_id, id) WHERE replay_of_id IS NOT NULL;

-- The events are parted by the day of the tenant's log, which is taken under the lock of its head and never goes back. A partition is a
-- stretch of each log, so dropping one leaves no gap. The head also makes seq unique.
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

-- ## Lead sources
-- Forms elsewhere post leads here. These tables keep the forms, and what was taken in from them.

CREATE TABLE lead_sources (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  -- GOOGLE: the `google_key`. META: a verify token that the tenant has chosen.
  key_ciphertext bytea,
  app_secret_ciphertext bytea,
  access_token_ciphertext bytea,
  base_url text,
  -- JSON as text: the order of its entries counts.
  mapping text,
  hmac_header text,
  hmac_algorithm text,
  hmac_encoding text,
  hmac_secret_ciphertext bytea,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Its secrets are gone then.
  deleted_at timestamptz(3),
  -- It is null beside a header for BODY.
  hmac_scheme text,
  -- It is null where the time stands in the header of the signature, as t=….
  hmac_timestamp_header text,
  hmac_tolerance_seconds integer,
  -- The product's own test tried it out then.
  last_test_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  CONSTRAINT lead_sources_kind_check CHECK (kind IN ('META', 'GOOGLE', 'FORM')),
  CONSTRAINT lead_sources_hmac_check CHECK (num_nonnulls(hmac_header, hmac_algorithm, hmac_encoding) IN (0, 3))
);
-- A call names its source before the tenant is known.
CREATE INDEX lead_sources_id_idx ON lead_sources (id);

-- Each lead of a source has a row, by the source's own id: it is taken in once. The answers of a PENDING one are to be fetched.
CREATE TABLE lead_source_leads (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  -- It is SHA-256 of the source's own id in Base64 for URLs, or of the whole call where the source has no ids.
  key text NOT NULL,
  -- It is null where the source has no ids, and once the lead was erased.
  external_id text,
  state text NOT NULL,
  lead_id uuid,
  -- It is the journal's entry that named the lead.
  call_id uuid,
  attempt_count integer NOT NULL DEFAULT 0,
  -- A PENDING one is fetched then, or the lease of the worker that fetches it ends.
  due_at timestamptz(3),
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, source_id, key),
  FOREIGN KEY (tenant_id, source_id) REFERENCES lead_sources (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT lead_source_leads_state_check CHECK (state IN ('PENDING', 'TAKEN', 'FAILED', 'ERASED')),
  CONSTRAINT lead_source_leads_due_check CHECK ((state = 'PENDING') = (due_at IS NOT NULL))
);
CREATE INDEX lead_source_leads_due_idx ON lead_source_leads (tenant_id, due_at) WHERE state = 'PENDING';
CREATE INDEX lead_source_leads_lead_idx ON lead_source_leads (tenant_id, lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX lead_source_leads_created_idx ON lead_source_leads (tenant_id, source_id, created_at);
CREATE INDEX lead_source_leads_error_idx ON lead_source_leads (tenant_id, source_id, created_at) WHERE error IS NOT NULL;
CREATE INDEX lead_source_leads_ended_idx ON lead_source_leads (tenant_id, created_at) WHERE state IN ('FAILED', 'ERASED');

-- A lead of an erased person is not taken in again when its source repeats it: a hash of the source's id stays. A call of a source without
-- ids says nothing but what the person entered, so nothing of it stays.
CREATE FUNCTION erase_lead_source_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM lead_source_leads s USING erased l
  WHERE s.tenant_id = l.tenant_id AND s.lead_id = l.id AND s.external_id IS NULL;
  UPDATE lead_source_leads s
  SET state = 'ERASED', external_id = NULL, lead_id = NULL, call_id = NULL, error = NULL, due_at = NULL
  FROM erased l WHERE s.tenant_id = l.tenant_id AND s.lead_id = l.id;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_erased_from_sources AFTER DELETE ON leads REFERENCING OLD TABLE AS erased
  FOR EACH STATEMENT EXECUTE FUNCTION erase_lead_source_leads();
-- The triggers also hold for rows that are loaded without triggers (session_replication_role).
ALTER TABLE leads ENABLE ALWAYS TRIGGER leads_erased_from_sources;

-- Each form of a META source keeps how far it was read for what its notifications have missed.
CREATE TABLE lead_source_forms (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  form_id text NOT NULL,
  is_configured boolean NOT NULL,
  -- Leads from before were read.
  read_until timestamptz(3) NOT NULL,
  -- A reading that goes on has its end here, and the page that comes next.
  reading_until timestamptz(3),
  cursor text,
  attempt_count integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, source_id, form_id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES lead_sources (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_source_forms_due_idx ON lead_source_forms (tenant_id, due_at);

-- Submissions with an e-mail address and without a usable number wait for a number, and make no lead before.
CREATE TABLE held_submissions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  -- A repeated call is held once, as in lead_source_leads.
  key text NOT NULL,
  external_id text,
  form_id text,
  email text NOT NULL,
  -- These are the text that stood where the number belongs, and what is wrong with it.
  written_number text,
  problem text NOT NULL,
  -- It is the lead that the submission becomes, but for the number.
  lead jsonb NOT NULL,
  country text,
  disclaimers jsonb NOT NULL,
  -- It is the journal's entry that brought the submission.
  call_id uuid,
  submitted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES lead_sources (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX held_submissions_key_idx ON held_submissions (tenant_id, source_id, key);
CREATE INDEX held_submissions_source_idx ON held_submissions (tenant_id, source_id, id);

-- ## Recovery

-- A row keeps how far the history of an instance was read, and what is known of its habits.
CREATE TABLE instance_recoveries (
  tenant_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  read_until timestamptz(3),
  started_at timestamptz(3),
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  lease_until timestamptz(3),
  last_error text,
  heard_at timestamptz(3),
  looked_at timestamptz(3),
  habit smallint[],
  habit_at timestamptz(3),

  PRIMARY KEY (tenant_id, instance_id),
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE instance_audits (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  instance_id uuid NOT NULL,
  cause text NOT NULL,
  user_id uuid,
  read_from timestamptz(3) NOT NULL,
  read_to timestamptz(3) NOT NULL,
  is_complete boolean NOT NULL,
  at_gateway integer NOT NULL,
  here integer NOT NULL,
  recovered integer NOT NULL,
  unexplained integer NOT NULL,
  reasons jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- It counts the statuses of our messages that the reading brought.
  statuses integer NOT NULL DEFAULT 0,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT instance_audits_sum_check CHECK (at_gateway = here + recovered + unexplained)
);
CREATE INDEX instance_audits_tenant_id_instance_id_id_idx ON instance_audits (tenant_id, instance_id, id);

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
-- A replay of everything that failed reads it.
CREATE INDEX endpoint_deliveries_failed_idx ON endpoint_deliveries (tenant_id, endpoint_id, id) WHERE state = 'FAILED';

-- ## Push

-- Browsers that users have notified of messages, and how far a tenant's events were told to them.
CREATE TABLE push_devices (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint text NOT NULL,
  public_key text NOT NULL,
  secret text NOT NULL,
  name text NOT NULL,
  language text NOT NULL,
  notifies_mine boolean NOT NULL,
  notifies_unassigned boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  failing_since timestamptz(3),

  PRIMARY KEY (tenant_id, user_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX push_devices_endpoint_key ON push_devices (endpoint);

CREATE TABLE push_progress (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  last_seq bigint NOT NULL,
  leased_until timestamptz(3)
);

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
-- These have no foreign keys: a statement that writes messages or leads never waits for the computation.

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

-- A scheduled message is a reply from the time when it was sent: then the reply times of its lead are computed again.
CREATE FUNCTION note_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first reply counts unless it was taken back or failed; whatever else becomes of a message is a count's concern only.
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, array_agg(DISTINCT quarter_of(created_at)),
    coalesce(array_agg(DISTINCT lead_id) FILTER (WHERE TG_OP <> 'UPDATE' OR status IN ('CANCELED', 'FAILED')
      OR (scheduled_for IS NOT NULL AND status IN ('SENT', 'DELIVERED', 'READ'))), '{}')
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
-- Reply times show the author and the instance of a message, and leave automatic messages out. They change with a status that becomes
-- FAILED, or is no longer. The conditions spare everyday updates the call of the function.
CREATE TRIGGER messages_moved
  AFTER UPDATE OF lead_id, created_at, direction, bulk_send_id, author_id, instance_id, is_automatic, status ON messages FOR EACH ROW
  WHEN ((OLD.lead_id, OLD.created_at, OLD.direction, OLD.bulk_send_id, OLD.author_id, OLD.instance_id, OLD.is_automatic)
    IS DISTINCT FROM (NEW.lead_id, NEW.created_at, NEW.direction, NEW.bulk_send_id, NEW.author_id, NEW.instance_id, NEW.is_automatic)
    OR (OLD.status IN ('CANCELED', 'FAILED') AND NEW.status IS DISTINCT FROM OLD.status))
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

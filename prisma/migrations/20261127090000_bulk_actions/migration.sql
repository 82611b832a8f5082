-- One change of many leads, with how far it has come and what it takes to undo it.

CREATE TABLE bulk_actions (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON UPDATE CASCADE ON DELETE RESTRICT,
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
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (tenant_id, undone_by_id) REFERENCES users (tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT
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
  FOREIGN KEY (tenant_id, bulk_action_id) REFERENCES bulk_actions (tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX bulk_action_leads_tenant_id_lead_id_idx ON bulk_action_leads (tenant_id, lead_id);

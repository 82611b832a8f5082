-- # Hidden numbers
-- Leads of whom the network shows only an id, and whose gateway can be asked for the number. Leads from before this version are not asked
-- for: they gain their number when a message of theirs carries it.

CREATE TABLE hidden_numbers (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  lead_id uuid NOT NULL,
  -- Its gateway is asked.
  instance_id uuid NOT NULL,
  -- As the network writes it, without its domain.
  hidden_id text NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  -- When to ask, or when the lease of the worker that asks ends.
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, lead_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX hidden_numbers_due_idx ON hidden_numbers (tenant_id, due_at);
CREATE INDEX hidden_numbers_instance_idx ON hidden_numbers (tenant_id, instance_id);

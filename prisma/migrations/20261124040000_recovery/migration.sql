-- Recovery from the gateways' histories, and the health of instances. New columns have constant defaults or none, so that no row is
-- written again, and the locks are short.

ALTER TABLE chat_instances
  ADD COLUMN health_code text,
  ADD COLUMN health_reason text,
  ADD COLUMN degraded_at timestamptz(3),
  ADD CONSTRAINT chat_instances_health_check CHECK (num_nonnulls(health_code, health_reason, degraded_at) IN (0, 3));
CREATE INDEX chat_instances_degraded_idx ON chat_instances (tenant_id) WHERE degraded_at IS NOT NULL;

-- `webhook`: a call that arrived. `history`: records that were read from the gateway's history.
ALTER TABLE webhook_deliveries ADD COLUMN source text NOT NULL DEFAULT 'webhook';

-- Who was erased, so that no history brings the person back: an identity under a key of the service, and when. Kept for as long as
-- histories are read back.
CREATE TABLE erased_identities (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  digest bytea NOT NULL,
  erased_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX erased_identities_erased_at_idx ON erased_identities (erased_at);

-- How far the history of each instance was read, and what is known of its habits.
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

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, instance_id) REFERENCES chat_instances (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT instance_audits_sum_check CHECK (at_gateway = here + recovered + unexplained)
);
CREATE INDEX instance_audits_tenant_id_instance_id_id_idx ON instance_audits (tenant_id, instance_id, id);

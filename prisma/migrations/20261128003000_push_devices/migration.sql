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

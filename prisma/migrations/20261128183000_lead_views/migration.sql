-- Views of the table of leads that users keep under a name.

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

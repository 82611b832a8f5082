-- Templates of the chat network, and messages and bulk sends that are made of one. The new columns have no default, so that no row is
-- written again, and the locks are short.

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

ALTER TABLE messages ADD COLUMN channel_template jsonb;

ALTER TABLE bulk_sends
  ALTER COLUMN template_id DROP NOT NULL,
  ALTER COLUMN template_version DROP NOT NULL,
  ADD COLUMN channel_template jsonb,
  ADD CONSTRAINT bulk_sends_one_template CHECK (num_nonnulls(template_id, channel_template) = 1);

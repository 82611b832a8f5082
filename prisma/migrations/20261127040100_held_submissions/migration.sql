-- Submissions with an e-mail address and without a usable number: they wait for a number, and make no lead before.

CREATE TABLE held_submissions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  -- As in lead_source_leads: a repeated call is held once.
  key text NOT NULL,
  external_id text,
  form_id text,
  email text NOT NULL,
  -- What stood where the number belongs, and what is wrong with it.
  written_number text,
  problem text NOT NULL,
  -- The lead that it becomes, but for the number.
  lead jsonb NOT NULL,
  country text,
  disclaimers jsonb NOT NULL,
  -- The journal's entry that brought it.
  call_id uuid,
  submitted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES lead_sources (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX held_submissions_key_idx ON held_submissions (tenant_id, source_id, key);
CREATE INDEX held_submissions_source_idx ON held_submissions (tenant_id, source_id, id);

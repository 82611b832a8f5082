-- How an import read its columns, what it changed of known leads, and the rows that it refused, so that they can be downloaded.

ALTER TABLE lead_imports
  ADD COLUMN update_mode text,
  ADD COLUMN columns jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN column_notes jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN headers jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN updated_rows integer NOT NULL DEFAULT 0;

CREATE TABLE lead_import_refused_rows (
  tenant_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line integer NOT NULL,
  cells jsonb NOT NULL,
  reason text NOT NULL,
  -- The number that it has, where it can be read: an erasure removes the row.
  match_key text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, import_id, line),
  FOREIGN KEY (tenant_id, import_id) REFERENCES lead_imports (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_import_refused_rows_match_key_idx ON lead_import_refused_rows (tenant_id, match_key) WHERE match_key IS NOT NULL;

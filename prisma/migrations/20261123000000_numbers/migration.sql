-- How numbers are read and judged. No table is rewritten or read whole: locks last a moment.

ALTER TABLE tenants ADD COLUMN default_country text;
ALTER TABLE tenants ADD CONSTRAINT tenants_default_country_check CHECK (default_country ~ '^[A-Z]{2}$');

CREATE TYPE number_validity AS ENUM ('VALID', 'INVALID', 'UNKNOWN');

-- New leads are judged when they are created. Those that are here are judged by a job.
ALTER TABLE leads ADD COLUMN number_validity number_validity NOT NULL DEFAULT 'UNKNOWN';

-- The tenants whose leads the job has to judge, and the last lead that it has looked at.
CREATE TABLE number_checks (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  position uuid
);
INSERT INTO number_checks (tenant_id) SELECT id FROM tenants;

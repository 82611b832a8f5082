-- How numbers are read and judged. No table is rewritten or read whole: locks last a moment.

ALTER TABLE tenants ADD COLUMN default_country text;
ALTER TABLE tenants ADD CONSTRAINT tenants_default_country_check CHECK (default_country ~ '^[A-Z]{2}$');

CREATE TYPE number_validity AS ENUM ('VALID', 'INVALID', 'UNKNOWN');

-- New leads are judged when they are created. Those that are here are judged by a job.
ALTER TABLE leads ADD COLUMN number_validity number_validity NOT NULL DEFAULT 'UNKNOWN';

-- How far the job has come: ids are UUID v7, so leads that another version of the service creates meanwhile come after its position.
CREATE TABLE number_checks (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  position uuid,
  watched_until timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP + interval '1 day'
);
INSERT INTO number_checks (tenant_id) SELECT id FROM tenants;

-- What stands before texts that people write, and the name that a user is called by there.

CREATE TYPE signature_mode AS ENUM ('OFF', 'BEFORE');

ALTER TABLE tenants
  ADD COLUMN signature signature_mode NOT NULL DEFAULT 'OFF',
  ADD COLUMN signature_format text NOT NULL DEFAULT '*{{operator.displayName}}:*';

ALTER TABLE users ADD COLUMN display_name text;

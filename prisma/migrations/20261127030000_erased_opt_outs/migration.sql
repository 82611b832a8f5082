-- What outlives the erasure of a person who had opted out, and the canonical form of keywords, in which marks separate words.

-- The default is of the catalog: no row is written.
ALTER TABLE erased_identities ADD COLUMN opted_out boolean NOT NULL DEFAULT false;

-- The key of the hashes that outlive a person's erasure for good: one for each tenant, sealed, so that a new ENCRYPTION_KEY leaves them as they
-- are.
CREATE TABLE erasure_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  ciphertext bytea NOT NULL,

  PRIMARY KEY (tenant_id)
);

-- A send counts against the rate limit for as long as the limit looks back, also when its message is erased. What is left names nobody.
ALTER TABLE send_attempts DROP CONSTRAINT send_attempts_tenant_id_message_id_fkey;

ALTER TABLE consent_entries
  DROP CONSTRAINT consent_entries_source_check,
  ADD CONSTRAINT consent_entries_source_check CHECK (source IN ('KEYWORD', 'PREFERENCE', 'USER', 'LEAD_FORM', 'ERASURE')) NOT VALID;

-- A few rows at most: keywords with marks in them are rare, and so are tenants.
UPDATE tenants t SET consent_keys = ARRAY(
  SELECT btrim(regexp_replace(key, '[!-/:-@\[-`{-~\s]+', ' ', 'g')) FROM unnest(t.consent_keys) WITH ORDINALITY k (key, place)
  ORDER BY place
)
WHERE EXISTS (SELECT FROM unnest(t.consent_keys) key WHERE key ~ '[!-/:-@\[-`{-~]');

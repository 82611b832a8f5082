-- The bodies of erased people's webhook calls are blanked. A worker walks through the journal once for people who were erased, and keeps
-- its place.

ALTER TABLE webhook_deliveries ADD COLUMN erased_at timestamptz(3);

-- The default is of the catalog: no row is written. It has the worker look for those who were erased before this version as well.
ALTER TABLE erased_identities
  ADD COLUMN left_journal boolean NOT NULL DEFAULT false,
  ADD COLUMN journal_place uuid;

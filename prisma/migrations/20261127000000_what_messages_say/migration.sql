-- What a message says beside its text. The defaults are of the catalog: no row is written.

ALTER TABLE messages
  ADD COLUMN choice jsonb,
  ADD COLUMN referral jsonb,
  ADD COLUMN is_forwarded boolean NOT NULL DEFAULT false,
  ADD COLUMN is_notice boolean NOT NULL DEFAULT false,
  ADD COLUMN may_want_to_stop boolean NOT NULL DEFAULT false;

-- How the calls of a form are signed beside the header: what is signed, where its time stands, and how old it may be. And when a source was
-- last tried out by the product's own test.

ALTER TABLE lead_sources
  -- NULL with a header: BODY, as before.
  ADD COLUMN hmac_scheme text,
  -- NULL: the time stands in the header of the signature, as t=….
  ADD COLUMN hmac_timestamp_header text,
  ADD COLUMN hmac_tolerance_seconds integer,
  ADD COLUMN last_test_at timestamptz(3);

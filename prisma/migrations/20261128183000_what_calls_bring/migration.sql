-- What a call of the journal brought, through which instance, and how long it took. Null in calls of versions before.

ALTER TABLE webhook_deliveries
  ADD COLUMN kinds text[],
  ADD COLUMN reported text[],
  ADD COLUMN instance_id uuid,
  ADD COLUMN took_ms integer;

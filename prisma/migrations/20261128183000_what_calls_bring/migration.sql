-- The journal keeps what a call brought, through which instance, and how long it took. They are null in calls of versions before.

ALTER TABLE webhook_deliveries
  ADD COLUMN kinds text[],
  ADD COLUMN reported text[],
  ADD COLUMN instance_id uuid,
  ADD COLUMN took_ms integer;

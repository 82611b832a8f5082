-- The journal and the event log by time: what is old goes with its partition, not row by row. What is there already becomes the
-- first partition as it stands: it is read once (to check its bound), nothing of the journal is written anew, and of the events only
-- the primary key's index. Later partitions are made by the service; what has none goes to `_rest`.
CREATE SCHEMA IF NOT EXISTS "partitions";

-- The journal, by the time in the ids.
ALTER TABLE "webhook_deliveries" SET SCHEMA "partitions";
ALTER TABLE "partitions"."webhook_deliveries" RENAME TO "webhook_deliveries_past";
CREATE TABLE "webhook_deliveries" (
    LIKE "partitions"."webhook_deliveries_past" INCLUDING DEFAULTS,
    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("tenant_id","id")
) PARTITION BY RANGE ("id");
CREATE INDEX "webhook_deliveries_troubled_idx" ON "webhook_deliveries" ("tenant_id", "id") WHERE "outcome" <> 'processed';
CREATE INDEX "webhook_deliveries_replay_of_idx" ON "webhook_deliveries" ("tenant_id", "replay_of_id", "id")
  WHERE "replay_of_id" IS NOT NULL;
CREATE TABLE "partitions"."webhook_deliveries_rest" PARTITION OF "webhook_deliveries" DEFAULT;

-- The events, by the day of the tenant's log: it is taken under the head's lock, and never goes back. So a partition is a stretch of
-- each tenant's log, and no clock makes a gap in what is left. That no seq comes twice, the head sees to.
ALTER TABLE "event_heads" ADD COLUMN "logged_on" DATE NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date;
ALTER TABLE "events" SET SCHEMA "partitions";
ALTER TABLE "partitions"."events" RENAME TO "events_past";
ALTER TABLE "partitions"."events_past" ADD COLUMN "logged_on" DATE NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date;
ALTER TABLE "partitions"."events_past" DROP CONSTRAINT "events_pkey";
ALTER TABLE "partitions"."events_past" ADD CONSTRAINT "events_past_pkey" PRIMARY KEY ("tenant_id","seq","logged_on");
CREATE TABLE "events" (
    LIKE "partitions"."events_past" INCLUDING DEFAULTS,
    CONSTRAINT "events_pkey" PRIMARY KEY ("tenant_id","seq","logged_on")
) PARTITION BY RANGE ("logged_on");
CREATE TABLE "partitions"."events_rest" PARTITION OF "events" DEFAULT;

DO $$
DECLARE
  tomorrow timestamptz := (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC';
  first_id uuid := rpad(lpad(to_hex(extract(epoch FROM tomorrow)::bigint * 1000), 12, '0'), 32, '0')::uuid;
BEGIN
  -- A clock may have been ahead when a call came in.
  WITH ahead AS (DELETE FROM "partitions"."webhook_deliveries_past" WHERE "id" >= first_id RETURNING *)
  INSERT INTO "partitions"."webhook_deliveries_rest" SELECT * FROM ahead;
  EXECUTE format('ALTER TABLE "webhook_deliveries" ATTACH PARTITION "partitions"."webhook_deliveries_past" FOR VALUES FROM (MINVALUE) TO (%L)', first_id);
  EXECUTE format('ALTER TABLE "events" ATTACH PARTITION "partitions"."events_past" FOR VALUES FROM (MINVALUE) TO (%L)', (tomorrow AT TIME ZONE 'UTC')::date);
END $$;

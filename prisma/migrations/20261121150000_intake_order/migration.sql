-- A status that is reported again while it waits is one.
DELETE FROM "parked_statuses" a USING "parked_statuses" b
  WHERE a."tenant_id" = b."tenant_id" AND a."instance_id" = b."instance_id" AND a."external_id" = b."external_id"
    AND a."status" = b."status" AND a."id" > b."id";
DROP INDEX "parked_statuses_tenant_id_instance_id_external_id_idx";
CREATE UNIQUE INDEX "parked_statuses_tenant_id_instance_id_external_id_status_key"
  ON "parked_statuses" ("tenant_id", "instance_id", "external_id", "status");

-- A report of a line that comes late does not undo a later one.
ALTER TABLE "chat_instances" ADD COLUMN "status_reported_at" TIMESTAMPTZ(3);

-- The network names a line by its id alone.
CREATE INDEX "chat_instances_network_line_idx" ON "chat_instances" ("id")
  WHERE "webhook_secret_ciphertext" IS NOT NULL AND "deleted_at" IS NULL;

-- The two append-only logs: a look at the tenant for each row told in the intake's throughput.
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_tenant_id_fkey";
ALTER TABLE "events" DROP CONSTRAINT "events_tenant_id_fkey";

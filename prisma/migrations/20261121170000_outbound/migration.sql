-- Messages leave in the order in which they were accepted, by the database's count: ids are made by the clocks of many processes.
ALTER TABLE "outbox_entries" ADD COLUMN "position" BIGINT;
UPDATE "outbox_entries" o SET "position" = n."position"
  FROM (SELECT "tenant_id", "message_id", row_number() OVER (ORDER BY "message_id") AS "position" FROM "outbox_entries") n
  WHERE o."tenant_id" = n."tenant_id" AND o."message_id" = n."message_id";
CREATE SEQUENCE "outbox_entries_position_seq" OWNED BY "outbox_entries"."position";
SELECT setval('outbox_entries_position_seq', (SELECT coalesce(max("position"), 0) + 1 FROM "outbox_entries"), false);
ALTER TABLE "outbox_entries" ALTER COLUMN "position" SET DEFAULT nextval('outbox_entries_position_seq'),
  ALTER COLUMN "position" SET NOT NULL,
  ADD COLUMN "scheduled_at" TIMESTAMPTZ(6),
  ADD COLUMN "unconfirmed_since" TIMESTAMPTZ(6);
DROP INDEX "outbox_entries_tenant_id_priority_message_id_idx";
DROP INDEX "outbox_entries_tenant_id_lead_id_message_id_idx";
DROP INDEX "outbox_entries_due_at_idx";
CREATE INDEX "outbox_entries_tenant_id_instance_id_priority_position_idx"
  ON "outbox_entries" ("tenant_id", "instance_id", "priority", "position") WHERE "scheduled_at" IS NULL;
CREATE INDEX "outbox_entries_retried_idx" ON "outbox_entries" ("tenant_id", "due_at") WHERE "attempt_count" > 0;
CREATE INDEX "outbox_entries_leased_idx" ON "outbox_entries" ("tenant_id", "lease_until") WHERE "lease_until" IS NOT NULL;
CREATE INDEX "outbox_entries_tenant_id_lead_id_position_idx" ON "outbox_entries" ("tenant_id", "lead_id", "position")
  WHERE "scheduled_at" IS NULL;
CREATE INDEX "outbox_entries_scheduled_idx" ON "outbox_entries" ("tenant_id", "scheduled_at") WHERE "scheduled_at" IS NOT NULL;
-- The message that a row belongs to names the same lead and instance, and is asked for both.
ALTER TABLE "outbox_entries" DROP CONSTRAINT "outbox_entries_tenant_id_lead_id_fkey",
  DROP CONSTRAINT "outbox_entries_tenant_id_instance_id_fkey";

-- A line that is out holds its own messages, and nobody else's.
ALTER TABLE "chat_instances" ADD COLUMN "outbound_paused_until" TIMESTAMPTZ(6), ADD COLUMN "outbound_pause_reason" TEXT;

-- A template to many leads, sent as one.
CREATE TABLE "bulk_sends" (
  "tenant_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "template_id" UUID NOT NULL,
  "template_version" INTEGER NOT NULL,
  "instance_id" UUID NOT NULL,
  "author_id" UUID NOT NULL,
  "idempotency_key" TEXT NOT NULL,
  "content_hash" BYTEA NOT NULL,
  "total" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "canceled_at" TIMESTAMPTZ(3),
  CONSTRAINT "bulk_sends_pkey" PRIMARY KEY ("tenant_id", "id")
);
CREATE UNIQUE INDEX "bulk_sends_tenant_id_idempotency_key_key" ON "bulk_sends" ("tenant_id", "idempotency_key");
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_tenant_id_fkey" FOREIGN KEY ("tenant_id")
  REFERENCES "tenants" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_tenant_id_template_id_fkey" FOREIGN KEY ("tenant_id", "template_id")
  REFERENCES "templates" ("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_tenant_id_instance_id_fkey" FOREIGN KEY ("tenant_id", "instance_id")
  REFERENCES "chat_instances" ("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_sends" ADD CONSTRAINT "bulk_sends_tenant_id_author_id_fkey" FOREIGN KEY ("tenant_id", "author_id")
  REFERENCES "users" ("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "messages" ADD COLUMN "scheduled_for" TIMESTAMPTZ(3), ADD COLUMN "template_version" INTEGER, ADD COLUMN "bulk_send_id" UUID;
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_bulk_send_id_fkey" FOREIGN KEY ("tenant_id", "bulk_send_id")
  REFERENCES "bulk_sends" ("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "messages_bulk_send_idx" ON "messages" ("tenant_id", "bulk_send_id", "status") WHERE "bulk_send_id" IS NOT NULL;
-- What the gateway accepted and has reported nothing of since.
CREATE INDEX "messages_unacknowledged_idx" ON "messages" ("sent_at") WHERE "status" = 'SENT' AND "error_code" IS NULL;

-- What subscribers were told of a line's state, so that one that flaps is not told of each time.
ALTER TABLE "chat_instances"
  ADD COLUMN "told_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "told_status" "chat_instance_status" NOT NULL DEFAULT 'CONNECTING';
UPDATE "chat_instances" SET "told_status" = "status";
CREATE INDEX "chat_instances_untold_idx" ON "chat_instances" ("told_at") WHERE "status" <> "told_status";

-- The secret that the network signs its calls with, where they cannot carry an API key.
ALTER TABLE "chat_instances" ADD COLUMN "webhook_secret_ciphertext" BYTEA;

-- Two leads that turn out to be one, and the way back.
ALTER TABLE "leads" ADD COLUMN "merged_into_id" UUID;
ALTER TABLE "leads" ADD CONSTRAINT "leads_tenant_id_merged_into_id_fkey" FOREIGN KEY ("tenant_id", "merged_into_id")
  REFERENCES "leads"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "leads_tenant_id_merged_into_id_idx" ON "leads" ("tenant_id", "merged_into_id") WHERE "merged_into_id" IS NOT NULL;
CREATE TABLE "lead_merges" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "survivor_id" UUID NOT NULL,
    "merged_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "user_id" UUID,
    "message_ids" UUID[],
    "touch_ids" UUID[],
    "identities" TEXT[],
    "before" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "lead_merges_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "lead_merges_tenant_id_survivor_id_idx" ON "lead_merges"("tenant_id", "survivor_id");
CREATE INDEX "lead_merges_tenant_id_merged_id_idx" ON "lead_merges"("tenant_id", "merged_id");
ALTER TABLE "lead_merges" ADD CONSTRAINT "lead_merges_tenant_id_survivor_id_fkey" FOREIGN KEY ("tenant_id", "survivor_id")
  REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "lead_merges" ADD CONSTRAINT "lead_merges_tenant_id_merged_id_fkey" FOREIGN KEY ("tenant_id", "merged_id")
  REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A status that waits for its message expires, and the call that brought it says so.
ALTER TABLE "parked_statuses" ADD COLUMN "delivery_id" UUID;
CREATE INDEX "parked_statuses_created_at_idx" ON "parked_statuses"("created_at");

-- The journal tells how a call was read, what was cut off, and what ran again.
ALTER TABLE "webhook_deliveries"
  ADD COLUMN "body_bytes" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "dialect" TEXT,
  ADD COLUMN "replay_of_id" UUID;
UPDATE "webhook_deliveries" SET "body_bytes" = length("body");
ALTER TABLE "webhook_deliveries" ALTER COLUMN "body_bytes" DROP DEFAULT;
-- What somebody may have to mend is found without reading what went well.
CREATE INDEX "webhook_deliveries_troubled_idx" ON "webhook_deliveries" ("tenant_id", "id") WHERE "outcome" <> 'processed';

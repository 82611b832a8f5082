-- A tenant can be switched off.
ALTER TABLE "tenants" ADD COLUMN "is_active" BOOLEAN NOT NULL DEFAULT true;

-- One current key for each tenant; the ones it replaced have an end.
CREATE UNIQUE INDEX "tenant_api_keys_current_key" ON "tenant_api_keys" ("tenant_id") WHERE "expires_at" IS NULL;

-- Nothing has written to it so far.
ALTER TABLE "audit_entries"
  ALTER COLUMN "actor_id" TYPE UUID USING "actor_id"::uuid,
  ALTER COLUMN "target_id" TYPE UUID USING "target_id"::uuid,
  ADD COLUMN "request_id" TEXT;
CREATE INDEX "audit_entries_tenant_id_target_id_id_idx" ON "audit_entries" ("tenant_id", "target_id", "id");

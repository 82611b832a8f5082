-- Where tenants have their events posted, and what is on its way there.
CREATE TABLE "webhook_endpoints" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret_ciphertext" BYTEA,
    "previous_secret_ciphertext" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "position_seq" BIGINT NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "endpoint_deliveries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "event_seq" BIGINT,
    "lead_id" UUID,
    "message_id" UUID,
    "instance_id" UUID,
    "data" JSONB,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'PENDING',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "earlier_attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "lease_until" TIMESTAMPTZ(6),
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "endpoint_deliveries_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE INDEX "endpoint_deliveries_tenant_id_endpoint_id_id_idx" ON "endpoint_deliveries"("tenant_id", "endpoint_id", "id");

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "endpoint_deliveries" ADD CONSTRAINT "endpoint_deliveries_tenant_id_endpoint_id_fkey" FOREIGN KEY ("tenant_id", "endpoint_id") REFERENCES "webhook_endpoints"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What a claim looks for, and a replay of everything that failed.
CREATE INDEX "endpoint_deliveries_due_idx" ON "endpoint_deliveries" ("tenant_id", "endpoint_id", "due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "endpoint_deliveries_failed_idx" ON "endpoint_deliveries" ("tenant_id", "endpoint_id", "id") WHERE "state" = 'FAILED';

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_enabled_check" CHECK (
    "is_enabled" = ("disabled_reason" IS NULL) AND ("deleted_at" IS NULL OR NOT "is_enabled")
);
ALTER TABLE "endpoint_deliveries" ADD CONSTRAINT "endpoint_deliveries_due_check" CHECK (("state" = 'PENDING') = ("due_at" IS NOT NULL));

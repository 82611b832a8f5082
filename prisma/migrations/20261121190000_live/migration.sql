-- Who looks at a lead or answers it, as long as they keep saying so.
CREATE TYPE "presence_intent" AS ENUM ('VIEWING', 'ANSWERING');
CREATE TABLE "lead_presences" (
    "tenant_id" UUID NOT NULL,
    "lead_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "intent" "presence_intent" NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lead_presences_pkey" PRIMARY KEY ("tenant_id","lead_id","user_id")
);
CREATE INDEX "lead_presences_expires_at_idx" ON "lead_presences"("expires_at");
ALTER TABLE "lead_presences" ADD CONSTRAINT "lead_presences_tenant_id_lead_id_fkey" FOREIGN KEY ("tenant_id", "lead_id") REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "lead_presences" ADD CONSTRAINT "lead_presences_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "users"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- How far the log has been read for the progress of a tenant's bulk sends.
CREATE TABLE "bulk_send_watches" (
    "tenant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "active_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bulk_send_watches_pkey" PRIMARY KEY ("tenant_id")
);
CREATE INDEX "bulk_send_watches_active_until_idx" ON "bulk_send_watches"("active_until");
ALTER TABLE "bulk_send_watches" ADD CONSTRAINT "bulk_send_watches_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

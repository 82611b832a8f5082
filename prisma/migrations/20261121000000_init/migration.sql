-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "role" AS ENUM ('ADMIN', 'OPERATOR');

-- CreateEnum
CREATE TYPE "chat_instance_status" AS ENUM ('CONNECTING', 'CONNECTED', 'DISCONNECTED', 'INACTIVE', 'ERROR');

-- CreateEnum
CREATE TYPE "identity_kind" AS ENUM ('PHONE', 'LID', 'BSUID');

-- CreateEnum
CREATE TYPE "message_direction" AS ENUM ('INBOUND', 'OUTBOUND');

-- CreateEnum
CREATE TYPE "message_status" AS ENUM ('QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED');

-- CreateTable
CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "is_platform" BOOLEAN NOT NULL DEFAULT false,
    "chat_rate_max" INTEGER,
    "chat_rate_duration_ms" INTEGER,
    "webhook_source_label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenant_api_keys" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "tenant_api_keys_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "users" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "idp_sub" TEXT,
    "role" "role" NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "chat_instances" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "provider" TEXT NOT NULL DEFAULT 'gateway',
    "instance_name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "status" "chat_instance_status" NOT NULL DEFAULT 'CONNECTING',
    "base_url" TEXT,
    "token_ciphertext" BYTEA,
    "last_error" TEXT,
    "metadata" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "chat_instances_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "leads" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "chat" TEXT,
    "source" TEXT NOT NULL,
    "metadata" JSONB,
    "assignee_id" UUID,
    "last_message_id" UUID,
    "unread_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leads_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "lead_identities" (
    "tenant_id" UUID NOT NULL,
    "kind" "identity_kind" NOT NULL,
    "match_key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "lead_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_identities_pkey" PRIMARY KEY ("tenant_id","kind","match_key")
);

-- CreateTable
CREATE TABLE "lead_touches" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "lead_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "metadata" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_touches_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "lead_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "direction" "message_direction" NOT NULL,
    "status" "message_status",
    "type" TEXT NOT NULL,
    "body" TEXT,
    "media" JSONB,
    "external_id" TEXT,
    "reply_to_external_id" TEXT,
    "template_id" UUID,
    "author_id" UUID,
    "idempotency_key" TEXT,
    "content_hash" BYTEA,
    "error_code" TEXT,
    "error_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "received_at" TIMESTAMPTZ(3),
    "provider_timestamp" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "messages_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "message_status_transitions" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "from_status" "message_status",
    "to_status" "message_status" NOT NULL,
    "source" TEXT NOT NULL,
    "provider_code" TEXT,
    "detail" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_status_transitions_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "parked_statuses" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "status" "message_status" NOT NULL,
    "provider_code" TEXT,
    "detail" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "parked_statuses_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "outbox_entries" (
    "tenant_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "lead_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "priority" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_entries_pkey" PRIMARY KEY ("tenant_id","message_id")
);

-- CreateTable
CREATE TABLE "send_attempts" (
    "tenant_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "granted_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),
    "outcome" TEXT,
    "detail" TEXT,

    CONSTRAINT "send_attempts_pkey" PRIMARY KEY ("tenant_id","message_id","number")
);

-- CreateTable
CREATE TABLE "templates" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "dashboards" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "widgets" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboards_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "result" JSONB,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "events" (
    "tenant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "lead_id" UUID,
    "message_id" UUID,
    "instance_id" UUID,
    "data" JSONB,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("tenant_id","seq")
);

-- CreateTable
CREATE TABLE "event_heads" (
    "tenant_id" UUID NOT NULL,
    "last_seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_heads_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "action" TEXT NOT NULL,
    "target_kind" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "tenant_api_keys_hash_key" ON "tenant_api_keys"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "users_idp_sub_key" ON "users"("idp_sub");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_tenant_id_user_id_key" ON "accounts"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "leads_tenant_id_last_message_id_idx" ON "leads"("tenant_id", "last_message_id");

-- CreateIndex
CREATE INDEX "lead_identities_tenant_id_lead_id_idx" ON "lead_identities"("tenant_id", "lead_id");

-- CreateIndex
CREATE INDEX "lead_touches_tenant_id_lead_id_id_idx" ON "lead_touches"("tenant_id", "lead_id", "id");

-- CreateIndex
CREATE INDEX "messages_tenant_id_lead_id_id_idx" ON "messages"("tenant_id", "lead_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_tenant_id_instance_id_external_id_key" ON "messages"("tenant_id", "instance_id", "external_id");

-- CreateIndex
CREATE INDEX "message_status_transitions_tenant_id_message_id_id_idx" ON "message_status_transitions"("tenant_id", "message_id", "id");

-- CreateIndex
CREATE INDEX "parked_statuses_tenant_id_instance_id_external_id_idx" ON "parked_statuses"("tenant_id", "instance_id", "external_id");

-- CreateIndex
CREATE INDEX "outbox_entries_tenant_id_priority_message_id_idx" ON "outbox_entries"("tenant_id", "priority", "message_id");

-- CreateIndex
CREATE INDEX "outbox_entries_tenant_id_lead_id_message_id_idx" ON "outbox_entries"("tenant_id", "lead_id", "message_id");

-- CreateIndex
CREATE INDEX "outbox_entries_due_at_idx" ON "outbox_entries"("due_at");

-- CreateIndex
CREATE INDEX "send_attempts_tenant_id_granted_at_idx" ON "send_attempts"("tenant_id", "granted_at");

-- CreateIndex
CREATE UNIQUE INDEX "templates_tenant_id_name_key" ON "templates"("tenant_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "dashboards_tenant_id_name_key" ON "dashboards"("tenant_id", "name");

-- AddForeignKey
ALTER TABLE "tenant_api_keys" ADD CONSTRAINT "tenant_api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_instances" ADD CONSTRAINT "chat_instances_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_instances" ADD CONSTRAINT "chat_instances_tenant_id_account_id_fkey" FOREIGN KEY ("tenant_id", "account_id") REFERENCES "accounts"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "leads" ADD CONSTRAINT "leads_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "leads" ADD CONSTRAINT "leads_tenant_id_assignee_id_fkey" FOREIGN KEY ("tenant_id", "assignee_id") REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "leads" ADD CONSTRAINT "leads_tenant_id_last_message_id_fkey" FOREIGN KEY ("tenant_id", "last_message_id") REFERENCES "messages"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lead_identities" ADD CONSTRAINT "lead_identities_tenant_id_lead_id_fkey" FOREIGN KEY ("tenant_id", "lead_id") REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lead_touches" ADD CONSTRAINT "lead_touches_tenant_id_lead_id_fkey" FOREIGN KEY ("tenant_id", "lead_id") REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_lead_id_fkey" FOREIGN KEY ("tenant_id", "lead_id") REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_instance_id_fkey" FOREIGN KEY ("tenant_id", "instance_id") REFERENCES "chat_instances"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_author_id_fkey" FOREIGN KEY ("tenant_id", "author_id") REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_template_id_fkey" FOREIGN KEY ("tenant_id", "template_id") REFERENCES "templates"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_status_transitions" ADD CONSTRAINT "message_status_transitions_tenant_id_message_id_fkey" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "messages"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "parked_statuses" ADD CONSTRAINT "parked_statuses_tenant_id_instance_id_fkey" FOREIGN KEY ("tenant_id", "instance_id") REFERENCES "chat_instances"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox_entries" ADD CONSTRAINT "outbox_entries_tenant_id_message_id_fkey" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "messages"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox_entries" ADD CONSTRAINT "outbox_entries_tenant_id_lead_id_fkey" FOREIGN KEY ("tenant_id", "lead_id") REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox_entries" ADD CONSTRAINT "outbox_entries_tenant_id_instance_id_fkey" FOREIGN KEY ("tenant_id", "instance_id") REFERENCES "chat_instances"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_attempts" ADD CONSTRAINT "send_attempts_tenant_id_message_id_fkey" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "messages"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dashboards" ADD CONSTRAINT "dashboards_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_heads" ADD CONSTRAINT "event_heads_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- What Prisma's schema cannot express.

-- One tenant carries the platform's mark.
CREATE UNIQUE INDEX "tenants_platform_key" ON "tenants" ("is_platform") WHERE "is_platform";
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_chat_rate_check" CHECK (
  ("chat_rate_max" IS NULL AND "chat_rate_duration_ms" IS NULL) OR ("chat_rate_max" > 0 AND "chat_rate_duration_ms" > 0)
);

-- An e-mail address is one user of a tenant, in any letter case.
CREATE UNIQUE INDEX "users_tenant_id_email_key" ON "users" ("tenant_id", lower("email"));

-- A name is free again once its instance was deleted; an account has one default.
CREATE UNIQUE INDEX "chat_instances_tenant_id_instance_name_key" ON "chat_instances" ("tenant_id", "instance_name") WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "chat_instances_tenant_id_account_id_default_key" ON "chat_instances" ("tenant_id", "account_id") WHERE "is_default" AND "deleted_at" IS NULL;

ALTER TABLE "leads" ADD CONSTRAINT "leads_unread_count_check" CHECK ("unread_count" >= 0);

-- Inbound messages have no idempotency key of ours, and cost this index nothing.
CREATE UNIQUE INDEX "messages_tenant_id_idempotency_key_key" ON "messages" ("tenant_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;
-- A status belongs to what we send.
ALTER TABLE "messages" ADD CONSTRAINT "messages_status_check" CHECK (("direction" = 'INBOUND') = ("status" IS NULL));

-- The contract's ranks, in one place for every statement that changes a status. FAILED wins only below DELIVERED; DELIVERED
-- and READ prove arrival and override FAILED; SENT never does. The enum's order is the rank's.
CREATE FUNCTION "message_status_rises" ("current" "message_status", "reported" "message_status") RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN "current" IS NULL OR "current" = 'CANCELED' THEN false
    WHEN "reported" = 'CANCELED' THEN "current" = 'QUEUED'
    WHEN "reported" = 'FAILED' THEN "current" IN ('QUEUED', 'SENDING', 'SENT')
    WHEN "current" = 'FAILED' THEN "reported" IN ('DELIVERED', 'READ')
    ELSE "reported" > "current"
  END
$$;

-- A first sign-in finds its user by e-mail in all tenants.
CREATE INDEX "users_email_idx" ON "users" (lower("email"));

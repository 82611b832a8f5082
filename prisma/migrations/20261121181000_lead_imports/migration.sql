-- Leads from a CSV file, with how far they are and what was wrong.
CREATE TABLE "lead_imports" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "file_name" TEXT,
    "is_dry_run" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'RUNNING',
    "total_rows" INTEGER NOT NULL,
    "processed_rows" INTEGER NOT NULL DEFAULT 0,
    "created_rows" INTEGER NOT NULL DEFAULT 0,
    "existing_rows" INTEGER NOT NULL DEFAULT 0,
    "duplicate_rows" INTEGER NOT NULL DEFAULT 0,
    "refused_rows" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "lead_imports_pkey" PRIMARY KEY ("tenant_id","id")
);
ALTER TABLE "lead_imports" ADD CONSTRAINT "lead_imports_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id")
  REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- A tenant has one at a time.
CREATE UNIQUE INDEX "lead_imports_running_key" ON "lead_imports" ("tenant_id") WHERE "status" = 'RUNNING';

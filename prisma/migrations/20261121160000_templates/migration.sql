-- Messages keep pointing at a deleted template; its name is free again.
ALTER TABLE "templates" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
DROP INDEX "templates_tenant_id_name_key";
CREATE UNIQUE INDEX "templates_tenant_id_name_key" ON "templates" ("tenant_id", "name") WHERE "deleted_at" IS NULL;

-- Every body that a template has had.
CREATE TABLE "template_versions" (
    "tenant_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "author_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("tenant_id","template_id","version")
);
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_tenant_id_template_id_fkey" FOREIGN KEY ("tenant_id", "template_id")
  REFERENCES "templates"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_tenant_id_author_id_fkey" FOREIGN KEY ("tenant_id", "author_id")
  REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
INSERT INTO "template_versions" ("tenant_id", "template_id", "version", "body", "created_at")
  SELECT "tenant_id", "id", "version", "body", "updated_at" FROM "templates";

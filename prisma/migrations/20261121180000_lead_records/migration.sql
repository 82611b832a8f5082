-- What operators keep of a lead.
ALTER TABLE "leads"
  ADD COLUMN "tags" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "custom_fields" JSONB NOT NULL DEFAULT '{}';

CREATE TABLE "lead_notes" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "lead_id" UUID NOT NULL,
    "author_id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_notes_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "lead_notes_tenant_id_lead_id_id_idx" ON "lead_notes"("tenant_id", "lead_id", "id");
ALTER TABLE "lead_notes" ADD CONSTRAINT "lead_notes_tenant_id_lead_id_fkey" FOREIGN KEY ("tenant_id", "lead_id")
  REFERENCES "leads"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "lead_notes" ADD CONSTRAINT "lead_notes_tenant_id_author_id_fkey" FOREIGN KEY ("tenant_id", "author_id")
  REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Notes go along with a merge, and back.
ALTER TABLE "lead_merges" ADD COLUMN "note_ids" UUID[] DEFAULT '{}';

-- What a lead is searched, sorted and filtered by. Each message changes its lead's row, and with it every index of that table: these
-- stand on one of their own, which only changes when a name, a number or the tags do. Nobody but the triggers writes to it, so that a
-- foreign key would only cost time. One character can become eighteen: a key is cut, so that it always fits its index.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Letter case and accents do not count. A text of as many bytes as characters has no accents, and is spared the search for them.
CREATE FUNCTION "search_form" ("written" TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(CASE
    WHEN octet_length("written") = length("written") THEN "written"
    ELSE regexp_replace(normalize("written", NFKD), U&'[\0300-\036F]', '', 'g')
  END)
$$;

CREATE TABLE "lead_search_keys" (
    "tenant_id" UUID NOT NULL,
    "lead_id" UUID NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "chat" TEXT,
    "tags" TEXT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "lead_search_keys_pkey" PRIMARY KEY ("tenant_id","lead_id")
);
CREATE INDEX "lead_search_keys_tenant_id_name_key_lead_id_idx" ON "lead_search_keys"("tenant_id", "name_key", "lead_id");
CREATE INDEX "lead_search_keys_words_idx" ON "lead_search_keys"
  USING GIN ("tenant_id", "name_key" gin_trgm_ops, "chat" gin_trgm_ops, "tags");

INSERT INTO "lead_search_keys" ("tenant_id", "lead_id", "name_key", "chat", "tags")
  SELECT "tenant_id", "id", left("search_form"("name"), 200), "chat", "tags" FROM "leads";

CREATE FUNCTION "index_new_leads" () RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "lead_search_keys" ("tenant_id", "lead_id", "name_key", "chat", "tags")
    SELECT "tenant_id", "id", left("search_form"("name"), 200), "chat", "tags" FROM "written";
  RETURN NULL;
END $$;
CREATE TRIGGER "leads_index_new" AFTER INSERT ON "leads" REFERENCING NEW TABLE AS "written"
  FOR EACH STATEMENT EXECUTE FUNCTION "index_new_leads"();

CREATE FUNCTION "index_changed_lead" () RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "lead_search_keys" SET "name_key" = left("search_form"(NEW."name"), 200), "chat" = NEW."chat", "tags" = NEW."tags"
    WHERE "tenant_id" = NEW."tenant_id" AND "lead_id" = NEW."id";
  RETURN NULL;
END $$;
-- A message's own statements set none of these columns, and do not come here.
CREATE TRIGGER "leads_index_changed" AFTER UPDATE OF "name", "chat", "tags" ON "leads" FOR EACH ROW
  WHEN ((OLD."name", OLD."chat", OLD."tags") IS DISTINCT FROM (NEW."name", NEW."chat", NEW."tags"))
  EXECUTE FUNCTION "index_changed_lead"();

CREATE FUNCTION "forget_deleted_leads" () RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "lead_search_keys" k USING "gone" g WHERE k."tenant_id" = g."tenant_id" AND k."lead_id" = g."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "leads_forget_deleted" AFTER DELETE ON "leads" REFERENCING OLD TABLE AS "gone"
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_deleted_leads"();

-- What somebody may have to send again is found without reading what went well.
CREATE INDEX "messages_unsent_idx" ON "messages" ("tenant_id", "id") WHERE "status" IN ('FAILED', 'CANCELED');

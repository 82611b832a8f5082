ALTER TABLE "dashboards"
  ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'UTC',
  ADD COLUMN "time_range" JSONB NOT NULL DEFAULT '{"preset":"LAST_30_DAYS"}';

-- What is read by the time at which a message was stored. It never changes, so updates of messages stay in their page.
CREATE INDEX "messages_tenant_id_created_at_idx" ON "messages" ("tenant_id", "created_at");

-- Computed from other rows, without foreign keys: nobody who writes messages or leads waits for whoever computes.
CREATE TABLE "message_counts" (
  "tenant_id" UUID NOT NULL,
  "dimension" TEXT NOT NULL,
  "quarter" TIMESTAMPTZ(3) NOT NULL,
  "key" TEXT NOT NULL,
  "received" INTEGER NOT NULL,
  "queued" INTEGER NOT NULL,
  "sending" INTEGER NOT NULL,
  "sent" INTEGER NOT NULL,
  "delivered" INTEGER NOT NULL,
  "read" INTEGER NOT NULL,
  "failed" INTEGER NOT NULL,
  "canceled" INTEGER NOT NULL,
  CONSTRAINT "message_counts_pkey" PRIMARY KEY ("tenant_id", "dimension", "quarter", "key")
);
CREATE TABLE "reply_times" (
  "tenant_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "lead_id" UUID NOT NULL,
  "instance_id" UUID,
  "opened_at" TIMESTAMPTZ(3) NOT NULL,
  "reply_id" UUID,
  "wait_ms" BIGINT,
  "author_id" UUID,
  CONSTRAINT "reply_times_pkey" PRIMARY KEY ("tenant_id", "kind", "id")
);
CREATE INDEX "reply_times_tenant_id_kind_opened_at_wait_ms_idx"
  ON "reply_times" ("tenant_id", "kind", "opened_at", "wait_ms");
CREATE INDEX "reply_times_tenant_id_lead_id_idx" ON "reply_times" ("tenant_id", "lead_id");
CREATE TABLE "dashboard_changes" (
  "tenant_id" UUID NOT NULL,
  "id" BIGSERIAL NOT NULL,
  "quarters" TIMESTAMPTZ(3)[],
  "lead_ids" UUID[],
  CONSTRAINT "dashboard_changes_pkey" PRIMARY KEY ("tenant_id", "id")
);

-- Whatever changes messages or leads says which quarters of an hour and which leads have to be computed again: one row for a
-- statement, in its transaction, so that who takes the row sees the change.
CREATE FUNCTION "quarter_of" ("time" timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT date_bin('15 minutes', "time", timestamptz '2000-01-01 00:00:00Z') $$;

CREATE FUNCTION "note_changed_messages" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first reply counts unless it was taken back; whatever else becomes of a message is a count's concern only.
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, array_agg(DISTINCT quarter_of(created_at)),
    coalesce(array_agg(DISTINCT lead_id) FILTER (WHERE TG_OP <> 'UPDATE' OR status = 'CANCELED'), '{}')
  FROM changed GROUP BY tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "messages_inserted" AFTER INSERT ON "messages" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_messages"();
CREATE TRIGGER "messages_updated" AFTER UPDATE ON "messages" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_messages"();
CREATE TRIGGER "messages_deleted" AFTER DELETE ON "messages" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_messages"();

CREATE FUNCTION "note_moved_message" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  VALUES (NEW.tenant_id, ARRAY[quarter_of(OLD.created_at), quarter_of(NEW.created_at)], ARRAY[OLD.lead_id, NEW.lead_id]);
  RETURN NULL;
END $$;
-- Conditions are looked at where the row is written: none of what happens to messages every day gets further.
CREATE TRIGGER "messages_moved" AFTER UPDATE OF "lead_id", "created_at", "direction", "bulk_send_id", "status" ON "messages"
  FOR EACH ROW WHEN ((OLD."lead_id", OLD."created_at", OLD."direction", OLD."bulk_send_id")
    IS DISTINCT FROM (NEW."lead_id", NEW."created_at", NEW."direction", NEW."bulk_send_id")
    OR (OLD."status" = 'CANCELED' AND NEW."status" IS DISTINCT FROM OLD."status"))
  EXECUTE FUNCTION "note_moved_message"();

CREATE FUNCTION "note_changed_leads" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, '{}', array_agg(id) FROM changed GROUP BY tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "leads_inserted" AFTER INSERT ON "leads" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_leads"();
CREATE TRIGGER "leads_deleted" AFTER DELETE ON "leads" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_leads"();

CREATE FUNCTION "note_updated_lead" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT NEW.tenant_id, ARRAY(SELECT DISTINCT quarter_of(m.created_at) FROM messages m
    WHERE m.tenant_id = NEW.tenant_id AND m.lead_id = NEW.id), ARRAY[NEW.id];
  RETURN NULL;
END $$;
-- Not what changes with each message.
CREATE TRIGGER "leads_updated" AFTER UPDATE OF "source", "assignee_id", "merged_into_id", "created_at" ON "leads"
  FOR EACH ROW WHEN ((OLD."source", OLD."assignee_id", OLD."merged_into_id", OLD."created_at")
    IS DISTINCT FROM (NEW."source", NEW."assignee_id", NEW."merged_into_id", NEW."created_at"))
  EXECUTE FUNCTION "note_updated_lead"();

CREATE FUNCTION "forget_computed_rows" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE message_counts, reply_times, dashboard_changes;
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, '{}', array_agg(id) FROM leads GROUP BY tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "messages_truncated" AFTER TRUNCATE ON "messages"
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_computed_rows"();

-- Rows that are loaded past the foreign keys (session_replication_role) count as well.
ALTER TABLE "messages" ENABLE ALWAYS TRIGGER "messages_inserted", ENABLE ALWAYS TRIGGER "messages_updated",
  ENABLE ALWAYS TRIGGER "messages_deleted", ENABLE ALWAYS TRIGGER "messages_moved", ENABLE ALWAYS TRIGGER "messages_truncated";
ALTER TABLE "leads" ENABLE ALWAYS TRIGGER "leads_inserted", ENABLE ALWAYS TRIGGER "leads_deleted",
  ENABLE ALWAYS TRIGGER "leads_updated";

-- What is there already is computed in the background.
INSERT INTO "dashboard_changes" ("tenant_id", "quarters", "lead_ids")
  SELECT "tenant_id", array_agg(DISTINCT quarter_of("created_at")), '{}' FROM "messages" GROUP BY "tenant_id";
INSERT INTO "dashboard_changes" ("tenant_id", "quarters", "lead_ids")
  SELECT "tenant_id", '{}', array_agg("id") FROM "leads" GROUP BY "tenant_id";

-- What a new tenant begins with, for those that have a place left for the name.
INSERT INTO "dashboards" ("tenant_id", "id", "name", "widgets", "updated_at")
  SELECT t."id", gen_random_uuid(), d."name", (
    SELECT jsonb_agg(w || jsonb_build_object('id', gen_random_uuid(), 'filter', jsonb_build_object())) FROM jsonb_array_elements(d."widgets") w
  ), now()
  FROM "tenants" t CROSS JOIN (VALUES
    ('Response times', '[
      {"type": "FIGURE", "title": "Response time, median", "metric": "RESPONSE_TIME_MEDIAN"},
      {"type": "FIGURE", "title": "Response time, 9 of 10", "metric": "RESPONSE_TIME_P90"},
      {"type": "FIGURE", "title": "Still unanswered", "metric": "TURNS_UNANSWERED"},
      {"type": "SERIES", "title": "Response time by day", "metric": "RESPONSE_TIME_MEDIAN", "bucket": "DAY"},
      {"type": "BREAKDOWN", "title": "Speed to lead by source", "metric": "SPEED_TO_LEAD", "dimension": "SOURCE", "limit": 10},
      {"type": "BREAKDOWN", "title": "Busy hours", "metric": "MESSAGES_RECEIVED", "dimension": "HOUR_OF_DAY", "limit": 10}
    ]'::jsonb),
    ('Leads and messages', '[
      {"type": "FIGURE", "title": "New leads", "metric": "LEADS_CREATED"},
      {"type": "FIGURE", "title": "Messages received", "metric": "MESSAGES_RECEIVED"},
      {"type": "FIGURE", "title": "Waiting to be sent", "metric": "QUEUE_DEPTH"},
      {"type": "SERIES", "title": "Messages by day", "metric": "MESSAGES", "bucket": "DAY"},
      {"type": "BREAKDOWN", "title": "Leads by source", "metric": "LEADS_CREATED", "dimension": "SOURCE", "limit": 10},
      {"type": "TABLE", "title": "Delivery by line", "metrics": ["MESSAGES_SENT", "DELIVERED_RATE", "READ_RATE", "FAILED_RATE"], "dimension": "INSTANCE", "limit": 10}
    ]'::jsonb)
  ) AS d ("name", "widgets")
  ON CONFLICT ("tenant_id", "name") DO NOTHING;

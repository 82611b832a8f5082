-- A merged lead holds nothing, so nobody can add a message to one whose merge they have not seen.
UPDATE "leads" SET "unread_count" = 0 WHERE "merged_into_id" IS NOT NULL AND "unread_count" <> 0;
ALTER TABLE "leads" ADD CONSTRAINT "leads_merged_unread_check" CHECK ("merged_into_id" IS NULL OR "unread_count" = 0);

-- A message's steps stand in the order in which they were made, under the message's lock: ids are made before it is waited for.
ALTER TABLE "message_status_transitions" ALTER COLUMN "recorded_at" TYPE TIMESTAMPTZ(6),
  ALTER COLUMN "recorded_at" SET DEFAULT clock_timestamp();

-- Which message a lead's newest one is can be told from the messages at any time: no row is asked for it at each update.
ALTER TABLE "leads" DROP CONSTRAINT "leads_tenant_id_last_message_id_fkey";

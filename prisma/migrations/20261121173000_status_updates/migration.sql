-- A status is changed in place (HOT) as long as no index names its columns, in a predicate either, and the page has room.
DROP INDEX "messages_bulk_send_idx";
CREATE INDEX "messages_bulk_send_idx" ON "messages" ("tenant_id", "bulk_send_id", "id") WHERE "bulk_send_id" IS NOT NULL;
DROP INDEX "messages_unacknowledged_idx";
-- By the time at which the gateway accepted them: what it never reported on is looked for among these.
CREATE INDEX "messages_sent_idx" ON "messages" ("sent_at", "id") WHERE "sent_at" IS NOT NULL AND "author_id" IS NOT NULL;
ALTER TABLE "messages" SET (fillfactor = 90);

-- A message in a worker's hands comes back by its lease, and is no retry before that.
DROP INDEX "outbox_entries_retried_idx";
CREATE INDEX "outbox_entries_retried_idx" ON "outbox_entries" ("tenant_id", "due_at") WHERE "attempt_count" > 0 AND "lease_until" IS NULL;

-- For the window of a limit, and nothing else: a tenant's attempts are many, and a plan that was made while they were few would read
-- them all in this index instead of looking one up. Only a query that repeats the predicate can take it.
DROP INDEX "send_attempts_tenant_id_granted_at_idx";
CREATE INDEX "send_attempts_granted_idx" ON "send_attempts" ("tenant_id", "granted_at") WHERE "granted_at" > '-infinity';

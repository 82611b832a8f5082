-- What failed is found by the time at which it did: an index whose predicate names the status would keep every change of a status from
-- its page.
DROP INDEX "messages_unsent_idx";
CREATE INDEX "messages_failed_idx" ON "messages" ("tenant_id", "id") WHERE "failed_at" IS NOT NULL;

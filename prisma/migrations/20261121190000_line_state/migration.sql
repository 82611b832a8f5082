-- A line that was connected before holds its messages while it connects again; one that never was is tried.
ALTER TABLE "chat_instances" ADD COLUMN "connected_at" TIMESTAMPTZ(3),
  ADD COLUMN "status_changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "state_asked_at" TIMESTAMPTZ(3);
UPDATE "chat_instances" SET "connected_at" = "updated_at" WHERE "status" = 'CONNECTED';

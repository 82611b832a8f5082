-- What ran a call again is found from that call.
CREATE INDEX "webhook_deliveries_replay_of_idx" ON "webhook_deliveries" ("tenant_id", "replay_of_id", "id")
  WHERE "replay_of_id" IS NOT NULL;

-- The scheduled messages of each lead, which say when its earliest answer leaves.
CREATE INDEX CONCURRENTLY outbox_entries_scheduled_lead_idx ON outbox_entries (tenant_id, lead_id, scheduled_at) WHERE scheduled_at IS NOT NULL;

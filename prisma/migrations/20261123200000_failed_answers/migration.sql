-- A message that failed is no answer any more. The conversations of tenants with such messages are computed again, by batches
-- (conversation_backfills).

INSERT INTO conversation_backfills (tenant_id)
  SELECT t.id FROM tenants t
  WHERE EXISTS (
    SELECT FROM messages m
    WHERE m.tenant_id = t.id AND m.failed_at IS NOT NULL AND m.status = 'FAILED' AND m.bulk_send_id IS NULL AND NOT m.is_automatic
  )
  ON CONFLICT (tenant_id) DO UPDATE SET after_lead_id = NULL;

-- A message that failed is no reply in dashboards either. A status that becomes FAILED, or is no longer, is noted for the reply times of
-- its lead. The locks last as long as the catalog takes.

CREATE OR REPLACE FUNCTION note_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first reply counts unless it was taken back or failed; whatever else becomes of a message is a count's concern only.
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, array_agg(DISTINCT quarter_of(created_at)),
    coalesce(array_agg(DISTINCT lead_id) FILTER (WHERE TG_OP <> 'UPDATE' OR status IN ('CANCELED', 'FAILED')), '{}')
  FROM changed GROUP BY tenant_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER messages_moved
  AFTER UPDATE OF lead_id, created_at, direction, bulk_send_id, author_id, instance_id, is_automatic, status ON messages FOR EACH ROW
  WHEN ((OLD.lead_id, OLD.created_at, OLD.direction, OLD.bulk_send_id, OLD.author_id, OLD.instance_id, OLD.is_automatic)
    IS DISTINCT FROM (NEW.lead_id, NEW.created_at, NEW.direction, NEW.bulk_send_id, NEW.author_id, NEW.instance_id, NEW.is_automatic)
    OR (OLD.status IN ('CANCELED', 'FAILED') AND NEW.status IS DISTINCT FROM OLD.status))
  EXECUTE FUNCTION note_moved_message();
ALTER TABLE messages ENABLE ALWAYS TRIGGER messages_moved;

-- What was computed counts failed messages: leads that have one are computed again, 1,000 at a time.
INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, '{}', array_agg(lead_id)
  FROM (
    SELECT tenant_id, lead_id, row_number() OVER (PARTITION BY tenant_id ORDER BY lead_id) / 1000 AS part
    FROM (SELECT DISTINCT tenant_id, lead_id FROM messages WHERE status = 'FAILED') f
  ) p
  GROUP BY tenant_id, part;

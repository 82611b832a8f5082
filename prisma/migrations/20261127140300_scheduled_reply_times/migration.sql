-- A scheduled message is a reply from the time when it was sent: then the reply times of its lead are computed again.
CREATE OR REPLACE FUNCTION note_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first reply counts unless it was taken back or failed; whatever else becomes of a message is a count's concern only.
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, array_agg(DISTINCT quarter_of(created_at)),
    coalesce(array_agg(DISTINCT lead_id) FILTER (WHERE TG_OP <> 'UPDATE' OR status IN ('CANCELED', 'FAILED')
      OR (scheduled_for IS NOT NULL AND status IN ('SENT', 'DELIVERED', 'READ'))), '{}')
  FROM changed GROUP BY tenant_id;
  RETURN NULL;
END $$;

-- Messages count under the source and the assignee of their lead. When a lead gets others, its counts move by difference. Counting all
-- messages of its quarters again took longer the longer the conversation was.

-- A row says under what the messages of a lead are counted, until its counts have moved. Of several rows, the first one holds. The rows have
-- no foreign keys, like all that is computed.
CREATE TABLE counts_to_move (
  tenant_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  id bigserial,
  source text NOT NULL,
  assignee_id uuid,

  PRIMARY KEY (tenant_id, lead_id, id)
);

CREATE OR REPLACE FUNCTION note_updated_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.source, OLD.assignee_id) IS DISTINCT FROM (NEW.source, NEW.assignee_id) THEN
    INSERT INTO counts_to_move (tenant_id, lead_id, source, assignee_id) VALUES (NEW.tenant_id, NEW.id, OLD.source, OLD.assignee_id);
  END IF;
  -- Reply times are read with the lead's source and assignee, so they do not change with these.
  IF (OLD.merged_into_id, OLD.created_at) IS DISTINCT FROM (NEW.merged_into_id, NEW.created_at) THEN
    INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids) VALUES (NEW.tenant_id, '{}', ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END $$;

-- The version before counts messages under what leads have now, and does not know of counts to move. Where it has counted for a tenant,
-- all quarters of the leads concerned are counted again.
CREATE FUNCTION note_counts_of_version_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('leadwire.counts_move', true) = 'on' THEN RETURN NULL; END IF;
  WITH gone AS (
    DELETE FROM counts_to_move c USING (SELECT DISTINCT tenant_id FROM counted) t WHERE c.tenant_id = t.tenant_id
    RETURNING c.tenant_id, c.lead_id
  )
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT g.tenant_id, array_agg(DISTINCT quarter_of(m.created_at)), '{}'
  FROM (SELECT DISTINCT tenant_id, lead_id FROM gone) g JOIN messages m ON m.tenant_id = g.tenant_id AND m.lead_id = g.lead_id
  GROUP BY g.tenant_id;
  RETURN NULL;
END $$;
CREATE TRIGGER message_counts_inserted AFTER INSERT ON message_counts REFERENCING NEW TABLE AS counted
  FOR EACH STATEMENT EXECUTE FUNCTION note_counts_of_version_before();

CREATE OR REPLACE FUNCTION forget_computed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE message_counts, counts_to_move, reply_times, dashboard_changes;
  INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
  SELECT tenant_id, '{}', array_agg(id) FROM leads GROUP BY tenant_id;
  RETURN NULL;
END $$;

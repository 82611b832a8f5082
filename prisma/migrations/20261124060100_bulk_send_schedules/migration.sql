-- A bulk send keeps when its messages may leave. Those of one bulk send have one time: the first message has it, while it is kept.

ALTER TABLE bulk_sends ADD COLUMN scheduled_for timestamptz(3);

UPDATE bulk_sends b SET scheduled_for = m.scheduled_for
  FROM bulk_sends s CROSS JOIN LATERAL (
    SELECT scheduled_for FROM messages
    WHERE tenant_id = s.tenant_id AND bulk_send_id = s.id ORDER BY id LIMIT 1
  ) m
  WHERE b.tenant_id = s.tenant_id AND b.id = s.id AND m.scheduled_for IS NOT NULL;

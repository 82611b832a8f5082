-- The audit entry of an erased lead keeps nothing of the person. Its source, a free text, stood there until now.
UPDATE "audit_entries" SET "before" = "before" - 'source' WHERE "action" = 'LEAD_DELETED' AND "before" ? 'source';

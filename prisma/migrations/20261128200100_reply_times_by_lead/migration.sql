-- The index by lead and time of opening serves what this one did.
DROP INDEX reply_times_tenant_id_lead_id_idx;

-- The reply times of a lead are computed from the turn that was open: the index finds it, however many turns the lead has had.
CREATE INDEX CONCURRENTLY reply_times_tenant_id_lead_id_kind_opened_at_idx ON reply_times (tenant_id, lead_id, kind, opened_at);

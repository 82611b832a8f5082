CREATE INDEX CONCURRENTLY erased_identities_in_journal_idx ON erased_identities (tenant_id, erased_at) WHERE NOT left_journal AND NOT opted_out;

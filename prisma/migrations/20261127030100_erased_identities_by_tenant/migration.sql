CREATE INDEX CONCURRENTLY erased_identities_tenant_id_erased_at_idx ON erased_identities (tenant_id, erased_at);

CREATE INDEX CONCURRENTLY erased_identities_opted_out_idx ON erased_identities (tenant_id) WHERE opted_out;

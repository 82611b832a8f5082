-- Few numbers are invalid: their leads are read from here and sorted. Other leads write nothing to it.

CREATE INDEX leads_invalid_number_idx ON leads (tenant_id, id) WHERE number_validity = 'INVALID';

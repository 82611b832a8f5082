-- Few touches have a referral: the others, and all messages, write nothing to this index.
CREATE INDEX CONCURRENTLY lead_touches_referral_source_idx ON lead_touches (tenant_id, (referral ->> 'sourceId'), id) WHERE referral IS NOT NULL;

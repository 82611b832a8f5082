-- Few touches have a referral: the others, and all messages, write nothing to this index.
CREATE INDEX CONCURRENTLY lead_touches_referral_idx ON lead_touches (tenant_id, lead_id, id) WHERE referral IS NOT NULL;

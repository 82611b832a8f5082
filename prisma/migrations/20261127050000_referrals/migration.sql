-- The ad, post or product that brought a lead. Few touches have one: the others, and all messages, write nothing to these indexes.

ALTER TABLE lead_touches ADD COLUMN referral jsonb;
CREATE INDEX lead_touches_referral_idx ON lead_touches (tenant_id, lead_id, id) WHERE referral IS NOT NULL;
CREATE INDEX lead_touches_referral_source_idx ON lead_touches (tenant_id, (referral ->> 'sourceId'), id) WHERE referral IS NOT NULL;

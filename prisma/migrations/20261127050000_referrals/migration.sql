-- The ad, post or product that brought a lead.

ALTER TABLE lead_touches ADD COLUMN referral jsonb;

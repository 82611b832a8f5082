-- A tenant's choices of what gateways are told or asked beside messages. All off: each costs calls that nobody has asked for yet.

ALTER TABLE tenants
  ADD COLUMN sends_read_receipts boolean NOT NULL DEFAULT false,
  ADD COLUMN shows_typing boolean NOT NULL DEFAULT false,
  ADD COLUMN checks_numbers boolean NOT NULL DEFAULT false;

-- What a gateway said of a lead's number. It goes with the lead.
CREATE TABLE channel_numbers (
  tenant_id     uuid NOT NULL,
  lead_id       uuid NOT NULL,
  number        text NOT NULL,
  is_on_channel boolean NOT NULL,
  canonical     text,
  checked_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, lead_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

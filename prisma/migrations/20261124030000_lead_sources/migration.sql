-- Lead sources: forms elsewhere that post leads here, what was taken in from them, and the evidence of consent that comes along.

CREATE TABLE lead_sources (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  -- GOOGLE: the `google_key`. META: a verify token that the tenant has chosen.
  key_ciphertext bytea,
  app_secret_ciphertext bytea,
  access_token_ciphertext bytea,
  base_url text,
  -- JSON as text: the order of its entries counts.
  mapping text,
  hmac_header text,
  hmac_algorithm text,
  hmac_encoding text,
  hmac_secret_ciphertext bytea,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Its secrets are gone then.
  deleted_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  CONSTRAINT lead_sources_kind_check CHECK (kind IN ('META', 'GOOGLE', 'FORM')),
  CONSTRAINT lead_sources_hmac_check CHECK (num_nonnulls(hmac_header, hmac_algorithm, hmac_encoding) IN (0, 3))
);
-- A call names its source before the tenant is known.
CREATE INDEX lead_sources_id_idx ON lead_sources (id);

-- One row for each lead of a source, by the source's own id: it is taken in once. PENDING: its answers are to be fetched.
CREATE TABLE lead_source_leads (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  -- SHA-256 of the source's own id in Base64 for URLs, or of the whole call where the source has no ids.
  key text NOT NULL,
  -- NULL where the source has no ids, and once the lead was erased.
  external_id text,
  state text NOT NULL,
  lead_id uuid,
  -- The journal's entry that named it.
  call_id uuid,
  attempt_count integer NOT NULL DEFAULT 0,
  -- PENDING: when it is to be fetched, or when the lease of the worker that fetches it ends.
  due_at timestamptz(3),
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, source_id, key),
  FOREIGN KEY (tenant_id, source_id) REFERENCES lead_sources (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT lead_source_leads_state_check CHECK (state IN ('PENDING', 'TAKEN', 'FAILED', 'ERASED')),
  CONSTRAINT lead_source_leads_due_check CHECK ((state = 'PENDING') = (due_at IS NOT NULL))
);
CREATE INDEX lead_source_leads_due_idx ON lead_source_leads (tenant_id, due_at) WHERE state = 'PENDING';
CREATE INDEX lead_source_leads_lead_idx ON lead_source_leads (tenant_id, lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX lead_source_leads_created_idx ON lead_source_leads (tenant_id, source_id, created_at);
CREATE INDEX lead_source_leads_error_idx ON lead_source_leads (tenant_id, source_id, created_at) WHERE error IS NOT NULL;
CREATE INDEX lead_source_leads_ended_idx ON lead_source_leads (tenant_id, created_at) WHERE state IN ('FAILED', 'ERASED');

-- What was taken in of an erased person is not taken in again when its source repeats it: a hash of the source's id stays. A call of a
-- source without ids says nothing but what the person entered, so nothing of it stays.
CREATE FUNCTION erase_lead_source_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM lead_source_leads s USING erased l
  WHERE s.tenant_id = l.tenant_id AND s.lead_id = l.id AND s.external_id IS NULL;
  UPDATE lead_source_leads s
  SET state = 'ERASED', external_id = NULL, lead_id = NULL, call_id = NULL, error = NULL, due_at = NULL
  FROM erased l WHERE s.tenant_id = l.tenant_id AND s.lead_id = l.id;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_erased_from_sources AFTER DELETE ON leads REFERENCING OLD TABLE AS erased
  FOR EACH STATEMENT EXECUTE FUNCTION erase_lead_source_leads();
-- Also for rows that are loaded without triggers (session_replication_role).
ALTER TABLE leads ENABLE ALWAYS TRIGGER leads_erased_from_sources;

-- The forms of a META source, and how far each was read for what its notifications have missed.
CREATE TABLE lead_source_forms (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  form_id text NOT NULL,
  is_configured boolean NOT NULL,
  -- Leads from before were read.
  read_until timestamptz(3) NOT NULL,
  -- Of a reading that goes on: until when it reads, and the page that comes next.
  reading_until timestamptz(3),
  cursor text,
  attempt_count integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, source_id, form_id),
  FOREIGN KEY (tenant_id, source_id) REFERENCES lead_sources (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX lead_source_forms_due_idx ON lead_source_forms (tenant_id, due_at);

-- ## The ledger of consent
-- What a person ticked in a lead form. It changes nothing about what the lead gets.

ALTER TABLE consent_entries ADD COLUMN evidence jsonb;
-- NOT VALID: the checks before allowed less, so no row has to be read.
ALTER TABLE consent_entries
  DROP CONSTRAINT consent_entries_action_check,
  ADD CONSTRAINT consent_entries_action_check CHECK (action IN ('OPT_OUT', 'OPT_IN', 'DISCLAIMER')) NOT VALID,
  DROP CONSTRAINT consent_entries_source_check,
  ADD CONSTRAINT consent_entries_source_check CHECK (source IN ('KEYWORD', 'PREFERENCE', 'USER', 'LEAD_FORM')) NOT VALID;

CREATE OR REPLACE FUNCTION guard_consent_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'lead_id' = to_jsonb(OLD) - 'lead_id' THEN
      RETURN NEW;
    END IF;
    IF pg_trigger_depth() > 1 AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
      AND num_nonnulls(NEW.keyword, NEW.reason, NEW.message_id, NEW.webhook_call_id, NEW.evidence) = 0
      AND to_jsonb(NEW) - '{keyword,reason,message_id,webhook_call_id,evidence,erased_at}'::text[]
        = to_jsonb(OLD) - '{keyword,reason,message_id,webhook_call_id,evidence,erased_at}'::text[] THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'consent_entries is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE FUNCTION erase_consent_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE consent_entries e
  SET keyword = NULL, reason = NULL, message_id = NULL, webhook_call_id = NULL, evidence = NULL, erased_at = now()
  FROM erased l WHERE e.tenant_id = l.tenant_id AND e.lead_id = l.id AND e.erased_at IS NULL;
  RETURN NULL;
END $$;

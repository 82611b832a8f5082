-- Consent: keywords of tenants, who has opted out, and the ledger of it.

ALTER TABLE tenants
  ADD COLUMN opt_out_keywords text[] NOT NULL
    DEFAULT '{STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,PARAR,SAIR,CANCELAR,BAJA}',
  ADD COLUMN opt_in_keywords text[] NOT NULL DEFAULT '{START,UNSTOP,VOLTAR,ALTA}',
  ADD COLUMN opt_out_reply text,
  -- The canonical forms of both lists, which the intake compares texts with.
  ADD COLUMN consent_keys text[] NOT NULL
    DEFAULT '{STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,PARAR,SAIR,CANCELAR,BAJA,START,UNSTOP,VOLTAR,ALTA}';

-- Leads that were left out of a bulk send.
ALTER TABLE bulk_sends ADD COLUMN skipped integer NOT NULL DEFAULT 0;

-- ## The ledger
-- Append-only. Without foreign keys to what may be erased: an entry outlives its lead, without what it said of the person.

CREATE TABLE consent_entries (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  original_lead_id uuid NOT NULL,
  action text NOT NULL,
  source text NOT NULL,
  is_superseded boolean NOT NULL,
  keyword text,
  reason text,
  message_id uuid,
  webhook_call_id uuid,
  user_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  recorded_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  erased_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  CONSTRAINT consent_entries_action_check CHECK (action IN ('OPT_OUT', 'OPT_IN')),
  CONSTRAINT consent_entries_source_check CHECK (source IN ('KEYWORD', 'PREFERENCE', 'USER'))
);
CREATE INDEX consent_entries_tenant_id_lead_id_id_idx ON consent_entries (tenant_id, lead_id, id);

-- Two changes are permitted. A merge, and its undoing, give an entry to another lead. The erasure of a lead, and nothing else (it is
-- a trigger of the lead's own deletion, so it runs within another trigger), removes what the entry says of the person.
CREATE FUNCTION guard_consent_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'lead_id' = to_jsonb(OLD) - 'lead_id' THEN
      RETURN NEW;
    END IF;
    IF pg_trigger_depth() > 1 AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
      AND num_nonnulls(NEW.keyword, NEW.reason, NEW.message_id, NEW.webhook_call_id) = 0
      AND to_jsonb(NEW) - '{keyword,reason,message_id,webhook_call_id,erased_at}'::text[]
        = to_jsonb(OLD) - '{keyword,reason,message_id,webhook_call_id,erased_at}'::text[] THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'consent_entries is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER consent_entries_guarded BEFORE UPDATE OR DELETE ON consent_entries FOR EACH ROW
  EXECUTE FUNCTION guard_consent_entries();
CREATE TRIGGER consent_entries_not_truncated BEFORE TRUNCATE ON consent_entries FOR EACH STATEMENT
  EXECUTE FUNCTION guard_consent_entries();

CREATE FUNCTION erase_consent_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE consent_entries e
  SET keyword = NULL, reason = NULL, message_id = NULL, webhook_call_id = NULL, erased_at = now()
  FROM erased l WHERE e.tenant_id = l.tenant_id AND e.lead_id = l.id AND e.erased_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_erased AFTER DELETE ON leads REFERENCING OLD TABLE AS erased
  FOR EACH STATEMENT EXECUTE FUNCTION erase_consent_entries();

-- Also for rows that are loaded without triggers (session_replication_role).
ALTER TABLE consent_entries ENABLE ALWAYS TRIGGER consent_entries_guarded,
  ENABLE ALWAYS TRIGGER consent_entries_not_truncated;
ALTER TABLE leads ENABLE ALWAYS TRIGGER leads_erased;

-- ## Who has opted out
-- One row for each lead that has, so that claims and lists look at these leads only.

CREATE TABLE opt_outs (
  tenant_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  opted_out_at timestamptz(3) NOT NULL,
  source text NOT NULL,
  keyword text,
  message_id uuid,

  PRIMARY KEY (tenant_id, lead_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, entry_id) REFERENCES consent_entries (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
-- For dashboards.
CREATE INDEX opt_outs_tenant_id_opted_out_at_idx ON opt_outs (tenant_id, opted_out_at);

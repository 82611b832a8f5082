-- Operators look for people by their e-mail address, of which the beginning is enough. Leads without one write nothing to it. The index
-- leads_email_idx is for the version before, and goes once no version needs it.
CREATE INDEX CONCURRENTLY leads_any_email_idx ON leads (tenant_id, email_of_lead(custom_fields, metadata) text_pattern_ops)
  WHERE email_of_lead(custom_fields, metadata) IS NOT NULL;

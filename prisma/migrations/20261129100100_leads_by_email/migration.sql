-- People who gave the same e-mail address are likely the same. Leads without one write nothing to it.
CREATE INDEX CONCURRENTLY leads_email_idx ON leads (tenant_id, left(lower(coalesce(custom_fields ->> 'email', custom_fields ->> 'e-mail', metadata ->> 'email', metadata ->> 'e-mail')), 254))
  WHERE coalesce(custom_fields ->> 'email', custom_fields ->> 'e-mail', metadata ->> 'email', metadata ->> 'e-mail') IS NOT NULL;

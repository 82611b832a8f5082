-- Who looked after a lead, and from when: the event log forgets it after some days.

CREATE TABLE lead_assignments (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  lead_id uuid NOT NULL,
  assignee_id uuid,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users (tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX lead_assignments_tenant_id_lead_id_id_idx ON lead_assignments (tenant_id, lead_id, id);

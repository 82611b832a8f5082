-- Whether a tenant's notifications of browsers say what was written. The version before goes on without the text.

ALTER TABLE tenants ADD COLUMN pushes_text boolean NOT NULL DEFAULT false;

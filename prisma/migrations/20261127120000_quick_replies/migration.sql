-- Quick replies: templates with a shortcut and files, and templates that only their author uses.

CREATE TYPE template_visibility AS ENUM ('SHARED', 'PERSONAL');

ALTER TABLE templates
  -- In lower case.
  ADD COLUMN shortcut text,
  ADD COLUMN visibility template_visibility NOT NULL DEFAULT 'SHARED',
  -- Null where nobody knows who created it.
  ADD COLUMN author_id uuid,
  ADD FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE UNIQUE INDEX templates_tenant_id_shortcut_key ON templates (tenant_id, shortcut) WHERE deleted_at IS NULL;

UPDATE templates t SET author_id = v.author_id
FROM template_versions v WHERE v.tenant_id = t.tenant_id AND v.template_id = t.id AND v.version = 1;

CREATE TABLE template_files (
  tenant_id uuid NOT NULL,
  template_id uuid NOT NULL,
  file_id uuid NOT NULL,
  position integer NOT NULL,

  PRIMARY KEY (tenant_id, template_id, file_id),
  FOREIGN KEY (tenant_id, template_id) REFERENCES templates (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, file_id) REFERENCES media_files (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX template_files_file_idx ON template_files (tenant_id, file_id);

CREATE OR REPLACE FUNCTION release_media_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media_deletions (tenant_id, object_id) VALUES (OLD.tenant_id, OLD.object_id)
  ON CONFLICT (tenant_id, object_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  -- An upload goes with the last message that it was sent with, unless a template has it.
  IF OLD.message_id IS NOT NULL THEN
    DELETE FROM media_files u
    WHERE u.tenant_id = OLD.tenant_id AND u.object_id = OLD.object_id AND u.message_id IS NULL
      AND NOT EXISTS (
        SELECT FROM media_files m WHERE m.tenant_id = OLD.tenant_id AND m.object_id = OLD.object_id AND m.message_id IS NOT NULL)
      AND NOT EXISTS (SELECT FROM template_files t WHERE t.tenant_id = u.tenant_id AND t.file_id = u.id);
  END IF;
  RETURN NULL;
END $$;

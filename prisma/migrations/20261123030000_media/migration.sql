-- # Files of messages
-- Where a file came from stays in `messages.media`. A message from before this version has no row here: its file was never fetched, and
-- `fetchMedia` makes the row.

CREATE TYPE media_state AS ENUM ('PENDING', 'STORED', 'EXPIRED', 'TOO_LARGE', 'FAILED');

CREATE TABLE media_files (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- The file of a message has the id of the message.
  id uuid NOT NULL,
  -- NULL: an upload, which messages copy.
  message_id uuid,
  state media_state NOT NULL,
  -- Several rows may share an object.
  object_id uuid,
  mime_type text,
  file_name text,
  size bigint,
  sha256 bytea,
  error text,
  -- Of an upload.
  uploaded_by uuid,
  used_at timestamptz(3),
  attempt_count integer NOT NULL DEFAULT 0,
  -- PENDING: when it is to be fetched, or when the lease of the worker that fetches it ends.
  due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stored_at timestamptz(3),

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (tenant_id, uploaded_by) REFERENCES users (tenant_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT media_files_state_check CHECK ((state = 'STORED') = (object_id IS NOT NULL) AND (state = 'PENDING') = (due_at IS NOT NULL))
);
CREATE UNIQUE INDEX media_files_tenant_id_message_id_key ON media_files (tenant_id, message_id);
CREATE INDEX media_files_object_idx ON media_files (tenant_id, object_id) WHERE object_id IS NOT NULL;
CREATE INDEX media_files_due_idx ON media_files (tenant_id, due_at) WHERE state = 'PENDING';
CREATE INDEX media_files_uploads_idx ON media_files (tenant_id, created_at) WHERE message_id IS NULL;
CREATE INDEX media_files_stored_idx ON media_files (stored_at) WHERE state = 'STORED';

-- Objects that are to be deleted from the store, unless a file names them by then. A row is written before an object is, and goes with
-- the commit that names it: what a killed process leaves behind is deleted as well.
CREATE TABLE media_deletions (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  object_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  PRIMARY KEY (tenant_id, object_id)
);
CREATE INDEX media_deletions_due_idx ON media_deletions (tenant_id, due_at);

CREATE FUNCTION release_media_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media_deletions (tenant_id, object_id) VALUES (OLD.tenant_id, OLD.object_id)
  ON CONFLICT (tenant_id, object_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  -- An upload goes with the last message that it was sent with.
  IF OLD.message_id IS NOT NULL THEN
    DELETE FROM media_files u
    WHERE u.tenant_id = OLD.tenant_id AND u.object_id = OLD.object_id AND u.message_id IS NULL AND NOT EXISTS (
      SELECT FROM media_files m WHERE m.tenant_id = OLD.tenant_id AND m.object_id = OLD.object_id AND m.message_id IS NOT NULL);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER media_files_deleted AFTER DELETE ON media_files FOR EACH ROW
  WHEN (OLD.object_id IS NOT NULL) EXECUTE FUNCTION release_media_object();
CREATE TRIGGER media_files_released AFTER UPDATE OF object_id ON media_files FOR EACH ROW
  WHEN (OLD.object_id IS NOT NULL AND OLD.object_id IS DISTINCT FROM NEW.object_id) EXECUTE FUNCTION release_media_object();

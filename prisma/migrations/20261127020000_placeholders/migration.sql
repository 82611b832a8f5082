-- A message that came without its content, until a call brings that. The default is of the catalog: no row is written.

ALTER TABLE messages ADD COLUMN is_placeholder boolean NOT NULL DEFAULT false;

-- A link that signs an ADMIN in once, where no identity provider is set up. A user has one at most: a new one takes its place.
CREATE TABLE sign_in_links (
  tenant_id  uuid NOT NULL,
  user_id    uuid NOT NULL,
  hash       bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3),
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX sign_in_links_hash_key ON sign_in_links (hash);

-- How many statuses of our messages a reading of a history brought. Earlier readings brought none. The default is of the catalog: no row
-- is written.

ALTER TABLE instance_audits ADD COLUMN statuses integer NOT NULL DEFAULT 0;

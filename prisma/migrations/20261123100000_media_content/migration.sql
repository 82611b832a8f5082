-- The bytes of a file that came within the webhook call, until they are in the store. The column has no default, so that no row is written
-- again, and the lock is short. Photos do not get smaller by compressing them.

ALTER TABLE media_files ADD COLUMN content bytea;
ALTER TABLE media_files ALTER COLUMN content SET STORAGE EXTERNAL;

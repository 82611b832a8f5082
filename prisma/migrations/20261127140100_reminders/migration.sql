-- A snooze that is a reminder: for the case that the lead does not reply. It counts while the conversation is SNOOZED only, so that the
-- statements of messages need not set it.
ALTER TABLE leads ADD COLUMN is_reminder boolean NOT NULL DEFAULT false;

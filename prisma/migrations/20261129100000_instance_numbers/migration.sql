-- The number of the line itself, as its gateway reports it.
ALTER TABLE chat_instances ADD COLUMN number text;

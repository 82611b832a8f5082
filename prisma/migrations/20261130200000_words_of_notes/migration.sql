-- A search finds notes by the words that it finds messages by. The mark of the tenant is part of each word.
CREATE INDEX CONCURRENTLY lead_notes_words_idx ON lead_notes USING gin (words_of_message(tenant_id, body, NULL::jsonb));

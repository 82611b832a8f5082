-- The words of a message, for the search: of the text, the caption and the file's name; without letter case and accents. Each word follows
-- a mark of its tenant, so that a search reads the words of one tenant alone. It is cheaper in PL/pgSQL than as one expression in SQL.
CREATE FUNCTION words_of_message(tenant uuid, body text, media jsonb) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  "said" text := left(CASE WHEN "media" IS NULL THEN "body"
    ELSE concat_ws(' ', "body", "media"->>'caption', "media"->>'fileName') END, 10000);
  "mark" text := ' ' || right("tenant"::text, 8);
BEGIN
  -- A text of as many bytes as characters has no accents.
  IF octet_length("said") <> length("said") THEN
    "said" := regexp_replace(normalize("said", NFKD), U&'[\0300-\036F]', '', 'g');
  END IF;
  "said" := lower("said");
  -- A number of eight digits or more is a word as well, and so are its last eight: behind a letter that no other word has.
  IF "said" ~ '[0-9][0-9 ().-]{6,24}[0-9]' THEN
    "said" := "said" || ' ' || (
      SELECT string_agg("digits" || ' N' || right("digits", 8), ' ')
      FROM (SELECT regexp_replace("run"[1], '[^0-9]', '', 'g') AS "digits"
        FROM regexp_matches("said", '[0-9][0-9 ().-]{6,24}[0-9]', 'g') AS "run") AS "numbers");
  END IF;
  "said" := regexp_replace("said",
    U&'[\0001-/:-@[-`{-\00BF\2000-\2BFF\3000-\303F\FE00-\FE0F\+01F000-\+01FAFF]+', "mark", 'g');
  -- A word has to fit its index: its first 60 characters count, behind the mark.
  IF octet_length("said") > 2000 THEN
    "said" := regexp_replace("said", '([^ ]{68})[^ ]+', '\1', 'g');
  END IF;
  RETURN array_to_tsvector(array_remove(string_to_array(ltrim("mark") || "said", ' '), ltrim("mark")));
END $$;

-- A worker fills it from the event log, so that the writers of messages do not pay for it. It has no row for a message without words.
CREATE TABLE message_words (
  tenant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (tenant_id, message_id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
-- A search reads the list of new entries whole, so the list is short.
CREATE INDEX message_words_idx ON message_words USING gin (words) WITH (gin_pending_list_limit = 1024);

-- How far the words of each tenant are in the table: all changes up to an event, and of earlier messages those from an id on.
CREATE TABLE message_word_progress (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON UPDATE CASCADE ON DELETE CASCADE,
  last_seq bigint NOT NULL,
  earlier_than uuid
);

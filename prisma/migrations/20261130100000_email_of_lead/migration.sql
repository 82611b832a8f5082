-- The e-mail address of a lead: its field of that name, or else the first address in its fields or in a group of them, because each form
-- has its own name for it. In small letters, and at most 254 characters long, which is the most of an address.
CREATE FUNCTION email_of_lead(custom_fields jsonb, metadata jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(lower(coalesce(
    custom_fields ->> 'email', custom_fields ->> 'e-mail', metadata ->> 'email', metadata ->> 'e-mail',
    jsonb_path_query_first(custom_fields, '$.**{1 to 2} ? (@ like_regex "^[^@\\s/:]+@[^@\\s/:]+[.][^@\\s/:]+$")') #>> '{}',
    jsonb_path_query_first(metadata, '$.**{1 to 2} ? (@ like_regex "^[^@\\s/:]+@[^@\\s/:]+[.][^@\\s/:]+$")') #>> '{}'
  )), 254)
$$;

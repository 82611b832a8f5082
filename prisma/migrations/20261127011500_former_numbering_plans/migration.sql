-- Benin and Ivory Coast gave every number more digits: a number of the former plan is now known under the one that follows it. A lead
-- that has the new number beside another that has the former one stays two: a migration joins no conversations.
UPDATE lead_identities i SET match_key = n.match_key
FROM (
  SELECT tenant_id, kind, match_key AS former,
    CASE
      WHEN match_key LIKE '229%' THEN '22901'
      WHEN substr(match_key, 4, 1) IN ('2', '3') THEN '2252' || CASE substr(match_key, 6, 1) WHEN '8' THEN '1' WHEN '0' THEN '5' ELSE '7' END
      ELSE '2250' || CASE WHEN substr(match_key, 5, 1) IN ('0', '1', '2', '3') THEN '1' WHEN substr(match_key, 5, 1) IN ('4', '5', '6') THEN '5' ELSE '7' END
    END || substr(match_key, 4) AS match_key
  FROM lead_identities
  WHERE kind = 'PHONE' AND match_key ~ '^(229[24569]|225[02-9])\d{7}$'
) n
WHERE i.tenant_id = n.tenant_id AND i.kind = n.kind AND i.match_key = n.former
  AND NOT EXISTS (
    SELECT 1 FROM lead_identities o WHERE o.tenant_id = n.tenant_id AND o.kind = n.kind AND o.match_key = n.match_key
  );

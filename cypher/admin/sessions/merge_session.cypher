// Store a session by its hash.
MERGE (s:Session {hash: $hash})
ON CREATE SET
  s.token_hash = $token_hash,
  s.issuer = $issuer,
  s.user = $user,
  s.groups = $groups,
  s.created_at = coalesce($now, datetime.realtime()),
  s.last_at = CASE
    WHEN $until < coalesce($now, datetime.realtime()) + $lifetime THEN $until
    ELSE coalesce($now, datetime.realtime()) + $lifetime
  END
SET s.used_at = s.created_at
RETURN s.hash AS hash,
       s.token_hash AS token_hash,
       s.issuer AS issuer,
       s.user AS user,
       s.groups AS groups,
       s.used_at AS used_at,
       s.last_at AS last_at

// A session by its hash.
MATCH (s:Session {hash: $hash})
RETURN s.hash AS hash,
       s.token_hash AS token_hash,
       s.issuer AS issuer,
       s.user AS user,
       s.groups AS groups,
       s.used_at AS used_at,
       s.last_at AS last_at

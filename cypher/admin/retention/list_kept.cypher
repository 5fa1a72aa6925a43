// Runs that a sweep has not condemned.
MATCH (r:Run)
WHERE r.id > $after AND (r.condemned IS NULL OR r.condemned <> $sweep)
RETURN r.id AS id
ORDER BY id
LIMIT $limit

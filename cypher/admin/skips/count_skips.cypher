// Count the entries of the skip list.
MATCH (s:Skip)-[:SKIPS]->(j:Job)
WHERE ($namespace IS NULL OR j.namespace = $namespace)
  AND ($ended OR s.removed_at IS NULL
    AND coalesce(s.expires_at > coalesce($now, datetime.realtime()), true))
RETURN count(*) AS entries

// Jobs and datasets with a data flow, now or at a time, up to a limit.
MATCH (n:Job|Dataset)
WHERE n.hidden_at IS NULL AND EXISTS {
  MATCH (n)-[e:FEEDS|PRODUCES]-(other)
  WHERE other.hidden_at IS NULL AND ($at IS NULL OR e.first_seen <= $at)
}
WITH coalesce(n.same_as, n.key) AS key, n:Job AS is_job, n.same_as IS NOT NULL AS is_same,
     0 AS distance, min(coalesce(n.fqn, n.name)) AS name
ORDER BY name, key
LIMIT $limit
RETURN collect([key, is_job, distance, is_same]) AS rows

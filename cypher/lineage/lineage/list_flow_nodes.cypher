// Jobs and datasets with a data flow, now or at a time, up to a limit.
MATCH (n:Job|Dataset)
WHERE n.hidden_at IS NULL AND EXISTS {
  MATCH (n)-[e:FEEDS|PRODUCES]-(other)
  WHERE other.hidden_at IS NULL AND ($at IS NULL OR e.first_seen <= $at)
}
WITH n
ORDER BY coalesce(n.fqn, n.name), n.key
LIMIT $limit
RETURN collect({
  key: n.key,
  is_job: n:Job,
  distance: 0
}) AS rows

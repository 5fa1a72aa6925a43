// A page of the jobs whose topmost ancestor, or themselves, is in a namespace, and their count.
MATCH (top:Job)
WHERE top.namespace = $namespace AND top.fqn IS NOT NULL
  AND NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
MATCH (top)-[:PARENT_OF*0..]->(j:Job)
WHERE j.hidden_at IS NULL
WITH j.key AS key
ORDER BY j.fqn, j.namespace, key
WITH collect(key) AS keys
CALL (keys) {
  UNWIND keys AS key
  WITH key
  SKIP $offset
  LIMIT $limit
  RETURN collect(key) AS page
}
RETURN page AS keys, size(keys) AS total

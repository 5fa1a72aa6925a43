// The jobs that are served in a namespace and its datasets; datasets that are the same are one.
CALL () {
  MATCH (top:Job)
  WHERE top.namespace = $namespace AND top.fqn IS NOT NULL AND $inherit
    AND NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  MATCH (top)-[:PARENT_OF*0..]->(n:Job)
  RETURN n
  UNION
  MATCH (n:Job)
  WHERE n.namespace = $namespace AND n.fqn IS NOT NULL AND NOT $inherit
  RETURN n
  UNION
  MATCH (n:Dataset)
  WHERE n.namespace = $namespace AND n.name IS NOT NULL
  RETURN n
}
WITH n
WHERE n.hidden_at IS NULL
WITH coalesce(n.same_as, n.key) AS key, n:Job AS is_job, n.same_as IS NOT NULL AS is_same
WITH DISTINCT key, is_job, 0 AS distance, is_same
ORDER BY key
LIMIT $limit
RETURN collect([key, is_job, distance, is_same]) AS rows

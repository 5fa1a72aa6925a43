// A page of the jobs whose latest run is in some states, of all or of a namespace, and their count.
CALL () {
  MATCH (j:Job)
  WHERE $namespace IS NULL AND j.fqn IS NOT NULL
  RETURN j
  UNION
  MATCH (j:Job)
  WHERE NOT $inherit AND j.namespace = $namespace AND j.fqn IS NOT NULL
  RETURN j
  UNION
  MATCH (top:Job)
  WHERE $inherit AND top.namespace = $namespace AND top.fqn IS NOT NULL
    AND NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  MATCH (top)-[:PARENT_OF*0..]->(j:Job)
  RETURN j
}
WITH j WHERE j.hidden_at IS NULL
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  RETURN r.state AS state
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT 1
}
WITH j WHERE state IN $states
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

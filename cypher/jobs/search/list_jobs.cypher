// The jobs with a lower-case text in their FQN or own name, and those of some keys.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL
  AND (toLower(j.fqn) CONTAINS $text OR toLower(j.name) CONTAINS $text OR j.key IN $also)
CALL (j) {
  MATCH (top:Job)-[:PARENT_OF*0..]->(j)
  WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  RETURN collect(top.namespace)[0] AS top_namespace
}
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT 1
  RETURN collect(coalesce(r.state_at, r.created_at))[0] AS updated_at
}
RETURN j.key AS key, j.namespace AS namespace, coalesce(top_namespace, j.namespace) AS top_namespace,
       j.fqn AS name, updated_at
ORDER BY name, top_namespace, namespace, key

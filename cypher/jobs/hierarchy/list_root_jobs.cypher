// Jobs without a parent that is not deleted, with the state and time of their latest run.
MATCH (j:Job)
WHERE j.hidden_at IS NULL
  AND NOT EXISTS { MATCH (above:Job)-[:PARENT_OF*]->(j) WHERE above.hidden_at IS NULL }
  AND ($namespace IS NULL OR j.namespace = $namespace)
WITH j
ORDER BY j.fqn, j.namespace
LIMIT $limit
CALL (j) {
  MATCH (r:Run {job_key: j.key})
  WHERE r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT 1
  RETURN collect(r) AS latest
}
RETURN j.key AS key, null AS parent, j.namespace AS namespace, j.fqn AS name,
       j.simple_name AS simple_name, j.kind AS kind, coalesce(j.stub, false) AS stub,
       j.current_version AS version, COUNT { (j)-[:HAS_RUN]->() } AS runs,
       latest[0].state AS state, latest[0].started_at AS started_at,
       latest[0].ended_at AS ended_at
ORDER BY name, namespace

// The jobs with the names of dependencies: by full name, or by a simple name that only one job has.
UNWIND $rows AS row
// Step 1: the job with the full name; stubs last.
CALL (row) {
  MATCH (j:Job {namespace: row.namespace, fqn: row.fqn})
  RETURN j, NOT j.stub OR EXISTS { (j)-[:HAS_RUN]->() } AS is_known
  ORDER BY j.stub, NOT j.defined, j.key
  LIMIT 1
  UNION ALL
  RETURN null AS j, false AS is_known
}
WITH row, collect(j)[0] AS exact, collect(is_known)[0] AS is_known
// Step 2: the jobs below others with the simple name, if no job is known by the full name.
CALL (row, is_known) {
  WITH row, is_known WHERE NOT is_known
  MATCH (j:Job {simple_name: row.fqn})
  WHERE j.namespace = row.namespace AND j.fqn <> row.fqn AND j.hidden_at IS NULL
    AND (NOT j.stub OR EXISTS { (j)-[:HAS_RUN]->() })
    AND NOT coalesce(j.kind, '') IN ['application', 'action']
    AND NOT EXISTS { (top:Job)-[:PARENT_OF*0..]->(j) WHERE top.withdrawn_at IS NOT NULL }
  WITH j
  ORDER BY j.fqn, j.key
  RETURN collect(j) AS others
}
WITH row, CASE WHEN size(others) = 1 THEN others[0] ELSE exact END AS j,
  is_known OR size(others) = 1 AS is_known,
  [one IN others WHERE size(others) > 1 | one.fqn] AS candidates
WHERE j IS NOT NULL OR size(candidates) > 0
RETURN row.namespace AS namespace, row.fqn AS fqn, j.key AS key, j.fqn AS full_name, is_known, candidates
ORDER BY namespace, fqn

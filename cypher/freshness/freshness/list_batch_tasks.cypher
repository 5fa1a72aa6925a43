// The active tasks of a batch in order, each with its latest run.
MATCH (top:Job {key: $job_key})-[force:IN_FORCE]->(:JobVersion)-[:CONTAINS]->(v:TaskVersion)
WHERE force.until IS NULL
MATCH (top)-[:PARENT_OF]->(j:Job {simple_name: v.name})
CALL (j) {
  OPTIONAL MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT 1
  RETURN r
}
RETURN
  j.key AS key, v.name AS name, r.id AS run_id, r.state AS state, r.reason AS reason,
  coalesce(r.message, r.error) AS message
ORDER BY v.position, key

// The jobs with the names in conditions, by condition.
UNWIND $rows AS row
CALL (row) {
  MATCH (j:Job {namespace: row.namespace, fqn: row.fqn})
  RETURN j ORDER BY j.stub, j.key LIMIT 1
}
RETURN row.condition_id AS condition_id, j.key AS job_key
ORDER BY condition_id

// The topmost runs that have not ended, oldest first: of those that run, and of those that wait, some each.
MATCH (r:Run)
WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING'] AND r.state_at IS NOT NULL
  AND NOT EXISTS { (:Run)-[:PARENT_OF]->(r) }
WITH r, r.state <> 'RUNNING' OR coalesce(r.launch = 'PARKED', false) AS waits
ORDER BY r.created_at, r.id
WITH waits, collect(r)[..$limit] AS runs
UNWIND runs AS r
MATCH (j:Job {key: r.job_key})
// A run waits if one of its tasks does and none runs.
CALL (r) {
  OPTIONAL MATCH (r)-[:PARENT_OF*1..5]->(w:Run {state: 'WAITING'})
  WHERE r.state = 'RUNNING' AND NOT EXISTS {
    MATCH (r)-[:PARENT_OF*1..5]->(b:Run {state: 'RUNNING'})
    WHERE NOT EXISTS { (b)-[:PARENT_OF]->(:Run) }
  }
  RETURN w ORDER BY w.created_at, w.id LIMIT 1
}
RETURN
  r.id AS id, j.fqn AS job, j.namespace AS namespace, coalesce(w.state, r.state) AS state,
  coalesce(r.started_at, r.created_at) AS at, r.partition AS partition,
  coalesce(w.reason, r.reason) AS reason, coalesce(w.message, r.message) AS error
ORDER BY at, id

// The topmost runs that ended in a state since a time, by the times of their events, newest first.
MATCH (r:Run)
WHERE r.state_at >= $since AND r.state = $state AND NOT EXISTS { (:Run)-[:PARENT_OF]->(r) }
// An event may arrive long after its time, and a mark by hand changes the state after the end.
WITH r, coalesce(r.marked_at, r.ended_at, r.state_at) AS at
WHERE at >= $since
WITH r, at ORDER BY at DESC, r.id LIMIT $limit
MATCH (j:Job {key: r.job_key})
RETURN
  r.id AS id, j.fqn AS job, j.namespace AS namespace, r.state AS state, at,
  r.partition AS partition, r.reason AS reason, coalesce(r.error, r.message) AS error,
  CASE WHEN r.acknowledged_at IS NOT NULL AND r.state IN ['FAILED', 'KILLED'] THEN {
    author: r.acknowledged_by, note: r.acknowledgement, at: toString(r.acknowledged_at)
  } END AS acknowledgement
ORDER BY at DESC, id

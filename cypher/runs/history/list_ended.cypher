// The topmost runs that reached a state since a time, newest first.
MATCH (r:Run)
WHERE r.state_at >= $since AND r.state = $state AND NOT EXISTS { (:Run)-[:PARENT_OF]->(r) }
WITH r ORDER BY r.state_at DESC, r.id LIMIT $limit
MATCH (j:Job {key: r.job_key})
RETURN
  r.id AS id, j.fqn AS job, j.namespace AS namespace, r.state AS state, r.state_at AS at,
  r.partition AS partition, r.reason AS reason, coalesce(r.error, r.message) AS error,
  CASE WHEN r.acknowledged_at IS NOT NULL AND r.state IN ['FAILED', 'KILLED'] THEN {
    author: r.acknowledged_by, note: r.acknowledgement, at: toString(r.acknowledged_at)
  } END AS acknowledgement
ORDER BY at DESC, id

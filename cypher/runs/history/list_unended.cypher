// The topmost runs that have not ended, oldest first.
MATCH (r:Run)
WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING'] AND NOT EXISTS { (:Run)-[:PARENT_OF]->(r) }
WITH r ORDER BY r.created_at, r.id LIMIT $limit
MATCH (j:Job {key: r.job_key})
RETURN
  r.id AS id, j.fqn AS job, j.namespace AS namespace, r.state AS state,
  coalesce(r.started_at, r.created_at) AS at, r.partition AS partition, r.reason AS reason,
  r.message AS error
ORDER BY at, id
